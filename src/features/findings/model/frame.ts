import { autocorrelated, basisOf, crossed, dot, extended, residualOf } from './regression'
import type { Column } from './regression'
import { seasonColumns } from './season'

/** Shapes that are looked for beside trend and season. */
export type Shape = 'newest' | 'past' | 'step' | 'bend'
export const SHAPES: readonly Shape[] = ['newest', 'past', 'step', 'bend']

/** Buckets needed on each side of a shift, and of a change of direction. */
const STEP_SIDE = 4
const BEND_SIDE = 5
/** Correlations of neighbouring errors that are told apart. */
export const PHIS: readonly number[] = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]

export interface Candidate {
  /** Index of the first point that the shape touches. */
  from: number
  /** The shape beside trend and season, of length one. */
  unit: Column
  /** How much larger the unit is than what one step of one is: a fitted size over this is in the figure's own terms. */
  size: number
  /** Variance of the fitted size by {@link PHIS}, in units of one error's variance. */
  variance: number[]
}
/** What errors of each correlation would look like after trend and season were taken out. */
export interface Noise {
  phi: number
  /** Expected correlation of neighbouring residuals. */
  neighbours: number
  /** Expected sum of squares in units of one error's variance. */
  weight: number
  /** Degrees of freedom of that sum (Satterthwaite). */
  df: number
}
/** Everything about a set of places in time that does not depend on the figures: many series share one. */
export interface Frame {
  at: readonly number[]
  season: number
  basis: Column[]
  candidates: Record<Shape, Candidate[]>
  /** Angles between neighbouring candidates of a shape, for the chance of the largest; by the index in {@link PHIS}. */
  angles: (shape: Shape, index: number) => readonly number[]
  noise: (index: number) => Noise
  /** Frames that know one shape more, by that shape. */
  wider: Map<Candidate, Frame>
}

const pulse = (n: number, i: number): Column => Float64Array.from({ length: n }, (_, t) => (t === i ? 1 : 0))
const step = (n: number, i: number): Column => Float64Array.from({ length: n }, (_, t) => (t >= i ? 1 : 0))
const bend = (at: readonly number[], i: number): Column =>
  Float64Array.from(at, (t) => Math.max(0, t - (at[i - 1] ?? 0)))

function candidate(
  basis: readonly Column[],
  { column, from, at }: { column: Column; from: number; at: readonly number[] },
) {
  const rest = residualOf(basis, column)
  const size = Math.sqrt(dot(rest, rest))
  if (!(size > 1e-4 * Math.sqrt(dot(column, column)))) return []
  const unit = rest.map((value) => value / size)
  return [{ from, unit, size, variance: PHIS.map((phi) => autocorrelated(unit, { at, phi })) }]
}

function candidatesOf(basis: readonly Column[], at: readonly number[]): Record<Shape, Candidate[]> {
  const n = at.length
  const between = (side: number): number[] => Array.from({ length: Math.max(0, n - 2 * side + 1) }, (_, i) => i + side)
  const of = (places: readonly number[], column: (i: number) => Column): Candidate[] =>
    places.flatMap((from) => candidate(basis, { column: column(from), from, at }))
  return {
    newest: of([n - 1], (i) => pulse(n, i)),
    past: of(
      Array.from({ length: n - 1 }, (_, i) => i),
      (i) => pulse(n, i),
    ),
    step: of(between(STEP_SIDE), (i) => step(n, i)),
    bend: of(between(BEND_SIDE), (i) => bend(at, i)),
  }
}

/** Angles between each candidate and the one before it, by the correlation of their fitted sizes. */
const anglesOf = (
  candidates: readonly Candidate[],
  { at, index }: { at: readonly number[]; index: number },
): number[] =>
  candidates.slice(1).map((one, i) => {
    const before = candidates[i]
    if (!before) return Math.PI / 2
    const joint = crossed(one.unit, before.unit, { at, phi: PHIS[index] ?? 0 })
    const rho = joint / Math.sqrt((one.variance[index] ?? 1) * (before.variance[index] ?? 1))
    return Math.acos(Math.min(1, Math.abs(rho)))
  })

/**
 * Moments of residuals Me of errors with correlation R: tr(MR), tr((MR)²) and the expected products of neighbours, with
 * M = I − QQ'. n is small, so the matrices are written out.
 */
function noiseOf({ at, basis, phi }: { at: readonly number[]; basis: readonly Column[]; phi: number }): Noise {
  const n = at.length
  const rows = at.map((t) => Float64Array.from(at, (u) => phi ** Math.abs(t - u)))
  const taken = rows.map((row) => residualOf(basis, row))
  const columns = at.map((_, j) =>
    residualOf(
      basis,
      Float64Array.from(taken, (row) => row[j] ?? 0),
    ),
  )
  let [weight, squares, products] = [0, 0, 0]
  for (let i = 0; i < n; i += 1) {
    weight += columns[i]?.[i] ?? 0
    if (i > 0 && (at[i] ?? 0) - (at[i - 1] ?? 0) === 1) products += columns[i]?.[i - 1] ?? 0
    for (let j = 0; j < n; j += 1) squares += (columns[i]?.[j] ?? 0) * (columns[j]?.[i] ?? 0)
  }
  const df = squares > 0 ? (weight * weight) / squares : 0
  return { phi, neighbours: weight > 0 ? products / weight : 0, weight, df }
}

/** What is worked out once for each index, when it is asked for. */
function once<T>(make: (index: number) => T): (index: number) => T {
  const made = new Map<number, T>()
  return (index) => {
    const known = made.get(index)
    if (known !== undefined) return known
    const value = make(index)
    made.set(index, value)
    return value
  }
}

function framed(base: Pick<Frame, 'at' | 'season' | 'basis'>): Frame {
  const { at, basis } = base
  const candidates = candidatesOf(basis, at)
  const angles = (shape: Shape) => once((index) => anglesOf(candidates[shape], { at, index }))
  const by = { newest: angles('newest'), past: angles('past'), step: angles('step'), bend: angles('bend') }
  return {
    ...base,
    candidates,
    angles: (shape, index) => by[shape](index),
    noise: once((index) => noiseOf({ at, basis, phi: PHIS[index] ?? 0 })),
    wider: new Map(),
  }
}

/** A frame of level, trend and season over these places. */
export function frameOf(at: readonly number[], season: number): Frame {
  const ones = Float64Array.from(at, () => 1)
  const trend = Float64Array.from(at, (t) => t - (at[at.length >> 1] ?? 0))
  return framed({ at, season, basis: basisOf([ones, trend, ...seasonColumns(at, season)]) })
}

/** The same frame with one of its shapes taken as known. */
export function including(frame: Frame, shape: Candidate): Frame {
  const known = frame.wider.get(shape)
  if (known) return known
  const made = framed({ at: frame.at, season: frame.season, basis: extended(frame.basis, shape.unit) })
  frame.wider.set(shape, made)
  return made
}
