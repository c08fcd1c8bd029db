import { requireWholeDataset, datasetConflictError } from './datasets'
import { withDependentColumns } from './model/columns'
import { nextCalculatedKey, withCalculatedColumn } from './model/calculated-columns'
import { auditEntry, assertNotFrozen, type SourceWriteContext } from './sources'
import { sourceStore, type DatasetRow, type StoreContext } from './store'
import { toDataset } from './views'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import type { CalculatedColumnInput } from '../../shared/data-sources/calculated-columns'
import { ProductError } from '../../shared/errors'
import type { Column, Dataset, Dependent } from '../../shared/data-sources/data-sources'
import type { ColumnKey } from '../../shared/data-sources/files'

/** @throws ProductError `invalid_input`, `version_conflict`, `too_large` */
export async function createCalculatedColumn(
  deps: Deps,
  command: SourceWriteContext & { id: string; input: CalculatedColumnInput },
): Promise<Dataset> {
  const row = await loadedDataset(deps, command)
  const columns = withCalculatedColumn(row, nextCalculatedKey(row.columns), command.input)
  return saveColumns(deps, command, { row, columns, version: command.input.version, action: 'dataset.compute' })
}

/** @throws ProductError `not_found` when the column is none that is computed */
export async function updateCalculatedColumn(
  deps: Deps,
  command: SourceWriteContext & { id: string; key: string; input: CalculatedColumnInput },
): Promise<Dataset> {
  const row = await loadedDataset(deps, command)
  const columns = withCalculatedColumn(row, findCalculatedColumn(row, command.key).key, command.input)
  return saveColumns(deps, command, { row, columns, version: command.input.version, action: 'dataset.compute' })
}

/** @throws ProductError `in_use` with what uses it, unless forced; what is computed from it goes with it */
export async function removeCalculatedColumn(
  deps: Deps,
  command: SourceWriteContext & { id: string; key: string; version: number; force: boolean },
): Promise<Dataset> {
  const row = await loadedDataset(deps, command)
  const gone = withDependentColumns(row.columns, [findCalculatedColumn(row, command.key).key])
  if (!command.force) {
    const dependents = await columnDependentsOf(deps, command, { row, keys: gone })
    if (dependents.length > 0) throw new ProductError('in_use', { dependents })
  }
  const columns = row.columns.filter(({ key }) => !gone.includes(key))
  return saveColumns(deps, command, { row, columns, version: command.version, action: 'dataset.uncompute' })
}

/** A dataset that holds rows: before, there is nothing to compute from. */
async function loadedDataset(deps: Deps, options: StoreContext & { id: string }): Promise<DatasetRow> {
  const row = await requireWholeDataset(deps, options, options.id)
  assertNotFrozen(row)
  if (row.dataVersion === 0) {
    const message = 'Import data first, then add calculated columns.'
    throw new ProductError('invalid_input', { fields: { expr: message } }, message)
  }
  return row
}

function findCalculatedColumn({ columns }: DatasetRow, key: string): Column {
  const column = columns.find((each) => each.key === key && each.computed)
  if (!column) throw new ProductError('not_found')
  return column
}

const columnDependentsOf = (
  deps: Deps,
  ask: StoreContext,
  { row, keys }: { row: DatasetRow; keys: ColumnKey[] },
): Promise<Dependent[]> => sourceStore(deps.db, ask).columnDependents({ datasetId: row.id, keys })

async function saveColumns(
  deps: Deps,
  ask: SourceWriteContext,
  to: { row: DatasetRow; columns: Column[]; version: number; action: string },
): Promise<Dataset> {
  const { scope, reply } = ask
  const { row, columns, version, action } = to
  const { id, name } = row
  const after = toDataset({ ...row, columns, version: version + 1 })
  await commit(deps, {
    change: [sourceStore(deps.db, ask).updateDataset(id, { name, version, columns })],
    audit: [auditEntry(scope, action, { entity: 'dataset', id, after })],
    reply: reply(after),
    expect: { onMissed: () => datasetConflictError(deps, ask, id) },
  })
  await deps
    .warehouse(scope)
    .setComputed({ datasetId: id, columns: columns.filter(({ computed }) => computed !== undefined) })
  return after
}
