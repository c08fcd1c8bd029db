import { isRough, whiteningsOf } from './covariance'
import type { Whitening } from './covariance'
import { basisOf, dot, extended, residualOf } from './regression'
import type { Column } from './regression'
import { seasonColumns, waveColumns } from './season'

/** Shapes that are looked for beside trend and season. */
export type Shape = 'newest' | 'past' | 'step' | 'bend'
export const SHAPES: readonly Shape[] = ['newest', 'past', 'step', 'bend']

/** Buckets needed on each side of a shift, and of a change of direction. */
const STEP_SIDE = 4
const BEND_SIDE = 5

export interface Candidate {
  /** Index of the first point that the shape touches. */
  from: number
  column: Column
  /** By model: the whitened shape beside trend and season, of length one, and what it was divided by for that. */
  units: Column[]
  sizes: number[]
}
/** Trend and season under one supposition about the errors. */
export interface Model {
  white: Whitening
  /** Orthonormal in whitened places. */
  basis: Column[]
  /** Logarithm of what does not depend on the figures: prior, covariance and trend and season (REML). */
  base: number
}
/** Everything about a set of places in time that does not depend on the figures: many series share one. */
export interface Frame {
  at: readonly number[]
  season: number
  /** Level, trend, a level for each place in the season, and the shapes taken as known; errors taken as alike. */
  basis: Column[]
  models: Model[]
  candidates: Record<Shape, Candidate[]>
  /** Angles between neighbouring candidates of a shape, for the chance of the largest; by the index of the model. */
  angles: (shape: Shape, model: number) => readonly number[]
  /** Frames that know one shape more, by that shape. */
  wider: Map<Candidate, Frame>
}

const pulse = (n: number, i: number): Column => Float64Array.from({ length: n }, (_, t) => (t === i ? 1 : 0))
const step = (n: number, i: number): Column => Float64Array.from({ length: n }, (_, t) => (t >= i ? 1 : 0))
const bend = (at: readonly number[], i: number): Column =>
  Float64Array.from(at, (t) => Math.max(0, t - (at[i - 1] ?? 0)))

const lengthOf = (column: Column): number => Math.sqrt(dot(column, column))
function scaled(column: Column, size: number): Column {
  const made = new Float64Array(column.length)
  for (let i = 0; i < made.length; i += 1) made[i] = (column[i] ?? 0) / size
  return made
}

function candidateOf(models: readonly Model[], { column, from }: { column: Column; from: number }): Candidate[] {
  const rests = models.map(({ white, basis }) => {
    const whole = white.apply(column)
    return { rest: residualOf(basis, whole), least: 1e-4 * lengthOf(whole) }
  })
  const sizes = rests.map(({ rest }) => lengthOf(rest))
  if (rests.some(({ least }, m) => !((sizes[m] ?? 0) > least))) return []
  return [{ from, column, sizes, units: rests.map(({ rest }, m) => scaled(rest, sizes[m] ?? 1)) }]
}

function candidatesOf(models: readonly Model[], at: readonly number[]): Record<Shape, Candidate[]> {
  const n = at.length
  const between = (side: number): number[] => Array.from({ length: Math.max(0, n - 2 * side + 1) }, (_, i) => i + side)
  const of = (places: readonly number[], column: (i: number) => Column): Candidate[] =>
    places.flatMap((from) => candidateOf(models, { column: column(from), from }))
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

/** Angles between each candidate and the one before it. */
const anglesOf = (candidates: readonly Candidate[], model: number): number[] =>
  candidates.slice(1).map((one, i) => {
    const [own, before] = [one.units[model], candidates[i]?.units[model]]
    return own && before ? Math.acos(Math.min(1, Math.abs(dot(own, before)))) : Math.PI / 2
  })

function framed(base: Pick<Frame, 'at' | 'season' | 'basis' | 'models' | 'candidates'>): Frame {
  const known = new Map<string, readonly number[]>()
  const angles = (shape: Shape, model: number): readonly number[] => {
    const key = `${shape}${model}`
    const made = known.get(key) ?? anglesOf(base.candidates[shape], model)
    known.set(key, made)
    return made
  }
  return { ...base, angles, wider: new Map() }
}

/** A model of these columns; its base counts what each leaves once those before it are taken out. */
function modelOf(white: Whitening, columns: readonly Column[]): Model {
  let base = Math.log(white.prior) - white.halfLog
  const basis: Column[] = []
  for (const column of columns) {
    const whole = white.apply(column)
    const rest = residualOf(basis, whole)
    const size = lengthOf(rest)
    if (!(size > 1e-7 * lengthOf(whole))) continue
    basis.push(scaled(rest, size))
    base -= Math.log(size)
  }
  return { white, basis, base }
}

/** A frame of level, trend and season over these places. */
export function frameOf(at: readonly number[], season: number): Frame {
  const line = [Float64Array.from(at, () => 1), Float64Array.from(at, (t) => t - (at[at.length >> 1] ?? 0))]
  const full = [...line, ...seasonColumns(at, season)]
  const smooth = isRough(at.length, season) ? [...line, ...waveColumns(at, season)] : full
  const models = whiteningsOf(at, season).map((white) => modelOf(white, smooth))
  return framed({ at, season, basis: basisOf(full), models, candidates: candidatesOf(models, at) })
}

/** A candidate beside one that is taken as known. */
function beside(known: Candidate, one: Candidate): Candidate[] {
  const rests = one.units.map((unit, m) => residualOf([known.units[m] ?? unit], unit))
  const left = rests.map(lengthOf)
  if (left.some((size) => !(size > 1e-4))) return []
  return [
    {
      ...one,
      units: rests.map((rest, m) => scaled(rest, left[m] ?? 1)),
      sizes: one.sizes.map((size, m) => size * (left[m] ?? 1)),
    },
  ]
}

/** The same frame with one of its shapes taken as known. */
export function including(frame: Frame, shape: Candidate): Frame {
  const known = frame.wider.get(shape)
  if (known) return known
  const of = (own: Shape): Candidate[] => frame.candidates[own].flatMap((one) => beside(shape, one))
  const made = framed({
    at: frame.at,
    season: frame.season,
    basis: extended(frame.basis, shape.column),
    models: frame.models.map((model, m) => ({
      ...model,
      basis: [...model.basis, shape.units[m] ?? shape.column],
      base: model.base - Math.log(shape.sizes[m] ?? 1),
    })),
    candidates: { newest: of('newest'), past: of('past'), step: of('step'), bend: of('bend') },
  })
  frame.wider.set(shape, made)
  return made
}
