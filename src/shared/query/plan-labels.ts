import type { ComparisonOperator, DatePart, Expr, Grain } from './plan'

/** Words of a query plan that server and client share. */
export const GRAIN_LABELS: Record<Grain, string> = {
  hour: 'hour',
  day: 'day',
  week: 'week',
  month: 'month',
  quarter: 'quarter',
  year: 'year',
  fiscalQuarter: 'fiscal quarter',
  fiscalYear: 'fiscal year',
}
export const DATE_PART_LABELS: Record<DatePart, string> = {
  hourOfDay: 'hour of day',
  weekday: 'weekday',
  dayOfMonth: 'day of month',
  monthOfYear: 'month of year',
  weekOfYear: 'week of year',
}
export const COMPARISON_LABELS: Record<ComparisonOperator, string> = {
  eq: 'is',
  ne: 'is not',
  lt: 'is less than',
  le: 'is at most',
  gt: 'is more than',
  ge: 'is at least',
}
export type ArithmeticOperator = Extract<Expr, { kind: 'binary' }>['op']
export const ARITHMETIC_SIGNS: Record<ArithmeticOperator, string> = {
  add: '+',
  subtract: '−',
  multiply: '×',
  divide: '÷',
}

/** “3 months”, “one month”. */
export const describeUnitCount = (count: number, unit: string): string =>
  count === 1 ? `one ${unit}` : `${count} ${unit}s`
