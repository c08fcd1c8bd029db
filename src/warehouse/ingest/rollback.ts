import { assertNotLoading } from './load'
import { boundsOf } from './scale'
import { retireTableSet } from './swap'
import {
  findVersion,
  findVersionOfRun,
  insertVersion,
  isStored,
  releaseVersions,
  type DataVersionRecord,
} from './versions'
import { calculatedColumns, withPresentation, saveDataset, type StoredDataset } from '../catalogue'
import type { CompletedLoad } from '../contract'
import { revalidateRelations } from '../relations/service'
import type { WarehouseContext } from '../context'
import { storedColumns } from '../segments/stored-columns'
import { findTableSet, getTableSet, saveTableSet, setTableSetKind } from '../tables'
import { ProductError } from '../../shared/errors'

/**
 * Goes back to a version whose rows are still here: as a new version with its chunks. The version before stays one that
 * can be gone back to. Repeating a run answers the same.
 * @throws ProductError `not_found` when only a reload can bring it back, `busy` during a load.
 */
export function rollback(
  context: WarehouseContext,
  dataset: StoredDataset,
  to: { dataVersion: number; runId: string },
): CompletedLoad {
  return context.transaction(() => {
    const repeated = findVersionOfRun(context, to.runId)
    if (repeated?.datasetId === dataset.id) return repeated.done
    assertNotLoading(context, dataset.id)
    const target = findVersion(context, dataset.id, to.dataVersion)
    if (!target || !isStored(context, target)) throw new ProductError('not_found', {}, 'Version no longer stored.')
    if (target.dataVersion === dataset.dataVersion) return target.done
    const done = restoreVersion(context, dataset, { target, runId: to.runId })
    revalidateRelations(context, dataset.id)
    return done
  })
}

function restoreVersion(
  context: WarehouseContext,
  dataset: StoredDataset,
  { target, runId }: { target: DataVersionRecord; runId: string },
): CompletedLoad {
  const set = getTableSet(context, target.tableSet)
  const manifest = target.manifest ?? []
  const dataVersion = dataset.dataVersion + 1
  const looks = new Map(dataset.columns.map((column) => [column.key, column]))
  const physical = target.columns.filter(({ computed }) => !computed)
  const columns = [
    ...physical.map((column) => withPresentation(column, looks.get(column.key))),
    ...calculatedColumns(dataset),
  ]
  const { rowCount, bytes, keyColumns, contentHash } = target
  const { datasetRowsRejected = target.done.rowsRejected, datasetRowsDuplicate = 0 } = target.done
  const left = { datasetRowsRejected, datasetRowsDuplicate }
  const done: CompletedLoad = { dataVersion, rowCount, bytes, columns, rowsWritten: 0, rowsRejected: 0, ...left }
  const createdAt = context.clock.now()
  if (set.n !== dataset.tableSet) {
    const before = findTableSet(context, dataset.tableSet)
    setTableSetKind(context, set.n, { kind: 'live' })
    if (before) retireTableSet(context, dataset.id, before)
  }
  insertVersion(context, { ...target, dataVersion, runId, columns, createdAt, done })
  const table = storedColumns(context.sql, { tableSet: set.n, manifest, columns: physical })
  const restored = { ...set, columns: physical, manifest, bounds: boundsOf(table, physical), tip: dataVersion }
  saveTableSet(context, restored)
  releaseVersions(context, dataset.id, restored)
  const rows = { rowCount, bytes, keyColumns, contentHash, columns, dataVersion }
  saveDataset(context, { ...dataset, ...rows, tableSet: set.n, loadedAt: createdAt })
  return done
}
