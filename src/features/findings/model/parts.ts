import { toFiniteNumber } from './amounts'
import type { SplitColumns } from './kin'
import type { SeriesAnalysis } from './look'
import type { StandardizedSeries } from './prepared'
import type { ColumnVector } from './regression'
import { compensatedSum } from './robust'
import type { SubjectSeries, SubjectDimension } from './subject'

/** Parts of a dimension that are taken one by one, the largest; the others are one. */
const PARTS_MAX = 24

const valuesAt = (series: SubjectSeries | undefined, at: readonly number[]): number[] =>
  at.map((t) => toFiniteNumber(series?.value[t] ?? null) ?? 0)
const absoluteSum = (columnVector: ColumnVector): number =>
  columnVector.reduce((sum, value) => sum + Math.abs(value), 0)

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
