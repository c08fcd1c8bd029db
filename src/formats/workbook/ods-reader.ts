import type { FileWarning } from '../../shared/data-sources/files'
import { SOURCE_MAX_DATASETS } from '../../shared/limits'
import type { ByteSource, FormatReader, TableSink } from '../contract'
import { RegionRoom } from './region-table'
import { OdsContentHandler } from './ods-content'
import { isOds, DOCUMENT_MESSAGE } from './detect-workbook'
import { workbookEncryptedError, workbookUnsupportedError } from './workbook-errors'
import { skippedSheetWarning, tooManySheetsWarning } from './sheet-warnings'
import { scanTurnsOf, WorkbookPackage } from './workbook-package'
import type { XmlHandler, XmlTag } from './xml-scanner'

/** Tells from the list of parts whether any of them is encrypted. */
class ManifestHandler implements XmlHandler {
  wantsText = false
  open(tag: XmlTag): void {
    if (tag.name === 'encryption-data') throw workbookEncryptedError()
  }
  close(): void {}
  text(): void {}
}

/** Sheets that are kept a place each, before tables that are parts of them. */
const SHEETS_EXPECTED = 10

async function openOds(source: ByteSource, sink: TableSink): Promise<{ warnings: FileWarning[] }> {
  const parts = await WorkbookPackage.open(source)
  if (parts.has('META-INF/manifest.xml')) await parts.scanSmallPart('META-INF/manifest.xml', new ManifestHandler())
  const warnings: FileWarning[] = []
  let tables = 0
  // How many sheets there are is only known at the end.
  const room = new RegionRoom(SHEETS_EXPECTED)
  const content = new OdsContentHandler(sink, {
    room,
    canOpenSheet: () => tables + room.taken < SOURCE_MAX_DATASETS,
    onSheetEnd: (name, found) => {
      if (found) tables++
      else warnings.push(skippedSheetWarning(name, 'empty'))
      if (tables + room.taken >= SOURCE_MAX_DATASETS && found) warnings.push(tooManySheetsWarning())
    },
  })
  await parts.scan('content.xml', content, scanTurnsOf(sink))
  if (!content.isSpreadsheet) throw workbookUnsupportedError(DOCUMENT_MESSAGE)
  return { warnings }
}

/** OpenDocument spreadsheets: every sheet with values is a table. */
export const odsReader: FormatReader = { kind: 'ods', recognises: isOds, open: openOds }
