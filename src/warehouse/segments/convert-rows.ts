import { deleteChunks, insertColumnChunk } from './segment-store'
import { columnRanges, type ManifestChunk } from './manifest'
import { DICTIONARY_CHARS_MAX, rowsPerChunk, TEXT_BYTES_MAX } from './staged-columns'
import { AdaptiveBatch } from '../adaptive-batch'
import { ColumnEncoder, keepWithin } from '../columns/column-encoder'
import type { WarehouseContext } from '../context'
import {
  findTableSet,
  groupTable,
  lastRowNumber,
  quotedName,
  saveManifest,
  tableSetsOf,
  type TableSet,
} from '../tables'

/** Columns whose values are gathered at a time, half a megabyte each. */
const COLUMNS_AT_ONCE = 24
/** Rows after which their dictionaries are looked at. */
const ROWS_BETWEEN_LOOKS = 64
const running = new WeakMap<WarehouseContext, Map<number, Promise<void>>>()

/**
 * Writes the rows of an earlier release, which lie in tables, as chunks, once. They stay readable as they are until all are
 * written. Waiting calls go between.
 */
export function convertRows(
  context: WarehouseContext,
  { n, manifest }: Pick<TableSet, 'n' | 'manifest'>,
): Promise<void> {
  if (manifest) return Promise.resolve()
  const all = running.get(context) ?? new Map<number, Promise<void>>()
  running.set(context, all)
  const work = all.get(n) ?? convert(context, n).finally(() => all.delete(n))
  all.set(n, work)
  return work
}

/** The same of all rows that a dataset has. */
export async function convertDataset(context: WarehouseContext, datasetId: string): Promise<void> {
  for (const set of tableSetsOf(context, datasetId, ['live', 'previous'])) await convertRows(context, set)
}

async function convert(context: WarehouseContext, n: number): Promise<void> {
  const set = findTableSet(context, n)
  if (!set || set.manifest) return
  // A life of the object before may have died over it.
  context.transaction(() => deleteChunks(context, n))
  const last = lastRowNumber(context, set)
  const size = rowsPerChunk(set.columns.length)
  const columns = columnRanges(set.columns.map(({ key }) => key))
  const chunks: ManifestChunk[] = []
  for (let first = 0; first < last; first += size) chunks.push({ n: chunks.length, rows: 0, columns })
  for (const [group, keys] of set.layout.entries())
    for (let at = 0; at < keys.length; at += COLUMNS_AT_ONCE)
      await convertColumns(context, set, { group, keys: keys.slice(at, at + COLUMNS_AT_ONCE), size, chunks })
  context.transaction(() => {
    const now = findTableSet(context, n)
    if (!now || now.kind === 'dropped') return
    const rows = chunks.filter((chunk) => chunk.rows > 0)
    saveManifest(context, n, rows)
    context.sql.exec(
      'UPDATE versions SET manifest = ? WHERE table_set = ? AND data_version = ?',
      JSON.stringify(rows),
      n,
      set.tip,
    )
    context.sql.exec('UPDATE versions SET table_set = NULL WHERE table_set = ? AND manifest IS NULL', n)
  })
}

async function convertColumns(
  context: WarehouseContext,
  set: TableSet,
  of: { group: number; keys: TableSet['layout'][number]; size: number; chunks: ManifestChunk[] },
): Promise<void> {
  const columns = set.columns.filter(({ key }) => of.keys.includes(key))
  const encoders = columns.map((column) => new ColumnEncoder(column))
  const names = columns.map(({ key }) => quotedName(key)).join(', ')
  const batch = new AdaptiveBatch({ clock: context.clock, pause: () => context.pause() })
  for (const chunk of of.chunks) {
    chunk.rows = 0
    const end = (chunk.n + 1) * of.size
    for (let after = chunk.n * of.size; after < end;) {
      const to = Math.min(end, after + batch.size)
      chunk.rows += await batch.run(() => gather(context, { set, group: of.group, names, encoders, after, to }))
      after = to
      writeFullParts(context, set.n, { chunk: chunk.n, encoders })
    }
    if (chunk.rows === 0) continue
    context.transaction(() => {
      for (const encoder of encoders) insertColumnChunk(context, set.n, { chunk: chunk.n, of: encoder.take() })
    })
  }
}

/** Texts need not wait for the end of their chunk. */
function writeFullParts(
  context: WarehouseContext,
  tableSet: number,
  { chunk, encoders }: { chunk: number; encoders: readonly ColumnEncoder[] },
): void {
  if (encoders.reduce((sum, { textBytes }) => sum + textBytes, 0) <= TEXT_BYTES_MAX) return
  context.transaction(() => {
    for (const encoder of encoders) {
      const of = { kind: 'texts' as const, key: encoder.key, parts: encoder.takeFullParts() }
      insertColumnChunk(context, tableSet, { chunk, of })
    }
  })
}

function gather(
  context: WarehouseContext,
  of: { set: TableSet; group: number; names: string; encoders: readonly ColumnEncoder[]; after: number; to: number },
): number {
  const query = `SELECT ${of.names} FROM ${groupTable(of.set, of.group)} WHERE r > ? AND r <= ? ORDER BY r`
  let rows = 0
  for (const cells of context.sql.exec(query, of.after, of.to).raw()) {
    for (const [i, encoder] of of.encoders.entries()) {
      const cell = cells[i] ?? null
      encoder.add(cell instanceof ArrayBuffer ? null : cell)
    }
    rows += 1
    if (rows % ROWS_BETWEEN_LOOKS === 0) keepWithin(of.encoders, DICTIONARY_CHARS_MAX)
  }
  keepWithin(of.encoders, DICTIONARY_CHARS_MAX)
  return rows
}
