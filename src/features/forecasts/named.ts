import { referencedMetrics, readMetricDefinitions } from '../../access/metric-definitions'
import type { Scope } from '../../access/scope'
import { findMonitoredMetric } from '../../access/tracked'
import type { Deps } from '../../deps'
import type { ForecastSettings } from '../../shared/forecasts'
import { groupingIdsOf } from '../../shared/plan-fields'
import type { Measure, QueryPlan } from '../../shared/query'

/** Among the names: figures were brought to one currency. */
export const exchangeRateMarker = 'rates'

/**
 * Ids of the metrics and groupings that figures of a forecast go through, those that metrics name included; sorted.
 * Empty for a subject that is gone.
 */
export async function definitionIds(
  deps: Pick<Deps, 'db'>,
  scope: Scope,
  { settings, drivers }: { settings: ForecastSettings; drivers: readonly string[] },
): Promise<string[]> {
  const found = await findMonitoredMetric(deps, scope, settings.subject)
  const own: Measure[] = found.ok ? [found.monitoredMetric.measure] : []
  if (settings.subject.kind === 'metric') own.push({ kind: 'metric', id: settings.subject.id })
  const measures: Measure[] = [...own, ...drivers.map((id) => ({ kind: 'metric' as const, id }))]
  const metrics = referencedMetrics(measures, await readMetricDefinitions(deps, scope, measures))
  const plan: QueryPlan = {
    ...{ v: 2, kind: 'aggregate', measures: [...own, ...metrics.map(({ measure }) => measure)] },
    dimensions: settings.by ? [settings.by] : [],
    filters: [
      ...(found.ok ? found.monitoredMetric.filters : []),
      ...settings.filters,
      ...metrics.flatMap((one) => one.filters),
    ],
  }
  return [...new Set([...metrics.map(({ id }) => id), ...groupingIdsOf(plan)])].toSorted()
}
