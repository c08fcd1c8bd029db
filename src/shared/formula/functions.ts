import { FIGURE_FUNCTIONS, type FigureFunction } from '../query/functions'
import type { DateDifferenceUnit, RowFunction } from '../query/functions'

/**
 * Where a function is used: `value` over values of a row, and over figures; `row` over values of a row only, which in a
 * figure's formula is inside an aggregate; `figure` over figures only; `aggregate` makes a figure of rows.
 */
export type FunctionPlace = 'value' | 'row' | 'figure' | 'aggregate'

/** A function of the formula language, as the editor explains it. */
export interface FormulaFunction {
  name: string
  /** What it takes, in its order; `…` for more of the same. */
  takes: string
  summary: string
  example: string
  place: FunctionPlace
}
const described =
  (place: FunctionPlace) =>
  ([name, takes, summary, example]: readonly [string, string, string, string]): FormulaFunction => ({
    ...{ name, takes, summary, example, place },
  })

const AGGREGATES = (
  [
    ['sum', 'a', 'Total of all rows.', 'sum([Amount])'],
    ['avg', 'a', 'Average; empty rows don’t count.', 'avg([Amount])'],
    ['count', 'a', 'Rows with a value; count(*) counts all rows.', 'count(*)'],
    ['countdistinct', 'a', 'Different values.', 'countdistinct([Customer])'],
    ['min', 'a', 'Smallest value of all rows.', 'min([Amount])'],
    ['max', 'a', 'Largest value of all rows.', 'max([Amount])'],
    ['median', 'a', 'Middle value.', 'median([Amount])'],
    ['first', 'a', 'Value of the earliest row.', 'first([Price])'],
    ['last', 'a', 'Value of the latest row.', 'last([Price])'],
  ] as const
).map(described('aggregate'))

const OF_ANY_VALUES = (
  [
    ['if', 'condition, a, b', 'a where the condition is true, otherwise b, or empty.', 'if([A] > 100, [A], 0)'],
    ['coalesce', 'a, b, …', 'The first that isn’t empty; also ifempty.', 'coalesce([A], 0)'],
    ['round', 'a, decimals', 'Rounded to 0–6 decimals, half away from zero.', 'round([A], 2)'],
    ['abs', 'a', 'Without its minus sign.', 'abs([A] - [B])'],
    ['min', 'a, b, …', 'Smallest of the values; empty ones don’t count.', 'min([A], [B])'],
    ['max', 'a, b, …', 'Largest of the values; empty ones don’t count.', 'max([A], 0)'],
    ['and', 'a, b, …', 'True if all are; also a and b.', '[A] > 0 and [B] > 0'],
    ['or', 'a, b, …', 'True if any is; also a or b.', '[A] > 0 or [B] > 0'],
    ['not', 'condition', 'True if the condition isn’t.', 'not([A] > [B])'],
    ['isempty', 'a', 'True if there is no value.', 'isempty([A])'],
  ] as const
).map(described('value'))

const OF_ROWS = (
  [
    ['concat', 'a, b, …', 'Texts, whole numbers and dates as one text.', 'concat([First], " ", [Last])'],
    ['date', 'time', 'The day of a time, in the workspace’s time zone.', 'date([Paid at])'],
    ['year', 'date', 'Year.', 'year([Ordered])'],
    ['quarter', 'date', 'Quarter, 1–4.', 'quarter([Ordered])'],
    ['month', 'date', 'Month, 1–12.', 'month([Ordered])'],
    ['week', 'date', 'Week number, ISO 8601.', 'week([Ordered])'],
    ['day', 'date', 'Day of the month, 1–31.', 'day([Ordered])'],
    ['weekday', 'date', 'Weekday, 1 (Monday) to 7.', 'weekday([Ordered])'],
    ['hour', 'time', 'Hour, 0–23, in the workspace’s time zone.', 'hour([Paid at])'],
    ['days', 'from, to', 'Whole days between two dates.', 'days([Ordered], [Paid])'],
    ['weekdays', 'from, to', 'Monday to Friday between two dates, the last excluded.', 'weekdays([Ordered], [Paid])'],
    ['hours', 'from, to', 'Hours between two times, with decimals.', 'hours([Opened], [Closed])'],
    ['minutes', 'from, to', 'Minutes between two times, with decimals.', 'minutes([Opened], [Closed])'],
  ] as const
).map(described('row'))

const OF_FIGURES = (
  [
    ['safe_divide', 'a, b', 'a ÷ b; empty where b is 0 or empty.', 'safe_divide([Revenue], [Orders])'],
    ['prev', 'a, periods', 'The figure a number of periods earlier.', 'prev([Revenue], 12)'],
    ['cumulative', 'a, restart', 'Running total; restart is year or fiscalyear.', 'cumulative([Revenue], year)'],
  ] as const
).map(described('figure'))

/** Every function, in the order in which the editor lists them. `min` and `max` are there twice: of rows and of values. */
export const FORMULA_FUNCTIONS: readonly FormulaFunction[] = [
  ...AGGREGATES,
  ...OF_ANY_VALUES,
  ...OF_ROWS,
  ...OF_FIGURES,
]
/** What holds for every formula: told by the editor and in docs/formulas.md. */
export const FORMULA_RULES: readonly string[] = [
  'Operators: + − × ÷, = ≠ < ≤ > ≥, and, or, not.',
  'Columns and metrics in brackets, texts and dates in quotes: [Net amount], "Norway", "2026-01-31".',
  'In a figure, functions per row are inside an aggregate: sum(if([Amount] > 100, [Amount], 0)).',
  'In a row, calculating with an empty value, or dividing by 0, gives an empty value.',
  'Among figures, a sum or count of no rows is 0 where another figure is added to it.',
  'An empty value equals only an empty value. It’s neither less nor more than anything.',
  'An empty condition is false.',
  'Texts compare letter by letter; upper and lower case differ.',
  'Times use the workspace’s time zone. Compared with a date, a time counts by its day.',
  'Decimals stay exact; divisions are exact to about 15 digits.',
]
/** What functions of each place are called together. */
export const FUNCTION_GROUPS: readonly { place: FunctionPlace; title: string }[] = [
  { place: 'aggregate', title: 'Rows to figures' },
  { place: 'value', title: 'Conditions and numbers' },
  { place: 'row', title: 'Dates and texts, per row' },
  { place: 'figure', title: 'Figures' },
]
const namesOf = (...places: FunctionPlace[]): string[] =>
  FORMULA_FUNCTIONS.filter(({ place }) => places.includes(place)).map(({ name }) => name)
export const ROW_FUNCTION_NAMES: readonly string[] = namesOf('value', 'row')
export const FIGURE_FUNCTION_NAMES: readonly string[] = namesOf('figure', 'value')

/** How functions of a row are written, where that is not their own name. */
const OTHER_WORDS: Partial<Record<RowFunction, string>> = { isEmpty: 'isempty', least: 'min', greatest: 'max' }
export const wordOfFunction = (fn: RowFunction): string => OTHER_WORDS[fn] ?? fn
/** Those that figures have, too, by their words. */
export const figureFunctionByWord = (word: string): FigureFunction | undefined => {
  if (word === 'coalesce' || word === 'ifempty') return 'coalesce'
  const fn = rowFunctionByWord(word)
  return FIGURE_FUNCTIONS.find((each) => each === fn)
}
const ROW_FUNCTIONS_BY_WORD: Readonly<Record<string, RowFunction>> = {
  ...{ if: 'if', and: 'and', or: 'or', not: 'not', isempty: 'isEmpty', round: 'round', abs: 'abs' },
  ...{ min: 'least', max: 'greatest', date: 'date', year: 'year', quarter: 'quarter', month: 'month' },
  ...{ week: 'week', day: 'day', weekday: 'weekday', hour: 'hour' },
}
export const rowFunctionByWord = (word: string): RowFunction | undefined =>
  Object.hasOwn(ROW_FUNCTIONS_BY_WORD, word) ? ROW_FUNCTIONS_BY_WORD[word] : undefined

export const DIFFERENCE_WORDS: Readonly<Record<DateDifferenceUnit, string>> = {
  ...{ day: 'days', weekday: 'weekdays', hour: 'hours', minute: 'minutes' },
}
