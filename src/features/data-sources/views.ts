import { toIso, toIsoOrNull } from '../../lib/iso'
import type { DatasetRow, SourceRow } from './store'
import { isActive, toSyncRun, type RunSummary } from '../../sync/store'
import type { ConnectionFailure, ConnectionSummary } from '../../shared/data-sources/connections'
import { connectionState } from '../../sync/schedule'
import { ProductError } from '../../shared/errors'
import type { DataSource, Dataset, SyncRun } from '../../shared/data-sources/data-sources'
import type { SourceState } from '../../shared/data-sources/source-states'

export const toDataset = (row: DatasetRow): Dataset => ({
  id: row.id,
  sourceId: row.sourceId,
  name: row.name,
  rowCount: row.rowCount,
  bytes: row.bytes,
  dataVersion: row.dataVersion,
  columns: row.columns,
  keyColumns: row.keyColumns,
  cleaning: row.cleaning,
  loadedAt: toIsoOrNull(row.loadedAt),
  rowsRejected: row.rowsRejected,
  rowsDuplicate: row.rowsDuplicate,
  version: row.version,
  ...(row.partial ? { partial: true } : {}),
})

export const toDataSource = (row: SourceRow, of: { datasets: DatasetRow[]; lastRuns: RunSummary[] }): DataSource => ({
  id: row.id,
  name: row.name,
  type: row.type,
  state: stateOf(row, of),
  frozen: row.frozen,
  sample: row.sample,
  ownerId: row.ownerId,
  version: row.version,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
  deletedAt: toIsoOrNull(row.deletedAt),
  lastRun: mostRelevantRun(of.lastRuns),
  lastRuns: runsInDatasetOrder(of.datasets, of.lastRuns).map(toSyncRun),
  datasets: of.datasets.map(toDataset),
  connection: toConnectionSummary(row, of),
})

/** Of a connected source its connection says it: a load of it is a part of a sync. */
function stateOf(row: SourceRow, of: { datasets: DatasetRow[]; lastRuns: RunSummary[] }): SourceState {
  if (row.frozen) return 'frozen'
  return toConnectionSummary(row, of)?.state ?? deriveSourceState(of.datasets, of.lastRuns)
}

/** What of a failure somebody is told: what changed at the source names tables and columns, of which they may see a part. */
export const redactedFailure = (failure: ConnectionFailure | null, isWhole: boolean): ConnectionFailure | null => {
  if (failure === null || isWhole || failure.reason !== 'drift') return failure
  const { code, reason } = failure
  return { code, reason, message: 'The data changed at the source.', mend: 'Ask an admin.' }
}

function toConnectionSummary(
  { connection, type, frozen }: SourceRow,
  { datasets }: { datasets: readonly Pick<DatasetRow, 'partial'>[] },
): ConnectionSummary | null {
  if (!connection || type === 'file') return null
  const isWhole = datasets.length === connection.tables && !datasets.some(({ partial }) => partial)
  const paused = connection.paused === 1
  const delivery = type === 'push' ? 'push' : 'pull'
  return {
    kind: type,
    delivery,
    state: connectionState({ ...connection, frozen, paused, syncing: connection.syncing === 1, delivery }),
    paused,
    failure: redactedFailure(connection.failure, isWhole),
    failedSince: toIsoOrNull(connection.failedSince),
    nextSyncAt: paused ? null : toIsoOrNull(connection.nextAt),
    syncedAt: toIsoOrNull(connection.syncedAt),
    succeededAt: toIsoOrNull(connection.succeededAt),
  }
}

const isBroken = ({ state }: Pick<RunSummary, 'state'>): boolean => state === 'failed' || state === 'interrupted'

const runsInDatasetOrder = (datasets: DatasetRow[], runs: RunSummary[]): RunSummary[] =>
  datasets.flatMap(({ id }) => runs.filter(({ datasetId }) => datasetId === id))

function mostRelevantRun(runs: RunSummary[]): SyncRun | null {
  const newest = runs.toSorted((a, b) => b.startedAt - a.startedAt)
  const run = newest.find(({ state }) => isActive(state)) ?? newest.find(isBroken) ?? newest[0]
  return run ? toSyncRun(run) : null
}

/**
 * What the newest load of each dataset left behind: one under way is syncing, all broken is failed, some broken is
 * degraded. A cancelled first load is as if nothing had come yet.
 */
function deriveSourceState(
  datasets: Pick<DatasetRow, 'dataVersion'>[],
  lastRuns: Pick<RunSummary, 'state'>[],
): SourceState {
  if (lastRuns.some(({ state }) => isActive(state))) return 'syncing'
  const broken = lastRuns.filter(isBroken).length
  if (broken > 0) return broken === lastRuns.length ? 'failed' : 'degraded'
  return datasets.some(({ dataVersion }) => dataVersion > 0) ? 'ready' : 'draft'
}

export const encodeCursor = (row: { at: number; id: string }): string => btoa(`${row.at}.${row.id}`)

/** @throws ProductError `invalid_input` for a cursor that no list of ours has given out. */
export function decodeCursor(cursor: string | undefined): { at: number; id: string } | null {
  if (cursor === undefined) return null
  const [, at, id] = /^(\d{1,16})\.([a-z0-9_]{1,40})$/.exec(decodeBase64(cursor)) ?? []
  if (at === undefined || id === undefined)
    throw new ProductError('invalid_input', { fields: { cursor: 'Not a cursor of this list.' } })
  return { at: Number(at), id }
}

function decodeBase64(cursor: string): string {
  try {
    return atob(cursor)
  } catch {
    return ''
  }
}
