import { isLeafMeasure, isMeasure } from '../../../shared/plan-fields'
import type { AggregateMeasure, Measure } from '../../../shared/query'

/** A figure as it is looked at: what is added up, and for a ratio what it is divided by. */
export interface MeasureComponents {
  total: Measure
  under?: Measure
  /** Whether the parts of it add up to the whole; of a ratio, both of its sides. */
  additive: boolean
  /** Whole numbers of things. */
  counts: boolean
}

const ADDITIVE_AGGREGATIONS = new Set(['sum', 'count'])

/** Whether the figures of groups add up to the figure of all of them. */
export function isAdditive(measure: Measure): boolean {
  if (isLeafMeasure(measure)) return ADDITIVE_AGGREGATIONS.has(measure.agg)
  if (measure.kind !== 'calc') return false
  const sides = [measure.left, measure.right]
  if (measure.op === 'add' || measure.op === 'subtract')
    return sides.every((side) => isMeasure(side) && isAdditive(side))
  const [left, right] = sides
  if (measure.op === 'multiply')
    return sides.some((side) => !isMeasure(side)) && sides.every((side) => !isMeasure(side) || isAdditive(side))
  return left !== undefined && isMeasure(left) && isAdditive(left) && right !== undefined && !isMeasure(right)
}

/** An average is the sum over how many were added up. */
function averageComponents(leaf: AggregateMeasure): MeasureComponents {
  const { label: _name, format: _shown, ...plain } = leaf
  const total: Measure = { ...plain, agg: 'sum' }
  const under: Measure = { ...plain, agg: 'count' }
  return { total, under, additive: true, counts: false }
}

/** What earlier figures or running totals are made of is looked at itself: its changes are what they show later. */
export function componentsOf(measure: Measure): MeasureComponents {
  if (measure.kind === 'prev' || measure.kind === 'cumulative') return componentsOf(measure.of)
  if (isLeafMeasure(measure)) {
    if (measure.agg === 'avg') return averageComponents(measure)
    const counts = measure.agg === 'count' || measure.agg === 'countDistinct'
    return { total: measure, additive: isAdditive(measure), counts }
  }
  if (measure.kind === 'ratio' && isAdditive(measure.over) && isAdditive(measure.under))
    return { total: measure.over, under: measure.under, additive: true, counts: false }
  if (measure.kind === 'calc' && measure.op === 'divide' && isMeasure(measure.left) && isMeasure(measure.right))
    if (isAdditive(measure.left) && isAdditive(measure.right))
      return { total: measure.left, under: measure.right, additive: true, counts: false }
  return { total: measure, additive: isAdditive(measure), counts: false }
}
