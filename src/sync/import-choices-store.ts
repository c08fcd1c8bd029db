import type { Database } from '../db/database'
import { parseRow } from '../db/rows'
import type { Scope } from '../scope'
import type { CleaningStep } from '../shared/data-sources/cleaning'
import { importChoicesSchema, type RememberedImport } from '../shared/data-sources/import-choices'
import type { StoredRow } from './store'

/** Loads of live sources whose datasets the scope sees whole: of `?3` (null: all), of none of the datasets and sources in `?4`. */
const VISIBLE_LOADS = `SELECT s.name AS source, d.name AS "table", r.request -> '$.choices' AS choices,
    COALESCE(r.request ->> '$.settings.leaveOutTotals', 0) AS leftOutTotals,
    COALESCE(r.request -> '$.cleaning.steps', '[]') AS cleaning
  FROM runs r JOIN datasets d ON d.id = r.dataset_id JOIN data_sources s ON s.id = d.source_id AND s.deleted_at IS NULL
  WHERE r.workspace_id = ?1 AND r.state = 'succeeded'
    AND (?3 IS NULL OR d.id IN (SELECT value FROM json_each(?3))) AND d.id NOT IN (SELECT value FROM json_each(?4)) AND d.source_id NOT IN (SELECT value FROM json_each(?4))`

/** What was decided at imports of a workspace, as far as the scope may see their datasets. */
export const importChoicesStore = ({ d1 }: Database, scope: Scope) => {
  const { datasets, rowFilters, hidden, masked, hiddenDatasets, hiddenSources } = scope.wire()
  const visible = datasets === 'all' ? null : JSON.stringify(datasets)
  const inPart = [...rowFilters, ...hidden, ...masked.map(({ field }) => field)].map(({ dataset }) => dataset)
  const left = JSON.stringify([...inPart, ...hiddenDatasets, ...hiddenSources])

  async function newest(where: string, value: string): Promise<RememberedImport | null> {
    const row = await d1
      .prepare(`${VISIBLE_LOADS} AND ${where} ORDER BY r.started_at DESC, r.id DESC LIMIT 1`)
      .bind(scope.workspaceId, value, visible, left)
      .first<StoredRow>()
    return row && toRemembered(row)
  }

  return {
    /** When the rows that a dataset shows now came in, or those of the version that was brought back. */
    ofDataset: (id: string) => newest('d.id = ?2 AND r.data_version = d.data_version', id),
    /** When a file of this shape was last imported, into whichever dataset. */
    ofShape: (shape: string) => newest("r.request ->> '$.choices.shape' = ?2 AND r.trigger <> 'rollback'", shape),
  }
}

/**
 * Null where nothing was decided: a later file is then read as it is detected. That totals are left out was a setting before
 * it was a step.
 */
function toRemembered(row: StoredRow): RememberedImport | null {
  const { leftOutTotals, ...found } = parseRow<RememberedImport & { leftOutTotals: boolean }>(row, {
    ...{ json: ['choices', 'cleaning'], flags: ['leftOutTotals'] },
  })
  const cleaning: CleaningStep[] = [...(leftOutTotals ? [{ kind: 'dropTotals' as const }] : []), ...found.cleaning]
  const choices = found.choices && importChoicesSchema.parse(found.choices)
  const lists = choices ? [choices.settings, choices.columns, choices.targets, choices.omitted] : []
  const isDecided = [...lists, cleaning].some(({ length }) => length > 0) || choices?.table !== undefined
  return isDecided ? { ...found, choices, cleaning } : null
}
