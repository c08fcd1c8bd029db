import {
  columnWords,
  deleteStagedBatches,
  firstStagedBatch,
  insertColumnChunk,
  insertStagedBatch,
  nextChunk,
  stagedBatchAcross,
  textChunks,
  type StagedBatch,
} from './segment-store'
import { withoutRowsFrom } from './deletions'
import { columnRanges, countLiveRows } from './manifest'
import { CHUNK_ROWS } from '../columns/chunk'
import { decodeBatch, firstRowsOf } from '../columns/column-batch'
import { ColumnEncoder, keepWithin } from '../columns/column-encoder'
import type { WarehouseContext } from '../context'
import { getTableSet, saveManifest, type TableSet } from '../tables'

/** Loads that are encoded while they come; the rows of others wait as they came. */
const LOADS_MAX = 2
/** Cells of a chunk that are gathered at a time: wider tables have shorter chunks. */
const CELLS_MAX = 40 * CHUNK_ROWS
/** Rows of a chunk of a table with so many columns. */
export const rowsPerChunk = (columns: number): number =>
  Math.min(CHUNK_ROWS, Math.floor(CELLS_MAX / Math.max(1, columns)))

/** Characters of all dictionaries that are gathered at a time. */
export const DICTIONARY_CHARS_MAX = 10_000_000
/** Of texts without a dictionary that are gathered at a time, after which a chunk is written, however few rows it has. */
export const TEXT_BYTES_MAX = 8_000_000

/** Where rows are staged, and whose dictionaries they go on with. */
export interface StagingTarget {
  tableSet: number
  /** The set that they will be added to; null when they become a dataset's rows by themselves. */
  base: number | null
}

interface OpenChunk {
  encoders: readonly ColumnEncoder[]
  chunkRows: number
  /** Number of the chunk that is being filled. */
  chunk: number
  /** Rows in chunks that are written. */
  written: number
  /** Rows in the one that is being filled. */
  rows: number
}
/** Kept only as long as the object lives: what is lost is made again of the batches, which wait until their chunk is full. */
const open = new WeakMap<SqlStorage, Map<number, OpenChunk>>()
function openChunks({ sql }: WarehouseContext): Map<number, OpenChunk> {
  const known = open.get(sql) ?? new Map<number, OpenChunk>()
  open.set(sql, known)
  return known
}

export function dropOpenChunk(context: WarehouseContext, tableSet: number): void {
  openChunks(context).delete(tableSet)
}

/** A chunk that has so many of the rows it may have is not waited for any longer: its batches would be written, too. */
const CHUNK_MIN_SHARE = 0.5

/**
 * Takes batches in that follow one on another. Those that come to no chunk wait as they came.
 * Call inside a transaction: when that fails, {@link dropOpenChunk}.
 */
export function stageRows(context: WarehouseContext, target: StagingTarget, batches: readonly StagedBatch[]): void {
  const [first] = batches
  if (!first) return
  const filling = fillingChunk(context, target, first)
  if (filling) {
    for (const batch of batches) addBatch(context, target.tableSet, filling, batch)
    if (filling.rows >= filling.chunkRows * CHUNK_MIN_SHARE) closeChunk(context, target.tableSet, filling)
  }
  const written = filling?.written ?? 0
  for (const batch of batches) if (batch.first >= written) insertStagedBatch(context, target.tableSet, batch)
}

/** The chunk that a batch belongs in; null when rows before it wait, as other loads are encoded now. */
function fillingChunk(context: WarehouseContext, target: StagingTarget, { first }: StagedBatch): OpenChunk | null {
  const chunks = openChunks(context)
  const known = chunks.get(target.tableSet)
  if (known) return isNext(known, first) ? known : null
  if (chunks.size >= LOADS_MAX) return null
  // Another life of the object may have taken rows in that were no whole chunk.
  const begun = begin(context, target)
  if (first - begun.written > begun.chunkRows) return null
  chunks.set(target.tableSet, begun)
  while (!isNext(begun, first)) {
    const batch = firstStagedBatch(context, target.tableSet, begun.written + begun.rows)
    if (!batch) throw new Error('Staged rows are missing.')
    addBatch(context, target.tableSet, begun, batch)
  }
  return begun
}
const isNext = ({ written, rows }: OpenChunk, first: number): boolean => written + rows === first

/** Takes out what was staged after so many rows. Call inside a transaction. */
export function dropStagedRows(context: WarehouseContext, tableSet: number, from: number): void {
  dropOpenChunk(context, tableSet)
  const across = stagedBatchAcross(context, tableSet, from)
  deleteStagedBatches(context, tableSet, { from: across?.first ?? from, to: Number.MAX_SAFE_INTEGER })
  if (across) {
    const rows = from - across.first
    insertStagedBatch(context, tableSet, { first: across.first, rows, body: firstRowsOf(across.body, rows) })
  }
  const manifest = withoutRowsFrom(context, getTableSet(context, tableSet).manifest ?? [], from, tableSet)
  saveManifest(context, tableSet, manifest)
}

/** Writes the chunks of all staged rows. Waiting calls go between; repeating it changes nothing. */
export async function writeStagedChunks(context: WarehouseContext, target: StagingTarget): Promise<void> {
  const chunks = openChunks(context)
  const filling = chunks.get(target.tableSet) ?? begin(context, target)
  chunks.set(target.tableSet, filling)
  try {
    for (;;) {
      const batch = firstStagedBatch(context, target.tableSet, filling.written + filling.rows)
      if (!batch) break
      context.transaction(() => addBatch(context, target.tableSet, filling, batch))
      await context.pause()
    }
    if (filling.rows > 0) context.transaction(() => closeChunk(context, target.tableSet, filling))
  } finally {
    chunks.delete(target.tableSet)
  }
}

/** The dictionary that a column of some sets has by now; null when its texts are too many for one. */
export function wordsBefore(
  context: WarehouseContext,
  sets: readonly number[],
  { key, type }: Pick<TableSet['columns'][number], 'key' | 'type'>,
): string[] | null {
  if (type !== 'text') return []
  const isLong = sets.some((each) => textChunks(context, { tableSet: each, key }).size > 0)
  return isLong ? null : columnWords(context, sets, key)
}

function begin(context: WarehouseContext, { tableSet, base }: StagingTarget): OpenChunk {
  const set = getTableSet(context, tableSet)
  const sets = base === null ? [tableSet] : [base, tableSet]
  return {
    encoders: set.columns.map((column) => new ColumnEncoder(column, wordsBefore(context, sets, column))),
    chunkRows: rowsPerChunk(set.columns.length),
    chunk: Math.max(nextChunk(context, tableSet), base === null ? 0 : nextChunk(context, base)),
    written: countLiveRows(set.manifest ?? []),
    rows: 0,
  }
}

function addBatch(context: WarehouseContext, tableSet: number, filling: OpenChunk, batch: StagedBatch): void {
  const { rows, columns } = decodeBatch(batch.body)
  const { encoders } = filling
  if (rows !== batch.rows || columns.length !== encoders.length)
    throw new Error('A batch holds another number of rows or columns than said.')
  // A chunk ends with a batch, so that none waits for half its rows.
  if (filling.rows > 0 && filling.rows + rows > filling.chunkRows) closeChunk(context, tableSet, filling)
  for (const [at, column] of columns.entries()) encoders[at]?.addBatch(column, rows)
  filling.rows += rows
  keepWithin(filling.encoders, DICTIONARY_CHARS_MAX)
  const bytes = filling.encoders.reduce((sum, { textBytes }) => sum + textBytes, 0)
  if (bytes > TEXT_BYTES_MAX) closeChunk(context, tableSet, filling)
}

function closeChunk(context: WarehouseContext, tableSet: number, filling: OpenChunk): void {
  for (const encoder of filling.encoders)
    insertColumnChunk(context, tableSet, { chunk: filling.chunk, of: encoder.take() })
  const set = getTableSet(context, tableSet)
  const columns = columnRanges(filling.encoders.map(({ key }) => key))
  saveManifest(context, tableSet, [...(set.manifest ?? []), { n: filling.chunk, rows: filling.rows, columns }])
  deleteStagedBatches(context, tableSet, { from: 0, to: filling.written + filling.rows })
  filling.chunk += 1
  filling.written += filling.rows
  filling.rows = 0
}
