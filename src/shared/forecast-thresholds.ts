import type { ForecastLevel, ForecastPath, ForecastResult } from './forecast-result'
import type { Threshold } from './forecasts'

/** When a level that matters is broken. Periods by their first days; null: not within the horizon. */
export interface ThresholdBreach {
  threshold: Threshold
  /** It is broken already, by what is known last. */
  now: boolean
  /** The first period in which the middle breaks it: more likely than not from here on. */
  middle: string | null
  /**
   * By band: the first period in which its near end breaks it (it may be as early as that), and the first in which even
   * its far end does (it is broken at the latest then).
   */
  bands: Record<ForecastLevel, { earliest: string | null; latest: string | null }>
}
export interface ThresholdContext {
  /** First days of the periods of the path. */
  future: readonly string[]
  /** What is known last, before the first of them. */
  now: number | null
}

/** When each level that matters is broken, by a path or the balance that it adds up to. */
export function findBreaches(
  path: ForecastPath,
  { future, now }: ThresholdContext,
  thresholds: readonly Threshold[],
): ThresholdBreach[] {
  return thresholds.map((threshold) => {
    const { side, value } = threshold
    const breaks = (one: number): boolean => (side === 'below' ? one < value : one > value)
    const first = (line: readonly number[]): string | null => future[line.findIndex(breaks)] ?? null
    const band = (level: ForecastLevel): ThresholdBreach['bands'][ForecastLevel] => {
      const { lower, upper } = path.bands[level]
      const [near, far] = side === 'below' ? [lower, upper] : [upper, lower]
      return { earliest: first(near), latest: first(far) }
    }
    return {
      threshold,
      now: now !== null && breaks(now),
      middle: first(path.mean),
      bands: { 50: band(50), 80: band(80), 95: band(95) },
    }
  })
}

type ThresholdSource = Pick<ForecastResult, 'future' | 'raw' | 'total' | 'balance'>

/** What levels are held against: the balance where the figures add up to one, else the figure itself. */
export function thresholdPath(
  { future, raw, total, balance }: ThresholdSource,
  applied?: { total: ForecastPath; balance: { path: ForecastPath } | null },
): { path: ForecastPath; ahead: ThresholdContext } {
  if (balance) return { path: applied?.balance?.path ?? balance.path, ahead: { future, now: balance.opening } }
  return { path: applied?.total ?? total.path, ahead: { future, now: raw.findLast((value) => value !== null) ?? null } }
}

/** The same for a result, or for a scenario of it. */
export function resultBreaches(
  result: ThresholdSource,
  thresholds: readonly Threshold[],
  applied?: { total: ForecastPath; balance: { path: ForecastPath } | null },
): ThresholdBreach[] {
  const { path, ahead } = thresholdPath(result, applied)
  return findBreaches(path, ahead, thresholds)
}

/** The one that the middle breaks first; null where it breaks none. */
export const earliestBreach = (all: readonly ThresholdBreach[]): { threshold: string; period: string } | null =>
  all
    .flatMap(({ threshold, middle }) => (middle === null ? [] : [{ threshold: threshold.name, period: middle }]))
    .toSorted((a, b) => (a.period < b.period ? -1 : a.period > b.period ? 1 : 0))[0] ?? null
