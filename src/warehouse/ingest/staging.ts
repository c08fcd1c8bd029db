import { mergeBounds } from './bounds'
import { renewLease } from './lease'
import { insertBatch } from './insert'
import { saveProgress } from './load'
import type { LoadRecord } from './load'
import { deleteRejectsAfter, storeRejects } from './rejects'
import type { StageBatch } from '../contract'
import { firstRow } from '../room'
import type { WarehouseContext } from '../room'
import type { ColumnBounds } from '../physical'
import { getTableSet, groupTable } from '../tables'
import type { TableSet } from '../tables'
import { ProductError } from '../../shared/errors'
import { DATASET_MAX_ROWS, WORKSPACE_MAX_BYTES } from '../../shared/limits'
import type { Column } from '../../shared/sources'

/** SQLite's own cap on one value, with room for the statement. */
const PARAMETER_MAX_CHARS = 2_000_000

/** Starts a segment, or starts it again: what an earlier try of it (and of later ones) staged is taken out. */
export function openSegment(context: WarehouseContext, at: { runId: string; fence: number; segment: number }): void {
  context.transaction(() => {
    const load = renewLease(context, at)
    const query = 'SELECT staged, rejected, bytes FROM segments WHERE run_id = ? AND segment = ?'
    const before = firstRow<{ staged: number; rejected: number; bytes: number }>(
      context.sql,
      query,
      at.runId,
      at.segment,
    )
    if (before) restartSegment(context, { ...load, ...before }, at.segment)
    else {
      const insert = 'INSERT INTO segments (run_id, segment, staged, rejected, bytes) VALUES (?, ?, ?, ?, ?)'
      context.sql.exec(insert, at.runId, at.segment, load.staged, load.rejected, load.bytes)
    }
  })
}

function restartSegment(context: WarehouseContext, load: LoadRecord & { tableSet: number }, segment: number): void {
  const set = getTableSet(context, load.tableSet)
  for (const group of set.layout.keys()) {
    context.sql.exec(`DELETE FROM ${groupTable(set, group)} WHERE r > ?`, load.staged)
  }
  deleteRejectsAfter(context, load.runId, load.rejected)
  context.sql.exec('DELETE FROM segments WHERE run_id = ? AND segment > ?', load.runId, segment)
  saveProgress(context, load)
}

/** Adds a batch to the staging table, in one transaction over all column groups. */
export function stageBatch(context: WarehouseContext, batch: StageBatch): { staged: number; rejected: number } {
  return context.transaction(() => {
    const load = renewLease(context, batch)
    assertWithinLimits(context, load, batch)
    const next = {
      ...load,
      staged: load.staged + batch.rowCount,
      rejected: load.rejected + batch.rejectCount,
      bytes: load.bytes + batch.rows.length,
      widened: mergeWidened(load.widened, batch.widened),
      bounds:
        load.bounds && batch.bounds ? mergeBounds(load.bounds, boundsByColumn(load.spec.columns, batch.bounds)) : null,
    }
    if (batch.rowCount > 0) insertRows(context, { ...load, widened: next.widened }, batch)
    storeRejects(context, load.runId, { rejects: batch.rejects, after: load.rejected })
    saveProgress(context, next)
    return { staged: next.staged, rejected: next.rejected }
  })
}

function insertRows(context: WarehouseContext, load: LoadRecord & { tableSet: number }, batch: StageBatch): void {
  const wrapped = new Set(
    load.spec.columns.map((column) => column.key).filter((key) => load.widened[key] !== undefined),
  )
  const set = getTableSet(context, load.tableSet)
  const counts = insertBatch(context, set, {
    rows: batch.rows,
    columns: load.spec.columns,
    after: load.staged,
    wrapped,
  })
  if (counts.some((count) => count !== batch.rowCount))
    throw new Error('A batch holds another number of rows than said.')
}

const boundsByColumn = (columns: Column[], bounds: (ColumnBounds | null)[]): TableSet['bounds'] =>
  Object.fromEntries(columns.flatMap(({ key }, at) => (bounds[at] ? [[key, bounds[at]]] : [])))

function mergeWidened(seen: LoadRecord['widened'], news: StageBatch['widened']): LoadRecord['widened'] {
  const merged: LoadRecord['widened'] = { ...seen }
  for (const { key, decimals } of news) {
    const before = merged[key]
    merged[key] = before === null || decimals === null ? null : Math.max(before ?? 0, decimals)
  }
  return merged
}

function assertWithinLimits(context: WarehouseContext, loadRecord: LoadRecord, batch: StageBatch): void {
  if (batch.rows.length > PARAMETER_MAX_CHARS) {
    throw new ProductError('too_large', { what: 'body', max: PARAMETER_MAX_CHARS, size: batch.rows.length })
  }
  assertRowLimit(loadRecord.staged + batch.rowCount)
  const size = context.sql.databaseSize
  if (size > WORKSPACE_MAX_BYTES) {
    const details = { what: 'workspace', max: WORKSPACE_MAX_BYTES, size }
    throw new ProductError('too_large', details, 'The workspace is full. Delete data you no longer need.')
  }
}

/** @throws ProductError `too_large` when a dataset would hold more rows than allowed. */
export function assertRowLimit(size: number): void {
  if (size <= DATASET_MAX_ROWS) return
  const message = `A dataset holds at most ${DATASET_MAX_ROWS.toLocaleString('en')} rows. Split the file or load fewer.`
  throw new ProductError('too_large', { what: 'rows', max: DATASET_MAX_ROWS, size }, message)
}
