import { mean, median } from './numerics'

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

/** Whether values and those of a season before lie on the same side of the mean. */
function repeatsItself(values: Float64Array, season: number): boolean {
  const centre = mean(values)
  let sum = 0
  for (let t = season; t < values.length; t++) sum += ((values[t] ?? 0) - centre) * ((values[t - season] ?? 0) - centre)
  return sum > 0
}

/** A season shows in this score of the places of changes (one random walk in fifteen passes), or in this one of what is left of levels. */
const PLACE_SCORE_MIN = 1.5
const DETRENDED_SCORE_MIN = 2.5
const SEASONS_TO_TEST = 2

/**
 * How much changes from step to step differ by the place in the season that they lead to: one-way analysis of variance, its ratio told
 * as a normal score (Paulson 1942). A random walk has independent changes, so the share of those that are taken for a season is what the
 * normal distribution says, however long the history; autocorrelations of levels find one in nearly every long walk.
 */
function placeScore(changes: Float64Array, season: number): number {
  const centre = mean(changes)
  const sums = new Float64Array(season)
  const counts = new Float64Array(season)
  let total = 0
  changes.forEach((change, t) => {
    const place = t % season
    sums[place] = (sums[place] ?? 0) + change - centre
    counts[place] = (counts[place] ?? 0) + 1
    total += (change - centre) ** 2
  })
  const between = sums.reduce((sum, own, place) => sum + own ** 2 / (counts[place] ?? 1), 0)
  const freedom = { between: season - 1, within: changes.length - season }
  if (freedom.within < 1 || !(total > 0) || !Number.isFinite(total)) return 0
  const within = Math.max(total - between, 1e-12 * total)
  const root = Math.cbrt(between / freedom.between / (within / freedom.within))
  const [a, b] = [2 / (9 * freedom.between), 2 / (9 * freedom.within)]
  return ((1 - b) * root - (1 - a)) / Math.sqrt(b * root ** 2 + a)
}

/**
 * Whether a season is there: places of changes differ (relative ones where all values are positive), or what a moving average over
 * a season leaves repeats itself. Both are free of trend. Wants two full seasons.
 */
export function hasSeason(values: Float64Array, season: number): boolean {
  if (season <= 1 || values.length < SEASONS_TO_TEST * season) return false
  const levels = values.every((v) => v > 0) ? values.map(Math.log) : values
  const changes = levels.subarray(1).map((v, i) => v - (levels[i] ?? 0))
  if (placeScore(changes, season) > PLACE_SCORE_MIN) return true
  const trend = centredMovingAverage(levels, season)
  const rest = levels.map((v, t) => v - (trend[t] ?? 0)).filter(Number.isFinite)
  return isSeasonal(rest, season, DETRENDED_SCORE_MIN) && repeatsItself(rest, season)
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
function centredMovingAverage(values: ArrayLike<number>, season: number): Float64Array {
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
 * no season by how little it explains (James–Stein, Miller and Williams 2003). `evolves`: newer seasons count for more.
 */
export function estimateSeasonalIndices(
  values: ArrayLike<number>,
  season: number,
  kind: SeasonKind,
  { shrink = true, robust = false, evolves = false } = {},
): SeasonalIndices {
  const trend = centredMovingAverage(values, season)
  const parts: number[][] = Array.from({ length: season }, () => [])
  for (let t = 0; t < values.length; t++) {
    const level = trend[t] ?? NaN
    const part = kind === 'multiplicative' ? (values[t] ?? 0) / level : (values[t] ?? 0) - level
    if (Number.isFinite(part)) parts[t % season]?.push(part)
  }
  const neutral = kind === 'multiplicative' ? 1 : 0
  const weigh = evolves ? newestFirst : evenly
  const raw = parts.map((own) => (own.length === 0 ? neutral : robust ? median(own) : weightedMean(own, weigh)))
  const norm = mean(raw)
  const figures = raw.map((figure) => (kind === 'multiplicative' ? figure / norm : figure - norm))
  return { kind, season, indices: shrink ? shrinkIndices(figures, parts, { neutral, weigh }) : figures }
}

/** The weight of a part of a place that is so many seasons old. */
type Weigh = (age: number) => number
const evenly: Weigh = () => 1
/** Seasons change over the years: after so many of them a part counts half. */
const HALF_LIFE_SEASONS = 4
const newestFirst: Weigh = (age) => 0.5 ** (age / HALF_LIFE_SEASONS)

/** Weights of parts, the oldest first, that add up to one. */
function weightsOf(own: readonly number[], weigh: Weigh): number[] {
  const raw = own.map((_, i) => weigh(own.length - 1 - i))
  const all = raw.reduce((sum, weight) => sum + weight, 0)
  return raw.map((weight) => weight / all)
}
const weightedMean = (own: readonly number[], weigh: Weigh): number =>
  weightsOf(own, weigh).reduce((sum, weight, i) => sum + weight * (own[i] ?? 0), 0)

function shrinkIndices(
  figures: number[],
  parts: number[][],
  { neutral, weigh }: { neutral: number; weigh: Weigh },
): number[] {
  let within = 0
  let freedom = 0
  let means = 0
  parts.forEach((own) => {
    const centre = mean(own)
    own.forEach((v) => (within += (v - centre) ** 2))
    freedom += own.length - 1
    means += weightsOf(own, weigh).reduce((sum, weight) => sum + weight * weight, 0)
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

/** A season of a year in days or weeks, which lies over any shorter one. */
export interface YearlySeason {
  length: number
  kind: SeasonKind
  /** One figure a place; the first value of the series has place 0. */
  indices: Float64Array
}

const DAYS_PER_YEAR = 365
/** A year in so many blocks of days or weeks is looked at for its season: noise and weekdays are even out within them. */
const BLOCKS_PER_YEAR = 13
/** Places on either side that tell about a place of the year, as a share of it: a week of days, a week of weeks. */
const PROFILE_REACH = 1 / 52
/** Share of the variation of a year that was not looked at, which the profile must take off to be kept. */
const EXPLAINED_SHARE_MIN = 0.1

/** Mean part of each place of the year within reach, up to `to`. */
function yearlyProfile(
  parts: Float64Array,
  to: number,
  { length, neutral }: { length: number; neutral: number },
): Float64Array {
  const sums = new Float64Array(length)
  const counts = new Float64Array(length)
  const reach = Math.round(PROFILE_REACH * length)
  for (let t = 0; t < to; t++) {
    const part = parts[t] ?? NaN
    if (!Number.isFinite(part)) continue
    sums[t % length] = (sums[t % length] ?? 0) + part
    counts[t % length] = (counts[t % length] ?? 0) + 1
  }
  return Float64Array.from({ length }, (_, place) => {
    let sum = 0
    let count = 0
    for (let d = -reach; d <= reach; d++) {
      const at = (place + d + length) % length
      sum += sums[at] ?? 0
      count += counts[at] ?? 0
    }
    return count > 0 ? sum / count : neutral
  })
}

/** Means of whole blocks, the newest ending with the last value. */
function blockMeans(values: Float64Array, size: number): Float64Array {
  const count = Math.floor(values.length / size)
  return Float64Array.from({ length: count }, (_, block) => {
    const end = values.length - Math.round((count - 1 - block) * size)
    return mean(values.subarray(Math.max(0, end - Math.round(size)), end))
  })
}

/**
 * The yearly season of daily (or weekly) values: three years are wanted, it must show in blocks of four weeks, and a profile of the years
 * before must explain the last one. Null when it does not.
 */
export function detectYearlySeason(values: Float64Array, length = DAYS_PER_YEAR): YearlySeason | null {
  const size = length / BLOCKS_PER_YEAR
  if (values.length < 3 * length || !hasSeason(blockMeans(values, size), BLOCKS_PER_YEAR)) return null
  const kind: SeasonKind = values.every((v) => v > 0) ? 'multiplicative' : 'additive'
  const neutral = kind === 'multiplicative' ? 1 : 0
  const trend = centredMovingAverage(values, length)
  const parts = values.map((v, t) => (kind === 'multiplicative' ? v / (trend[t] ?? NaN) : v - (trend[t] ?? NaN)))
  const end = values.length - (length >> 1) - 1
  const earlier = yearlyProfile(parts, end - length, { length, neutral })
  const year = Float64Array.from({ length }, (_, i) => (parts[end - length + i] ?? neutral) - neutral)
  const expected = year.map((_, i) => (earlier[(end - length + i) % length] ?? neutral) - neutral)
  const [came, said] = [blockMeans(year, size), blockMeans(expected, size)]
  const squares = (of: (block: number) => number): number => came.reduce((sum, _, i) => sum + of(i) ** 2, 0)
  const without = squares((i) => came[i] ?? 0)
  if (!(squares((i) => (came[i] ?? 0) - (said[i] ?? 0)) < (1 - EXPLAINED_SHARE_MIN) * without)) return null
  const indices = yearlyProfile(parts, values.length, { length, neutral })
  return kind === 'multiplicative' && indices.some((figure) => figure < 0.05) ? null : { length, kind, indices }
}

export function removeYearlySeason(values: Float64Array, { length, kind, indices }: YearlySeason): Float64Array {
  return values.map((v, t) =>
    kind === 'multiplicative' ? v / (indices[t % length] ?? 1) : v - (indices[t % length] ?? 0),
  )
}

/** Puts the year back on a path that begins `after` values into the series; a width (`isWidth`) is not moved by an amount. */
export function restoreYearlySeason(
  path: readonly number[],
  season: YearlySeason | null,
  after: number,
  isWidth = false,
): number[] {
  if (!season) return [...path]
  return path.map((v, step) => {
    const figure = season.indices[(after + step) % season.length] ?? 0
    if (season.kind === 'multiplicative') return v * figure
    return isWidth ? v : v + figure
  })
}

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

/** Share of what moves around the trend that is the season (Wang, Smith and Hyndman 2006): 0 none, 1 all. */
export function seasonStrength(values: Float64Array, deseasonalised: Float64Array, season: number): number {
  const trend = localRegression(deseasonalised, Math.ceil(1.5 * season) + 4)
  const spread = (of: (t: number) => number): number => {
    const centre = mean(values.map((_, t) => of(t)))
    return mean(values.map((_, t) => (of(t) - centre) ** 2))
  }
  const rest = spread((t) => (deseasonalised[t] ?? 0) - (trend[t] ?? 0))
  const around = spread((t) => (values[t] ?? 0) - (trend[t] ?? 0))
  return around > 0 ? Math.max(0, 1 - rest / around) : 0
}
