import { chunkRows, insertColumnChunk } from './segment-store'
import type { ManifestChunk } from './manifest'
import { DICTIONARY_CHARS_MAX, rowsPerChunk, wordsBefore } from './staged-columns'
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
import { ProductError } from '../../shared/errors'

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

/** After which those who ask for rows that are not columns yet may ask again, s. */
const RETRY_AFTER_S = 10
/** Rows of an earlier release are not columns yet: that goes on, and nothing is answered from them before. */
export const notConverted = (): ProductError => new ProductError('busy', { retryAfter: RETRY_AFTER_S })

/**
 * Waits for {@link convertRows} no longer than so many ms.
 * @throws ProductError `busy` when it takes longer; it goes on
 */
export async function convertWithin(
  context: WarehouseContext,
  set: Pick<TableSet, 'n' | 'manifest'>,
  ms: number,
): Promise<void> {
  const until = context.clock.now() + ms
  let isDone = false
  const work = convertRows(context, set).then(() => {
    isDone = true
  })
  while (!isDone && context.clock.now() < until) await Promise.race([work, context.pause()])
  if (isDone) return
  // Whoever it is made for hears of its faults.
  work.catch(() => undefined)
  throw notConverted()
}

/** Goes on where a life of the object before died over it: until there is a manifest, nothing reads what was written. */
async function convert(context: WarehouseContext, n: number): Promise<void> {
  const set = findTableSet(context, n)
  if (!set || set.manifest) return
  const last = lastRowNumber(context, set)
  const size = rowsPerChunk(set.columns.length)
  const chunks: ManifestChunk[] = []
  for (let first = 0; first < last; first += size) chunks.push({ n: chunks.length, rows: 0 })
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
  const [first] = columns
  if (!first) return
  // The columns of a chunk are written together.
  const written = chunkRows(context, { tableSet: set.n, key: first.key })
  const next = Math.max(-1, ...written.keys()) + 1
  const encoders = columns.map((column) => new ColumnEncoder(column, wordsBefore(context, [set.n], column)))
  const names = columns.map(({ key }) => quotedName(key)).join(', ')
  const batch = new AdaptiveBatch({ clock: context.clock, pause: () => context.pause() })
  for (const chunk of of.chunks) {
    chunk.rows = written.get(chunk.n) ?? 0
    if (chunk.n < next) continue
    const end = (chunk.n + 1) * of.size
    for (let after = chunk.n * of.size; after < end;) {
      const to = Math.min(end, after + batch.size)
      chunk.rows += await batch.run(() => gather(context, { set, group: of.group, names, encoders, after, to }))
      after = to
    }
    if (chunk.rows === 0) continue
    context.transaction(() => {
      for (const encoder of encoders) insertColumnChunk(context, set.n, { chunk: chunk.n, of: encoder.take() })
    })
  }
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
