import { mean, median } from './numbers'

/**
 * Whether the autocorrelation at the lag of a season stands out at 90 % (the test of the M4 competition's benchmarks,
 * Makridakis, Spiliotis and Assimakopoulos 2020). Wants three full seasons.
 */
export function isSeasonal(values: ArrayLike<number>, season: number, limit = 1.645): boolean {
  const n = values.length
  if (season <= 1 || n < 3 * season) return false
  const centred = Float64Array.from(values)
  const level = mean(centred)
  let power = 0
  for (let t = 0; t < n; t++) {
    const v = (centred[t] ?? 0) - level
    centred[t] = v
    power += v * v
  }
  if (!(power > 0) || !Number.isFinite(power)) return false
  const correlation = (lag: number): number => {
    let sum = 0
    for (let t = lag; t < n; t++) sum += (centred[t] ?? 0) * (centred[t - lag] ?? 0)
    return sum / power
  }
  let below = 1
  for (let lag = 1; lag < season; lag++) below += 2 * correlation(lag) ** 2
  return Math.abs(correlation(season)) > limit * Math.sqrt(below / n)
}

/** Seasons up to which a history is too short for its autocorrelation to stand out, and fewest pairs that tell of a season. */
const SHORT_HISTORY_SEASONS = 4
const PAIRS_MIN = 8

/**
 * Whether changes from step to step repeat those of a season before, in histories of two to four seasons: a t-test of their
 * correlation. On competition series cut to that length, those that it finds a season in are forecast a tenth to a third better.
 */
function hasRepeatingChanges(changes: Float64Array, season: number, limit = 2): boolean {
  const pairs = changes.length - season
  if (season <= 1 || changes.length + 1 < 2 * season || changes.length + 1 >= SHORT_HISTORY_SEASONS * season)
    return false
  if (pairs < PAIRS_MIN) return false
  const [now, then] = [changes.subarray(season), changes.subarray(0, pairs)]
  const [a, b] = [mean(now), mean(then)]
  const product = (of: (i: number) => number): number => mean(now.map((_, i) => of(i)))
  const both = product((i) => ((now[i] ?? 0) - a) * ((then[i] ?? 0) - b))
  const each = product((i) => ((now[i] ?? 0) - a) ** 2) * product((i) => ((then[i] ?? 0) - b) ** 2)
  const alike = both / Math.sqrt(each)
  return alike > 0 && alike * Math.sqrt((pairs - 2) / Math.max(1e-9, 1 - alike ** 2)) > limit
}

/**
 * The same, or the same of the changes from step to step (under a strong trend the season shows only there), or in short
 * histories changes that repeat.
 */
export function hasSeason(values: Float64Array, season: number): boolean {
  const changes = values.subarray(1).map((v, i) => v - (values[i] ?? 0))
  return isSeasonal(values, season) || isSeasonal(changes, season) || hasRepeatingChanges(changes, season)
}

export type SeasonKind = 'multiplicative' | 'additive'

/** How each place of a season lies to the level: factors around 1, or amounts around 0. */
export interface SeasonalIndices {
  kind: SeasonKind
  season: number
  /** One figure a place; the first value of the series has place 0. */
  indices: number[]
}

/** Centred moving average over one season; NaN where it does not reach. */
export function centredMovingAverage(values: ArrayLike<number>, season: number): Float64Array {
  const n = values.length
  const half = season >> 1
  const even = season % 2 === 0
  const trend = new Float64Array(n).fill(NaN)
  let sum = 0
  const width = even ? season + 1 : season
  for (let t = 0; t < n; t++) {
    sum += values[t] ?? 0
    if (t >= width) sum -= values[t - width] ?? 0
    if (t < width - 1) continue
    const ends = even ? 0.5 * ((values[t] ?? 0) + (values[t - width + 1] ?? 0)) : 0
    trend[t - half] = (sum - ends) / season
  }
  return trend
}

/**
 * Seasonal index by classical decomposition: the mean ratio (or difference) to the centred moving average, normed; shrunk towards
 * no season by how little it explains (James–Stein, Miller and Williams 2003).
 */
export function estimateSeasonalIndices(
  values: ArrayLike<number>,
  season: number,
  kind: SeasonKind,
  { shrink = true, robust = false } = {},
): SeasonalIndices {
  const trend = centredMovingAverage(values, season)
  const parts: number[][] = Array.from({ length: season }, () => [])
  for (let t = 0; t < values.length; t++) {
    const level = trend[t] ?? NaN
    const part = kind === 'multiplicative' ? (values[t] ?? 0) / level : (values[t] ?? 0) - level
    if (Number.isFinite(part)) parts[t % season]?.push(part)
  }
  const neutral = kind === 'multiplicative' ? 1 : 0
  const raw = parts.map((own) => (own.length === 0 ? neutral : robust ? median(own) : mean(own)))
  const norm = mean(raw)
  const figures = raw.map((figure) => (kind === 'multiplicative' ? figure / norm : figure - norm))
  return { kind, season, indices: shrink ? shrinkIndices(figures, parts, neutral) : figures }
}

function shrinkIndices(figures: number[], parts: number[][], neutral: number): number[] {
  let within = 0
  let freedom = 0
  let means = 0
  parts.forEach((own) => {
    const centre = mean(own)
    own.forEach((v) => (within += (v - centre) ** 2))
    freedom += own.length - 1
    means += own.length > 0 ? 1 / own.length : 0
  })
  const variance = freedom > 0 ? (within / freedom) * (means / parts.length) : 0
  const between = figures.reduce((sum, f) => sum + (f - neutral) ** 2, 0)
  const kept = between > 0 ? Math.max(0, 1 - ((figures.length - 3) * variance) / between) : 0
  return figures.map((f) => neutral + kept * (f - neutral))
}

/** The series without its season. */
export function removeSeason(values: ArrayLike<number>, index: SeasonalIndices): Float64Array {
  return Float64Array.from(values, (v, t) => {
    const figure = index.indices[t % index.season] ?? 0
    return index.kind === 'multiplicative' ? v / figure : v - figure
  })
}

/** Puts the season back on a path that begins `after` values into the series. */
export function restoreSeason(path: ArrayLike<number>, index: SeasonalIndices, after: number): number[] {
  return Array.from(path, (v, step) => {
    const figure = index.indices[(after + step) % index.season] ?? 0
    return index.kind === 'multiplicative' ? v * figure : v + figure
  })
}
