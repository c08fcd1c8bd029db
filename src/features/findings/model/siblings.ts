import { compensatedSum } from '../../../lib/compensated-sum'
import { sumsOfSquares, dot, reduceToResidual, type ColumnVector } from './statistics'
import type { ShapeCandidate, RegressionDesign, StandardizedSeries } from './regression-design'
import { TAIL_MODELS, tailEvidenceOf } from './error-model'
import { toFiniteNumber } from './decimals'
import type { SeriesAnalysis } from './candidates'
import type { SubjectSeries, SubjectDimension } from './subject'

/**
 * Parts that add up to a series: the members of its dimensions. Where they vary on their own, their variances add up to
 * that of the series, and what its errors remember and how heavy their tails are is told by them too: many short
 * histories know what one does not.
 */
export interface Siblings {
  splits: readonly SiblingSplit[]
}
interface SplitPart {
  /** What level, trend, season and what is known leave of it, by model; and the sum of squares of that. */
  rests: ColumnVector[]
  squares: number[]
  /** How much of the variance of all parts of its split is its own. */
  weight: number
}
interface SiblingSplit {
  parts: SplitPart[]
  /** As how many parts of one size its parts are. */
  effectiveCount: number
}
/** What the parts say of the errors of the whole. */
export interface SiblingEvidence {
  /** Variance of one error of the whole by model, if the parts vary on their own; and how surely. */
  variance: number[]
  df: number[]
  /** Logarithm of how much each model is believed by the parts, what it is given beforehand included. */
  logs: number[]
  /** So many times the variance may be; where this is not said, what parts of a sum are believed to add up to. */
  multiples?: readonly number[]
}
/** Columns of one split that add up to the series but for a constant. */
export type SplitColumns = readonly ColumnVector[]

/** As so many parts at most do they tell what errors are like, and how heavy their tails are: all are cut from the same rows. */
export const INDEPENDENT_PARTS_MAX = 8
const INDEPENDENT_TAIL_PARTS_MAX = 12
/** That variances add up is believed as surely as so many degrees of freedom would say it, no more. */
const POOLED_DF_MAX = 60
/** Parts that count less than this for their split's variance say nothing of tails. */
const PART_WEIGHT_MIN = 0.05

function buildSplit(design: RegressionDesign, columns: SplitColumns): SiblingSplit[] {
  if (columns.length < 2) return []
  const parts = columns.map((column) => {
    const rests = design.models.map(({ white, basis }) => reduceToResidual(basis, white.apply(column)))
    return { rests, squares: sumsOfSquares(rests) }
  })
  const sum = parts.reduce((total, { squares }) => total + (squares[0] ?? 0), 0)
  if (!(sum > 0)) return []
  const weighed = parts.map((part) => ({ ...part, weight: (part.squares[0] ?? 0) / sum }))
  return [{ parts: weighed, effectiveCount: 1 / weighed.reduce((total, { weight }) => total + weight * weight, 0) }]
}

export const siblingsOf = (design: RegressionDesign, splits: readonly SplitColumns[]): Siblings => ({
  splits: splits.flatMap((columns) => buildSplit(design, columns)),
})

function withoutComponent(rest: ColumnVector, unit: ColumnVector): ColumnVector {
  const along = dot(rest, unit)
  const left = new Float64Array(rest.length)
  for (let i = 0; i < left.length; i += 1) left[i] = (rest[i] ?? 0) - along * (unit[i] ?? 0)
  return left
}

/** The same with one shape more taken as known. */
export const withoutCandidate = ({ splits }: Siblings, { units }: ShapeCandidate): Siblings => ({
  splits: splits.map(({ parts, effectiveCount }) => ({
    effectiveCount,
    parts: parts.map(({ rests, weight }) => {
      const left = rests.map((rest, m) => withoutComponent(rest, units[m] ?? rest))
      return { rests: left, squares: sumsOfSquares(left), weight }
    }),
  })),
})

/** What of each part a candidate leaves: who is to be asked, of which candidate (of none: all of it), and how much is free. */
export interface EvidenceQuery {
  one: ShapeCandidate | null
  df: number
}

/** Sum of the parts' squares under one model, that of their squares, and how well it tells them. */
function residualSums({ parts }: SiblingSplit, { model, one, df }: EvidenceQuery & { model: number }) {
  let [sum, squares, log] = [0, 0, 0]
  for (const { rests, squares: all, weight } of parts) {
    const rest = rests[model]
    const along = one && rest ? dot(rest, one.units[model] ?? rest) : 0
    const left = Math.max((all[model] ?? 0) - along * along, 1e-300)
    sum += left
    squares += left * left
    log -= weight * (df / 2) * Math.log(left)
  }
  return { sum, squares, log }
}

/**
 * Under one model: the splits' sums of variances, averaged by their degrees of freedom (Satterthwaite 1946), and how well
 * the model tells the parts.
 */
function evidenceUnderModel(
  siblings: Siblings,
  { model, base, asked }: { model: number; base: number; asked: EvidenceQuery },
) {
  let [over, under, most, log] = [0, 0, 0, 0]
  for (const split of siblings.splits) {
    const { sum, squares, log: own } = residualSums(split, { ...asked, model })
    log += split.effectiveCount * (base + own)
    if (!(squares > 0)) continue
    const df = (asked.df * sum * sum) / squares
    over += (df * sum) / asked.df
    under += df
    most = Math.max(most, df)
  }
  return { variance: under > 0 ? over / under : 0, df: Math.min(POOLED_DF_MAX, most), log }
}

const effectivePartCount = ({ splits }: Siblings): number =>
  splits.reduce((sum, { effectiveCount }) => sum + effectiveCount, 0)

/** What parts say once a candidate is taken out of each; of all of them where none is given. */
export function siblingEvidenceOf(
  siblings: Siblings,
  design: RegressionDesign,
  query: EvidenceQuery,
): SiblingEvidence | null {
  if (siblings.splits.length === 0 || query.df < 3) return null
  const told = Math.min(1, INDEPENDENT_PARTS_MAX / effectivePartCount(siblings))
  const each = design.models.map(({ base, white }, model) => {
    const prior = Math.log(white.prior)
    const said = evidenceUnderModel(siblings, { model, base: base - prior, asked: query })
    return { ...said, log: prior + told * said.log }
  })
  const most = Math.max(...each.map(({ log }) => log))
  const all = Math.log(each.reduce((sum, { log }) => sum + Math.exp(log - most), 0)) + most
  return {
    variance: each.map(({ variance }) => variance),
    df: each.map(({ df }) => df),
    logs: each.map(({ log }) => log - all),
  }
}

/** The model that tells the parts best. */
export function likeliestModel(siblings: Siblings, design: RegressionDesign): number {
  const df = design.at.length - (design.models[0]?.basis.length ?? 0)
  const logs = siblingEvidenceOf(siblings, design, { one: null, df })?.logs ?? [0]
  return logs.indexOf(Math.max(...logs))
}

/** What parts say of each of {@link TAIL_MODELS}, as logarithms, once a candidate is taken out of each, if one is given. */
export function siblingTails(siblings: Siblings, { model, one, df }: EvidenceQuery & { model: number }): number[] {
  const told = Math.min(1, INDEPENDENT_TAIL_PARTS_MAX / effectivePartCount(siblings))
  const logs = TAIL_MODELS.map(() => 0)
  for (const { parts, effectiveCount } of siblings.splits)
    for (const { rests, weight } of parts) {
      const rest = rests[model]
      if (!rest || weight * effectiveCount < PART_WEIGHT_MIN) continue
      const own = tailEvidenceOf(one ? withoutComponent(rest, one.units[model] ?? rest) : rest, df).logs
      for (const [i, log] of own.entries())
        logs[i] = (logs[i] ?? 0) + told * weight * effectiveCount * (log - (own[0] ?? 0))
    }
  return logs
}

/** Parts of a dimension that are taken one by one, the largest; the others are one. */
const PARTS_MAX = 24

const valuesAt = (series: SubjectSeries | undefined, at: readonly number[]): number[] =>
  at.map((t) => toFiniteNumber(series?.value[t] ?? null) ?? 0)
const absoluteSum = (vector: ColumnVector): number => vector.reduce((sum, value) => sum + Math.abs(value), 0)

/** The largest columns, and one for what they leave of the series. */
function withRemainder(columns: readonly ColumnVector[], { y }: StandardizedSeries): SplitColumns {
  const told = columns
    .map((column) => ({ column, size: absoluteSum(column) }))
    .toSorted((a, b) => b.size - a.size)
    .slice(0, PARTS_MAX)
    .map(({ column }) => column)
  return [...told, y.map((value, i) => told.reduce((left, column) => left - (column[i] ?? 0), value))]
}

/**
 * What the members of each dimension add to a series: their own figures of a sum; of a ratio R = N/D how far they move it
 * from the usual R̄, (N_i − R̄·D_i)/D, which adds up to R − R̄. Nothing for figures that do not add up.
 */
export function splitColumnsOf({ subject }: SeriesAnalysis, series: StandardizedSeries): SplitColumns[] {
  if (!subject.additive) return []
  const { at, unit } = series
  const { under } = subject
  const whole = under ? valuesAt(under, at) : at.map(() => 1)
  const usual = under ? compensatedSum(valuesAt(subject.total, at)) / compensatedSum(whole) : 0
  return subject.dimensions.map(({ members }) =>
    withRemainder(
      members.map((one) => {
        const below = valuesAt(one.under, at)
        const moved = valuesAt(one.series, at).map((value, i) => (value - usual * (below[i] ?? 0)) / (whole[i] ?? 1))
        return Float64Array.from(moved, (value) => value / unit)
      }),
      series,
    ),
  )
}

/** The same of the ratio as it would be if each member kept its usual own one. */
export function mixSplitColumns(
  { subject }: SeriesAnalysis,
  { series, dimension }: { series: StandardizedSeries; dimension: SubjectDimension },
): SplitColumns {
  const { at, unit } = series
  const whole = valuesAt(subject.under, at)
  const members = dimension.members.map((one) => {
    const below = valuesAt(one.under, at)
    return { below, over: compensatedSum(valuesAt(one.series, at)), under: compensatedSum(below) }
  })
  const usual = compensatedSum(members.map(({ over }) => over)) / compensatedSum(members.map(({ under }) => under))
  return withRemainder(
    members.map(({ below, over, under }) => {
      const apart = under === 0 ? 0 : over / under - usual
      return Float64Array.from(below, (value, i) => (apart * value) / (whole[i] ?? 1) / unit)
    }),
    series,
  )
}
