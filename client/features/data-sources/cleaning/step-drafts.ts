import {
  cleaningStepSchema,
  type CleaningKind,
  type CleaningReport,
  type CleaningStep,
  type StepEffect,
} from '../../../../src/shared/data-sources/cleaning'
import type { DecimalMark } from '../../../../src/shared/data-sources/files'
import { formatCountOf, formatRowCount, type Formatter } from '../../../lib/format'

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

/** The steps with one of them moved up (−1) or down (1). */
export function moveStep(steps: readonly CleaningStep[], at: number, by: -1 | 1): CleaningStep[] {
  const moved = [...steps]
  const [step] = moved.splice(at, 1)
  if (step) moved.splice(at + by, 0, step)
  return moved
}
