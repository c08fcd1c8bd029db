import { hasSeason, estimateSeasonalIndices, removeSeason } from './season'

/** A series told as trend, season and rest: they multiply where the season does, else they add. */
export interface Decomposition {
  kind: 'multiplicative' | 'additive'
  trend: number[]
  /** Factors around 1, or amounts around 0; none of either when no season was found. */
  season: number[] | null
  rest: number[]
}

/** Straight line through the nearest `span` values, weighted by nearness (Cleveland 1979). */
function localRegression(values: Float64Array, span: number): number[] {
  const n = values.length
  const width = Math.min(n, Math.max(5, span))
  return Array.from({ length: n }, (_, t) => {
    const from = Math.max(0, Math.min(n - width, t - (width >> 1)))
    const reach = Math.max(t - from, from + width - 1 - t) + 1
    let w0 = 0
    let wx = 0
    let wxx = 0
    let wy = 0
    let wxy = 0
    for (let i = from; i < from + width; i++) {
      const x = i - t
      const weight = (1 - (Math.abs(x) / reach) ** 3) ** 3
      const y = values[i] ?? 0
      w0 += weight
      wx += weight * x
      wxx += weight * x * x
      wy += weight * y
      wxy += weight * x * y
    }
    const ground = w0 * wxx - wx * wx
    return ground > 1e-12 * w0 * wxx ? (wy * wxx - wx * wxy) / ground : wy / w0
  })
}

/** Trend by local lines over one and a half seasons, season by classical indices. The parts give back each value. */
export function decompose(values: Float64Array, season: number): Decomposition {
  const positive = values.every((v) => v > 0)
  const index = hasSeason(values, season)
    ? estimateSeasonalIndices(values, season, positive ? 'multiplicative' : 'additive')
    : null
  const usable = index && (index.kind === 'additive' || index.indices.every((figure) => figure > 0)) ? index : null
  const trend = localRegression(usable ? removeSeason(values, usable) : values, Math.ceil(1.5 * season) + 4)
  const multiplies = usable?.kind === 'multiplicative' && trend.every((v) => v > 0)
  const figures = usable ? Array.from(values, (_, t) => usable.indices[t % season] ?? 0) : null
  const rest = Array.from(values, (v, t) => {
    const level = trend[t] ?? 0
    const place = figures?.[t] ?? 0
    return multiplies
      ? v / (level * place)
      : v - level - (usable?.kind === 'multiplicative' ? level * (place - 1) : place)
  })
  if (usable?.kind === 'multiplicative' && !multiplies)
    return { kind: 'additive', trend, season: figures?.map((f, t) => (f - 1) * (trend[t] ?? 0)) ?? null, rest }
  return { kind: multiplies ? 'multiplicative' : 'additive', trend, season: figures, rest }
}
