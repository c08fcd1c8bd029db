import type { DatasetRow, SourceRow } from './store'
import { viewRun } from '../../sync/store'
import type { RunRow } from '../../sync/store'
import { ProductError } from '../../shared/errors'
import type { DataSource, Dataset, SourceState } from '../../shared/sources'

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

export const viewSource = (
  row: SourceRow,
  of: { datasets: DatasetRow[]; lastRun: Omit<RunRow, 'request'> | null },
): DataSource => ({
  id: row.id,
  name: row.name,
  type: row.type,
  state: stateOf(of),
  ownerId: row.ownerId,
  version: row.version,
  createdAt: new Date(row.createdAt).toISOString(),
  updatedAt: new Date(row.updatedAt).toISOString(),
  deletedAt: iso(row.deletedAt),
  lastRun: of.lastRun && viewRun(of.lastRun),
  datasets: of.datasets.map(viewDataset),
})

/** What the last run left behind. A cancelled first load is as if nothing had come yet. */
function stateOf(of: { datasets: DatasetRow[]; lastRun: Pick<RunRow, 'state'> | null }): SourceState {
  const filled = of.datasets.some(({ dataVersion }) => dataVersion > 0)
  switch (of.lastRun?.state) {
    case 'queued':
    case 'running':
      return 'syncing'
    case 'failed':
    case 'interrupted':
      return 'failed'
    case 'succeeded':
    case 'unchanged':
    case 'cancelled':
    case undefined:
      return filled ? 'ready' : 'draft'
  }
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
