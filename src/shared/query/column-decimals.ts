import type { ResultColumn } from './result'

/** Figures of a table show so many decimals at most; small ones, such as rates, as many as they need to differ. */
const DECIMALS_MAX = 2
const SMALL_DECIMALS_MAX = 4
const SMALL_BELOW = 10

const decimalsIn = (value: number, max: number): number => {
  const [, fraction = ''] = value.toFixed(max).split('.')
  return fraction.replace(/0+$/, '').length
}

/** The one number of decimals of a column: what its figures need, up to two; up to four where all of them are small. */
export function columnDecimals(
  { type, scale }: Pick<ResultColumn, 'type' | 'scale'>,
  values: readonly number[],
): number {
  if (type === 'integer') return 0
  // "5 287 852,0" says less than it seems to: one decimal stands only where a figure has one.
  if (scale === 1 && values.every((value) => Number.isInteger(value))) return 0
  if (scale !== undefined && scale <= DECIMALS_MAX) return scale
  const max = values.every((value) => Math.abs(value) < SMALL_BELOW) ? SMALL_DECIMALS_MAX : DECIMALS_MAX
  return Math.max(0, ...values.map((value) => decimalsIn(value, max)))
}
