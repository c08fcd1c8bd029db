import type { DatasetRow, SourceRow } from './store'
import { isActive, viewRun } from '../../sync/store'
import type { RunHead } from '../../sync/store'
import { ProductError } from '../../shared/errors'
import type { DataSource, Dataset, SourceState, SyncRun } from '../../shared/sources'

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

export const viewDataset = (row: DatasetRow): Dataset => ({
  id: row.id,
  sourceId: row.sourceId,
  name: row.name,
  rowCount: row.rowCount,
  bytes: row.bytes,
  dataVersion: row.dataVersion,
  columns: row.columns,
  keyColumns: row.keyColumns,
  loadedAt: iso(row.loadedAt),
  version: row.version,
})

export const viewSource = (row: SourceRow, of: { datasets: DatasetRow[]; lastRuns: RunHead[] }): DataSource => ({
  id: row.id,
  name: row.name,
  type: row.type,
  state: row.frozen ? 'frozen' : stateOf(of.datasets, of.lastRuns),
  frozen: row.frozen,
  sample: row.sample,
  ownerId: row.ownerId,
  version: row.version,
  createdAt: new Date(row.createdAt).toISOString(),
  updatedAt: new Date(row.updatedAt).toISOString(),
  deletedAt: iso(row.deletedAt),
  lastRun: telling(of.lastRuns),
  lastRuns: inOrderOf(of.datasets, of.lastRuns).map(viewRun),
  datasets: of.datasets.map(viewDataset),
})

const isBroken = ({ state }: Pick<RunHead, 'state'>): boolean => state === 'failed' || state === 'interrupted'

const inOrderOf = (datasets: DatasetRow[], runs: RunHead[]): RunHead[] =>
  datasets.flatMap(({ id }) => runs.filter(({ datasetId }) => datasetId === id))

function telling(runs: RunHead[]): SyncRun | null {
  const newest = runs.toSorted((a, b) => b.startedAt - a.startedAt)
  const run = newest.find(({ state }) => isActive(state)) ?? newest.find(isBroken) ?? newest[0]
  return run ? viewRun(run) : null
}

/**
 * What the newest load of each dataset left behind: one under way is syncing, all broken is failed, some broken is
 * degraded. A cancelled first load is as if nothing had come yet.
 */
export function stateOf(datasets: Pick<DatasetRow, 'dataVersion'>[], lastRuns: Pick<RunHead, 'state'>[]): SourceState {
  if (lastRuns.some(({ state }) => isActive(state))) return 'syncing'
  const broken = lastRuns.filter(isBroken).length
  if (broken > 0) return broken === lastRuns.length ? 'failed' : 'degraded'
  return datasets.some(({ dataVersion }) => dataVersion > 0) ? 'ready' : 'draft'
}

export const cursorOf = (row: { at: number; id: string }): string => btoa(`${row.at}.${row.id}`)

/** @throws ProductError `invalid_input` for a cursor that no list of ours has given out. */
export function readCursor(cursor: string | undefined): { at: number; id: string } | null {
  if (cursor === undefined) return null
  const [, at, id] = /^(\d{1,16})\.([a-z0-9_]{1,40})$/.exec(decoded(cursor)) ?? []
  if (at === undefined || id === undefined)
    throw new ProductError('invalid_input', { fields: { cursor: 'Not a cursor of this list.' } })
  return { at: Number(at), id }
}

function decoded(cursor: string): string {
  try {
    return atob(cursor)
  } catch {
    return ''
  }
}
