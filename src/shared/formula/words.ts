import { AGGREGATES } from '../query'
import type { Aggregate } from '../query'

/** How aggregates are written in a formula. */
export const AGGREGATE_FUNCTIONS: Readonly<Record<Aggregate, string>> = {
  sum: 'sum',
  avg: 'avg',
  count: 'count',
  countDistinct: 'countdistinct',
  min: 'min',
  max: 'max',
  median: 'median',
  first: 'first',
  last: 'last',
}
export const aggregateByName = (word: string): Aggregate | undefined => {
  const wanted = word.toLowerCase()
  return AGGREGATES.find((agg) => AGGREGATE_FUNCTIONS[agg] === wanted)
}
/** Functions of the values of a row, and functions of figures. */
export const ROW_FUNCTIONS = ['coalesce', 'days', 'concat'] as const
export const MEASURE_FUNCTIONS = ['safe_divide', 'prev', 'cumulative'] as const
export const RESTARTS = { year: 'year', fiscalyear: 'fiscalYear', never: 'never' } as const
