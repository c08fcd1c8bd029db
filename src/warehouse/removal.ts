import { emptyDataset, findStored, refuseUnreadable, saveDataset, shown } from './catalogue'
import type { CatalogueDataset } from './contract'
import { forgetMaps } from './groupings/maps'
import { endLoad } from './ingest/load'
import { forgetAnswers } from './query/cache'
import { forgetRelations } from './relations/store'
import { forgetRollups } from './rollups/store'
import type { Room } from './room'
import { discardSet, setsOf } from './tables'
import type { ScopeWire } from '../access/scope'
import { ProductError } from '../shared/errors'

/**
 * Hides a dataset and ends its load. Also one that never came to hold rows is remembered as deleted, so that a load
 * that starts late cannot bring it to life.
 */
export function deleteDataset(room: Room, scope: ScopeWire, at: { datasetId: string; purge: boolean }): void {
  refuseUnreadable(scope, at.datasetId)
  room.atomically(() => {
    const open = "SELECT run_id, table_set FROM loads WHERE dataset_id = ? AND state = 'open'"
    const loads = room.sql.exec<{ run_id: string; table_set: number | null }>(open, at.datasetId).toArray()
    for (const load of loads) endLoad(room, { runId: load.run_id, tableSet: load.table_set })
    const known = findStored(room, at.datasetId)
    const dataset = known ?? emptyDataset({ id: at.datasetId, sourceId: '', name: '', columns: [] })
    saveDataset(room, { ...dataset, deletedAt: dataset.deletedAt ?? room.clock.now() })
    if (at.purge) purge(room, at.datasetId)
  })
}

/** Nothing of the rows, names or history stays: only that the id was used and is gone. */
function purge(room: Room, datasetId: string): void {
  for (const set of setsOf(room, datasetId, ['staging', 'live', 'previous', 'aside'])) discardSet(room, set.n)
  room.sql.exec('DELETE FROM rejects WHERE run_id IN (SELECT run_id FROM loads WHERE dataset_id = ?)', datasetId)
  for (const table of ['loads', 'versions', 'leases']) {
    room.sql.exec(`DELETE FROM ${table} WHERE dataset_id = ?`, datasetId)
  }
  forgetRelations(room, datasetId)
  forgetRollups(room, datasetId)
  forgetMaps(room, datasetId)
  forgetAnswers(room.sql)
  const bare = emptyDataset({ id: datasetId, sourceId: '', name: '', columns: [] })
  saveDataset(room, { ...bare, deletedAt: room.clock.now(), purged: true })
}

/** @throws ProductError `not_found` when it is unknown or its bytes are gone. */
export function restoreDataset(room: Room, scope: ScopeWire, datasetId: string): CatalogueDataset {
  refuseUnreadable(scope, datasetId)
  return room.atomically(() => {
    const dataset = findStored(room, datasetId)
    if (!dataset || dataset.purged) throw new ProductError('not_found')
    const restored = { ...dataset, deletedAt: null }
    saveDataset(room, restored)
    return shown(scope, restored)
  })
}
