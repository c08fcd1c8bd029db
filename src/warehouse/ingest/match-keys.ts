import { CHUNK_ROWS, decodeCodes, decodeNumbers } from '../columns/chunk'
import { chunkTexts } from '../columns/texts/chunk-texts'
import type { ColumnTable } from '../columns/column-table'
import { hashOfKey, KeyIndex } from '../columns/rows/key-index'
import { textHashes } from '../columns/texts/text-hash'
import { RowMarks } from '../columns/rows/row-marks'
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
  const { width, read } = keyReader(live ? [staged, live] : [staged], keys)
  const passes = Math.max(1, Math.ceil(staged.rows / KEYS_MAX))
  const found: KeyMatches = {
    keys: 0,
    repeated: new RowMarks(staged.chunks),
    matched: new RowMarks(live?.chunks ?? []),
  }
  for (let pass = 0; pass < passes; pass += 1) {
    const index = new KeyIndex(width)
    const isOwn = (hash: number): boolean => passes === 1 || hash % passes === pass
    for (const [chunk, rows] of staged.chunks.entries()) {
      const values = read(staged, chunk)
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
      const values = live ? read(live, chunk) : []
      for (let i = 0; i < rows; i += 1) {
        const hash = hashOfKey(values, i)
        if (isOwn(hash) && index.has(values, i, hash)) found.matched.mark(chunk, i)
      }
      await context.pause()
    }
  }
  return found
}

/** Reads the values of keys, of which equal ones are equal in all tables: a column of numbers for most, two for long texts. */
function keyReader(
  tables: readonly ColumnTable[],
  keys: readonly Pick<Column, 'key' | 'type'>[],
): { width: number; read: (table: ColumnTable, chunk: number) => Float64Array[] } {
  const isHashed = new Map(
    keys.map(({ key, type }) => [key, type === 'text' && tables.some((table) => table.holdsTexts(key))]),
  )
  const read = (table: ColumnTable, chunk: number): Float64Array[] =>
    keys.flatMap(({ key, type }) => {
      const rows = table.chunks[chunk] ?? 0
      if (isHashed.get(key) === true) return textHashes(chunkTexts(table, key, chunk), rows)
      const values = new Float64Array(rows)
      if (type === 'text') {
        const codes = new Int32Array(rows)
        decodeCodes(table.read(key, chunk), codes)
        values.set(codes)
      } else decodeNumbers(table.read(key, chunk), values)
      return [values]
    })
  return { width: keys.reduce((sum, { key }) => sum + (isHashed.get(key) === true ? 2 : 1), 0), read }
}
