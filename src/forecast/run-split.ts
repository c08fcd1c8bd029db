import { type PredictionIntervals } from './contract'
import { reconcile, type ForecastPath } from './reconcile'
import { forecastWithBacktest, type ForecastOutcome, type ForecastRequest } from './run'

export const SERIES_PARTS_MAX = 11

export interface HierarchicalForecast {
  total: ForecastOutcome
  /** In the order asked; a part that cannot be forecast alone keeps why, and its path is its share of what the total leaves. */
  parts: { key: string; ran: ForecastOutcome; path: ForecastPath }[]
  /** Null when the total itself cannot be forecast: the parts' paths are then empty. */
  reconciled: ForecastPath | null
}

const constantPath = (steps: number, value: number): ForecastPath => {
  const path = new Array<number>(steps).fill(value)
  const predictionIntervals: PredictionIntervals = {
    50: { lower: path, upper: path },
    80: { lower: path, upper: path },
    95: { lower: path, upper: path },
  }
  return { mean: path, bands: predictionIntervals }
}

/** Mean of the last known values of a part that has no shape of its own. */
function recentMean(values: readonly (number | null)[]): number {
  const known = values.filter((v): v is number => v !== null && Number.isFinite(v)).slice(-4)
  return known.length > 0 ? known.reduce((sum, v) => sum + v / known.length, 0) : 0
}

/** Holidays are tried on parts where the whole gains by them: what does not show in the sum is seldom worth its time in a part. */
const holidayCountryForParts = (whole: ForecastOutcome, { country = null }: ForecastRequest): string | null =>
  whole.kind === 'ready' && whole.trials.some(({ what, kept }) => what === 'holidays' && kept) ? country : null

/** A total and up to ten parts and the rest, each run alone and then made to agree: parts add up to the total at every step. */
export function forecastHierarchy(
  total: ForecastRequest,
  parts: readonly { key: string; values: ForecastRequest['values'] }[],
): HierarchicalForecast {
  if (parts.length > SERIES_PARTS_MAX) throw new RangeError(`at most ${SERIES_PARTS_MAX} parts`)
  const whole = forecastWithBacktest(total)
  const ran = parts.map(({ key, values }) => ({
    key,
    values,
    ran: forecastWithBacktest({ ...total, country: holidayCountryForParts(whole, total), values }),
  }))
  if (whole.kind !== 'ready')
    return {
      total: whole,
      parts: ran.map(({ key, ran: own }) => ({ key, ran: own, path: constantPath(0, 0) })),
      reconciled: null,
    }
  const steps = whole.mean.length
  const paths = ran.map(({ ran: own, values }) =>
    own.kind === 'ready' && own.mean.length >= steps
      ? truncatePath(own, steps)
      : constantPath(steps, recentMean(values)),
  )
  const variances = ran.map(({ ran: own }) => (own.kind === 'ready' ? (own.backtest?.used.mae ?? 0) ** 2 : 0))
  const known = whole.backtest !== null && variances.some((w) => w > 0)
  const agreed = reconcile(
    whole,
    paths,
    known ? { total: (whole.backtest?.used.mae ?? 0) ** 2, parts: variances } : undefined,
  )
  return {
    total: whole,
    parts: ran.map(({ key, ran: own }, i) => ({ key, ran: own, path: agreed.parts[i] ?? constantPath(steps, 0) })),
    reconciled: agreed.total,
  }
}

function truncatePath({ mean, bands }: ForecastPath, steps: number): ForecastPath {
  const first = (path: number[]): number[] => path.slice(0, steps)
  const band = (level: 50 | 80 | 95) => ({ lower: first(bands[level].lower), upper: first(bands[level].upper) })
  return { mean: first(mean), bands: { 50: band(50), 80: band(80), 95: band(95) } }
}
