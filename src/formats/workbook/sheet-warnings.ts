import type { FileWarning } from '../../shared/data-sources/files'
import { SOURCE_MAX_DATASETS, DATASET_MAX_COLUMNS } from '../../shared/limits'

export function skippedSheetWarning(name: string, why: 'empty' | 'no cells'): FileWarning {
  const reason = why === 'empty' ? 'has no values' : 'holds no cells (a chart, dialog or macro)'
  return { code: 'skipped_sheet', message: `“${name}” ${reason} and was skipped.` }
}

export function tooManySheetsWarning(): FileWarning {
  return {
    code: 'skipped_sheet',
    message: `The first ${SOURCE_MAX_DATASETS} sheets with values are shown. Upload the others as a separate workbook.`,
  }
}

export function hiddenSheetWarning(): FileWarning {
  return { code: 'hidden_sheet', message: 'This sheet is hidden in the workbook.' }
}

interface WarningCount {
  count: number
  first: string
}
const CODES_SHOWN = 4

/** Counts what a person should know of one sheet; each kind is told once, with the first cell. */
export class SheetWarnings {
  private readonly errors: WarningCount = { count: 0, first: '' }
  private readonly codes = new Set<string>()
  private readonly formulas: WarningCount = { count: 0, first: '' }
  private readonly merges: WarningCount = { count: 0, first: '' }
  private readonly wide: WarningCount = { count: 0, first: '' }
  private joinedLine: number | null = null

  error(at: string, code: string): void {
    countWarning(this.errors, at)
    if (this.codes.size < CODES_SHOWN) this.codes.add(code.slice(0, 20))
  }
  uncalculated(at: string): void {
    countWarning(this.formulas, at)
  }
  merged(at: string): void {
    countWarning(this.merges, at)
  }
  /** A value past the last column that a dataset can have. */
  beyond(at: string): void {
    countWarning(this.wide, at)
  }
  joined(line: number): void {
    this.joinedLine = line
  }

  /** `durations`: how many columns hold durations. */
  all(durations: number): FileWarning[] {
    const { errors, formulas, merges, wide, joinedLine } = this
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

function countWarning(warningCount: WarningCount, at: string): void {
  if (warningCount.count++ === 0) warningCount.first = at
}
const pluralize = (n: number, one: string, more: string): string =>
  `${n.toLocaleString('en-US')} ${n === 1 ? one : more}`
