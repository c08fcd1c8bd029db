export const AGGREGATES = ['sum', 'count', 'countDistinct', 'min', 'max', 'avg', 'median', 'first', 'last'] as const
export type Aggregate = (typeof AGGREGATES)[number]
export const GROUP_AGGREGATES = ['count', 'avg', 'median', 'sum', 'min', 'max', 'share'] as const
export type GroupAggregate = (typeof GROUP_AGGREGATES)[number]
export const COMPARISON_OPERATORS = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'] as const
export type ComparisonOperator = (typeof COMPARISON_OPERATORS)[number]

/**
 * Functions of the values of a row; their order and number of values are those of `FORMULA_FUNCTIONS`
 * (src/shared/formula/functions.ts). Parts of dates take a column; `week` is ISO 8601, `weekday` 1 (Monday) to 7.
 */
export const ROW_FUNCTIONS = [
  ...(['if', 'and', 'or', 'not', 'isEmpty', 'round', 'abs', 'least', 'greatest'] as const),
  ...(['date', 'year', 'quarter', 'month', 'week', 'day', 'weekday', 'hour'] as const),
] as const
export type RowFunction = (typeof ROW_FUNCTIONS)[number]
/** Decimals that `round` leaves at most. */
export const ROUND_DECIMALS_MAX = 6
/** Whole days, days from Monday to Friday, and hours and minutes with decimals. */
export const DATE_DIFFERENCE_UNITS = ['day', 'weekday', 'hour', 'minute'] as const
export type DateDifferenceUnit = (typeof DATE_DIFFERENCE_UNITS)[number]

/**
 * What a formula's functions make of figures. `if` takes a condition and one or two figures, `round` a figure and its
 * decimals; comparisons are those of a row: an empty figure equals an empty one only, and is neither less nor more.
 */
export const FIGURE_FUNCTIONS = [
  ...(['if', 'and', 'or', 'not', 'isEmpty', 'coalesce', 'round', 'abs', 'least', 'greatest'] as const),
  ...COMPARISON_OPERATORS,
] as const
export type FigureFunction = (typeof FIGURE_FUNCTIONS)[number]
