import { FORECAST_LEVELS, type PredictionIntervals } from './contract'

export interface ForecastPath {
  mean: number[]
  bands: PredictionIntervals
}

/**
 * Makes parts and their total agree, step by step: what the total says more than the parts is shared among all of them by how unsure
 * each is (weighted least squares of forecast reconciliation, Wickramasuriya, Athanasopoulos and Hyndman 2019; for a total and its parts
 * it has this closed form). `unsure` is a squared error, the total's first; without it, structural scaling: as many as it sums up.
 * The answered total is the sum of the answered parts, added in order: exactly.
 */
export function reconcile(
  total: ForecastPath,
  parts: readonly ForecastPath[],
  variances?: { total: number; parts: readonly number[] },
): { total: ForecastPath; parts: ForecastPath[] } {
  const own = parts.map((_, i) => Math.max(0, variances?.parts[i] ?? 1))
  const totalVariance = Math.max(0, variances?.total ?? parts.length)
  const all = own.reduce((sum, w) => sum + w, totalVariance)
  const share = own.map((w) => (all > 0 && Number.isFinite(all) ? w / all : 1 / (parts.length + 1)))
  const gaps = total.mean.map((v, step) => v - parts.reduce((sum, part) => sum + (part.mean[step] ?? 0), 0))
  const moved = parts.map((part, i) =>
    shiftPath(
      part,
      gaps.map((gap) => gap * (share[i] ?? 0)),
    ),
  )
  const sums = total.mean.map((_, step) => moved.reduce((sum, part) => sum + (part.mean[step] ?? 0), 0))
  const whole = shiftPath(
    total,
    sums.map((v, step) => v - (total.mean[step] ?? 0)),
  )
  return { total: { ...whole, mean: sums }, parts: moved }
}

/** A path and its bands moved by an amount at each step. */
export function shiftPath({ mean, bands }: ForecastPath, by: readonly number[]): ForecastPath {
  const move = (path: readonly number[]): number[] => path.map((v, step) => v + (by[step] ?? 0))
  const [half, most, nearly] = FORECAST_LEVELS.map((level) => ({
    lower: move(bands[level].lower),
    upper: move(bands[level].upper),
  }))
  const none = { lower: [], upper: [] }
  return { mean: move(mean), bands: { 50: half ?? none, 80: most ?? none, 95: nearly ?? none } }
}
