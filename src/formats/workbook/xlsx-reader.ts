import type { FileWarning } from '../../shared/data-sources/files'
import type { ByteSource, FormatReader, TableSink } from '../contract'
import { unreadableError } from '../file-errors'
import { XlsbSheetHandler } from './binary/xlsb-sheet'
import { XlsbStrings, XlsbStyles } from './binary/xlsb-parts'
import type { CellContext } from './cell-writer'
import { isXlsx, rejectOtherOfficePackages } from './detect-workbook'
import { DateTexts, FastRowReader } from './quick/fast-row-reader'
import { SharedStrings } from './shared-strings'
import { readSheets } from './sheets'
import { scanTurnsOf, WorkbookPackage } from './workbook-package'
import { isBinaryPart, readXlsxWorkbook, XlsxStyles, type XlsxWorkbook } from './xlsx-workbook'
import { XlsxSheetHandler } from './xlsx-sheet'

async function openXlsx(source: ByteSource, sink: TableSink): Promise<{ warnings: FileWarning[] }> {
  if (source.size === 0) throw unreadableError('empty', 'The file is empty. Choose another file.')
  const parts = await WorkbookPackage.open(source)
  rejectOtherOfficePackages(parts)
  const workbook = await readXlsxWorkbook(parts)
  const shared = await readShared(parts, workbook, sink)
  const turns = scanTurnsOf(sink)
  const dates = new DateTexts(shared)
  return readSheets(workbook.sheets, sink, async ({ part, isMissing }, table) => {
    if (isMissing) return 'missing'
    if (part === null) return 'no cells'
    if (isBinaryPart(part)) await parts.scanRecords(part, new XlsbSheetHandler(table, shared), turns)
    else {
      const readers = { sheet: new XlsxSheetHandler(table, shared), quick: new FastRowReader(table, shared, dates) }
      await parts.scanSheet(part, readers, turns)
    }
    return 'cells'
  })
}

/** Texts and styles of all cells, each part by tags or by records. */
async function readShared(parts: WorkbookPackage, workbook: XlsxWorkbook, sink: TableSink): Promise<CellContext> {
  const { date1904, styles, sharedStrings } = workbook
  const turn = { eachChunk: () => sink.flush() }
  const [tags, records] = [new XlsxStyles(), new XlsbStyles()]
  const [xmlTexts, binaryTexts] = [new SharedStrings(), new XlsbStrings()]
  if (styles !== null) {
    if (isBinaryPart(styles)) await parts.scanSmallRecords(styles, records, turn)
    else await parts.scanSmallPart(styles, tags, turn)
  }
  if (sharedStrings !== null) {
    if (isBinaryPart(sharedStrings)) await parts.scanRecords(sharedStrings, binaryTexts, turn)
    else await parts.scan(sharedStrings, xmlTexts, turn)
  }
  return {
    date1904,
    styles: styles !== null && isBinaryPart(styles) ? records.styles : tags.styles,
    strings: sharedStrings !== null && isBinaryPart(sharedStrings) ? binaryTexts.texts : xmlTexts,
  }
}

/** Excel workbooks (xlsx, xlsm, xlsb): every sheet with values is a table. */
export const xlsxReader: FormatReader = { kind: 'xlsx', recognises: isXlsx, open: openXlsx }
