import { referencedMetrics } from '../../semantic/metric-definitions'
import type { Scope } from '../../scope'
import { findMonitoredMetric } from '../../semantic/monitored-metric'
import type { Deps } from '../../deps'
import { driverMetricIds, type ForecastSettings, type Scenario } from '../../shared/forecasts/forecasts'
import { groupingIdsOf } from '../../shared/query/plan-fields'
import type { Measure, QueryPlan } from '../../shared/query/plan'
import { canonicalJson, sha256HexSync } from '../../lib/hash'
import { readMetricDefinitions } from '../../semantic/metric-definition-store'

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

/** What of a forecast decides what a run finds, as one text. The band that is drawn decides nothing. */
export function settingsFingerprint(
  { level: _drawn, ...settings }: ForecastSettings,
  scenarios: readonly Scenario[],
): string {
  return canonicalJson({ settings, drivers: driverMetricIds(scenarios).toSorted() })
}

/** Names what is forecast. Runs of equal figures can be held against each other. */
export const subjectFingerprint = ({ subject, filters, grain }: ForecastSettings): string =>
  sha256HexSync(canonicalJson({ subject, filters, grain }))

/**
 * What everything says that a forecast `f` is made through, as one text in SQL: another text, and what it found is stale.
 * `named`: ids (a JSON array) of metrics and groupings, and {@link exchangeRateMarker} where figures were converted.
 */
export const inputFingerprint = (named: string): string => `json_array(f.asked,
  CASE f.subject_kind WHEN 'insight' THEN (SELECT json_array(i.plan, i.viz ->> 'direction', i.viz ->> 'percent')
    FROM insights i WHERE i.id = f.subject_id AND i.workspace_id = f.workspace_id AND i.deleted_at IS NULL) END,
  (SELECT json_group_array(json_array(m.id, m.measure, m.filters, m.time_field, m.format, m.direction, m.currency_mode))
    FROM (SELECT * FROM metrics WHERE workspace_id = f.workspace_id AND id IN (SELECT value FROM json_each(${named}))
      ORDER BY id) m),
  (SELECT json_group_array(json_array(g.id, g.version)) FROM (SELECT id, version FROM groupings
    WHERE workspace_id = f.workspace_id AND deleted_at IS NULL AND id IN (SELECT value FROM json_each(${named}))
    ORDER BY id) g),
  CASE WHEN json_array_length(${named}) > 0 THEN
    (SELECT a.version FROM account_classes a WHERE a.workspace_id = f.workspace_id) END,
  CASE WHEN instr(${named}, '"${exchangeRateMarker}"') > 0 THEN (SELECT json_array(c.code, c.mode, c.rates_version)
    FROM currency_settings c WHERE c.workspace_id = f.workspace_id) END,
  (SELECT json_array(w.time_zone, w.fiscal_year_start, w.week_start, w.country, w.currency) FROM workspaces w
    WHERE w.id = f.workspace_id))`

/** Which rows stand of datasets (a JSON array of ids), as one text in SQL. */
export const dataVersionsFingerprint = (
  datasets: string,
): string => `(SELECT json_group_array(json_array(d.id, d.data_version))
  FROM (SELECT id, data_version FROM datasets WHERE workspace_id = f.workspace_id
    AND id IN (SELECT value FROM json_each(${datasets})) ORDER BY id) d)`

/** Condition on a forecast `f`: its newest run that is ready was made of something else than it would be now. */
export const IS_STALE = `(f.meant IS NOT NULL
  AND (f.meant <> ${inputFingerprint('f.named')} OR f.stood <> ${dataVersionsFingerprint('f.datasets')}))`
