import {
  sumsOfSquares,
  logGamma,
  normalPValue,
  studentTPValue,
  dot,
  reduceToResidual,
  normalDensity,
  zFromPValue,
} from './statistics'
import type { ColumnVector } from './statistics'
import type { ShapeCandidate, RegressionDesign } from './regression-design'
import { peerEvidenceOf, type PeerView } from './peers'
import { siblingEvidenceOf, type EvidenceQuery, type Siblings, type SiblingEvidence } from './siblings'
import { TAIL_MODELS } from './error-model'

/** What is believed of the size of one error, in the figure's own terms. */
export interface ErrorSizePrior {
  /** Smallest standard deviation of one error that is believed. */
  floor: number
  /** Of counts: the standard deviation that they have when they come one by one (Poisson). */
  counted?: number | undefined
}
/** A series beside trend and season, under every model of its frame. */
export interface ModelResiduals {
  rests: ColumnVector[]
  squares: number[]
  df: number
  believed: ErrorSizePrior
  /** What of the likelihood depends on the degrees of freedom alone. */
  gamma: number
  /** Parts that add up to it, and what they say before a candidate is taken out of them. */
  siblings: Siblings | undefined
  siblingEvidence: SiblingEvidence | null
  /** The same once a candidate is taken out of each. */
  evidenceOf: (query: EvidenceQuery) => SiblingEvidence | null
}
interface BestCandidate {
  one: ShapeCandidate
  /** Length of the series along the candidate, by model. */
  along: number[]
}
/** A candidate under one model: how much the model is believed once the candidate is taken out, and what it is then. */
export interface ModelEstimate {
  model: number
  weight: number
  /** Fitted size in the figure's own terms. */
  size: number
  /** Length of the series along the candidate: t times the standard deviation of one error. */
  length: number
  t: number
  /** Degrees of freedom of t; infinite where the size of an error is known. */
  df: number
  /** Whether parts have told the size of an error too. */
  isPooled: boolean
}

/** The size of an error may be up to so many times another one, any of it alike (by its logarithm). */
const ERROR_RATIO_MAX = 30

export function residualsUnderModels(
  design: RegressionDesign,
  of: {
    y: ColumnVector
    believed: ErrorSizePrior
    kin?: Siblings | undefined
    peers?: PeerView | undefined
  },
): ModelResiduals {
  const { y, believed, kin: siblings, peers } = of
  const rests = design.models.map(({ white, basis }) => reduceToResidual(basis, white.apply(y)))
  const df = design.at.length - (design.models[0]?.basis.length ?? 0) - 1
  const gamma = df > 0 ? logGamma(df / 2) - Math.log(2 * Math.log(ERROR_RATIO_MAX)) : 0
  const evidenceOf = (query: EvidenceQuery): SiblingEvidence | null =>
    siblings ? siblingEvidenceOf(siblings, design, query) : peers ? peerEvidenceOf(peers, design, query) : null
  const siblingEvidence = evidenceOf({ one: null, df: df + 1 })
  return { rests, squares: sumsOfSquares(rests), df, believed, gamma, siblings, siblingEvidence, evidenceOf }
}

/**
 * How well one model tells what a candidate of length `along` leaves over, as a logarithm: the REML likelihood, with the
 * size of an error integrated out over all sizes alike by their logarithm.
 */
function logLikelihood(
  design: RegressionDesign,
  residuals: ModelResiduals,
  { model, along }: { model: number; along: number },
): number {
  const { df, believed, gamma } = residuals
  const left = Math.max((residuals.squares[model] ?? 0) - along * along, df * believed.floor * believed.floor, 1e-300)
  return (design.models[model]?.base ?? 0) + gamma - (df / 2) * Math.log(left / 2)
}

/** The same of a count that comes one by one: its errors do not remember, and their size is known. */
function poissonLogLikelihood(
  design: RegressionDesign,
  residuals: ModelResiduals,
  { model, along }: { model: number; along: number },
): number {
  const { counted } = residuals.believed
  const of = design.models[model]
  if (!counted || !of || of.white.phi > 0) return -Infinity
  const left = (residuals.squares[model] ?? 0) - along * along
  return of.base - left / (2 * counted * counted) - residuals.df * Math.log(counted)
}

/** So many times what parts that vary on their own vary by: such parts, and parts that vary together in part or mostly. */
const VARIANCE_MULTIPLES: readonly number[] = [1, 2, 4]
const multiplesOf = (saying: SiblingEvidence | null): readonly number[] => saying?.multiples ?? VARIANCE_MULTIPLES

interface PooledEstimate {
  /** Variance of one error, as the parts' variances and what is left of the series say together. */
  variance: number
  df: number
  log: number
}

/**
 * The same where the parts vary on their own, each supposition as much believed beforehand as the parts believe it: the
 * variance of one error then has an inverse gamma distribution about the sum of theirs.
 */
function pooledEstimate(
  design: RegressionDesign,
  residuals: ModelResiduals,
  { model, along, saying, times }: { model: number; along: number; saying: SiblingEvidence | null; times: number },
): PooledEstimate | null {
  const of = design.models[model]
  const sure = saying?.df[model] ?? 0
  if (!of || !saying || !(sure > 0)) return null
  const given = Math.max(times * (saying.variance[model] ?? 0), residuals.believed.floor ** 2, 1e-300)
  const all = sure * given + Math.max(0, (residuals.squares[model] ?? 0) - along * along)
  const df = residuals.df + sure
  const believed = of.base - Math.log(of.white.prior) + (saying.logs[model] ?? 0)
  const before = (sure / 2) * Math.log((sure * given) / 2) - logGamma(sure / 2)
  return {
    variance: all / df,
    df,
    log: believed - Math.log(multiplesOf(saying).length) + before + logGamma(df / 2) - (df / 2) * Math.log(all / 2),
  }
}

/** By the supposition about the size of an error that tells the series best. */
function bestLogLikelihood(
  design: RegressionDesign,
  residuals: ModelResiduals,
  at: { model: number; along: number },
): number {
  const { siblingEvidence: saying } = residuals
  const own = Math.max(logLikelihood(design, residuals, at), poissonLogLikelihood(design, residuals, at))
  if (!saying) return own
  return multiplesOf(saying).reduce(
    (most, times) => Math.max(most, pooledEstimate(design, residuals, { ...at, saying, times })?.log ?? -Infinity),
    own,
  )
}

/** The candidate that explains most under the model that tells the series best with it. */
export function findBestCandidate(
  design: RegressionDesign,
  residuals: ModelResiduals,
  candidates: readonly ShapeCandidate[],
): BestCandidate | null {
  let [best, most]: [ShapeCandidate | null, number] = [null, -Infinity]
  // Under one model a shorter candidate never tells more than a longer one before it.
  const longest = new Float64Array(residuals.rests.length).fill(-1)
  for (const one of candidates)
    for (let model = 0; model < one.units.length; model += 1) {
      const [unit, rest] = [one.units[model], residuals.rests[model]]
      if (!unit || !rest) continue
      const along = dot(unit, rest)
      if (along * along <= (longest[model] ?? 0)) continue
      longest[model] = along * along
      const score = bestLogLikelihood(design, residuals, { model, along })
      if (score <= most) continue
      best = one
      most = score
    }
  return best && { one: best, along: best.units.map((unit, model) => dot(unit, residuals.rests[model] ?? unit)) }
}

type WeightedEstimate = Omit<ModelEstimate, 'model' | 'size' | 'length'>

/** One model with the size of an error from the series alone, as counts have it, and told by parts too. */
function estimatesUnderModel(
  design: RegressionDesign,
  residuals: ModelResiduals,
  at: { model: number; along: number; saying: SiblingEvidence | null },
): WeightedEstimate[] {
  const { df, squares, believed } = residuals
  const left = Math.max(0, (squares[at.model] ?? 0) - at.along * at.along)
  const sigma = Math.max(Math.sqrt(left / df), believed.floor)
  const own = {
    weight: logLikelihood(design, residuals, at),
    t: sigma > 0 ? at.along / sigma : 0,
    df,
    isPooled: false,
  }
  const weight = poissonLogLikelihood(design, residuals, at)
  const counted = { weight, t: at.along / (believed.counted ?? 1), df: Number.POSITIVE_INFINITY, isPooled: false }
  const pooled = multiplesOf(at.saying).flatMap((times): WeightedEstimate[] => {
    const one = pooledEstimate(design, residuals, { ...at, times })
    return one ? [{ weight: one.log, t: at.along / Math.sqrt(one.variance), df: one.df, isPooled: true }] : []
  })
  return [own, ...(weight > -Infinity ? [counted] : []), ...pooled]
}

/**
 * The candidate under each model, weighed by what the figures say of the model once the candidate is taken out: a
 * chance averaged with these weights is the partial posterior predictive one (Bayarri and Berger 2000).
 */
export function modelEstimates(
  design: RegressionDesign,
  residuals: ModelResiduals,
  { one, along }: BestCandidate,
): ModelEstimate[] {
  const saying = residuals.evidenceOf({ one, df: residuals.df })
  const all = along.flatMap((length, model) => {
    const unit = one.sizes[model] ?? 1
    return estimatesUnderModel(design, residuals, { model, along: length, saying }).map((each): ModelEstimate => ({
      ...each,
      model,
      length,
      size: length / unit,
      weight: each.weight - Math.log(unit),
    }))
  })
  const most = Math.max(...all.map(({ weight }) => weight))
  const weights = all.map(({ weight }) => Math.exp(weight - most))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return all.map((each, i) => ({ ...each, weight: (weights[i] ?? 0) / sum }))
}

/** Chance of one shape at one place under one model. */
export const singleModelPValue = ({ t, df }: ModelEstimate): number =>
  df === Number.POSITIVE_INFINITY ? normalPValue(t) : studentTPValue(t, df)

export interface ErrorEstimate {
  /** Standard deviation of one. */
  sigma: number
  /** Correlation of neighbours. */
  phi: number
  df: number
}

/** Errors as all models together see them beside what the frame knows; their correlation one deviation to the safe side. */
export function estimateErrors(
  { models }: RegressionDesign,
  { squares, df: beyond, believed }: ModelResiduals,
): ErrorEstimate {
  const df = beyond + 1
  const logs = models.map(({ base }, m) => base - (df / 2) * Math.log(Math.max(squares[m] ?? 0, 1e-300)))
  const most = Math.max(...logs)
  const weights = logs.map((log) => Math.exp(log - most))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const mean = (of: (model: number) => number): number =>
    weights.reduce((total, weight, m) => total + weight * of(m), 0) / sum
  const phiOf = (m: number): number => models[m]?.white.phi ?? 0
  const middle = mean(phiOf)
  const apart = Math.sqrt(mean((m) => (phiOf(m) - middle) ** 2))
  const variance = df > 0 ? mean((m) => squares[m] ?? 0) / df : 0
  return { sigma: Math.max(believed.floor, Math.sqrt(variance)), phi: Math.min(0.9, middle + apart), df }
}

/** What is believed of each of {@link TAIL_MODELS}, and the scale of errors under it. */
export interface TailPosterior {
  believed: readonly number[]
  scales: readonly number[]
}
/** A bucket that carries less than this of a shape cannot make it by itself. */
const COLUMN_SHARE_MIN = 0.15
/** Tails that are believed less than this say nothing. */
const TAIL_WEIGHT_MIN = 1e-4

/** Chance of the largest of neighbouring |z| being as large, from that of one (Efron 1997, the length heuristic). */
export function pValueOfMaximum(p: number, angles: readonly number[]): number {
  const c = zFromPValue(p)
  if (c < 0.5) return 1
  let paths = 0
  for (const angle of angles) paths += 1 - normalPValue((c * angle) / 2)
  return Math.min(1, p + ((2 * normalDensity(c)) / c) * paths, p * (angles.length + 1))
}

/**
 * Chance of one shape at one place, `shares` being how much of it each bucket carries. A sum of errors with heavy tails
 * is far out because all of them are, as normal ones would be, or because one of them is, by as much as it counts in the
 * sum.
 */
export function heavyTailPValue(
  estimate: ModelEstimate,
  { shares, tails }: { shares: readonly number[]; tails: TailPosterior },
): number {
  const plain = singleModelPValue(estimate)
  if (estimate.df === Number.POSITIVE_INFINITY) return plain
  return TAIL_MODELS.reduce((sum, [df], i) => {
    const [weight, scale] = [tails.believed[i] ?? 0, tails.scales[i] ?? 0]
    if (df === Number.POSITIVE_INFINITY || weight < TAIL_WEIGHT_MIN) return sum + weight * plain
    const t = estimate.isPooled || !(scale > 0) ? estimate.t * Math.sqrt(df / (df - 2)) : estimate.length / scale
    const byOne = shares.reduce((total, share) => total + studentTPValue(t / share, df), 0)
    return sum + weight * Math.min(1, Math.max(plain, byOne))
  }, 0)
}

/** How much of a shape each bucket carries that could make it by itself. */
export function columnShares(unit: ColumnVector): number[] {
  const shares: number[] = []
  for (let at = 0; at < unit.length; at += 1) {
    const share = Math.abs(unit[at] ?? 0)
    if (share > COLUMN_SHARE_MIN) shares.push(share)
  }
  return shares
}
