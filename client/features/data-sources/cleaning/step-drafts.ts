import {
  cleaningStepSchema,
  type CleaningKind,
  type CleaningReport,
  type CleaningSuggestion,
  type CleaningStep,
  type StepEffect,
} from '../../../../src/shared/data-sources/cleaning'
import type { DecimalMark } from '../../../../src/shared/data-sources/files'
import { formatCountOf, formatRowCount, type Formatter } from '../../../../src/shared/figures/formatter'

/** What a new step is made for: the names of the columns before it, and how the file writes its numbers. */
export interface StepPlace {
  columns: readonly string[]
  decimalMark: DecimalMark
}

/** A step as a form begins with it. */
export function newStep(kind: CleaningKind, { columns: [first = ''], decimalMark }: StepPlace): CleaningStep {
  switch (kind) {
    case 'trim':
      return { kind, columns: [], inner: false }
    case 'case':
      return { kind, columns: [], to: 'title' }
    case 'split':
      return { kind, column: first, delimiter: ',', into: [partName(first, 0), partName(first, 1)], keep: false }
    case 'parseNumber':
      return { kind, columns: [], decimalMark }
    case 'parseDate':
      return { kind, columns: [], writing: 'dmy' }
    case 'mapValues':
      return { kind, columns: [], values: [{ from: '', to: '' }] }
    case 'fillDown':
      return { kind, columns: [] }
    case 'dropRows':
      return { kind, column: first, when: 'isEmpty' }
    case 'dropTotals':
      return { kind }
    case 'unpivot':
      return { kind, keep: [], leaveOut: [], nameColumn: 'Name', valueColumn: 'Value', dropEmpty: true }
  }
}

type SplitStep = Extract<CleaningStep, { kind: 'split' }>
const partName = (column: string, at: number): string => `${column} ${at + 1}`

/** The step on another column; parts that nobody has named are called after it. */
export const splitColumn = (step: SplitStep, column: string): SplitStep => ({
  ...step,
  column,
  into: step.into.map((name, at) => (name === partName(step.column, at) ? partName(column, at) : name)),
})

/** What is wrong with a step, by the path of its field (`values.0.from` says `values`); nothing when it is whole. */
export function stepFaults(step: CleaningStep): Record<string, string> {
  const { error } = cleaningStepSchema.safeParse(step)
  return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [String(path[0] ?? ''), message]))
}

/** The names of the columns that come to a step, or (`at` past the last) that leave the recipe. */
export const columnsBefore = ({ columns }: CleaningReport, at: number): readonly string[] =>
  columns[at] ?? columns.at(-1) ?? []

/** What a step did, in figures: `Changed 312 of 9 994 cells`. */
export function describeEffect(step: CleaningStep, effect: StepEffect, format: Formatter): string {
  const { rowsIn, rowsOut, cells, cellsChanged, cellsUnread } = effect
  const ofCells = `${format.count(cellsChanged)} of ${formatCountOf(format, cells, 'cell')}`
  switch (step.kind) {
    case 'dropRows':
    case 'dropTotals':
      return `Removed ${format.count(rowsIn - rowsOut)} of ${formatRowCount(format, rowsIn)}`
    case 'unpivot':
      return `Turned ${formatRowCount(format, rowsIn)} into ${format.count(rowsOut)}`
    case 'split':
      return `Split ${ofCells}`
    case 'fillDown':
      return `Filled ${ofCells}`
    case 'trim':
    case 'case':
    case 'mapValues':
    case 'parseNumber':
    case 'parseDate': {
      const unread = cellsUnread === 0 ? '' : `; ${format.count(cellsUnread)} not readable`
      return `Changed ${ofCells}${unread}`
    }
  }
}

/** What proposed steps would do, in figures: `Removes 3 rows in the first 5 000 rows.` */
export function describeSuggestion({ effect, sampled }: Omit<CleaningSuggestion, 'steps'>, format: Formatter): string {
  const count = (n: number, noun: string) => formatCountOf(format, n, noun)
  if (effect.kind === 'turnColumns') {
    const { period, columns, rows, into } = effect
    const first = sampled === null ? '' : 'the first '
    const turned = `${first}${formatRowCount(format, rows)} become ${format.count(into)}`
    return `${count(columns, `${period.toLowerCase()} column`)}: ${turned}.`
  }
  const where = sampled === null ? '' : ` in the first ${formatRowCount(format, sampled)}`
  switch (effect.kind) {
    case 'removeRows':
      return `Removes ${formatRowCount(format, effect.rows)}${where}.`
    case 'changeCells':
      return `Changes ${count(effect.cells, 'cell')}${where}.`
    case 'fillCells':
      return `Fills ${count(effect.cells, 'empty cell')}${where}.`
    case 'mergeSpellings':
      return `“${effect.column}”: ${count(effect.spellings, 'spelling')} of ${count(effect.values, 'value')}${where}.`
  }
}

/** The steps with one of them moved up (−1) or down (1). */
export function moveStep(steps: readonly CleaningStep[], at: number, by: -1 | 1): CleaningStep[] {
  const moved = [...steps]
  const [step] = moved.splice(at, 1)
  if (step) moved.splice(at + by, 0, step)
  return moved
}
