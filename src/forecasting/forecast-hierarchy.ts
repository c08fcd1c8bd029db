import { scoreAsShown } from './backtest'
import { reconcile } from './constraints'
import { forecastWithBacktest, gradeHonestly } from './forecast-with-backtest'
import type { BacktestedForecast, ForecastOutcome, ForecastRequest } from './forecast-with-backtest'
import { byLevel, mapPath, type ForecastPath } from '../shared/forecasts/result'

const SERIES_PARTS_MAX = 11

export interface HierarchicalForecast {
  /** The accuracy of the total and of the parts is that of what was made to agree: as they are shown. */
  total: ForecastOutcome
  /** In the order asked; a part that cannot be forecast alone keeps why, and its path is its share of what the total leaves. */
  parts: { key: string; ran: ForecastOutcome; path: ForecastPath }[]
  /** Null when the total itself cannot be forecast: the parts' paths are then empty. */
  reconciled: ForecastPath | null
}

interface PartRun {
  key: string
  values: ForecastRequest['values']
  ran: ForecastOutcome
}

const constantPath = (steps: number, value: number): ForecastPath => {
  const path = new Array<number>(steps).fill(value)
  return { mean: path, bands: byLevel(() => ({ lower: path, upper: path })) }
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
  const ran = parts.map(({ key, values }): PartRun => ({
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
  const variances = varianceOf(whole, ran)
  const agreed = reconcile(whole, paths, variances)
  const shown = reconcileFolds(whole, ran, variances)
  return {
    total: withShownFolds(whole, shown.total),
    parts: ran.map(({ key, ran: own }, i) => ({
      key,
      ran: own.kind === 'ready' ? withShownFolds(own, shown.parts[i] ?? new Map()) : own,
      path: agreed.parts[i] ?? constantPath(steps, 0),
    })),
    reconciled: agreed.total,
  }
}

type Variances = Parameters<typeof reconcile>[2]

function varianceOf(whole: BacktestedForecast, ran: readonly PartRun[]): Variances {
  const parts = ran.map(({ ran: own }) => (own.kind === 'ready' ? (own.backtest?.used.mae ?? 0) ** 2 : 0))
  if (whole.backtest === null || !parts.some((w) => w > 0)) return undefined
  return { total: whole.backtest.used.mae ** 2, parts }
}

/** Paths of folds by the place among all periods that they begin at. */
type FoldPaths = Map<number, ForecastPath>

/** Forecasts of the past made to agree in the same way, at each origin of the whole. A part without one there has its recent mean. */
function reconcileFolds(
  whole: BacktestedForecast,
  parts: readonly PartRun[],
  variances: Variances,
): { total: FoldPaths; parts: FoldPaths[] } {
  const made = { total: new Map<number, ForecastPath>(), parts: parts.map((): FoldPaths => new Map()) }
  if (parts.length === 0) return made
  for (const { origin, actual, path, bands } of whole.backtest?.shown ?? []) {
    const place = whole.care.first + origin
    const paths = parts.map(({ ran, values }) => {
      const own = ran.kind === 'ready' ? foldAt(ran, place) : undefined
      return own && own.path.length >= actual.length
        ? truncatePath({ mean: own.path, bands: own.bands }, actual.length)
        : constantPath(actual.length, recentMean(values.slice(0, place)))
    })
    const agreed = reconcile({ mean: path, bands }, paths, variances)
    made.total.set(place, agreed.total)
    agreed.parts.forEach((own, i) => made.parts[i]?.set(place, own))
  }
  return made
}

const foldAt = ({ backtest, care }: BacktestedForecast, place: number) =>
  backtest?.shown.find(({ origin }) => care.first + origin === place)

/** Measured by these paths where there are any. */
function withShownFolds(ran: BacktestedForecast, paths: FoldPaths): BacktestedForecast {
  const { backtest, care, isSeasonBlind } = ran
  if (!backtest || paths.size === 0) return ran
  const shown = backtest.shown.map((fold) => {
    const agreed = paths.get(care.first + fold.origin)
    return agreed && agreed.mean.length === fold.actual.length
      ? { ...fold, path: agreed.mean, bands: agreed.bands }
      : fold
  })
  return { ...ran, backtest: gradeHonestly(scoreAsShown(backtest, shown), isSeasonBlind) }
}

const truncatePath = (path: ForecastPath, steps: number): ForecastPath => mapPath(path, (line) => line.slice(0, steps))
