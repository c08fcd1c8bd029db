import type { StoredMetric } from './store'
import type { Scope } from '../../scope'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import type { ParsedFormula } from '../../shared/formula/formula'
import type { FormulaNames } from '../../shared/formula/names'
import { printFormula } from '../../shared/formula/print'
import type { Measure, QueryPlan } from '../../shared/query/plan'
import { referencedMetrics, expandMetrics, type MetricDefinition } from '../../semantic/metric-definitions'
import { validatePlan, type ValidatedPlan } from '../../semantic/query-service'
import { AGGREGATES_MAX } from '../../shared/limits'
import { METRIC_DEPTH_MAX, type Metric, type MetricContent } from '../../shared/metrics'
import { hasWindow } from '../../shared/query/plan-fields'
import { readMetricDefinitions } from '../../semantic/metric-definition-store'

/**
 * What the names in a formula over a dataset's rows mean: its columns, those of the other datasets, and the metrics.
 * @throws ProductError `not_found` for a dataset that is not the scope's
 */
export async function formulaNamesFor(
  { warehouse }: Pick<Deps, 'warehouse'>,
  scope: Scope,
  of: { dataset: string; metrics: readonly Pick<StoredMetric, 'id' | 'name' | 'synonyms'>[] },
): Promise<FormulaNames> {
  const all = await warehouse(scope).datasets()
  const named = all.map(({ id, name, columns }) => ({
    id,
    name,
    columns: columns.filter(({ hidden }) => !hidden).map(({ key, label, type }) => ({ key, label, type })),
  }))
  const dataset = named.find(({ id }) => id === of.dataset)
  if (!dataset) throw new ProductError('not_found')
  const metrics = of.metrics.map(({ id, name, synonyms }) => ({ id, name, synonyms }))
  return { dataset, related: named.filter(({ id }) => id !== of.dataset), metrics }
}

/** The formula of a measure as names stand today; as it was written where it has no words for something. */
export const formulaText = (measure: Measure, names: FormulaNames, written: string): string =>
  printFormula(measure, names) ?? written

/** @throws ProductError `invalid_input` with the mistakes, the first one beside the field */
export function measureOrThrow(parsed: ParsedFormula): Measure {
  if (parsed.ok) return parsed.measure
  const message = parsed.errors[0]?.message ?? 'Invalid formula'
  throw new ProductError('invalid_input', { fields: { formula: message }, errors: parsed.errors }, message)
}

/**
 * That a metric can be asked for: its columns, conditions and time exist and fit, and the metrics that it names lead
 * back to it by no way.
 * @throws ProductError `not_found`, `unknown_field`, `invalid_input`, `query_too_complex`, `mixed_currency`
 */
export async function validateMetric(
  deps: Pick<Deps, 'db' | 'warehouse'>,
  scope: Scope,
  { id, content }: { id: string; content: MetricContent & Pick<Metric, 'measure'> },
): Promise<ValidatedPlan> {
  const { name, measure, filters, format, time, dataset, currencyMode } = content
  const stored = await readMetricDefinitions(deps, scope, [measure])
  const definitions = new Map([...stored, [id, { id, name, measure, filters, format, currencyMode }] as const])
  const whole = expandMetrics({ kind: 'metric', id }, definitions)
  if (hasWindow(whole) && time === null) throw timeRequiredError()
  const plan: QueryPlan = {
    ...{ v: 2, kind: 'aggregate', dataset, measures: [whole], filters: [] },
    dimensions: time === null ? [] : [{ field: time, grain: 'month' }],
  }
  return validatePlan(deps, scope, plan)
}

function timeRequiredError(): ProductError {
  const message = 'Choose a date column: previous periods and running totals need one.'
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
          ? `${name} would have more than ${AGGREGATES_MAX} aggregates.`
          : `${name} would nest more than ${METRIC_DEPTH_MAX} metrics.`
      throw new ProductError('invalid_input', { fields: { formula: message } }, message, { cause: error })
    }
  }
}
