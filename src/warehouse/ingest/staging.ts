import { mergeBounds } from './bounds'
import { holdLease } from './lease'
import { insertBatch } from './insert'
import { saveProgress } from './load'
import type { Load } from './load'
import { dropRejectsAfter, keepRejects } from './rejects'
import type { StageBatch } from '../contract'
import { first } from '../room'
import type { Room } from '../room'
import type { ColumnBounds } from '../physical'
import { getSet, groupTable } from '../tables'
import type { TableSet } from '../tables'
import { ProductError } from '../../shared/errors'
import { DATASET_MAX_ROWS, WORKSPACE_MAX_BYTES } from '../../shared/limits'
import type { Column } from '../../shared/sources'

/** SQLite's own cap on one value, with room for the statement. */
const PARAMETER_MAX_CHARS = 2_000_000

/** Starts a segment, or starts it again: what an earlier try of it (and of later ones) staged is taken out. */
export function openSegment(room: Room, at: { runId: string; fence: number; segment: number }): void {
  room.atomically(() => {
    const load = holdLease(room, at)
    const query = 'SELECT staged, rejected, bytes FROM segments WHERE run_id = ? AND segment = ?'
    const before = first<{ staged: number; rejected: number; bytes: number }>(room.sql, query, at.runId, at.segment)
    if (before) restart(room, { ...load, ...before }, at.segment)
    else {
      const insert = 'INSERT INTO segments (run_id, segment, staged, rejected, bytes) VALUES (?, ?, ?, ?, ?)'
      room.sql.exec(insert, at.runId, at.segment, load.staged, load.rejected, load.bytes)
    }
  })
}

function restart(room: Room, load: Load & { tableSet: number }, segment: number): void {
  const set = getSet(room, load.tableSet)
  for (const group of set.layout.keys()) {
    room.sql.exec(`DELETE FROM ${groupTable(set, group)} WHERE r > ?`, load.staged)
  }
  dropRejectsAfter(room, load.runId, load.rejected)
  room.sql.exec('DELETE FROM segments WHERE run_id = ? AND segment > ?', load.runId, segment)
  saveProgress(room, load)
}

/** Adds a batch to the staging table, in one transaction over all column groups. */
export function stage(room: Room, batch: StageBatch): { staged: number; rejected: number } {
  return room.atomically(() => {
    const load = holdLease(room, batch)
    refuseTooLarge(room, load, batch)
    const next = {
      ...load,
      staged: load.staged + batch.rowCount,
      rejected: load.rejected + batch.rejectCount,
      bytes: load.bytes + batch.rows.length,
      widened: mergeWidened(load.widened, batch.widened),
      bounds: load.bounds && batch.bounds ? mergeBounds(load.bounds, keyed(load.spec.columns, batch.bounds)) : null,
    }
    if (batch.rowCount > 0) insertRows(room, { ...load, widened: next.widened }, batch)
    keepRejects(room, load.runId, { rejects: batch.rejects, after: load.rejected })
    saveProgress(room, next)
    return { staged: next.staged, rejected: next.rejected }
  })
}

function insertRows(room: Room, load: Load & { tableSet: number }, batch: StageBatch): void {
  const wrapped = new Set(
    load.spec.columns.map((column) => column.key).filter((key) => load.widened[key] !== undefined),
  )
  const set = getSet(room, load.tableSet)
  const counts = insertBatch(room, set, { rows: batch.rows, columns: load.spec.columns, after: load.staged, wrapped })
  if (counts.some((count) => count !== batch.rowCount))
    throw new Error('A batch holds another number of rows than said.')
}

const keyed = (columns: Column[], bounds: (ColumnBounds | null)[]): TableSet['bounds'] =>
  Object.fromEntries(columns.flatMap(({ key }, at) => (bounds[at] ? [[key, bounds[at]]] : [])))

function mergeWidened(seen: Load['widened'], news: StageBatch['widened']): Load['widened'] {
  const merged: Load['widened'] = { ...seen }
  for (const { key, decimals } of news) {
    const before = merged[key]
    merged[key] = before === null || decimals === null ? null : Math.max(before ?? 0, decimals)
  }
  return merged
}

function refuseTooLarge(room: Room, load: Load, batch: StageBatch): void {
  if (batch.rows.length > PARAMETER_MAX_CHARS) {
    throw new ProductError('too_large', { what: 'body', max: PARAMETER_MAX_CHARS, size: batch.rows.length })
  }
  refuseRows(load.staged + batch.rowCount)
  const size = room.sql.databaseSize
  if (size > WORKSPACE_MAX_BYTES) {
    const details = { what: 'workspace', max: WORKSPACE_MAX_BYTES, size }
    throw new ProductError('too_large', details, 'The workspace is full. Delete data you no longer need.')
  }
}

/** @throws ProductError `too_large` when a dataset would hold more rows than allowed. */
export function refuseRows(size: number): void {
  if (size <= DATASET_MAX_ROWS) return
  const message = `A dataset holds at most ${DATASET_MAX_ROWS.toLocaleString('en')} rows. Split the file or load fewer.`
  throw new ProductError('too_large', { what: 'rows', max: DATASET_MAX_ROWS, size }, message)
}
