import { firstRow, type WarehouseContext } from '../context'
import { groupTable, quotedName, getTableSet, type TableSet } from '../tables'
import type { Column, RejectedRow } from '../../shared/data-sources/data-sources'
import { REJECTS_STORED_MAX, DATASET_MAX_ROWS, WORKSPACE_MAX_BYTES } from '../../shared/limits'
import { mergeBounds } from './bounds'
import { renewLease, saveProgress, type LoadRecord } from './load'
import { dropStagedColumns, encodeStaged } from '../segments/staged-columns'
import type { StageBatch, ColumnBounds } from '../contract'
import { ProductError } from '../../shared/errors'
import type { ColumnKey } from '../../shared/data-sources/files'

interface InsertBatch {
  /** JSON array of rows. */
  rows: string
  /** Columns in the order of a row's cells. */
  columns: Column[]
  /** Number of the last row that is already there. */
  after: number
  /** Columns whose cells may come wrapped, as unscaled numbers. */
  wrapped: ReadonlySet<ColumnKey>
}

/**
 * Puts a batch into every column group, one statement each: SQLite reads the JSON itself, once, into its binary form
 * (`jsonb_each`), in which cells are found without parsing the row again for each.
 * Answers the rows written per group.
 */
function insertBatch(context: WarehouseContext, set: TableSet, batch: InsertBatch): number[] {
  const position = new Map(batch.columns.map((column, index) => [column.key, { column, index }]))
  return set.layout.map((keys, group) => {
    const cells = keys.flatMap((key) => {
      const found = position.get(key)
      return found ? [{ key, sql: cellSql(found.column, { index: found.index, wrapped: batch.wrapped.has(key) }) }] : []
    })
    const names = ['r', ...cells.map((cell) => cell.key)].map(quotedName).join(', ')
    const values = ['? + key', ...cells.map((cell) => cell.sql)].join(', ')
    const statement = `INSERT INTO ${groupTable(set, group)} (${names}) SELECT ${values} FROM jsonb_each(?)`
    return context.sql.exec(statement, batch.after + 1, batch.rows).rowsWritten
  })
}

/** Numbers without a scale are always REAL, whole ones too; wrapped cells stay unscaled REALs until the load ends. */
function cellSql(column: Column, cell: { index: number; wrapped: boolean }): string {
  const at = `'$[${cell.index}]`
  const plain = `value ->> ${at}'`
  if (column.type !== 'number') return plain
  if (column.scale === undefined) return `CAST(${plain} AS REAL)`
  if (!cell.wrapped) return plain
  return `CASE json_type(value, ${at}') WHEN 'array' THEN CAST(value ->> ${at}[0]' AS REAL) ELSE ${plain} END`
}

/** Keeps the first rejected rows of a run; `after` is how many it had rejected before. */
function storeRejects(
  context: WarehouseContext,
  runId: string,
  batch: { rejects: RejectedRow[]; after: number },
): void {
  const kept = batch.rejects.slice(0, Math.max(0, REJECTS_STORED_MAX - batch.after))
  if (kept.length === 0) return
  context.sql.exec(
    `INSERT INTO rejects (run_id, seq, line, reason, text)
     SELECT ?, ? + key, value ->> 'line', value ->> 'reason', value ->> 'text' FROM json_each(?)`,
    runId,
    batch.after + 1,
    JSON.stringify(kept),
  )
}

function deleteRejectsAfter(context: WarehouseContext, runId: string, rejected: number): void {
  context.sql.exec('DELETE FROM rejects WHERE run_id = ? AND seq > ?', runId, rejected)
}

/** Rejected rows of a run by line, from after a line on. */
export function listRejects(
  context: WarehouseContext,
  at: { runId: string; after: number; limit: number },
): RejectedRow[] {
  const query = 'SELECT line, reason, text FROM rejects WHERE run_id = ? AND line > ? ORDER BY line, seq LIMIT ?'
  return context.sql.exec<{ line: number; reason: string; text: string }>(query, at.runId, at.after, at.limit).toArray()
}

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
  dropStagedColumns(context, load)
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
    if (batch.rowCount > 0) {
      insertRows(context, { ...load, widened: next.widened }, batch)
      encodeStaged(context, load, batch)
    }
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
    throw new ProductError('too_large', details, 'Workspace storage full. Delete sources you don’t need.')
  }
}

/** @throws ProductError `too_large` when a dataset would hold more rows than allowed. */
export function assertRowLimit(size: number): void {
  if (size <= DATASET_MAX_ROWS) return
  const message = `A table holds at most ${DATASET_MAX_ROWS.toLocaleString('en')} rows. Split the file or import fewer.`
  throw new ProductError('too_large', { what: 'rows', max: DATASET_MAX_ROWS, size }, message)
}
