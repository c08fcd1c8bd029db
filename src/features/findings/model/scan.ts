import { densityOfNormal, tailOfNormal, tailOfT, zOfTail } from './distributions'
import { including, SHAPES } from './frame'
import type { Candidate, Frame, Shape } from './frame'
import { dot, residualOf } from './regression'
import type { Column } from './regression'
import { spreadOf, tailWeightOf } from './robust'
import { besideOf, chanceAlone, errorsOf, readingsOf, strongestOf } from './weighing'
import type { Beside, Believed, Errors, Reading } from './weighing'
import { KEPT_BELOW } from './tested'

/** A shape is taken as known while the others are looked at when its chance is below this. */
const TAKEN_BELOW = 0.007
const ROUNDS = 4
/** A past bucket stands apart from this many robust standard deviations on. */
export const OUTLIER_Z = 3.5
/** Models that are believed less than this say nothing. */
const WEIGHT_LEAST = 1e-4

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
  errors: () => Errors
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
  const weight = (n * tailWeightOf([...residuals]) + 45 * 0.21) / (n + 45)
  return Math.min(60, Math.max(3.2, 0.34 / Math.max(1e-3, weight - 0.1226)))
}

/** Chance of one pulse: errors may have heavier tails than the normal ones, which averages hide and single points do not. */
const chanceOfPulse = (reading: Reading, tail: number): number =>
  reading.df === Number.POSITIVE_INFINITY
    ? chanceAlone(reading)
    : Math.max(chanceAlone(reading), tailOfT(reading.t * Math.sqrt(tail / (tail - 2)), tail))

const isPulse = (shape: Shape): boolean => shape === 'newest' || shape === 'past'

/** How heavy the tails are of what a pulse leaves over under the model that is believed most. */
function tailBeside(
  beside: Beside,
  { one, along, readings }: { one: Candidate; along: number[]; readings: Reading[] },
) {
  const model = readings.toSorted((a, b) => b.weight - a.weight).at(0)?.model ?? 0
  const rest = beside.rests[model] ?? new Float64Array()
  return tailOf(rest.map((value, i) => value - (along[model] ?? 0) * (one.units[model]?.[i] ?? 0)))
}

function strongest(frame: Frame, { shape, plain, beside }: { shape: Shape; plain: Column; beside: Beside }) {
  const best = beside.df < 3 ? null : strongestOf(frame, beside, frame.candidates[shape])
  if (!best) return null
  const { one, along } = best
  const readings = readingsOf(frame, beside, best).filter(({ weight }) => weight >= WEIGHT_LEAST)
  const tail = isPulse(shape) ? tailBeside(beside, { one, along, readings }) : 0
  const chances = readings.map((each) => (isPulse(shape) ? chanceOfPulse(each, tail) : chanceAlone(each)))
  const mean = (of: (each: Reading, i: number) => number): number =>
    readings.reduce((sum, each, i) => sum + each.weight * of(each, i), 0)
  const alone = mean((_, i) => chances[i] ?? 1)
  // Among several places it is no smaller: what is too likely at one of them need not be worked out.
  const p =
    alone >= KEPT_BELOW ? 1 : mean(({ model }, i) => chanceOfLargest(chances[i] ?? 1, frame.angles(shape, model)))
  const [size, t] = [mean((each) => each.size), mean((each) => each.t)]
  const z = isPulse(shape) ? robustZ(frame, { one, plain, size, floor: beside.believed.floor }) : t
  const isWeak = shape === 'past' && Math.abs(z) < OUTLIER_Z
  return { one, alone, sighting: { shape, from: one.from, size, t, p: isWeak ? 1 : p, z } }
}

/** Size of a pulse beside the median deviation of what it leaves over. */
function robustZ(
  { basis }: Frame,
  { one, plain, size, floor }: { one: Candidate; plain: Column; size: number; floor: number },
): number {
  const own = residualOf(basis, one.column)
  const along = dot(own, plain) / dot(own, own)
  const spread = Math.max(spreadOf([...plain.map((value, i) => value - along * (own[i] ?? 0))]), floor)
  return spread > 0 ? size / spread : 0
}

export interface Given extends Believed {
  y: Column
  /** What is looked for; all of it where this is not said. */
  shapes?: readonly Shape[]
}

/**
 * Looks for a newest bucket, a past bucket, a shift of level and a change of direction that trend, season and
 * autocorrelated errors do not tell. What is strongest is taken as known before the others are looked at again, so that
 * one happening is one sighting.
 */
export function scan(start: Frame, { y, floor, counted, shapes = SHAPES }: Given): Scan {
  let frame = start
  const done = new Map<Shape, Sighting>()
  let open: Sighting[] = []
  const more: Sighting[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const plain = residualOf(frame.basis, y)
    const beside = besideOf(frame, { y, believed: { floor, counted } })
    const found = shapes.flatMap((shape) => strongest(frame, { shape, plain, beside }) ?? [])
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
  const plain = residualOf(frame.basis, y)
  const left = frame.at.length - frame.basis.length
  const taken = [...done.values(), ...more]
  return {
    sightings: [...taken, ...open],
    fitted: y.map((value, i) => value - (plain[i] ?? 0)),
    sigma: Math.max(floor, left > 0 ? Math.sqrt(dot(plain, plain) / left) : 0),
    taken,
    errors: () => errorsOf(frame, besideOf(frame, { y, believed: { floor } })),
  }
}
