import { hasFullAccess, type Scope } from '../../scope'
import type { Database } from '../../db/database'

/** Condition: conditions in this JSON are about values of a masked column. They say what the mask hides. */
const filtersByMaskedSql = (json: string): string => `EXISTS (
    SELECT 1 FROM json_each(?2, '$.masked') k, json_tree(${json}) t
    WHERE instr(${json}, k.value ->> 0) > 0 AND t.key = 'any'
      AND json_extract(${json}, t.path || '.field.dataset') = k.value ->> 0
      AND json_extract(${json}, t.path || '.field.column') = k.value ->> 1)`

/** Everything of a workspace that hangs on a hidden thing, as `(id)`. `?1`: the workspace, `?2`: {@link rightsJson}. */
const HIDDEN_THINGS = `
WITH RECURSIVE gone AS (
  SELECT value AS id FROM json_each(?2, '$.datasets')
  UNION SELECT id FROM datasets WHERE workspace_id = ?1 AND source_id IN (SELECT value FROM json_each(?2, '$.sources'))),
lost AS (SELECT value ->> 0 AS dataset_id, value ->> 1 AS column_key FROM json_each(?2, '$.columns')),
covered AS (SELECT * FROM lost UNION SELECT value ->> 0, value ->> 1 FROM json_each(?2, '$.masked')),
metric AS (
  SELECT m.id FROM metrics m WHERE m.workspace_id = ?1 AND (
    m.dataset_id IN (SELECT id FROM gone)
    OR EXISTS (SELECT 1 FROM json_each(?2, '$.metrics') h WHERE h.value = m.id OR instr(m.measure, h.value) > 0)
    OR EXISTS (SELECT 1 FROM metric_fields f WHERE f.metric_id = m.id
      AND (f.dataset_id IN (SELECT id FROM gone) OR (f.dataset_id, f.column_key) IN (SELECT dataset_id, column_key FROM lost)))
    OR ${filtersByMaskedSql('m.filters')} OR ${filtersByMaskedSql('m.measure')})
  UNION SELECT m.id FROM metrics m JOIN metric h ON instr(m.measure, h.id) > 0 WHERE m.workspace_id = ?1),
insight AS (
  SELECT i.id FROM insights i WHERE i.workspace_id = ?1 AND (
    i.category_id IN (SELECT value FROM json_each(?2, '$.categories'))
    OR EXISTS (SELECT 1 FROM metric h WHERE instr(i.plan, h.id) > 0)
    OR EXISTS (SELECT 1 FROM insight_fields f WHERE f.insight_id = i.id
      AND (f.dataset_id IN (SELECT id FROM gone) OR (f.dataset_id, f.column_key) IN (SELECT dataset_id, column_key FROM lost)))
    OR ${filtersByMaskedSql('i.plan')})),
subject AS (SELECT id FROM metric UNION SELECT id FROM insight),
watch AS (
  SELECT id FROM alerts WHERE workspace_id = ?1 AND subject_id IN (SELECT id FROM subject)
  UNION SELECT id FROM forecasts WHERE workspace_id = ?1 AND subject_id IN (SELECT id FROM subject)),
place AS (
  SELECT source_id AS id FROM datasets WHERE workspace_id = ?1 GROUP BY source_id HAVING min(id IN (SELECT id FROM gone)) = 1
  UNION SELECT id FROM groupings WHERE workspace_id = ?1 AND (target ->> '$.dataset' IN (SELECT id FROM gone)
    OR (target ->> '$.dataset', target ->> '$.column') IN (SELECT dataset_id, column_key FROM covered)))
SELECT id FROM subject UNION SELECT id FROM gone UNION SELECT id FROM watch UNION SELECT id FROM place`

const known = new WeakMap<Scope, Promise<string>>()

/**
 * Ids of sources, datasets, metrics, insights, their categories, groupings, alerts and forecasts that do not exist for who asks, as a
 * JSON array: a parameter for {@link isVisibleSql}. Read once a scope; nothing is read for whoever sees everything.
 */
export function hiddenThings(db: Database, scope: Scope): Promise<string> {
  if (hasFullAccess(scope)) return Promise.resolve('[]')
  const reading = known.get(scope) ?? readHiddenThings(db, scope)
  known.set(scope, reading)
  return reading
}

async function readHiddenThings({ d1 }: Database, scope: Scope): Promise<string> {
  const { hiddenDatasets, hiddenSources, hidden, masked, hiddenMetrics, hiddenCategories } = scope.wire()
  const rightsJson = JSON.stringify({
    ...{ datasets: hiddenDatasets, sources: hiddenSources, metrics: hiddenMetrics, categories: hiddenCategories },
    columns: hidden.map(({ dataset, column }) => [dataset, column]),
    masked: masked.map(({ field }) => [field.dataset, field.column]),
  })
  const { results } = await d1.prepare(HIDDEN_THINGS).bind(scope.workspaceId, rightsJson).all<{ id: string }>()
  return JSON.stringify([...hiddenSources, ...hiddenCategories, ...results.map(({ id }) => id)])
}

/** Condition: the thing with this id exists for who asks. `parameter` names what {@link hiddenThings} answered. */
export const isVisibleSql = (id: string, parameter: string): string =>
  `${id} NOT IN (SELECT value FROM json_each(${parameter}))`

/** Things that something depends on, without the names of those that do not exist for who asks. */
export function withoutHiddenNames<T extends { id: string; name: string }>(hidden: string, things: readonly T[]): T[] {
  const ids: string[] = JSON.parse(hidden)
  return things.map((thing) =>
    ids.includes(thing.id) ? { ...thing, id: '', name: 'An item you don’t have access to' } : thing,
  )
}
