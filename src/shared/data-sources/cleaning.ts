import { z } from 'zod'
import { DATE_ORDERS, DECIMAL_MARKS } from './files'
import {
  CLEANING_STEPS_MAX,
  DATASET_MAX_COLUMNS,
  HEADER_MAX_CHARS,
  MAPPED_VALUES_MAX,
  SPLIT_COLUMNS_MAX,
} from '../limits'

/** A column by its name, as the file and the steps before have it; upper and lower case are the same. */
const columnName = z.string().trim().min(1, 'Choose a column.').max(HEADER_MAX_CHARS)
const newColumnName = z.string().trim().min(1, 'Enter a column name.').max(HEADER_MAX_CHARS)
const columnNames = z.array(columnName).max(DATASET_MAX_COLUMNS)
const someColumns = columnNames.min(1, 'Choose at least one column.')
const cellText = z.string().max(1_000)

export const LETTER_CASES = ['upper', 'lower', 'title', 'sentence'] as const
export type LetterCase = (typeof LETTER_CASES)[number]
/** How dates are written: in an order, as a month of a year, or as the name of a month alone. */
export const DATE_WRITINGS = [...DATE_ORDERS, 'yearMonth', 'month'] as const
export type DateWriting = (typeof DATE_WRITINGS)[number]
export const ROW_CONDITIONS = ['is', 'isNot', 'contains', 'startsWith', 'isEmpty', 'isNotEmpty'] as const
export type RowCondition = (typeof ROW_CONDITIONS)[number]
export const takesValue = (condition: RowCondition): boolean => condition !== 'isEmpty' && condition !== 'isNotEmpty'

/** Blanks around texts are taken away; `inner`: runs of blanks between words become one. No columns: all of them. */
const trimStep = z.strictObject({ kind: z.literal('trim'), columns: columnNames, inner: z.boolean() })
const caseStep = z.strictObject({ kind: z.literal('case'), columns: someColumns, to: z.enum(LETTER_CASES) })
/** The parts take the column's place, or stand after it (`keep`); what is left over stays in the last one. */
const splitStep = z.strictObject({
  kind: z.literal('split'),
  column: columnName,
  delimiter: z.string().min(1, 'Enter a delimiter.').max(10),
  into: z.array(newColumnName).min(2, 'Name at least two columns.').max(SPLIT_COLUMNS_MAX),
  keep: z.boolean(),
})
/** A text that is no such number stays as it is, and is rejected where the column holds numbers. */
const parseNumberStep = z.strictObject({
  kind: z.literal('parseNumber'),
  columns: someColumns,
  decimalMark: z.enum(DECIMAL_MARKS),
})
/** The same with dates. A month is its first day; a month's name alone is of `year`. */
const parseDateStep = z
  .strictObject({
    kind: z.literal('parseDate'),
    columns: someColumns,
    writing: z.enum(DATE_WRITINGS),
    year: z.int('Enter a year.').min(1900, 'Enter a year.').max(2200, 'Enter a year.').optional(),
  })
  .refine(({ writing, year }) => writing !== 'month' || year !== undefined, {
    path: ['year'],
    message: 'Enter a year.',
  })
/** Whole cells, exactly as they are written. */
const mapValuesStep = z.strictObject({
  kind: z.literal('mapValues'),
  columns: someColumns,
  values: z
    .array(z.strictObject({ from: cellText, to: cellText }))
    .min(1, 'Enter at least one value.')
    .max(MAPPED_VALUES_MAX),
})
/** An empty cell takes the value above it. */
const fillDownStep = z.strictObject({ kind: z.literal('fillDown'), columns: someColumns })
/** Rows whose cell is so are dropped; blanks around it, upper and lower case do not count. */
const dropRowsStep = z
  .strictObject({
    kind: z.literal('dropRows'),
    column: columnName,
    when: z.enum(ROW_CONDITIONS),
    value: cellText.optional(),
  })
  .refine(({ when, value }) => !takesValue(when) || (value ?? '').trim() !== '', {
    path: ['value'],
    message: 'Enter a value.',
  })
/** Rows whose first value is a word for a total and nothing else are dropped: they would count others twice. */
const dropTotalsStep = z.strictObject({ kind: z.literal('dropTotals') })
/**
 * Every column that is neither kept nor left out becomes a row: its name in one new column, its cell in another. Columns
 * that a later file adds are taken with them.
 */
const unpivotStep = z.strictObject({
  kind: z.literal('unpivot'),
  keep: columnNames,
  leaveOut: columnNames,
  nameColumn: newColumnName,
  valueColumn: newColumnName,
  /** No row for an empty cell. */
  dropEmpty: z.boolean(),
})

export const cleaningStepSchema = z.discriminatedUnion('kind', [
  trimStep,
  caseStep,
  splitStep,
  parseNumberStep,
  parseDateStep,
  mapValuesStep,
  fillDownStep,
  dropRowsStep,
  dropTotalsStep,
  unpivotStep,
])
/** One step of a recipe. */
export type CleaningStep = z.infer<typeof cleaningStepSchema>
export type CleaningKind = CleaningStep['kind']
/** What is done to every row of a table's files before their columns are typed, in this order. */
export const cleaningSchema = z.array(cleaningStepSchema).max(CLEANING_STEPS_MAX)

/** What a step did to the rows that came to it. */
export interface StepEffect {
  rowsIn: number
  rowsOut: number
  /** Cells that it looked at, those it changed, and those that it could not read. */
  cells: number
  cellsChanged: number
  cellsUnread: number
}

/** A step that does not fit the columns before it. */
export interface CleaningProblem {
  /** Its place in the recipe, from 0. */
  step: number
  message: string
}

/** What proposed steps would do to the rows that were read. */
export type SuggestedEffect =
  | { kind: 'removeRows'; rows: number }
  | { kind: 'changeCells' | 'fillCells'; cells: number }
  | { kind: 'mergeSpellings'; column: string; spellings: number; values: number }
  /** Columns that are called like months, quarters or years become rows. */
  | { kind: 'turnColumns'; period: 'Month' | 'Quarter' | 'Year'; columns: number; rows: number; into: number }

/** Steps that are offered because the file shows the case. */
export interface CleaningSuggestion {
  steps: CleaningStep[]
  effect: SuggestedEffect
  /** How many rows were read, where these are not all. */
  sampled: number | null
}

/** What a recipe did to the rows that inspection read. */
export interface CleaningReport {
  steps: CleaningStep[]
  /** Beside each step; fewer where one does not fit. */
  effects: StepEffect[]
  /** The columns that come to each step, and after the last those that leave it. */
  columns: string[][]
  problem: CleaningProblem | null
  /** Rows read, and whether these are all rows of the file. */
  rowsRead: number
  exact: boolean
  /** The first rows as they are in the file, below its own columns. */
  before: string[][]
  suggestions: CleaningSuggestion[]
}

export const CLEANING_LABELS: Record<CleaningKind, string> = {
  trim: 'Trim spaces',
  case: 'Change case',
  split: 'Split column',
  parseNumber: 'Read as number',
  parseDate: 'Read as date',
  mapValues: 'Replace values',
  fillDown: 'Fill down',
  dropRows: 'Remove rows',
  dropTotals: 'Remove total rows',
  unpivot: 'Unpivot columns',
}
export const LETTER_CASE_LABELS: Record<LetterCase, string> = {
  upper: 'UPPER CASE',
  lower: 'lower case',
  title: 'Title Case',
  sentence: 'Sentence case',
}
export const DATE_WRITING_LABELS: Record<DateWriting, string> = {
  ymd: '2026-01-31',
  dmy: '31/01/2026',
  mdy: '01/31/2026',
  yearMonth: 'Jan 2026',
  month: 'Jan',
}
export const ROW_CONDITION_LABELS: Record<RowCondition, string> = {
  is: 'is',
  isNot: 'is not',
  contains: 'contains',
  startsWith: 'starts with',
  isEmpty: 'is empty',
  isNotEmpty: 'is not empty',
}

const NAMES_SHOWN = 3
const quoted = (name: string): string => `“${name}”`
const named = (names: readonly string[]): string => {
  const rest = names.length - NAMES_SHOWN
  const shown = names.slice(0, NAMES_SHOWN).map(quoted).join(', ')
  return rest > 0 ? `${shown} and ${rest} more` : shown
}

/** A step in words: `Split “Name” by “,” into “Last”, “First”`. */
export function describeStep(step: CleaningStep): string {
  switch (step.kind) {
    case 'trim':
      return `Trim spaces in ${step.columns.length === 0 ? 'all columns' : named(step.columns)}`
    case 'case':
      return `Change ${named(step.columns)} to ${LETTER_CASE_LABELS[step.to]}`
    case 'split':
      return `Split ${quoted(step.column)} by “${step.delimiter}” into ${named(step.into)}`
    case 'parseNumber':
      return `Read ${named(step.columns)} as number (decimal ${step.decimalMark === ',' ? 'comma' : 'point'})`
    case 'parseDate':
      return `Read ${named(step.columns)} as date (${DATE_WRITING_LABELS[step.writing]}${step.writing === 'month' ? ` ${step.year ?? ''}` : ''})`
    case 'mapValues':
      return `Replace ${step.values.length === 1 ? '1 value' : `${step.values.length} values`} in ${named(step.columns)}`
    case 'fillDown':
      return `Fill down ${named(step.columns)}`
    case 'dropRows': {
      const value = takesValue(step.when) ? ` “${step.value ?? ''}”` : ''
      return `Remove rows where ${quoted(step.column)} ${ROW_CONDITION_LABELS[step.when]}${value}`
    }
    case 'dropTotals':
      return 'Remove total rows'
    case 'unpivot':
      return `Unpivot columns into ${quoted(step.nameColumn)} and ${quoted(step.valueColumn)}`
  }
}
