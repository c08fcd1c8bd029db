import { isSeasonal, smoothTrend, type SeasonKind } from './season'

/** A season of a year in days that lies over the season of a week. */
export interface LongSeason {
  length: number
  kind: SeasonKind
  /** One figure a place; the first value of the series has place 0. */
  figures: Float64Array
}

const YEAR = 365
/** Days on either side that tell about a day of the year. */
const REACH = 7
/** Share of the variation of a year that was not looked at, which the profile must take off to be kept. */
const FEWEST_GAIN = 0.1

/** Mean part of each place of the year within reach, over `from` … `to`. */
function profile(parts: Float64Array, to: number, neutral: number): Float64Array {
  const sums = new Float64Array(YEAR)
  const counts = new Float64Array(YEAR)
  for (let t = 0; t < to; t++) {
    const part = parts[t] ?? NaN
    if (!Number.isFinite(part)) continue
    sums[t % YEAR] = (sums[t % YEAR] ?? 0) + part
    counts[t % YEAR] = (counts[t % YEAR] ?? 0) + 1
  }
  return Float64Array.from({ length: YEAR }, (_, place) => {
    let sum = 0
    let count = 0
    for (let d = -REACH; d <= REACH; d++) {
      const at = (place + d + YEAR) % YEAR
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
export function yearOfDays(values: Float64Array): LongSeason | null {
  if (values.length < 3 * YEAR || !isSeasonal(values, YEAR)) return null
  const kind: SeasonKind = values.every((v) => v > 0) ? 'multiplicative' : 'additive'
  const neutral = kind === 'multiplicative' ? 1 : 0
  const trend = smoothTrend(values, YEAR)
  const parts = values.map((v, t) => (kind === 'multiplicative' ? v / (trend[t] ?? NaN) : v - (trend[t] ?? NaN)))
  const end = values.length - (YEAR >> 1)
  const earlier = profile(parts, end - YEAR, neutral)
  let without = 0
  let within = 0
  for (let t = end - YEAR; t < end; t++) {
    const part = parts[t] ?? neutral
    if (!Number.isFinite(part)) continue
    without += (part - neutral) ** 2
    within += (part - (earlier[t % YEAR] ?? neutral)) ** 2
  }
  if (!(within < (1 - FEWEST_GAIN) * without)) return null
  const figures = profile(parts, values.length, neutral)
  return kind === 'multiplicative' && figures.some((figure) => figure < 0.05) ? null : { length: YEAR, kind, figures }
}

export function withoutLong(values: Float64Array, { length, kind, figures }: LongSeason): Float64Array {
  return values.map((v, t) =>
    kind === 'multiplicative' ? v / (figures[t % length] ?? 1) : v - (figures[t % length] ?? 0),
  )
}

/** Puts the year back on a path that begins `after` values into the series; a width (`isWidth`) is not moved by an amount. */
export function withLong(path: readonly number[], season: LongSeason | null, after: number, isWidth = false): number[] {
  if (!season) return [...path]
  return path.map((v, step) => {
    const figure = season.figures[(after + step) % season.length] ?? 0
    if (season.kind === 'multiplicative') return v * figure
    return isWidth ? v : v + figure
  })
}
