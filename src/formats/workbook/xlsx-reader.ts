import type { FileWarning } from '../../shared/files'
import { SOURCE_MAX_DATASETS } from '../../shared/limits'
import type { ByteSource, FileReader, TableSink } from '../contract'
import { looksLikeXlsx } from './recognise'
import { refuseOtherPackages, refuseOtherWorkbooks } from './other-workbooks'
import { SharedStrings } from './shared-strings'
import { SheetTable } from './sheet-table'
import { skippedSheet, tooManySheets } from './skipped-sheets'
import { atSheet, WorkbookPackage } from './workbook-package'
import { readWorkbook } from './xlsx-workbook'
import type { XlsxSheetEntry } from './xlsx-workbook'
import { XlsxSheet } from './xlsx-sheet'
import type { XlsxShared } from './xlsx-sheet'
import { XlsxStyles } from './xlsx-styles'

async function open(source: ByteSource, sink: TableSink): Promise<{ warnings: FileWarning[] }> {
  await refuseOtherWorkbooks(source)
  const parts = await WorkbookPackage.open(source)
  refuseOtherPackages(parts)
  const workbook = await readWorkbook(parts)
  const shared: XlsxShared = { date1904: workbook.date1904, strings: new SharedStrings(), styles: new XlsxStyles() }
  const turn = (): Promise<void> => sink.flush()
  if (workbook.styles !== null) await parts.scanList(workbook.styles, shared.styles, turn)
  if (workbook.sharedStrings !== null) await parts.scan(workbook.sharedStrings, shared.strings, turn)
  const warnings: FileWarning[] = []
  let tables = 0
  // What a person sees in the workbook comes before what was hidden from sight.
  for (const sheet of [...workbook.sheets].sort((a, b) => Number(a.hidden) - Number(b.hidden))) {
    if (tables >= SOURCE_MAX_DATASETS) return { warnings: [...warnings, tooManySheets()] }
    const found = await readSheet({ parts, shared, sink }, sheet).catch((error: unknown) => {
      throw atSheet(error, sheet.name)
    })
    if (found === 'table') tables++
    else warnings.push(skippedSheet(sheet.name, found))
  }
  return { warnings }
}

async function readSheet(
  from: { parts: WorkbookPackage; shared: XlsxShared; sink: TableSink },
  { name, hidden, part }: XlsxSheetEntry,
): Promise<'table' | 'empty' | 'no cells'> {
  if (part === null) return 'no cells'
  const table = new SheetTable(from.sink, { name, ...(hidden ? { optional: true } : {}) })
  await from.parts.scan(part, new XlsxSheet(table, from.shared), () => from.sink.flush())
  return table.finish() ? 'table' : 'empty'
}

/** Excel workbooks (xlsx, xlsm): every sheet with values is a table. */
export const xlsxReader: FileReader = { kind: 'xlsx', recognises: looksLikeXlsx, open }
