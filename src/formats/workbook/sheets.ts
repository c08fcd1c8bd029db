import type { FileWarning } from '../../shared/data-sources/files'
import { SOURCE_MAX_DATASETS } from '../../shared/limits'
import type { TableSink } from '../contract'
import { RegionRoom } from './region-table'
import { SheetTableWriter } from './sheet-table'
import { skippedSheetWarning, tooManySheetsWarning } from './sheet-warnings'
import { withSheetName } from './workbook-package'

/** Sheets of one workbook that are looked at, and how much of their names. */
export const SHEETS_MAX = 1000
export const SHEET_NAME_MAX_CHARS = 80

/** What the main part of a package says: its sheets, each with the id of its link. */
export interface SheetList {
  date1904: boolean
  readonly sheets: { name: string; hidden: boolean; id: string }[]
}

interface NamedSheet {
  name: string
  hidden: boolean
}

/** What a sheet was found to be: cells that were put into its table, or why it has none. */
export type SheetContent = 'cells' | 'no cells' | 'missing'

/**
 * Reads the sheets of a workbook, what a person sees in it before what was hidden from sight; each with values is a table.
 * `read` puts the cells of one into a table, or says why there are none: a chart, dialog or macro, or a part that the file does not hold.
 */
export async function readSheets<S extends NamedSheet>(
  sheets: readonly S[],
  sink: TableSink,
  read: (sheet: S, table: SheetTableWriter) => Promise<SheetContent>,
): Promise<{ warnings: FileWarning[] }> {
  const warnings: FileWarning[] = []
  const room = new RegionRoom(sheets.length)
  let tables = 0
  for (const sheet of [...sheets].sort((a, b) => Number(a.hidden) - Number(b.hidden))) {
    if (tables >= SOURCE_MAX_DATASETS) return { warnings: [...warnings, tooManySheetsWarning()] }
    const table = new SheetTableWriter(sink, { name: sheet.name, ...(sheet.hidden ? { optional: true } : {}) }, room)
    const found = await readSheet(() => read(sheet, table), table, sink).catch((error: unknown) => {
      throw withSheetName(error, sheet.name)
    })
    if (found === 'table') tables++
    else warnings.push(skippedSheetWarning(sheet.name, found))
  }
  return { warnings }
}

/** Reads one sheet to its end: whether it is a table, or why it is none. */
async function readSheet(
  read: () => Promise<SheetContent>,
  table: SheetTableWriter,
  sink: TableSink,
): Promise<'table' | Exclude<SheetContent, 'cells'> | 'empty'> {
  const content = await read()
  if (content !== 'cells') return content
  if (!table.finish()) return 'empty'
  await sink.flush()
  return 'table'
}
