import {
  heavyTailPValue,
  pValueOfMaximum,
  columnShares,
  residualsUnderModels,
  singleModelPValue,
  estimateErrors,
  modelEstimates,
  findBestCandidate,
} from './likelihood'
import type { TailPosterior, ModelResiduals, ErrorSizePrior, ErrorEstimate, ModelEstimate } from './likelihood'
import { withKnownShape, SHAPES, type ShapeCandidate, type RegressionDesign, type Shape } from './regression-design'
import type { PeerView } from './peers'
import { withoutCandidate, likeliestModel, siblingTails, type Siblings } from './siblings'
import { dot, residualOf, robustDeviation, type ColumnVector } from './statistics'
import { tailWeights, TAIL_MODELS, tailEvidenceOf } from './error-model'
import { CANDIDATE_P_MAX } from './candidates'

/** A shape is taken as known while the others are looked at when its chance is below this. */
const ACCEPTED_P_MAX = 0.007
const ROUNDS_MAX = 4
/** A past bucket stands apart from this many robust standard deviations on. */
const OUTLIER_Z_MIN = 3.5
/** Models that are believed less than this say nothing. */
const MODEL_WEIGHT_MIN = 1e-4

/** The strongest place of one shape in one series. */
export interface DetectedShape {
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
export interface ScanResult {
  detected: DetectedShape[]
  /** What trend, season and what was taken as known say of each point. */
  fitted: ColumnVector
  /** Standard deviation of one error. */
  sigma: number
  /** Shapes that were taken as known. */
  accepted: DetectedShape[]
  /** What its parts say of each of {@link TAIL_MODELS} beside all that is known; nothing where there are none. */
  tails: () => number[] | undefined
  /** Errors as they look beside all that is known, the correlation of neighbours taken to the safe side. */
  errors: () => ErrorEstimate
}

const isPulse = (shape: Shape): boolean => shape === 'newest' || shape === 'past'

interface CandidateEstimates {
  one: ShapeCandidate
  along: number[]
  readings: ModelEstimate[]
}
/** How heavy the tails are of what a candidate leaves over under the model that is believed most. */
function estimateTails(
  residuals: ModelResiduals,
  { one, along, readings }: CandidateEstimates,
  known: readonly number[],
): TailPosterior {
  const model = readings.toSorted((a, b) => b.weight - a.weight).at(0)?.model ?? 0
  const rest = residuals.rests[model] ?? new Float64Array()
  const df = Math.max(1, residuals.df)
  const own = tailEvidenceOf(
    rest.map((value, i) => value - (along[model] ?? 0) * (one.units[model]?.[i] ?? 0)),
    df,
  )
  const told = residuals.siblings ? siblingTails(residuals.siblings, { one, model, df }) : known
  const floors = TAIL_MODELS.map(([tail]) => residuals.believed.floor * Math.sqrt(Math.max(0, 1 - 2 / tail)))
  return {
    believed: tailWeights(own.logs, told),
    scales: own.scales.map((scale, i) => Math.max(scale, floors[i] ?? 0)),
  }
}

const weightedMean = (readings: readonly ModelEstimate[], of: (each: ModelEstimate, i: number) => number): number =>
  readings.reduce((sum, each, i) => sum + each.weight * of(each, i), 0)

/** Chances of a candidate at its place by reading; those of one that is likely anyway are not asked what tails do to them. */
function candidatePValues(
  residuals: ModelResiduals,
  estimates: CandidateEstimates,
  { shape, known }: { shape: Shape; known: readonly number[] },
): number[] {
  const { one, readings } = estimates
  const plain = readings.map(singleModelPValue)
  if (weightedMean(readings, (_, i) => plain[i] ?? 1) >= CANDIDATE_P_MAX) return plain
  const tails = estimateTails(residuals, estimates, known)
  const shares = one.units.map((unit) => (isPulse(shape) ? [1] : columnShares(unit)))
  return readings.map((each) => heavyTailPValue(each, { shares: shares[each.model] ?? [1], tails }))
}

interface ShapeSearch {
  shape: Shape
  plain: ColumnVector
  beside: ModelResiduals
  known: readonly number[]
}
function strongestShape(design: RegressionDesign, { shape, plain, beside, known }: ShapeSearch) {
  const best = beside.df < 3 ? null : findBestCandidate(design, beside, design.candidates[shape])
  if (!best) return null
  const { one } = best
  const readings = modelEstimates(design, beside, best).filter(({ weight }) => weight >= MODEL_WEIGHT_MIN)
  const chances = candidatePValues(beside, { ...best, readings }, { shape, known })
  const mean = (of: (each: ModelEstimate, i: number) => number): number => weightedMean(readings, of)
  const alone = mean((_, i) => chances[i] ?? 1)
  // Among several places it is no smaller: what is too likely at one of them need not be worked out.
  const p =
    alone >= CANDIDATE_P_MAX ? 1 : mean(({ model }, i) => pValueOfMaximum(chances[i] ?? 1, design.angles(shape, model)))
  const [size, t] = [mean((each) => each.size), mean((each) => each.t)]
  const z = isPulse(shape) ? robustZ(design, { one, plain, size, floor: beside.believed.floor }) : t
  const isWeak = shape === 'past' && Math.abs(z) < OUTLIER_Z_MIN
  return { one, alone, sighting: { shape, from: one.from, size, t, p: isWeak ? 1 : p, z } }
}

/** Size of a pulse beside the median deviation of what it leaves over. */
function robustZ(
  { basis }: RegressionDesign,
  { one, plain, size, floor }: { one: ShapeCandidate; plain: ColumnVector; size: number; floor: number },
): number {
  const own = residualOf(basis, one.column)
  const along = dot(own, plain) / dot(own, own)
  const spread = Math.max(robustDeviation([...plain.map((value, i) => value - along * (own[i] ?? 0))]), floor)
  return spread > 0 ? size / spread : 0
}

interface ScanInput extends ErrorSizePrior {
  y: ColumnVector
  /** What is looked for; all of it where this is not said. */
  shapes?: readonly Shape[]
  /** Parts that add up to it. */
  siblings?: Siblings | undefined
  /** Of a member: the others of its dimension. */
  peers?: PeerView | undefined
  /** Of what has no parts: what is known of each of {@link TAIL_MODELS}, as logarithms. */
  tails?: readonly number[] | undefined
}

/**
 * Looks for a newest bucket, a past bucket, a shift of level and a change of direction that trend, season and
 * autocorrelated errors do not tell. What is strongest is taken as known before the others are looked at again, so that
 * one happening is one sighting.
 */
export function scanForShapes(
  start: RegressionDesign,
  { y, floor, counted, shapes = SHAPES, siblings: parts, peers, tails: known = [] }: ScanInput,
): ScanResult {
  let [frame, kin] = [start, parts]
  const done = new Map<Shape, DetectedShape>()
  let open: DetectedShape[] = []
  const more: DetectedShape[] = []
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const plain = residualOf(frame.basis, y)
    // What is taken as known beside a member was not taken out of its peers.
    const others = frame === start ? peers : undefined
    const beside = residualsUnderModels(frame, { y, believed: { floor, counted }, kin, peers: others })
    const found = shapes.flatMap((shape) => strongestShape(frame, { shape, plain, beside, known }) ?? [])
    const best = found
      .filter(
        ({ sighting }) => sighting.p <= ACCEPTED_P_MAX && (sighting.shape === 'past' || !done.has(sighting.shape)),
      )
      .toSorted((a, b) => a.sighting.p - b.sighting.p || a.alone - b.alone)
      .at(0)
    open = found.map(({ sighting }) => sighting).filter(({ shape }) => !done.has(shape))
    if (!best) break
    if (done.has(best.sighting.shape)) more.push(best.sighting)
    else done.set(best.sighting.shape, best.sighting)
    open = open.filter(({ shape }) => shape !== best.sighting.shape)
    frame = withKnownShape(frame, best.one)
    kin = kin && withoutCandidate(kin, best.one)
  }
  const plain = residualOf(frame.basis, y)
  const left = frame.at.length - frame.basis.length
  const accepted = [...done.values(), ...more]
  return {
    detected: [...accepted, ...open],
    fitted: y.map((value, i) => value - (plain[i] ?? 0)),
    sigma: Math.max(floor, left > 0 ? Math.sqrt(dot(plain, plain) / left) : 0),
    accepted,
    tails: () => kin && siblingTails(kin, { one: null, model: likeliestModel(kin, frame), df: Math.max(1, left) }),
    errors: () => estimateErrors(frame, residualsUnderModels(frame, { y, believed: { floor } })),
  }
}
