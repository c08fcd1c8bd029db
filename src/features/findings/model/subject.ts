import type { FindingPeriod } from '../../../shared/findings'
import type { Grain } from '../../../shared/query/date-range'
import type { Cell } from '../../../shared/query/result'
import { scaleForMagnitude, toDecimalUnits } from './decimals'

/** One figure of each bucket: a number, exact decimal text past 2^53, or nothing. */
export interface SubjectSeries {
  value: readonly (number | string | null)[]
  /** Rows behind each figure. */
  count: readonly number[]
}

export interface SubjectMember {
  member: Cell
  series: SubjectSeries
  under?: SubjectSeries | undefined
  target?: SubjectTarget | undefined
}

export interface SubjectDimension {
  key: string
  label: string
  /** Whether a person has split the figure by it. */
  isChosen?: boolean | undefined
  members: readonly SubjectMember[]
  /** Everything that is in the total and in none of `members`; absent when there is nothing. */
  other?: { series: SubjectSeries; under?: SubjectSeries | undefined; members: number } | undefined
}

/** An amount to be reached over `length` buckets from the bucket number `first` on; some of them may be yet to come. */
export interface SubjectTarget {
  amount: number
  first: number
  length: number
  /** `sum`: the buckets add up to it. `level`: their mean should be there. */
  way: 'sum' | 'level'
  /** The period that it is set for, as a sentence names it: it may end after the newest bucket. */
  period: FindingPeriod
}

/** A figure over time, with what it can be taken apart by. */
export interface AnalysisSubject {
  key: string
  /** As the sentence calls it: `Revenue`. */
  label: string
  grain: Grain
  /** First days of complete buckets, oldest first, none left out between them. */
  buckets: readonly string[]
  /** Whether members add up to the total (sum, count). With `under`, over and under must each add up. */
  additive: boolean
  /** Whether every figure is a whole number of things, so that small ones vary as counts do. */
  counts?: boolean | undefined
  /** Whether figures are shown in per cent: their changes are points, never per cent of per cent. */
  percent?: boolean | undefined
  /** Decimals of exact figures; absent for those that are not exact. */
  scale?: number | undefined
  total: SubjectSeries
  /** Present for a ratio: the figure is `total` over `under`. */
  under?: SubjectSeries | undefined
  /** What `under` is called; absent where it counts rows. */
  underLabel?: string | undefined
  dimensions: readonly SubjectDimension[]
  direction: 'up' | 'down' | 'none'
  target?: SubjectTarget | undefined
}

/** Buckets from one to another, both included, by their index. */
export interface BucketRange {
  from: number
  to: number
}

export const toFindingPeriod = (
  subject: Pick<AnalysisSubject, 'buckets' | 'grain'>,
  { from, to }: BucketRange,
): FindingPeriod => ({
  from: subject.buckets[from] ?? '',
  to: subject.buckets[to] ?? '',
  grain: subject.grain,
})

/** Decimals that all figures of a series are taken at. */
export function seriesDecimals(series: SubjectSeries, given: number | undefined): number {
  if (given !== undefined) return given
  let largest = 0
  for (const figure of series.value) {
    const value = Math.abs(Number(figure ?? 0))
    if (value > largest && Number.isFinite(value)) largest = value
  }
  return scaleForMagnitude(largest)
}

/** The exact sum of a window, in units of 10^−scale. */
export function sumOverRange(series: SubjectSeries, { window, scale }: { window: BucketRange; scale: number }): bigint {
  let sum = 0n
  for (let at = window.from; at <= window.to; at += 1) sum += toDecimalUnits(series.value[at] ?? null, scale) ?? 0n
  return sum
}
