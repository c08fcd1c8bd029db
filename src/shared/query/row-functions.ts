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
