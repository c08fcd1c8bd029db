import { LEVELS, type Bands, type Level } from './contract'
import { clamp } from './numbers'
import { shifted, type Path } from './reconcile'

/** A part's path, and whether it was ever below zero. */
export interface Part {
  path: Path
  negative: boolean
}
/** What is known of the future beside the figures: amounts of events by step, and bounds that a person has set. */
export interface Known {
  ahead: readonly number[]
  floor: number | null
  ceiling: number | null
}

type Hold = (value: number) => number

/** Shares in proportion to what each is; equal ones where all are nothing. They add up to one. */
export function sharesOf(figures: readonly number[]): number[] {
  const all = figures.reduce((sum, v) => sum + Math.abs(v), 0)
  return figures.map((v) => (all > 0 && Number.isFinite(all) ? Math.abs(v) / all : 1 / figures.length))
}

/** The bands within bounds, around a middle that may have been moved to their edge. */
function around(mean: number[], bands: Bands, hold: Hold): Path {
  const band = (level: Level) => ({
    lower: bands[level].lower.map((v, step) => Math.min(hold(v), mean[step] ?? 0)),
    upper: bands[level].upper.map((v, step) => Math.max(hold(v), mean[step] ?? 0)),
  })
  const [half, most, nearly] = LEVELS.map(band)
  const none = { lower: [], upper: [] }
  return { mean, bands: { 50: half ?? none, 80: most ?? none, 95: nearly ?? none } }
}

const added = (figures: readonly number[]): number => figures.reduce((sum, v) => sum + v, 0)

/** The figures moved in proportion, so that they add up to something else; what rounding leaves goes to the largest. */
function agreed(figures: readonly number[], wanted: number): number[] {
  const shares = sharesOf(figures)
  const rest = wanted - added(figures)
  const moved = figures.map((v, i) => v + rest * (shares[i] ?? 0))
  const largest = shares.indexOf(Math.max(...shares))
  return moved.map((v, i) => (i === largest ? v + (wanted - added(moved)) : v))
}

/**
 * A whole and its parts with events ahead put on top, within bounds. What is put on or taken off is shared in proportion to
 * what each part is, and the whole is the sum of its parts, added in order. Parts that never were below zero stay above it
 * where the whole may not fall below it.
 */
export function held(
  total: Path,
  parts: readonly Part[],
  { ahead, floor, ceiling }: Known,
): { total: Path; parts: Path[] } {
  const hold: Hold = (v) => clamp(v, floor ?? -Infinity, ceiling ?? Infinity)
  const whole = shifted(total, ahead)
  if (parts.length === 0) return { total: around(whole.mean.map(hold), whole.bands, hold), parts: [] }
  const holds = parts.map(
    ({ negative }): Hold =>
      (v) =>
        floor !== null && floor >= 0 && !negative ? Math.max(0, v) : v,
  )
  const before = parts.map(({ path }, i) => path.mean.map((v) => (holds[i] ?? hold)(v)))
  const steps = whole.mean.map((v, step) =>
    agreed(
      before.map((mean) => mean[step] ?? 0),
      hold(v),
    ),
  )
  const paths = parts.map(({ path }, i) => {
    const mean = steps.map((figures) => figures[i] ?? 0)
    const { bands } = shifted(
      path,
      mean.map((v, step) => v - (before[i]?.[step] ?? 0)),
    )
    return around(mean, bands, holds[i] ?? hold)
  })
  return { total: around(steps.map(added), whole.bands, hold), parts: paths }
}
