import type { ExactDecimal } from '../expressions/decimal'

/**
 * A percentile between ranks: of n values in order, the one at p/100·(n−1), in between as far along as the rank is
 * (R. J. Hyndman, Y. Fan, 1996, definition 7; `PERCENTILE.INC` of spreadsheets). 50 is the median.
 */

/** Shares are counted in hundredths of per cent: a share of a rank is a whole number of these. */
const WHOLE = 10_000
const hundredths = (percent: number): number => Math.round(percent * 100)

/** How many values lie below the rank, and how far it is to the next, of {@link WHOLE}. */
export function rankOf(count: number, percent: number): { below: number; share: number } {
  const rank = (count - 1) * hundredths(percent)
  return { below: Math.floor(rank / WHOLE), share: rank % WHOLE }
}
export const realBetween = (low: number, high: number, share: number): number =>
  share === 0 ? low : share === WHOLE / 2 ? (low + high) / 2 : (low * (WHOLE - share) + high * share) / WHOLE
export function exactBetween(low: ExactDecimal, high: ExactDecimal, share: number): ExactDecimal {
  // The middle of two has one more decimal, others up to four.
  const [parts, decimals] = share % (WHOLE / 2) === 0 ? [2, 1] : [WHOLE, 4]
  const far = BigInt((share * parts) / WHOLE)
  const n = low.n * (BigInt(parts) - far) + high.n * far
  return { n: parts === 2 ? n * 5n : n, scale: low.scale + decimals }
}

/** Decimals that a percentile of exact numbers has beyond theirs, as it is shown. */
export const percentileDecimals = (percent: number): number => (percent === 50 ? 1 : 2)
