import { namedBy, readDefinitions } from '../../access/metric-definitions'
import type { Scope } from '../../access/scope'
import { findTracked } from '../../access/tracked'
import type { Deps } from '../../deps'
import type { ForecastSettings } from '../../shared/forecasts'
import { groupingsOf } from '../../shared/plan-fields'
import type { Measure, QueryPlan } from '../../shared/query'

/** Among the names: figures were brought to one currency. */
export const rateMark = 'rates'

/**
 * Ids of the metrics and groupings that figures of a forecast go through, those that metrics name included; sorted.
 * Empty for a subject that is gone.
 */
export async function namedIn(
  deps: Pick<Deps, 'db'>,
  scope: Scope,
  { settings, drivers }: { settings: ForecastSettings; drivers: readonly string[] },
): Promise<string[]> {
  const found = await findTracked(deps, scope, settings.subject)
  const own: Measure[] = found.ok ? [found.tracked.measure] : []
  if (settings.subject.kind === 'metric') own.push({ kind: 'metric', id: settings.subject.id })
  const measures: Measure[] = [...own, ...drivers.map((id) => ({ kind: 'metric' as const, id }))]
  const metrics = namedBy(measures, await readDefinitions(deps, scope, measures))
  const plan: QueryPlan = {
    ...{ v: 2, kind: 'aggregate', measures: [...own, ...metrics.map(({ measure }) => measure)] },
    dimensions: settings.by ? [settings.by] : [],
    filters: [
      ...(found.ok ? found.tracked.filters : []),
      ...settings.filters,
      ...metrics.flatMap((one) => one.filters),
    ],
  }
  return [...new Set([...metrics.map(({ id }) => id), ...groupingsOf(plan)])].toSorted()
}
