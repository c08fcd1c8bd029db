import type { FileWarning } from '../../shared/data-sources/files'
import { SOURCE_MAX_DATASETS, DATASET_MAX_COLUMNS } from '../../shared/limits'
import { cellAddress, type CellRange } from './cell-address'

const SKIP_REASONS = {
  empty: 'has no values',
  'no cells': 'holds no cells (a chart, dialog or macro)',
  missing: 'is missing in the file',
} as const

export const skippedSheetWarning = (name: string, why: keyof typeof SKIP_REASONS): FileWarning => ({
  code: 'skipped_sheet',
  message: `“${name}” ${SKIP_REASONS[why]} and was skipped.`,
})

export function tooManySheetsWarning(): FileWarning {
  return {
    code: 'skipped_sheet',
    message: `The first ${SOURCE_MAX_DATASETS} sheets with values are shown. Upload the others as a separate workbook.`,
  }
}

export function hiddenSheetWarning(): FileWarning {
  return { code: 'hidden_sheet', message: 'This sheet is hidden in the workbook.' }
}

/** Of a sheet that holds several tables: what came of them. `line`: the last row that was looked at, of a larger sheet. */
export function severalTablesWarning(count: number, outcome: 'offered' | 'no room' | { line: number }): FileWarning {
  if (outcome === 'offered')
    return severalTables(
      `This sheet holds ${count} tables, listed separately. Import the whole sheet only if they belong together.`,
    )
  const [what, why] =
    outcome === 'no room'
      ? ['This sheet holds', `A file gives at most ${SOURCE_MAX_DATASETS} tables`]
      : [`The first ${outcome.line.toLocaleString('en-US')} rows hold`, 'The sheet is too large to separate them']
  return severalTables(`${what} ${count} tables. ${why}: move them to sheets of their own.`)
}
const severalTables = (message: string): FileWarning => ({ code: 'several_tables', message })

interface WarningCount {
  count: number
  first: string
}
const CODES_SHOWN = 4
/** So many findings are kept with their cells, for tables that are a part of their sheet. */
const NOTED_MAX = 10_000

type CellNote = 'error' | 'formula' | 'merge' | 'beyond'
interface NotedCell {
  note: CellNote
  column: number
  line: number
  code: string
}

/** Counts what a person should know of one sheet; each kind is told once, with the first cell. */
export class SheetWarnings {
  private readonly counts = new Map<CellNote, WarningCount>()
  private readonly codes = new Set<string>()
  private readonly noted: NotedCell[] = []
  private joinedLine: number | null = null

  /** `code`: of an error. `beyond`: a value past the last column that a dataset can have. */
  note(note: CellNote, column: number, line: number, code = ''): void {
    const known = this.counts.get(note)
    if (known) known.count++
    else this.counts.set(note, { count: 1, first: cellAddress(column, line) })
    if (note === 'error' && this.codes.size < CODES_SHOWN) this.codes.add(code.slice(0, 20))
    if (this.noted.length < NOTED_MAX) this.noted.push({ note, column, line, code: code.slice(0, 20) })
  }
  joined(line: number): void {
    this.joinedLine = line
  }

  /** The same of the cells of a range, as far as they are kept. */
  within({ top, bottom, left, right }: CellRange): SheetWarnings {
    const some = new SheetWarnings()
    for (const { note, column, line, code } of this.noted)
      if (line >= top && line <= bottom && column >= left && column <= right) some.note(note, column, line, code)
    return some
  }

  /** `durations`: how many columns hold durations. */
  all(durations: number): FileWarning[] {
    const { joinedLine } = this
    const countOf = (note: CellNote): WarningCount => this.counts.get(note) ?? { count: 0, first: '' }
    const [errors, formulas, merges, wide] = [countOf('error'), countOf('formula'), countOf('merge'), countOf('beyond')]
    const found: FileWarning[] = []
    if (errors.count > 0)
      found.push({
        code: 'error_cells',
        message: `${pluralize(errors.count, 'cell holds an error', 'cells hold errors')} (${[...this.codes].join(', ')}), first ${errors.first}. They are left empty.`,
      })
    if (formulas.count > 0)
      found.push({
        code: 'formulas_without_value',
        message: `${pluralize(formulas.count, 'formula has', 'formulas have')} no saved result, first ${formulas.first}. Save the workbook in Excel and upload it again.`,
      })
    if (joinedLine !== null)
      found.push({
        code: 'merged_cells',
        line: joinedLine,
        message: `Two header rows were joined in row ${joinedLine}.`,
      })
    if (merges.count > 0)
      found.push({
        code: 'merged_cells',
        message: `${pluralize(merges.count, 'area of cells is', 'areas of cells are')} merged, first at ${merges.first}. The value is kept in the first cell of each; the others are empty.`,
      })
    if (wide.count > 0)
      found.push({
        code: 'ragged_rows',
        message: `Only ${DATASET_MAX_COLUMNS} columns can be imported. Values further right were skipped, first ${wide.first}.`,
      })
    if (durations > 0)
      found.push({
        code: 'durations',
        message: `Durations are imported as hours: 1:30 is 1.5 (${pluralize(durations, 'column', 'columns')}).`,
      })
    return found
  }
}

const pluralize = (n: number, one: string, more: string): string =>
  `${n.toLocaleString('en-US')} ${n === 1 ? one : more}`
