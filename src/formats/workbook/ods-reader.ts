import type { FileWarning } from '../../shared/files'
import { SOURCE_MAX_DATASETS } from '../../shared/limits'
import type { ByteSource, FileReader, TableSink } from '../contract'
import { OdsContent } from './ods-content'
import { looksLikeOds } from './recognise'
import { DOCUMENT } from './other-workbooks'
import { encrypted, unsupported } from './refusals'
import { skippedSheet, tooManySheets } from './skipped-sheets'
import { WorkbookPackage } from './workbook-package'
import type { XmlHandler, XmlTag } from './xml-scanner'

/** Tells from the list of parts whether any of them is encrypted. */
class Manifest implements XmlHandler {
  wantsText = false
  open(tag: XmlTag): void {
    if (tag.name === 'encryption-data') throw encrypted()
  }
  close(): void {}
  text(): void {}
}

async function open(source: ByteSource, sink: TableSink): Promise<{ warnings: FileWarning[] }> {
  const parts = await WorkbookPackage.open(source)
  if (parts.has('META-INF/manifest.xml')) await parts.scanList('META-INF/manifest.xml', new Manifest())
  const warnings: FileWarning[] = []
  let tables = 0
  const content = new OdsContent(sink, {
    wanted: () => tables < SOURCE_MAX_DATASETS,
    ended: (name, found) => {
      if (found) tables++
      else warnings.push(skippedSheet(name, 'empty'))
      if (tables === SOURCE_MAX_DATASETS && found) warnings.push(tooManySheets())
    },
  })
  await parts.scan('content.xml', content, () => sink.flush())
  if (!content.isSpreadsheet) throw unsupported(DOCUMENT)
  return { warnings }
}

/** OpenDocument spreadsheets: every sheet with values is a table. */
export const odsReader: FileReader = { kind: 'ods', recognises: looksLikeOds, open }
