import { divide, type Amount } from '../aggregates/amount'
import { sumOf } from '../aggregates/calculations'
import type { MovingMeasure } from '../../../shared/query/plan'

interface MovingWindow extends Pick<MovingMeasure, 'agg' | 'units'> {
  /** The first unit of the whole answer. */
  first: number
  /** Whether units without rows count as 0. */
  countsAll: boolean
  /** The unit so many steps before. */
  earlier: (bucket: number, steps: number) => number
  /** Whether a unit has not begun. */
  isAhead: (bucket: number) => boolean
}

/** The sum or average over the units up to each of a series, whether they have rows or not. */
export function movingValues(
  points: readonly { bucket: number }[],
  values: readonly Amount[],
  { agg, units, first, countsAll, earlier, isAhead }: MovingWindow,
): Amount[] {
  const byBucket = new Map(points.map(({ bucket }, i) => [bucket, values[i] ?? null]))
  return points.map(({ bucket }, i) => {
    const unitAt = (back: number): number => (back === 0 ? bucket : earlier(bucket, back))
    if (unitAt(units - 1) < first) return null
    if ((values[i] ?? null) === null && isAhead(bucket)) return null
    const own = Array.from({ length: units }, (_, back) => byBucket.get(unitAt(back)) ?? null)
    const there = own.filter((value) => value !== null)
    const [one, ...others] = there
    if (one === undefined) return null
    const sum = others.reduce<Amount>((total, value) => sumOf('add', total, value), one)
    return agg === 'sum' ? sum : divide(sum, { n: BigInt(countsAll ? units : there.length), scale: 0 })
  })
}
