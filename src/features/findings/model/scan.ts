import { densityOfNormal, tailOfNormal, tailOfT, zOfTail } from './distributions'
import { including, PHIS, SHAPES } from './frame'
import type { Candidate, Frame, Noise, Shape } from './frame'
import type { Family } from './tested'
import { dot, residualOf } from './regression'
import type { Column } from './regression'
import { spreadOf, tailWeightOf } from './robust'

/**
 * How far above its estimate the correlation of errors is taken: so many standard errors of the estimate (more for
 * members, of which there are many and some look steadier than they are), and at most so many tenths, for where there
 * are hardly more buckets than places in the season the estimate says little.
 */
const PHI_MARGIN = { total: 0.6, member: 2 } as const
const PHI_TENTHS = 3
/** A shape is taken as known while the others are looked at when its chance is below this. */
const TAKEN_BELOW = 0.007
const ROUNDS = 4
/** A past bucket stands apart from this many robust standard deviations on. */
export const OUTLIER_Z = 3.5

/** The strongest place of one shape in one series. */
export interface Sighting {
  shape: Shape
  /** Index of the point where it begins. */
  from: number
  /** In the figure's own terms: height of a pulse or step, change of slope. */
  size: number
  t: number
  /** Chance of the strongest place being as strong as this. */
  p: number
  /** Robust z of a pulse. */
  z: number
}
export interface Scan {
  sightings: Sighting[]
  /** What trend, season and what was taken as known say of each point. */
  fitted: Column
  /** Standard deviation of one error. */
  sigma: number
  /** Shapes that were taken as known. */
  taken: Sighting[]
  /** Errors as they look beside all that is known, the correlation of neighbours taken to the safe side. */
  errors: () => { sigma: number; phi: number; df: number }
}

/** Chance that the largest of neighbouring |z| is as large, from that of one (Efron 1997, the length heuristic). */
export function chanceOfLargest(p: number, angles: readonly number[]): number {
  const c = zOfTail(p)
  if (c < 0.5) return 1
  let paths = 0
  for (const angle of angles) paths += 1 - tailOfNormal((c * angle) / 2)
  return Math.min(1, p + ((2 * densityOfNormal(c)) / c) * paths, p * (angles.length + 1))
}

/** Degrees of freedom of a Student distribution with this L-kurtosis, drawn towards a moderate one. */
function tailOf(residuals: Column): number {
  const n = residuals.length
  const weight = (n * tailWeightOf([...residuals]) + 30 * 0.2) / (n + 30)
  return Math.min(60, Math.max(3.2, 0.34 / Math.max(1e-3, weight - 0.1226)))
}

function neighboursOf(residuals: Column, at: readonly number[]): number {
  let [products, squares] = [0, 0]
  residuals.forEach((value, i) => {
    squares += value * value
    if (i > 0 && (at[i] ?? 0) - (at[i - 1] ?? 0) === 1) products += value * (residuals[i - 1] ?? 0)
  })
  return squares > 0 ? products / squares : 0
}

/** Which of {@link PHIS} the residuals look like, with a margin to the safe side. */
function noiseIndex(frame: Frame, { residuals, margin }: { residuals: Column; margin: number }): number {
  const n = residuals.length
  const seen = neighboursOf(residuals, frame.at)
  const sure = seen + margin * Math.sqrt(Math.max(0.05, 1 - seen * seen) / n)
  const first = (least: number): number => {
    const found = PHIS.findIndex((_, index) => frame.noise(index).neighbours >= least)
    return found < 0 ? PHIS.length - 1 : found
  }
  return Math.min(first(sure), first(seen) + PHI_TENTHS)
}

interface Errors {
  index: number
  noise: Noise
  squares: number
  tail: number
  /** Smallest standard deviation that is believed. */
  floor: number
}

function statisticOf(one: Candidate, along: number, errors: Errors): { t: number; df: number } {
  const variance = one.variance[errors.index] ?? 1
  const weight = errors.noise.weight - variance
  const df = errors.noise.df - 1
  if (!(weight > 0.5) || df < 3) return { t: 0, df: 3 }
  const sigma = Math.max(Math.sqrt(Math.max(0, errors.squares - along * along) / weight), errors.floor)
  return { t: sigma > 0 ? along / (sigma * Math.sqrt(variance)) : 0, df }
}

/** Chance of one pulse: errors may have heavier tails than the normal ones, which averages hide and single points do not. */
const chanceOfPulse = (t: number, { df, tail }: { df: number; tail: number }): number =>
  Math.max(tailOfT(t, df), tailOfT(t * Math.sqrt(tail / (tail - 2)), tail))

function strongest(frame: Frame, { shape, residuals, errors }: { shape: Shape; residuals: Column; errors: Errors }) {
  let best: { one: Candidate; along: number; t: number; df: number } | null = null
  for (const one of frame.candidates[shape]) {
    const along = dot(one.unit, residuals)
    const { t, df } = statisticOf(one, along, errors)
    if (!best || Math.abs(t) > Math.abs(best.t)) best = { one, along, t, df }
  }
  if (!best) return null
  const { one, along, t, df } = best
  const isPulse = shape === 'newest' || shape === 'past'
  const alone = isPulse ? chanceOfPulse(t, { df, tail: errors.tail }) : tailOfT(t, df)
  const p = chanceOfLargest(alone, frame.angles(shape, errors.index))
  const rest = residuals.map((value, i) => value - along * (one.unit[i] ?? 0))
  const spread = Math.max(spreadOf([...rest]), errors.floor)
  const size = along / one.size
  const z = isPulse && spread > 0 ? size / spread : t
  return {
    one,
    alone,
    sighting: { shape, from: one.from, size, t, p: shape === 'past' && Math.abs(z) < OUTLIER_Z ? 1 : p, z },
  }
}

function errorsOf(
  frame: Frame,
  { residuals, floor, margin }: { residuals: Column; floor: number; margin: number },
): Errors {
  const plain: Errors = {
    index: 0,
    noise: frame.noise(0),
    squares: dot(residuals, residuals),
    tail: 60,
    floor,
  }
  const first = SHAPES.flatMap((shape) => strongest(frame, { shape, residuals, errors: plain }) ?? [])
    .toSorted((a, b) => a.sighting.p - b.sighting.p)
    .at(0)
  if (!first) return plain
  const along = dot(first.one.unit, residuals)
  const rest = residuals.map((value, i) => value - along * (first.one.unit[i] ?? 0))
  const index = noiseIndex(frame, { residuals: rest, margin })
  return { ...plain, index, noise: frame.noise(index), tail: tailOf(rest) }
}

export interface Given {
  y: Column
  /** Smallest standard deviation of one error that is believed. */
  floor: number
  /** What is looked for; all of it where this is not said. */
  shapes?: readonly Shape[]
  family?: Family
}

/**
 * Looks for a newest bucket, a past bucket, a shift of level and a change of direction that trend, season and
 * autocorrelated errors do not tell. What is strongest is taken as known before the others are looked at again, so that
 * one happening is one sighting.
 */
export function scan(start: Frame, { y, floor, shapes = SHAPES, family = 'total' }: Given): Scan {
  let frame = start
  const done = new Map<Shape, Sighting>()
  let open: Sighting[] = []
  const more: Sighting[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const residuals = residualOf(frame.basis, y)
    const errors = errorsOf(frame, { residuals, floor, margin: PHI_MARGIN[family] })
    const found = shapes.flatMap((shape) => strongest(frame, { shape, residuals, errors }) ?? [])
    // Which shape tells most is asked of each at its best place, without what its number of places costs it.
    const best = found
      .filter(({ sighting }) => sighting.p <= TAKEN_BELOW && (sighting.shape === 'past' || !done.has(sighting.shape)))
      .toSorted((a, b) => a.alone - b.alone)
      .at(0)
    open = found.map(({ sighting }) => sighting).filter(({ shape }) => !done.has(shape))
    if (!best) break
    if (done.has(best.sighting.shape)) more.push(best.sighting)
    else done.set(best.sighting.shape, best.sighting)
    open = open.filter(({ shape }) => shape !== best.sighting.shape)
    frame = including(frame, best.one)
  }
  const residuals = residualOf(frame.basis, y)
  const taken = [...done.values(), ...more]
  const sightings = [...taken, ...open]
  const squares = dot(residuals, residuals)
  const left = frame.noise(0).weight
  return {
    sightings,
    fitted: y.map((value, i) => value - (residuals[i] ?? 0)),
    sigma: Math.max(floor, left > 0 ? Math.sqrt(squares / left) : 0),
    taken,
    errors: () => {
      const { phi, weight, df } = frame.noise(noiseIndex(frame, { residuals, margin: PHI_MARGIN[family] }))
      return { phi, df, sigma: Math.max(floor, weight > 0 ? Math.sqrt(squares / weight) : 0) }
    },
  }
}
