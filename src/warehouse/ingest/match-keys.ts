import { CHUNK_ROWS, decodeCodes, decodeNumbers } from '../columns/chunk'
import type { ColumnTable } from '../columns/column-table'
import { hashOfKey, KeyIndex } from '../columns/key-index'
import { RowMarks } from '../columns/row-marks'
import type { WarehouseContext } from '../context'
import type { Column } from '../../shared/data-sources/data-sources'

/** Keys that are held in memory at a time: more are taken in several passes. */
const KEYS_MAX = 1_000_000

/** What the keys of staged rows say of these and of the rows that are there. */
export interface KeyMatches {
  /** Different keys of the staged rows. */
  keys: number
  /** Staged rows with the key of a later one. */
  repeated: RowMarks
  /** Rows that are there with the key of a staged one. */
  matched: RowMarks
}

/**
 * Looks the keys of staged rows up among each other and among the rows that are there. An empty cell is equal to another.
 * Memory is bound by {@link KEYS_MAX}; waiting calls go between.
 * @param tables both with the same dictionaries and scales
 */
export async function matchKeys(
  context: WarehouseContext,
  tables: { staged: ColumnTable; live: ColumnTable | null },
  keys: readonly Pick<Column, 'key' | 'type'>[],
): Promise<KeyMatches> {
  const { staged, live } = tables
  const passes = Math.max(1, Math.ceil(staged.rows / KEYS_MAX))
  const found: KeyMatches = {
    keys: 0,
    repeated: new RowMarks(staged.chunks),
    matched: new RowMarks(live?.chunks ?? []),
  }
  for (let pass = 0; pass < passes; pass += 1) {
    const index = new KeyIndex(keys.length)
    const isOwn = (hash: number): boolean => passes === 1 || hash % passes === pass
    for (const [chunk, rows] of staged.chunks.entries()) {
      const values = readKeys(staged, keys, { chunk, rows })
      for (let i = 0; i < rows; i += 1) {
        const hash = hashOfKey(values, i)
        if (!isOwn(hash)) continue
        const before = index.put(values, i, { hash, row: chunk * CHUNK_ROWS + i })
        if (before >= 0) found.repeated.mark(Math.floor(before / CHUNK_ROWS), before % CHUNK_ROWS)
      }
      await context.pause()
    }
    found.keys += index.size
    for (const [chunk, rows] of (live?.chunks ?? []).entries()) {
      const values = live ? readKeys(live, keys, { chunk, rows }) : []
      for (let i = 0; i < rows; i += 1) {
        const hash = hashOfKey(values, i)
        if (isOwn(hash) && index.has(values, i, hash)) found.matched.mark(chunk, i)
      }
      await context.pause()
    }
  }
  return found
}

function readKeys(
  table: ColumnTable,
  keys: readonly Pick<Column, 'key' | 'type'>[],
  { chunk, rows }: { chunk: number; rows: number },
): Float64Array[] {
  return keys.map(({ key, type }) => {
    const values = new Float64Array(rows)
    if (type === 'text') {
      const codes = new Int32Array(rows)
      decodeCodes(table.read(key, chunk), codes)
      values.set(codes)
    } else decodeNumbers(table.read(key, chunk), values)
    return values
  })
}
