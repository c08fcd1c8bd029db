import type { FileWarning } from '../../shared/data-sources/files'
import { SOURCE_MAX_DATASETS } from '../../shared/limits'
import type { ByteSource, FormatReader, TableSink } from '../contract'
import { isXlsx, rejectOtherOfficePackages, rejectUnsupportedWorkbooks } from './detect-workbook'
import { SharedStrings } from './shared-strings'
import { SheetTableWriter } from './sheet-table'
import { skippedSheetWarning, tooManySheetsWarning } from './sheet-warnings'
import { scanTurnsOf, withSheetName, WorkbookPackage } from './workbook-package'
import { readXlsxWorkbook, XlsxStyles, type XlsxSheetEntry } from './xlsx-workbook'
import { XlsxSheetHandler, type XlsxContext } from './xlsx-sheet'

async function openXlsx(source: ByteSource, sink: TableSink): Promise<{ warnings: FileWarning[] }> {
  await rejectUnsupportedWorkbooks(source)
  const parts = await WorkbookPackage.open(source)
  rejectOtherOfficePackages(parts)
  const workbook = await readXlsxWorkbook(parts)
  const shared: XlsxContext = { date1904: workbook.date1904, strings: new SharedStrings(), styles: new XlsxStyles() }
  const turn = { eachChunk: () => sink.flush() }
  if (workbook.styles !== null) await parts.scanSmallPart(workbook.styles, shared.styles, turn)
  if (workbook.sharedStrings !== null) await parts.scan(workbook.sharedStrings, shared.strings, turn)
  const warnings: FileWarning[] = []
  let tables = 0
  // What a person sees in the workbook comes before what was hidden from sight.
  for (const sheet of [...workbook.sheets].sort((a, b) => Number(a.hidden) - Number(b.hidden))) {
    if (tables >= SOURCE_MAX_DATASETS) return { warnings: [...warnings, tooManySheetsWarning()] }
    const found = await readSheet({ parts, shared, sink }, sheet).catch((error: unknown) => {
      throw withSheetName(error, sheet.name)
    })
    if (found === 'table') tables++
    else warnings.push(skippedSheetWarning(sheet.name, found))
  }
  return { warnings }
}

async function readSheet(
  from: { parts: WorkbookPackage; shared: XlsxContext; sink: TableSink },
  { name, hidden, part }: XlsxSheetEntry,
): Promise<'table' | 'empty' | 'no cells'> {
  if (part === null) return 'no cells'
  const table = new SheetTableWriter(from.sink, { name, ...(hidden ? { optional: true } : {}) })
  await from.parts.scan(part, new XlsxSheetHandler(table, from.shared), scanTurnsOf(from.sink))
  return table.finish() ? 'table' : 'empty'
}

/** Excel workbooks (xlsx, xlsm): every sheet with values is a table. */
export const xlsxReader: FormatReader = { kind: 'xlsx', recognises: isXlsx, open: openXlsx }
