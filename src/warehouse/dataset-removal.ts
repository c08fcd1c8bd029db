import { emptyDataset, findDataset, assertReadable, saveDataset, datasetInScope } from './catalogue'
import type { CatalogueDataset } from './contract'
import { dropMapsOfDataset } from './groupings/store'
import { discardLoad } from './ingest/load'
import { clearResultCache } from './query/result-cache'
import { deleteRelationsOfDataset } from './relations/store'
import type { WarehouseContext } from './context'
import { discardTableSet, tableSetsOf } from './tables'
import type { ScopeWire } from '../scope'
import { ProductError } from '../shared/errors'

/**
 * Hides a dataset and ends its load. Also one that never came to hold rows is remembered as deleted, so that a load
 * that starts late cannot bring it to life.
 */
export function deleteDataset(
  context: WarehouseContext,
  scope: ScopeWire,
  at: { datasetId: string; purge: boolean },
): void {
  assertReadable(context, scope, at.datasetId)
  context.transaction(() => {
    const open = "SELECT run_id, table_set FROM loads WHERE dataset_id = ? AND state = 'open'"
    const loads = context.sql.exec<{ run_id: string; table_set: number | null }>(open, at.datasetId).toArray()
    for (const load of loads) discardLoad(context, { runId: load.run_id, tableSet: load.table_set })
    const known = findDataset(context, at.datasetId)
    const dataset = known ?? emptyDataset({ id: at.datasetId, sourceId: '', name: '', columns: [] })
    saveDataset(context, { ...dataset, deletedAt: dataset.deletedAt ?? context.clock.now() })
    if (at.purge) purgeDataset(context, at.datasetId)
  })
}

/** Nothing of the rows, names or history stays: only that the id was used and is gone. */
function purgeDataset(context: WarehouseContext, datasetId: string): void {
  for (const set of tableSetsOf(context, datasetId, ['staging', 'live', 'previous'])) discardTableSet(context, set.n)
  context.sql.exec('DELETE FROM rejects WHERE run_id IN (SELECT run_id FROM loads WHERE dataset_id = ?)', datasetId)
  for (const table of ['loads', 'versions', 'leases', 'foreign_places']) {
    context.sql.exec(`DELETE FROM ${table} WHERE dataset_id = ?`, datasetId)
  }
  deleteRelationsOfDataset(context, datasetId)
  dropMapsOfDataset(context, datasetId)
  clearResultCache(context.sql)
  const bare = emptyDataset({ id: datasetId, sourceId: '', name: '', columns: [] })
  saveDataset(context, { ...bare, deletedAt: context.clock.now(), purged: true })
}

/** @throws ProductError `not_found` when it is unknown or its bytes are gone. */
export function restoreDataset(context: WarehouseContext, scope: ScopeWire, datasetId: string): CatalogueDataset {
  assertReadable(context, scope, datasetId)
  return context.transaction(() => {
    const dataset = findDataset(context, datasetId)
    if (!dataset || dataset.purged) throw new ProductError('not_found')
    const restored = { ...dataset, deletedAt: null }
    saveDataset(context, restored)
    return datasetInScope(scope, restored)
  })
}
