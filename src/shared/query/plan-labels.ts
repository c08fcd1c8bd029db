import type { Dimension, GroupedMeasure, MovingMeasure } from './plan'
import type { Expr } from './expression'
import type { Aggregate, ComparisonOperator } from './functions'
import type { DatePart, Grain } from './date-range'

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
type ArithmeticOperator = Extract<Expr, { kind: 'binary' }>['op']
export const ARITHMETIC_SIGNS: Record<ArithmeticOperator, string> = {
  add: '+',
  subtract: '−',
  multiply: '×',
  divide: '÷',
}

/** “3 months”, “one month”. */
export const describeUnitCount = (count: number, unit: string): string =>
  count === 1 ? `one ${unit}` : `${count} ${unit}s`

/** “3-month moving average”. */
export const describeMoving = ({ agg, units }: Pick<MovingMeasure, 'agg' | 'units'>, unit: string): string =>
  `${units}-${unit} moving ${agg === 'avg' ? 'average' : 'sum'}`

/** “at maximum Amount”: of a first or last value, what its row is found by. */
export const describeBy = (agg: Aggregate, by: string): string => `at ${agg === 'first' ? 'minimum' : 'maximum'} ${by}`

const ENDINGS: Readonly<Record<number, string>> = { 1: 'st', 2: 'nd', 3: 'rd' }
/** “90th percentile”. */
export function percentileLabel(percent: number): string {
  const last = Number.isInteger(percent) ? percent % 10 : 0
  const isTeen = percent > 10 && percent < 20
  const ending = isTeen ? 'th' : (ENDINGS[last] ?? 'th')
  return `${percent}${ending} percentile`
}

const GROUP_AGGREGATE_LABELS: Record<Exclude<GroupedMeasure['agg'], 'count' | 'share'>, string> = {
  avg: 'Average',
  median: 'Median',
  sum: 'Total',
  min: 'Minimum',
  max: 'Maximum',
}

/**
 * “Average revenue per Customer”, “Number of Customer with revenue more than 10 000”, “Share of revenue per Customer, 10
 * largest”.
 * @param of the figure of each group, within a sentence
 * @param by what the groups are of
 * @param limitOf the limit as it is written
 */
export function describeGrouped(
  { agg, percent, having, largest }: Pick<GroupedMeasure, 'agg' | 'percent' | 'having' | 'largest'>,
  { of, by, limitOf }: { of: string; by: string; limitOf: (value: number) => string },
): string {
  const limit = having ? `${LIMIT_LABELS[having.op]} ${limitOf(having.value)}` : null
  const limits = [
    ...(limit === null || agg === 'count' ? [] : [limit]),
    ...(largest === undefined ? [] : [`${largest} largest`]),
  ]
  const per = `${of} per ${by}`
  const whole =
    agg === 'count'
      ? `Number of ${by} with ${of}${limit === null ? '' : ` ${limit}`}`
      : agg === 'share'
        ? `Share of ${per}`
        : percent === undefined
          ? `${GROUP_AGGREGATE_LABELS[agg]} ${per}`
          : `${percentileLabel(percent)} of ${per}`
  return [whole, ...limits].join(', ')
}
/** “more than”, of a limit on the figure of a group. */
export const LIMIT_LABELS: Record<ComparisonOperator, string> = {
  eq: 'equal to',
  ne: 'other than',
  lt: 'less than',
  le: 'at most',
  gt: 'more than',
  ge: 'at least',
}

/** “in steps of 100”, “in about 10 steps”. */
export const describeBins = (bins: NonNullable<Dimension['bins']>, written: (value: number) => string): string =>
  'width' in bins ? `in steps of ${written(bins.width)}` : `in about ${bins.count} steps`
