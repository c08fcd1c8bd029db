import { isSeasonal, centredMovingAverage, type SeasonKind } from './season'

/** A season of a year in days that lies over the season of a week. */
export interface YearlySeason {
  length: number
  kind: SeasonKind
  /** One figure a place; the first value of the series has place 0. */
  indices: Float64Array
}

const DAYS_PER_YEAR = 365
/** Days on either side that tell about a day of the year. */
const PROFILE_REACH_DAYS = 7
/** Share of the variation of a year that was not looked at, which the profile must take off to be kept. */
const EXPLAINED_SHARE_MIN = 0.1

/** Mean part of each place of the year within reach, over `from` … `to`. */
function yearlyProfile(parts: Float64Array, to: number, neutral: number): Float64Array {
  const sums = new Float64Array(DAYS_PER_YEAR)
  const counts = new Float64Array(DAYS_PER_YEAR)
  for (let t = 0; t < to; t++) {
    const part = parts[t] ?? NaN
    if (!Number.isFinite(part)) continue
    sums[t % DAYS_PER_YEAR] = (sums[t % DAYS_PER_YEAR] ?? 0) + part
    counts[t % DAYS_PER_YEAR] = (counts[t % DAYS_PER_YEAR] ?? 0) + 1
  }
  return Float64Array.from({ length: DAYS_PER_YEAR }, (_, place) => {
    let sum = 0
    let count = 0
    for (let d = -PROFILE_REACH_DAYS; d <= PROFILE_REACH_DAYS; d++) {
      const at = (place + d + DAYS_PER_YEAR) % DAYS_PER_YEAR
      sum += sums[at] ?? 0
      count += counts[at] ?? 0
    }
    return count > 0 ? sum / count : neutral
  })
}

/**
 * The yearly season of daily values: three years are wanted, the autocorrelation must stand out, and a profile of the years before
 * must explain the last one. Null when it does not.
 */
export function detectYearlySeason(values: Float64Array): YearlySeason | null {
  if (values.length < 3 * DAYS_PER_YEAR || !isSeasonal(values, DAYS_PER_YEAR)) return null
  const kind: SeasonKind = values.every((v) => v > 0) ? 'multiplicative' : 'additive'
  const neutral = kind === 'multiplicative' ? 1 : 0
  const trend = centredMovingAverage(values, DAYS_PER_YEAR)
  const parts = values.map((v, t) => (kind === 'multiplicative' ? v / (trend[t] ?? NaN) : v - (trend[t] ?? NaN)))
  const end = values.length - (DAYS_PER_YEAR >> 1)
  const earlier = yearlyProfile(parts, end - DAYS_PER_YEAR, neutral)
  let without = 0
  let within = 0
  for (let t = end - DAYS_PER_YEAR; t < end; t++) {
    const part = parts[t] ?? neutral
    if (!Number.isFinite(part)) continue
    without += (part - neutral) ** 2
    within += (part - (earlier[t % DAYS_PER_YEAR] ?? neutral)) ** 2
  }
  if (!(within < (1 - EXPLAINED_SHARE_MIN) * without)) return null
  const indices = yearlyProfile(parts, values.length, neutral)
  return kind === 'multiplicative' && indices.some((figure) => figure < 0.05)
    ? null
    : { length: DAYS_PER_YEAR, kind, indices }
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
