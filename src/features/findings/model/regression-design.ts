import { compensatedSum } from '../../../lib/compensated-sum'
import { trendColumns, seasonColumns, fourierColumns, seasonLength } from './season'
import { hasRoughSeason, whiteningsFor, type Whitening } from './error-model'
import { orthonormalBasis, dot, extendBasis, residualOf, meanOf, medianOf, varianceOf } from './statistics'
import type { ColumnVector } from './statistics'
import { toFiniteNumber } from './decimals'
import type { SubjectSeries, AnalysisSubject } from './subject'

/** Shapes that are looked for beside trend and season. */
export type Shape = 'newest' | 'past' | 'step' | 'bend'
export const SHAPES: readonly Shape[] = ['newest', 'past', 'step', 'bend']

/**
 * Buckets needed on each side of a shift, and of a change of direction. After a shift two are enough: without them a
 * level that has just been halved would look like a turn that began where there was nothing yet.
 */
const STEP_SIDES_MIN = { before: 4, after: 2 }
const BEND_SIDES_MIN = { before: 5, after: 5 }

export interface ShapeCandidate {
  /** Index of the first point that the shape touches. */
  from: number
  column: ColumnVector
  /** By model: the whitened shape beside trend and season, of length one, and what it was divided by for that. */
  units: ColumnVector[]
  sizes: number[]
}
/** Trend and season under one supposition about the errors. */
interface WhitenedModel {
  white: Whitening
  /** Orthonormal in whitened places. */
  basis: ColumnVector[]
  /** Logarithm of what does not depend on the figures: prior, covariance and trend and season (REML). */
  base: number
}
/** Everything about a set of places in time that does not depend on the figures: many series share one. */
export interface RegressionDesign {
  at: readonly number[]
  season: number
  /** Level, trend, a level for each place in the season, and the shapes taken as known; errors taken as alike. */
  basis: ColumnVector[]
  models: WhitenedModel[]
  candidates: Record<Shape, ShapeCandidate[]>
  /** Angles between neighbouring candidates of a shape, for the chance of the largest; by the index of the model. */
  angles: (shape: Shape, model: number) => readonly number[]
  /** Frames that know one shape more, by that shape. */
  wider: Map<ShapeCandidate, RegressionDesign>
}

const pulse = (n: number, i: number): ColumnVector => Float64Array.from({ length: n }, (_, t) => (t === i ? 1 : 0))
const step = (n: number, i: number): ColumnVector => Float64Array.from({ length: n }, (_, t) => (t >= i ? 1 : 0))
const bend = (at: readonly number[], i: number): ColumnVector =>
  Float64Array.from(at, (t) => Math.max(0, t - (at[i - 1] ?? 0)))

const columnNorm = (vector: ColumnVector): number => Math.sqrt(dot(vector, vector))
function scaleColumn(vector: ColumnVector, size: number): ColumnVector {
  const made = new Float64Array(vector.length)
  for (let i = 0; i < made.length; i += 1) made[i] = (vector[i] ?? 0) / size
  return made
}

function buildCandidate(
  models: readonly WhitenedModel[],
  { column, from }: { column: ColumnVector; from: number },
): ShapeCandidate[] {
  const rests = models.map(({ white, basis }) => {
    const whole = white.apply(column)
    return { rest: residualOf(basis, whole), least: 1e-4 * columnNorm(whole) }
  })
  const sizes = rests.map(({ rest }) => columnNorm(rest))
  if (rests.some(({ least }, m) => !((sizes[m] ?? 0) > least))) return []
  return [{ from, column, sizes, units: rests.map(({ rest }, m) => scaleColumn(rest, sizes[m] ?? 1)) }]
}

function buildCandidates(models: readonly WhitenedModel[], at: readonly number[]): Record<Shape, ShapeCandidate[]> {
  const n = at.length
  const between = ({ before, after }: typeof STEP_SIDES_MIN): number[] =>
    Array.from({ length: Math.max(0, n - before - after + 1) }, (_, i) => i + before)
  const of = (places: readonly number[], column: (i: number) => ColumnVector): ShapeCandidate[] =>
    places.flatMap((from) => buildCandidate(models, { column: column(from), from }))
  return {
    newest: of([n - 1], (i) => pulse(n, i)),
    past: of(
      Array.from({ length: n - 1 }, (_, i) => i),
      (i) => pulse(n, i),
    ),
    step: of(between(STEP_SIDES_MIN), (i) => step(n, i)),
    bend: of(between(BEND_SIDES_MIN), (i) => bend(at, i)),
  }
}

/** Angles between each candidate and the one before it. */
const candidateAngles = (candidates: readonly ShapeCandidate[], model: number): number[] =>
  candidates.slice(1).map((one, i) => {
    const [own, before] = [one.units[model], candidates[i]?.units[model]]
    return own && before ? Math.acos(Math.min(1, Math.abs(dot(own, before)))) : Math.PI / 2
  })

function withAngles(
  base: Pick<RegressionDesign, 'at' | 'season' | 'basis' | 'models' | 'candidates'>,
): RegressionDesign {
  const known = new Map<string, readonly number[]>()
  const angles = (shape: Shape, model: number): readonly number[] => {
    const key = `${shape}${model}`
    const made = known.get(key) ?? candidateAngles(base.candidates[shape], model)
    known.set(key, made)
    return made
  }
  return { ...base, angles, wider: new Map() }
}

/** A model of these columns; its base counts what each leaves once those before it are taken out. */
function buildModel(white: Whitening, columns: readonly ColumnVector[]): WhitenedModel {
  let base = Math.log(white.prior) - white.halfLog
  const basis: ColumnVector[] = []
  for (const column of columns) {
    const whole = white.apply(column)
    const rest = residualOf(basis, whole)
    const size = columnNorm(rest)
    if (!(size > 1e-7 * columnNorm(whole))) continue
    basis.push(scaleColumn(rest, size))
    base -= Math.log(size)
  }
  return { white, basis, base }
}

/** A frame of level, trend and season over these places. */
export function buildDesign(at: readonly number[], season: number): RegressionDesign {
  const line = trendColumns(at)
  const full = [...line, ...seasonColumns(at, season)]
  const smooth = hasRoughSeason(at.length, season) ? [...line, ...fourierColumns(at, season)] : full
  const models = whiteningsFor(at, season).map((white) => buildModel(white, smooth))
  return withAngles({ at, season, basis: orthonormalBasis(full), models, candidates: buildCandidates(models, at) })
}

/** A candidate beside one that is taken as known. */
function orthogonalizeCandidate(known: ShapeCandidate, one: ShapeCandidate): ShapeCandidate[] {
  const rests = one.units.map((unit, m) => residualOf([known.units[m] ?? unit], unit))
  const left = rests.map(columnNorm)
  if (left.some((size) => !(size > 1e-4))) return []
  return [
    {
      ...one,
      units: rests.map((rest, m) => scaleColumn(rest, left[m] ?? 1)),
      sizes: one.sizes.map((size, m) => size * (left[m] ?? 1)),
    },
  ]
}

/** The same frame with one of its shapes taken as known. */
export function withKnownShape(design: RegressionDesign, shape: ShapeCandidate): RegressionDesign {
  const known = design.wider.get(shape)
  if (known) return known
  const of = (own: Shape): ShapeCandidate[] =>
    design.candidates[own].flatMap((one) => orthogonalizeCandidate(shape, one))
  const made = withAngles({
    at: design.at,
    season: design.season,
    basis: extendBasis(design.basis, shape.column),
    models: design.models.map((model, m) => ({
      ...model,
      basis: [...model.basis, shape.units[m] ?? shape.column],
      base: model.base - Math.log(shape.sizes[m] ?? 1),
    })),
    candidates: { newest: of('newest'), past: of('past'), step: of('step'), bend: of('bend') },
  })
  design.wider.set(shape, made)
  return made
}

const fixedSteps = new WeakMap<RegressionDesign, Map<number, RegressionDesign | null>>()
/** The same frame in which a level can only shift at one place, by its index; null where it cannot be told there. */
export function fixedStepDesign(design: RegressionDesign, place: number): RegressionDesign | null {
  const kept = fixedSteps.get(design) ?? new Map<number, RegressionDesign | null>()
  fixedSteps.set(design, kept)
  const known = kept.get(place)
  if (known !== undefined) return known
  const step = design.candidates.step.filter(({ from }) => from === place)
  const { at, season, basis, models } = design
  const candidates = { newest: [], past: [], step, bend: [] }
  const made = step.length === 0 ? null : withAngles({ at, season, basis, models, candidates })
  kept.set(place, made)
  return made
}

/** Buckets with figures that statistics need. */
export const HISTORY_BUCKETS_MIN = 12
/** Buckets further back than this say nothing about today that nearer ones do not. */
const HISTORY_BUCKETS_MAX = 120
/** Fluctuations under this share of the usual figure are not believed, however steady the rest. */
const RELATIVE_NOISE_MIN = 0.002

/** A series as the statistics see it: places in time, figures of about one, and what they were divided by. */
export interface StandardizedSeries {
  at: readonly number[]
  y: ColumnVector
  /** A figure of y times this is the subject's own. */
  unit: number
  /** Smallest standard deviation of one bucket that is believed. */
  floor: number
  /** Of counts: the standard deviation of one bucket where they come one by one. */
  counted?: number
}
/** Of the standard deviation of a count by its size, what is believed at least: steadier things are counted too. */
const COUNT_NOISE_MIN = 0.9

type SeriesSource = Pick<AnalysisSubject, 'additive' | 'counts' | 'total' | 'under'>

/** Buckets from the first to the last in which the subject's total has a figure; null where it has none. */
export function dataSpan({ total, under, buckets }: AnalysisSubject): { from: number; to: number } | null {
  const there = buckets.map(
    (_, at) => toFiniteNumber(total.value[at] ?? null) !== null && (!under || denominator(under, at) !== 0),
  )
  const from = there.indexOf(true)
  if (from < 0) return null
  const to = there.lastIndexOf(true)
  return { from: Math.max(from, to - HISTORY_BUCKETS_MAX + 1), to }
}
const denominator = (under: SubjectSeries, at: number): number => toFiniteNumber(under.value[at] ?? null) ?? 0

function valueAt({ total, under, additive }: SeriesSource, at: number): number | null {
  const value = toFiniteNumber(total.value[at] ?? null)
  if (!under) return additive ? (value ?? 0) : value
  const below = denominator(under, at)
  return value === null || below === 0 ? null : value / below
}

/**
 * What so few things must vary by: a count about as its root does (Poisson), a sum as the number of its rows does where
 * that varies at all, a share as so few cases of it do.
 */
function noiseFloor(source: SeriesSource, { at, y }: { at: readonly number[]; y: readonly number[] }): number {
  const middle = Math.abs(meanOf(y))
  if (source.under) {
    const cases = meanOf(at.map((t) => denominator(source.under ?? source.total, t)))
    const isShare = source.counts === true && middle < 1 && cases > 0
    return isShare ? Math.sqrt((middle * (1 - middle)) / cases) : 0
  }
  if (source.counts) return COUNT_NOISE_MIN * Math.sqrt(Math.max(1, middle))
  if (!source.additive) return 0
  const rows = at.map((t) => source.total.count[t] ?? 0)
  const mean = meanOf(rows)
  if (!(mean > 0)) return 0
  const each = compensatedSum(y.map(Math.abs)) / compensatedSum(rows)
  return each * Math.sqrt(mean * Math.min(1, varianceOf(rows) / mean))
}

/** A series over the buckets of its subject; null where there is too little of it, or nothing that varies. */
export function standardizeSeries(
  source: SeriesSource,
  { from, to }: { from: number; to: number },
): StandardizedSeries | null {
  const at: number[] = []
  const y: number[] = []
  for (let t = from; t <= to; t += 1) {
    const value = valueAt(source, t)
    if (value === null) continue
    at.push(t)
    y.push(value)
  }
  const unit = y.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0)
  if (y.length < HISTORY_BUCKETS_MIN || !(unit > 0) || !Number.isFinite(unit)) return null
  if (y.filter((value) => value !== 0).length < y.length / 3) return null
  const scaled = y.map((value) => value / unit)
  const steady = RELATIVE_NOISE_MIN * Math.max(medianOf(scaled.map(Math.abs)), 1e-3)
  const floor = Math.max(steady, noiseFloor(source, { at, y }) / unit)
  const isCount = source.counts === true && !source.under
  return {
    at,
    y: Float64Array.from(scaled),
    unit,
    floor,
    ...(isCount ? { counted: Math.max(floor, Math.sqrt(Math.max(1, Math.abs(meanOf(y)))) / unit) } : {}),
  }
}

/** Frames that are kept, the last used: each takes some 3.5 MB of 156 buckets, and averages of members have gaps of their own. */
const FRAMES_KEPT = 8

/** Frames by their places in time: most series of a subject have a figure in the same buckets, subjects of a dataset, too. */
export class DesignCache {
  readonly #frames = new Map<string, RegressionDesign>()
  readonly #season: number
  constructor(subject: Pick<AnalysisSubject, 'grain'>) {
    this.#season = seasonLength(subject.grain)
  }
  designFor({ at }: Pick<StandardizedSeries, 'at'>): RegressionDesign {
    const key = at.join()
    const design = this.#frames.get(key) ?? buildDesign(at, this.#season)
    this.#frames.delete(key)
    this.#frames.set(key, design)
    const [oldest] = this.#frames.keys()
    if (this.#frames.size > FRAMES_KEPT && oldest !== undefined) this.#frames.delete(oldest)
    return design
  }
}
