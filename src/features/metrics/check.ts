import { referencedMetrics, readMetricDefinitions, expandMetrics } from '../../access/metric-definitions'
import type { MetricDefinition } from '../../access/metric-definitions'
import { validatePlan } from '../../access/plan-check'
import type { ValidatedPlan } from '../../access/plan-check'
import type { Scope } from '../../access/scope'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import { AGGREGATES_MAX } from '../../shared/limits'
import { METRIC_DEPTH_MAX } from '../../shared/metrics'
import type { Metric, MetricContent } from '../../shared/metrics'
import { operandsOf } from '../../shared/plan-fields'
import type { Measure, QueryPlan } from '../../shared/query'

export type ValidatedMetric = ValidatedPlan
const hasTimeCalculation = (measure: Measure): boolean =>
  measure.kind === 'prev' || measure.kind === 'cumulative' || operandsOf(measure).some(hasTimeCalculation)

/**
 * That a metric can be asked for: its columns, conditions and time exist and fit, and the metrics that it names lead
 * back to it by no way.
 * @throws ProductError `not_found`, `unknown_field`, `invalid_input`, `query_too_complex`, `mixed_currency`
 */
export async function validateMetric(
  deps: Pick<Deps, 'db' | 'warehouse'>,
  scope: Scope,
  { id, content }: { id: string; content: MetricContent & Pick<Metric, 'measure'> },
): Promise<ValidatedMetric> {
  const { name, measure, filters, format, time, dataset, currencyMode } = content
  const stored = await readMetricDefinitions(deps, scope, [measure])
  const definitions = new Map([...stored, [id, { id, name, measure, filters, format, currencyMode }] as const])
  const whole = expandMetrics({ kind: 'metric', id }, definitions)
  if (hasTimeCalculation(whole) && time === null) throw timeRequiredError()
  const plan: QueryPlan = {
    ...{ v: 2, kind: 'aggregate', dataset, measures: [whole], filters: [] },
    dimensions: time === null ? [] : [{ field: time, grain: 'month' }],
  }
  return validatePlan(deps, scope, plan)
}

function timeRequiredError(): ProductError {
  const message = 'Earlier units and running totals need a time column: choose one.'
  return new ProductError('invalid_input', { fields: { time: message } }, message)
}

/**
 * That the metrics which lead to a changed one can still be asked for: the chain of names does not become too long, and
 * no more is added up than can be.
 * @throws ProductError `invalid_input`
 */
export function validateDependents(all: readonly MetricDefinition[], changed: MetricDefinition): void {
  const definitions = new Map([...all, changed].map((each) => [each.id, each] as const))
  for (const { id, name } of all) {
    const metric = { kind: 'metric' as const, id }
    // What cannot be asked for already, and has nothing to do with it, is not in the way.
    if (!referencedMetrics([metric], definitions).some((each) => each.id === changed.id)) continue
    try {
      expandMetrics(metric, definitions)
    } catch (error) {
      if (!(error instanceof ProductError) || error.code !== 'query_too_complex') continue
      const message =
        error.details['what'] === 'measures'
          ? `${name} would add up more than can be added up at once: at most ${AGGREGATES_MAX} figures.`
          : `${name} leads here by too many metrics that name each other: at most ${METRIC_DEPTH_MAX}.`
      throw new ProductError('invalid_input', { fields: { formula: message } }, message, { cause: error })
    }
  }
}
