import type { FindingPeriod } from '../../../shared/findings'
import { scaleForMagnitude, decimalToNumber, toDecimalUnits } from './amounts'
import type { SubjectSeries, AnalysisSubject } from './subject'

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
export function seriesDecimals(subjectSeries: SubjectSeries, given: number | undefined): number {
  if (given !== undefined) return given
  let largest = 0
  for (const figure of subjectSeries.value) {
    const value = Math.abs(Number(figure ?? 0))
    if (value > largest && Number.isFinite(value)) largest = value
  }
  return scaleForMagnitude(largest)
}

/** The exact sum of a window, in units of 10^−scale. */
export function sumOverRange(
  subjectSeries: SubjectSeries,
  { window, scale }: { window: BucketRange; scale: number },
): bigint {
  let sum = 0n
  for (let at = window.from; at <= window.to; at += 1)
    sum += toDecimalUnits(subjectSeries.value[at] ?? null, scale) ?? 0n
  return sum
}

/** The mean of what is there in a window; null where nothing is. */
export function meanOver(
  subjectSeries: SubjectSeries,
  { window, scale }: { window: BucketRange; scale: number },
): number | null {
  const there = subjectSeries.value
    .slice(window.from, window.to + 1)
    .flatMap((figure) => toDecimalUnits(figure, scale) ?? [])
  if (there.length === 0) return null
  const units = there.reduce((sum, one) => sum + one, 0n)
  return decimalToNumber({ units, scale }) / there.length
}

/** Rows behind a window. */
export function rowsOver(subjectSeries: SubjectSeries, { from, to }: BucketRange): number {
  let rows = 0
  for (let at = from; at <= to; at += 1) rows += subjectSeries.count[at] ?? 0
  return rows
}
