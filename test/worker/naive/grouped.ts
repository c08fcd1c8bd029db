import { add, compare, divide, fraction, isFraction, meetsCondition, negate } from './values'
import type { Fraction, NaiveValue } from './values'
import type { GroupedMeasure } from '../../../src/shared/query/plan'
import type { Column } from '../../../src/shared/data-sources/data-sources'

/** Between the two values about the rank p/100·(n−1), as far along as the rank is; the values from the least on. */
export function percentileOf(ordered: readonly NaiveValue[], percent: number): NaiveValue {
  const rank = fraction(BigInt(ordered.length - 1) * BigInt(Math.round(percent * 100)), 10_000n)
  const below = Number(rank.n / rank.d)
  const [low, high] = [ordered[below], ordered[Math.min(below + 1, ordered.length - 1)]]
  if (!isFraction(low) || !isFraction(high)) return null
  const share = add(rank, fraction(-BigInt(below)))
  const step = add(high, negate(low))
  return add(low, fraction(step.n * share.n, step.d * share.d))
}

/** What limits on figures are compared as. */
export const FIGURE_COLUMN: Column = {
  key: 'c0',
  label: '',
  type: 'number',
  role: 'measure',
  format: { style: 'plain' },
  hidden: false,
  fileIndex: 0,
}

/** The figures of all groups put together; groups without a figure do not count. */
export function groupedFigure(measure: GroupedMeasure, figures: readonly NaiveValue[]): NaiveValue {
  const all = figures.filter(isFraction)
  const { having, largest = Infinity } = measure
  const within = all.filter(
    (value) =>
      !having || meetsCondition({ value, wall: null, column: FIGURE_COLUMN }, { op: having.op, value: having.value }),
  )
  const ordered = within.toSorted(compare)
  const kept = ordered.slice(Math.max(0, ordered.length - largest))
  const sumOf = (values: readonly Fraction[]): Fraction => values.reduce(add, fraction(0n))
  switch (measure.agg) {
    case 'count':
      return fraction(BigInt(kept.length))
    case 'share':
      return divide(sumOf(kept), sumOf(all))
    case 'sum':
      return kept.length === 0 ? null : sumOf(kept)
    case 'avg':
      return kept.length === 0 ? null : divide(sumOf(kept), fraction(BigInt(kept.length)))
    case 'min':
      return kept[0] ?? null
    case 'max':
      return kept.at(-1) ?? null
    case 'median':
      return kept.length === 0 ? null : percentileOf(kept, measure.percent ?? 50)
  }
}
