import { tryExpandMetrics, type MetricDefinitions } from '../../semantic/metric-definitions'
import type { InsightSubject, MetricSubject } from '../../semantic/monitored-metric-store'
import { ProductError } from '../../shared/errors'
import type { Viz } from '../../shared/insights'
import { timeFieldOf } from '../../shared/monitored-metric'
import { hasWindow } from '../../shared/query/plan-fields'
import type { Dimension, Measure, QueryPlan } from '../../shared/query/plan'
import type { Field } from '../../shared/query/field'
import type { BlockOf } from '../../shared/reports/blocks'

/** A question for one figure, and the column that a period is laid on. */
export interface FigurePlan {
  plan: QueryPlan
  time: Field | null
}

/**
 * One figure of an insight as a single number: without its splits. Of a running total, what it sums.
 * @throws ProductError `not_found` for a figure that the insight does not have; `invalid_input` for one that is only a figure beside others
 */
export function insightFigurePlan({ plan }: InsightSubject, index: number, definitions: MetricDefinitions): FigurePlan {
  const shown = plan.measures[index]
  if (!shown) throw new ProductError('not_found')
  const { v, dataset, filters, period, currency } = plan
  const one: QueryPlan = {
    ...{ v, kind: 'aggregate', measures: [singleFigure(shown, definitions)], dimensions: [], filters },
    ...(dataset === undefined ? {} : { dataset }),
    ...(period ? { period } : {}),
    ...(currency ? { currency } : {}),
  }
  return { plan: one, time: timeFieldOf(plan) }
}

function singleFigure(shown: Measure, definitions: MetricDefinitions): Measure {
  const meant = tryExpandMetrics(shown, definitions) ?? shown
  if (!hasWindow(meant)) return shown
  if (meant.kind === 'cumulative' && !hasWindow(meant.of)) {
    const label = shown.label ?? meant.label
    return label === undefined ? meant.of : { ...meant.of, label }
  }
  throw new ProductError('invalid_input', { fields: {} }, 'This figure needs a breakdown by time. Show it as a chart.')
}

/** A metric as a single number, over all time until a period is laid on. */
export const metricFigurePlan = (
  { id, dataset, time }: MetricSubject,
  currency: QueryPlan['currency'],
  dimensions: Dimension[] = [],
): FigurePlan => ({
  plan: {
    ...{ v: 2, kind: 'aggregate', dataset, measures: [{ kind: 'metric', id }], dimensions, filters: [] },
    ...(currency ? { currency } : {}),
  },
  time,
})

/** Members of a dimension that a block shows one by one. */
const MEMBERS_SHOWN = 10

type MetricBlock = Pick<BlockOf<'metric'>, 'grain' | 'by' | 'chart'>
/** What a metric block asks for, and how it is drawn: over time, by its largest members, or one number. */
export function metricBlockPlan(
  metric: MetricSubject,
  currency: QueryPlan['currency'],
  { grain, by, chart }: MetricBlock,
): FigurePlan & { viz: Viz } {
  const isNumber = chart === 'number' || (by === null && metric.time === null)
  const split: Dimension[] = by ? [{ ...by, topN: MEMBERS_SHOWN }] : metric.time ? [{ field: metric.time, grain }] : []
  const figure = metricFigurePlan(metric, currency, isNumber ? [] : split)
  const drawn = isNumber ? 'number' : by && chart !== 'table' ? 'bar' : chart
  return { ...figure, viz: { chart: drawn, direction: metric.direction } }
}
