import { chanceAmong, chanceOfLargest, sharesOf } from './chances'
import type { Tails } from './chances'
import { including, SHAPES } from './frame'
import type { Candidate, Frame, Shape } from './frame'
import { beyond, likeliestOf, tailsOf } from './kin'
import type { Kin } from './kin'
import { dot, residualOf } from './regression'
import type { Column } from './regression'
import { spreadOf } from './robust'
import { believedOf, TAILS, tellingOf } from './tails'
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
  /** What its parts say of each of {@link TAILS} beside all that is known; nothing where there are none. */
  tails: () => number[] | undefined
  /** Errors as they look beside all that is known, the correlation of neighbours taken to the safe side. */
  errors: () => Errors
}

const isPulse = (shape: Shape): boolean => shape === 'newest' || shape === 'past'

interface Read {
  one: Candidate
  along: number[]
  readings: Reading[]
}
/** How heavy the tails are of what a candidate leaves over under the model that is believed most. */
function tailsBeside(beside: Beside, { one, along, readings }: Read, known: readonly number[]): Tails {
  const model = readings.toSorted((a, b) => b.weight - a.weight).at(0)?.model ?? 0
  const rest = beside.rests[model] ?? new Float64Array()
  const df = Math.max(1, beside.df)
  const own = tellingOf(
    rest.map((value, i) => value - (along[model] ?? 0) * (one.units[model]?.[i] ?? 0)),
    df,
  )
  const told = beside.kin ? tailsOf(beside.kin, { one, model, df }) : known
  const floors = TAILS.map(([tail]) => beside.believed.floor * Math.sqrt(Math.max(0, 1 - 2 / tail)))
  return { believed: believedOf(own.logs, told), scales: own.scales.map((scale, i) => Math.max(scale, floors[i] ?? 0)) }
}

const meanBy = (readings: readonly Reading[], of: (each: Reading, i: number) => number): number =>
  readings.reduce((sum, each, i) => sum + each.weight * of(each, i), 0)

/** Chances of a candidate at its place by reading; those of one that is likely anyway are not asked what tails do to them. */
function chancesOf(beside: Beside, read: Read, { shape, known }: { shape: Shape; known: readonly number[] }): number[] {
  const { one, readings } = read
  const plain = readings.map(chanceAlone)
  if (meanBy(readings, (_, i) => plain[i] ?? 1) >= KEPT_BELOW) return plain
  const tails = tailsBeside(beside, read, known)
  const shares = one.units.map((unit) => (isPulse(shape) ? [1] : sharesOf(unit)))
  return readings.map((each) => chanceAmong(each, { shares: shares[each.model] ?? [1], tails }))
}

interface Looked {
  shape: Shape
  plain: Column
  beside: Beside
  known: readonly number[]
}
function strongest(frame: Frame, { shape, plain, beside, known }: Looked) {
  const best = beside.df < 3 ? null : strongestOf(frame, beside, frame.candidates[shape])
  if (!best) return null
  const { one } = best
  const readings = readingsOf(frame, beside, best).filter(({ weight }) => weight >= WEIGHT_LEAST)
  const chances = chancesOf(beside, { ...best, readings }, { shape, known })
  const mean = (of: (each: Reading, i: number) => number): number => meanBy(readings, of)
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
  /** Parts that add up to it. */
  kin?: Kin | undefined
  /** Of what has no parts: what is known of each of {@link TAILS}, as logarithms. */
  tails?: readonly number[] | undefined
}

/**
 * Looks for a newest bucket, a past bucket, a shift of level and a change of direction that trend, season and
 * autocorrelated errors do not tell. What is strongest is taken as known before the others are looked at again, so that
 * one happening is one sighting.
 */
export function scan(start: Frame, { y, floor, counted, shapes = SHAPES, kin: parts, tails: known = [] }: Given): Scan {
  let [frame, kin] = [start, parts]
  const done = new Map<Shape, Sighting>()
  let open: Sighting[] = []
  const more: Sighting[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const plain = residualOf(frame.basis, y)
    const beside = besideOf(frame, { y, believed: { floor, counted }, kin })
    const found = shapes.flatMap((shape) => strongest(frame, { shape, plain, beside, known }) ?? [])
    const best = found
      .filter(({ sighting }) => sighting.p <= TAKEN_BELOW && (sighting.shape === 'past' || !done.has(sighting.shape)))
      .toSorted((a, b) => a.sighting.p - b.sighting.p || a.alone - b.alone)
      .at(0)
    open = found.map(({ sighting }) => sighting).filter(({ shape }) => !done.has(shape))
    if (!best) break
    if (done.has(best.sighting.shape)) more.push(best.sighting)
    else done.set(best.sighting.shape, best.sighting)
    open = open.filter(({ shape }) => shape !== best.sighting.shape)
    frame = including(frame, best.one)
    kin = kin && beyond(kin, best.one)
  }
  const plain = residualOf(frame.basis, y)
  const left = frame.at.length - frame.basis.length
  const taken = [...done.values(), ...more]
  return {
    sightings: [...taken, ...open],
    fitted: y.map((value, i) => value - (plain[i] ?? 0)),
    sigma: Math.max(floor, left > 0 ? Math.sqrt(dot(plain, plain) / left) : 0),
    taken,
    tails: () => kin && tailsOf(kin, { one: null, model: likeliestOf(kin, frame), df: Math.max(1, left) }),
    errors: () => errorsOf(frame, besideOf(frame, { y, believed: { floor } })),
  }
}
