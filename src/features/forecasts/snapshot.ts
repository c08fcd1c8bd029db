import { toSnapshot, type ForecastSnapshot } from '../../shared/forecasts/accuracy'
import type { ForecastPath, ForecastResult } from '../../shared/forecasts/result'

/** Periods of the past that are kept beside a path: more than a year of days, so that a season can be repeated. */
const SNAPSHOT_PERIODS_MAX = 400
/** And those that a small picture shows. */
const THUMBNAIL_PERIODS = 24

/** What is kept of a result for good: what it said, where it began, and the balance that it added up to. */
export interface StoredSnapshot extends ForecastSnapshot {
  balance: { opening: number; path: ForecastPath; past: (number | null)[] } | null
}

export function toStoredSnapshot(result: ForecastResult): StoredSnapshot {
  const { periods, raw, ...snapshot } = toSnapshot(result)
  const { balance } = result
  return {
    ...{ ...snapshot, periods: periods.slice(-SNAPSHOT_PERIODS_MAX), raw: raw.slice(-SNAPSHOT_PERIODS_MAX) },
    balance: balance && { opening: balance.opening, path: balance.path, past: balance.past.slice(-THUMBNAIL_PERIODS) },
  }
}

/** The last figures of the past that a small picture shows. */
export const recentPast = ({ raw, balance }: StoredSnapshot): (number | null)[] =>
  balance?.past ?? raw.slice(-THUMBNAIL_PERIODS)

/** One row of the database holds two million bytes; what else stands in the row takes some. */
export const RESULT_MAX_BYTES = 1_900_000

/**
 * A result as it is kept: whole, else without what its parts are made of and were checked by. Null when even that is too
 * large.
 */
export function serialiseResult(result: ForecastResult): string | null {
  const parts = result.parts.map((part) => ({
    ...part,
    ...{ components: null, backtest: part.backtest && { ...part.backtest, folds: [] } },
  }))
  const fits = (text: string): boolean => new TextEncoder().encode(text).byteLength <= RESULT_MAX_BYTES
  return [result, { ...result, parts }].map((one) => JSON.stringify(one)).find(fits) ?? null
}
