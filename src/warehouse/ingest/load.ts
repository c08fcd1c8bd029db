import type { BeginLoad, LoadDone } from '../contract'
import { first } from '../room'
import type { Room } from '../room'
import { discardSet } from '../tables'
import type { TableSet } from '../tables'
import type { Outcome } from '../../shared/errors'
import type { Column, ColumnKey } from '../../shared/sources'

/** `open`: being staged. `done`: finished, with its outcome (also a refusal). `ended`: aborted, lost or deleted. */
export type LoadState = 'open' | 'done' | 'ended'

export interface Load {
  runId: string
  datasetId: string
  fence: number
  state: LoadState
  spec: BeginLoad
  /** Name and columns of the dataset when the load began: what was edited since then stays edited. */
  base: { name: string; columns: Column[] }
  tableSet: number | null
  staged: number
  rejected: number
  bytes: number
  /** Most decimals seen outside the scale; null = more than four. */
  widened: Partial<Record<ColumnKey, number | null>>
  /** Bounds of what is staged; null when nobody measured them on the way. */
  bounds: TableSet['bounds'] | null
  outcome: Outcome<LoadDone> | null
}

type LoadRow = {
  run_id: string
  dataset_id: string
  fence: number
  state: LoadState
  spec: string
  base: string
  table_set: number | null
  staged: number
  rejected: number
  bytes: number
  widened: string
  bounds: string | null
  outcome: string | null
}

function parseLoad(row: LoadRow): Load {
  const spec: BeginLoad = JSON.parse(row.spec)
  const base: Load['base'] = JSON.parse(row.base)
  const widened: Load['widened'] = JSON.parse(row.widened)
  const bounds: Load['bounds'] = row.bounds === null ? null : JSON.parse(row.bounds)
  const outcome: Load['outcome'] = row.outcome === null ? null : JSON.parse(row.outcome)
  const { fence, state, staged, rejected, bytes } = row
  const ids = { runId: row.run_id, datasetId: row.dataset_id, tableSet: row.table_set }
  return { ...ids, fence, state, spec, base, staged, rejected, bytes, widened, bounds, outcome }
}

export function findLoad(room: Room, runId: string): Load | null {
  const row = first<LoadRow>(room.sql, 'SELECT * FROM loads WHERE run_id = ?', runId)
  return row && parseLoad(row)
}

export function insertLoad(room: Room, load: Load): void {
  room.sql.exec(
    `INSERT INTO loads (run_id, dataset_id, fence, state, spec, base, table_set, staged, rejected, bytes, widened,
      bounds, outcome, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    load.runId,
    load.datasetId,
    load.fence,
    load.state,
    JSON.stringify(load.spec),
    JSON.stringify(load.base),
    load.tableSet,
    load.staged,
    load.rejected,
    load.bytes,
    JSON.stringify(load.widened),
    load.bounds && JSON.stringify(load.bounds),
    load.outcome && JSON.stringify(load.outcome),
    room.clock.now(),
  )
}

/** Writes what staging changes. */
export function saveProgress(room: Room, load: Load): void {
  room.sql.exec(
    'UPDATE loads SET staged = ?, rejected = ?, bytes = ?, widened = ?, bounds = ? WHERE run_id = ?',
    load.staged,
    load.rejected,
    load.bytes,
    JSON.stringify(load.widened),
    load.bounds && JSON.stringify(load.bounds),
    load.runId,
  )
}

/** Ends a load with its outcome, frees the lease and lets go of what was staged, unless it became the dataset. */
export function settle(room: Room, load: Load, end: { outcome: Outcome<LoadDone>; keepSet: boolean }): void {
  if (load.tableSet !== null && !end.keepSet) discardSet(room, load.tableSet)
  room.sql.exec(
    "UPDATE loads SET state = 'done', outcome = ?, table_set = NULL WHERE run_id = ?",
    JSON.stringify(end.outcome),
    load.runId,
  )
  release(room, load.runId)
}

/** A load that will never finish: its staging goes, its lease is free, a late writer of it finds nothing. */
export function endLoad(room: Room, load: Pick<Load, 'runId' | 'tableSet'>): void {
  if (load.tableSet !== null) discardSet(room, load.tableSet)
  room.sql.exec("UPDATE loads SET state = 'ended', table_set = NULL WHERE run_id = ? AND state = 'open'", load.runId)
  release(room, load.runId)
}

function release(room: Room, runId: string): void {
  room.sql.exec('UPDATE leases SET run_id = NULL, expires_at = 0 WHERE run_id = ?', runId)
  room.sql.exec('DELETE FROM segments WHERE run_id = ?', runId)
}
