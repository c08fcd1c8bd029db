import { insertColumnChunk, type RowChunk } from './segment-store'
import { findDataset } from '../catalogue'
import { CHUNK_ROWS } from '../columns/chunk'
import { ColumnEncoder, type EncoderState } from '../columns/column-encoder'
import type { WarehouseContext } from '../context'
import type { StorageValue } from '../../lib/storage-value'
import type { Column, LoadMode } from '../../shared/data-sources/data-sources'
import type { ColumnKey } from '../../shared/data-sources/files'

/** Loads that are encoded while they come, and what each may hold in memory for it. Others are made of their rows. */
const LOADS_MAX = 2
const COLUMNS_MAX = 40
const CHARS_MAX = 10_000_000

/** What of a load's columns was encoded while its rows came. */
export interface StagedChunks {
  chunks: RowChunk[]
  states: ReadonlyMap<ColumnKey, EncoderState>
  /** In which the values came. */
  scales: ReadonlyMap<ColumnKey, number | undefined>
}

interface Staging {
  encoders: ColumnEncoder[]
  columns: readonly Column[]
  chunks: RowChunk[]
  /** Of the chunk that is being filled. */
  rows: number
  all: number
}
/** Kept only as long as the object lives: what is lost is made of the rows at the end of the load. */
const stagings = new WeakMap<WarehouseContext, Map<string, Staging>>()
const stagingsOf = (context: WarehouseContext): Map<string, Staging> => {
  const known = stagings.get(context) ?? new Map<string, Staging>()
  stagings.set(context, known)
  return known
}

/** What of a load is looked at here. */
interface StagedLoad {
  runId: string
  datasetId: string
  tableSet: number
  staged: number
  spec: { columns: Column[]; mode: LoadMode }
}

export function dropStagedColumns(context: WarehouseContext, { runId }: Pick<StagedLoad, 'runId'>): void {
  stagingsOf(context).delete(runId)
}

/** Encodes a batch that was inserted just now. Call inside the same transaction. */
export function encodeStaged(context: WarehouseContext, load: StagedLoad, batch: { rows: string }): void {
  const all = stagingsOf(context)
  if (load.staged === 0 && isWorthIt(context, load) && all.size < LOADS_MAX) all.set(load.runId, begun(load))
  const staging = all.get(load.runId)
  if (!staging) return
  // A batch before this one was taken back, or was staged by an earlier life of the object.
  if (staging.all !== load.staged || charsOf(staging) > CHARS_MAX) {
    all.delete(load.runId)
    return
  }
  const rows: (StorageValue | [number])[][] = JSON.parse(batch.rows)
  for (let from = 0; from < rows.length;) {
    const to = Math.min(rows.length, from + CHUNK_ROWS - staging.rows)
    for (const [at, encoder] of staging.encoders.entries()) addCells(encoder, { rows, from, to, at })
    staging.rows += to - from
    staging.all += to - from
    from = to
    if (staging.rows === CHUNK_ROWS) closeChunk(context, load.tableSet, staging)
  }
}

/** What is added to rows that are there gets its place among them later. */
function isWorthIt(context: WarehouseContext, { datasetId, spec }: StagedLoad): boolean {
  const isNew = spec.mode === 'create' || spec.mode === 'replace'
  return spec.columns.length <= COLUMNS_MAX && (isNew || findDataset(context, datasetId)?.tableSet === null)
}
const begun = ({ spec }: StagedLoad): Staging => ({
  encoders: spec.columns.map((column) => new ColumnEncoder(column, [], 'batches')),
  columns: spec.columns,
  chunks: [],
  rows: 0,
  all: 0,
})
const charsOf = ({ encoders }: Staging): number => encoders.reduce((sum, { chars }) => sum + chars, 0)

/** Wrapped cells are numbers outside the scale of their column, which is settled at the end. */
function addCells(
  encoder: ColumnEncoder,
  { rows, from, to, at }: { rows: (StorageValue | [number])[][]; from: number; to: number; at: number },
): void {
  for (let i = from; i < to; i += 1) {
    const cell = rows[i]?.[at] ?? null
    if (typeof cell === 'object' && cell !== null) {
      if (encoder.state === 'within') encoder.giveUp('unfit')
      encoder.add(null)
    } else encoder.add(cell)
  }
}

function closeChunk(context: WarehouseContext, tableSet: number, staging: Staging): void {
  const chunk = staging.chunks.length
  for (const encoder of staging.encoders) {
    const of = encoder.take()
    if (of) insertColumnChunk(context, tableSet, { chunk, of })
  }
  staging.chunks.push({ chunk, rows: staging.rows })
  staging.rows = 0
}

/** Ends what was begun; null when not every row of the load was encoded. */
export function takeStagedColumns(context: WarehouseContext, load: StagedLoad): StagedChunks | null {
  const staging = stagingsOf(context).get(load.runId)
  dropStagedColumns(context, load)
  if (!staging || staging.all !== load.staged) return null
  if (staging.rows > 0) context.transaction(() => closeChunk(context, load.tableSet, staging))
  return {
    chunks: staging.chunks,
    states: new Map(staging.encoders.map(({ key, state }) => [key, state])),
    scales: new Map(staging.columns.map(({ key, scale }) => [key, scale])),
  }
}
