import { datasetOf, describeMissed } from './datasets'
import { goneWith } from './model/columns'
import { computedKey, withComputedColumn } from './model/computed'
import { audited, refuseFrozen } from './sources'
import type { Writing } from './sources'
import { sourceStore } from './store'
import type { DatasetRow, Reading } from './store'
import { viewDataset } from './views'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import type { ComputedColumnInput } from '../../shared/computed'
import { ProductError } from '../../shared/errors'
import type { Column, ColumnKey, Dataset, Dependent } from '../../shared/sources'

/** @throws ProductError `invalid_input`, `version_conflict`, `too_large` */
export async function createComputed(
  deps: Deps,
  ask: Writing & { id: string; input: ComputedColumnInput },
): Promise<Dataset> {
  const row = await loadedDataset(deps, ask)
  const columns = withComputedColumn(row, computedKey(row.columns), ask.input)
  return saved(deps, ask, { row, columns, version: ask.input.version, action: 'dataset.compute' })
}

/** @throws ProductError `not_found` when the column is none that is computed */
export async function updateComputed(
  deps: Deps,
  ask: Writing & { id: string; key: string; input: ComputedColumnInput },
): Promise<Dataset> {
  const row = await loadedDataset(deps, ask)
  const columns = withComputedColumn(row, computedColumn(row, ask.key).key, ask.input)
  return saved(deps, ask, { row, columns, version: ask.input.version, action: 'dataset.compute' })
}

/** @throws ProductError `in_use` with what uses it, unless forced; what is computed from it goes with it */
export async function removeComputed(
  deps: Deps,
  ask: Writing & { id: string; key: string; version: number; force: boolean },
): Promise<Dataset> {
  const row = await loadedDataset(deps, ask)
  const gone = goneWith(row.columns, [computedColumn(row, ask.key).key])
  if (!ask.force) {
    const dependents = await dependentsOf(deps, ask, { row, keys: gone })
    if (dependents.length > 0) throw new ProductError('in_use', { dependents })
  }
  const columns = row.columns.filter(({ key }) => !gone.includes(key))
  return saved(deps, ask, { row, columns, version: ask.version, action: 'dataset.uncompute' })
}

/** A dataset that holds rows: before, there is nothing to compute from. */
async function loadedDataset(deps: Deps, ask: Reading & { id: string }): Promise<DatasetRow> {
  const row = await datasetOf(deps, ask, ask.id)
  refuseFrozen(row)
  if (row.dataVersion === 0) {
    const message = 'Load the data first, then compute columns from it.'
    throw new ProductError('invalid_input', { fields: { expr: message } }, message)
  }
  return row
}

function computedColumn({ columns }: DatasetRow, key: string): Column {
  const column = columns.find((each) => each.key === key && each.computed)
  if (!column) throw new ProductError('not_found')
  return column
}

const dependentsOf = (
  deps: Deps,
  ask: Reading,
  { row, keys }: { row: DatasetRow; keys: ColumnKey[] },
): Promise<Dependent[]> => sourceStore(deps.db, ask).columnDependents({ datasetId: row.id, keys })

async function saved(
  deps: Deps,
  ask: Writing,
  to: { row: DatasetRow; columns: Column[]; version: number; action: string },
): Promise<Dataset> {
  const { scope, reply } = ask
  const { row, columns, version, action } = to
  const { id, name } = row
  const after = viewDataset({ ...row, columns, version: version + 1 })
  await commit(deps, {
    change: [sourceStore(deps.db, ask).describe(id, { name, version, columns })],
    audit: [audited(scope, action, { entity: 'dataset', id, after })],
    reply: reply(after),
    expect: { onMissed: () => describeMissed(deps, ask, id) },
  })
  await deps
    .warehouse(scope)
    .setComputed({ datasetId: id, columns: columns.filter(({ computed }) => computed !== undefined) })
  return after
}
