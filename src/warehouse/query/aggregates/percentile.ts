import { asReal } from '../expressions/row-number'
import type { ExactDecimal } from '../expressions/decimal'
import { all, int, join, sql, type RowNumber, type Sql } from '../sources/sql'
import { exactFrom, realFrom } from './amount'
import { carried, filterOf, type Aggregation, type AggregationSql } from './aggregation'

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

/** SQLite has no percentiles: rows are numbered within their group, and the one or two about the rank are taken. */
export function percentile(aggregation: Aggregation, value: RowNumber, percent: number): AggregationSql {
  const { base } = aggregation
  const ok = sql`CASE WHEN ${all([...aggregation.when, sql`${value.sql} IS NOT NULL`])} THEN 1 ELSE 0 END`
  const rank = base.window(
    (keys) => sql`row_number() OVER (PARTITION BY ${join([...keys, ok], ', ')} ORDER BY ${value.sql})`,
  )
  const size = base.window((keys) => sql`count(*) OVER (PARTITION BY ${join([...keys, ok], ', ')})`)
  const steps = sql`((${size} - 1) * ${int(hundredths(percent))})`
  const at = (shift: number, when: readonly Sql[]): Sql =>
    filterOf([...when, sql`${ok} = 1`, sql`${rank} = (${steps} + ${int(shift)}) / ${int(WHOLE)} + 1`])
  const exact = value.kind === 'exact' ? value : null
  // In the middle both are the same, or half of each counts.
  const isMiddle = percent === 50
  return {
    type: 'number',
    format: aggregation.format,
    scale: exact ? exact.scale + percentileDecimals(percent) : undefined,
    numeric: true,
    pieces: (when) => [
      sql`min(${value.sql})${at(0, when)}`,
      sql`min(${value.sql})${at(WHOLE - 1, when)}`,
      ...(isMiddle ? [] : [sql`max(${steps} % ${int(WHOLE)})${filterOf([...when, sql`${ok} = 1`])}`]),
    ],
    read: (pieces) => {
      const [one, two, share = int(WHOLE / 2)] = pieces
      const both = one && two ? [one, two] : []
      const [low, high] = both.map((piece) => asReal({ ...value, sql: piece }))
      const real =
        low && high
          ? sql`((${low} * (${int(WHOLE)} - ${share}) + ${high} * ${share}) / CAST(${int(WHOLE)} AS REAL))`
          : sql`NULL`
      const outputs = exact ? both.map((piece) => carried(piece, exact.bound)) : both
      return { outputs: isMiddle ? outputs : [...outputs, share], orders: [real], real, exact: null }
    },
    decode: (cells) => {
      const share = isMiddle ? WHOLE / 2 : Number(cells[2] ?? 0)
      if (!exact) {
        const [low, high] = [realFrom(cells[0]), realFrom(cells[1])]
        return low === null || high === null ? null : realBetween(low, high, share)
      }
      const [low, high] = [exactFrom(cells[0], exact.scale), exactFrom(cells[1], exact.scale)]
      return low && high ? exactBetween(low, high, share) : null
    },
  }
}
