import { readDefinitions, withoutMetrics } from '../../access/metric-definitions'
import { checkAgainstCatalogue } from '../../access/plan-check'
import type { CheckedPlan } from '../../access/plan-check'
import type { Scope } from '../../access/scope'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import type { Metric, MetricContent } from '../../shared/metrics'
import { partsOf } from '../../shared/plan-fields'
import type { Measure, QueryPlan } from '../../shared/query'

export type CheckedMetric = CheckedPlan
const hasWindow = (measure: Measure): boolean =>
  measure.kind === 'prev' || measure.kind === 'cumulative' || partsOf(measure).some(hasWindow)

/**
 * That a metric can be asked for: its columns, conditions and time exist and fit, and the metrics that it names lead
 * back to it by no way.
 * @throws ProductError `not_found`, `unknown_field`, `invalid_input`, `query_too_complex`, `mixed_currency`
 */
export async function checkMetric(
  deps: Pick<Deps, 'db' | 'warehouse'>,
  scope: Scope,
  { id, content }: { id: string; content: MetricContent & Pick<Metric, 'measure'> },
): Promise<CheckedMetric> {
  const { name, measure, filters, format, time, dataset } = content
  const stored = await readDefinitions(deps, scope, [measure])
  const definitions = new Map([...stored, [id, { id, name, measure, filters, format }] as const])
  const whole = withoutMetrics({ kind: 'metric', id }, definitions)
  if (hasWindow(whole) && time === null) throw needsTime()
  const plan: QueryPlan = {
    ...{ v: 2, kind: 'aggregate', dataset, measures: [whole], filters: [] },
    dimensions: time === null ? [] : [{ field: time, grain: 'month' }],
  }
  return checkAgainstCatalogue(deps, scope, plan)
}

function needsTime(): ProductError {
  const message = 'Earlier units and running totals need a time column: choose one.'
  return new ProductError('invalid_input', { fields: { time: message } }, message)
}
