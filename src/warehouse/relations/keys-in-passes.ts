import { comparesAsText, type ColumnLocation, type KeyLocation, type KeyPair } from './column-location'
import type { KeyMatches, KeySet } from './key-set'
import { CHUNK_ROWS, decodeNumbers } from '../columns/chunk'
import type { ColumnTable } from '../columns/column-table'
import { hashOfKey, KeyIndex } from '../columns/rows/key-index'
import { chunkTexts } from '../columns/texts/chunk-texts'
import { textHashes } from '../columns/texts/text-hash'
import type { WarehouseContext } from '../context'
import { columnTable } from '../segments/column-reader'

/**
 * Keys too many to be held at once, and those of several columns: texts as two hashes, and a share of all keys at each
 * pass. Memory is bound whatever the rows are.
 */

/** Keys of two numbers held at a time. */
const KEYS_MAX = 1_000_000

/** A column's keys, a chunk at a time: one number each, or two of a text. */
interface KeyChunks {
  table: ColumnTable
  /** How many numbers stand for a key. */
  width: number
  /** Which of them are NaN where a cell is empty, one for each column. */
  firsts: readonly number[]
  read(chunk: number): Float64Array[]
}

/** What is read of one column. */
function columnChunks(
  table: ColumnTable,
  { key, type }: ColumnLocation,
  asText: boolean,
): Pick<KeyChunks, 'width' | 'read'> {
  const buffer = new Float64Array(CHUNK_ROWS)
  const numbers = (chunk: number): Float64Array => buffer.subarray(0, decodeNumbers(table.read(key, chunk), buffer))
  function* texts(chunk: number): Generator<string | null> {
    if (type === 'text') yield* chunkTexts(table, key, chunk)
    else for (const value of numbers(chunk)) yield Number.isNaN(value) ? null : String(value)
  }
  return {
    width: asText ? 2 : 1,
    read: (chunk) => (asText ? textHashes(texts(chunk), table.chunks[chunk] ?? 0) : [numbers(chunk)]),
  }
}

/** @param other what the key is compared with, column by column */
function keyChunks(context: WarehouseContext, at: KeyLocation, other: KeyLocation): KeyChunks {
  const table = columnTable(context, at[0].set)
  const columns = at.map((location, n) => columnChunks(table, location, comparesAsText(location, other[n] ?? location)))
  const firsts = columns.map((_, n) => columns.slice(0, n).reduce((sum, { width }) => sum + width, 0))
  const width = columns.reduce((sum, column) => sum + column.width, 0)
  return { table, width, firsts, read: (chunk) => columns.flatMap((column) => column.read(chunk)) }
}

type EachKey = (values: readonly Float64Array[], row: number, hash: number) => void
/** The rows of a chunk that have a key of a share of all hashes. */
function eachKey(chunks: KeyChunks, chunk: number, share: { of: number; n: number }, take: EachKey): void {
  const values = chunks.read(chunk)
  for (let row = 0; row < (chunks.table.chunks[chunk] ?? 0); row += 1) {
    if (chunks.firsts.some((at) => Number.isNaN(values[at]?.[row] ?? Number.NaN))) continue
    const hash = hashOfKey(values, row)
    // By the higher digits: an index goes by the lower ones.
    if (Math.floor((hash / 2 ** 32) * share.of) === share.n) take(values, row, hash)
  }
}

type CountedKeys = Pick<KeySet, 'filled' | 'duplicates'>

/** What a column's keys are, and how another's rows find theirs. @param keysMax of two numbers, held at a time */
export function* matchesInPasses(
  context: WarehouseContext,
  { from, to }: { from: KeyLocation | null; to: KeyLocation },
  keysMax = KEYS_MAX,
): Generator<void, { keys: CountedKeys; found: KeyMatches }> {
  const one = keyChunks(context, to, from ?? to)
  const many = from && keyChunks(context, from, to)
  const passes = Math.max(1, Math.ceil((one.table.rows * Math.max(1, one.width / 2)) / keysMax))
  const keys: CountedKeys = { filled: 0, duplicates: 0 }
  const found: KeyMatches = { filled: 0, matched: 0 }
  for (let pass = 0; pass < passes; pass += 1) {
    const share = { of: passes, n: pass }
    const index = new KeyIndex(one.width)
    for (const chunk of one.table.chunks.keys()) {
      eachKey(one, chunk, share, (values, row, hash) => {
        keys.filled += 1
        // The index keeps how often a key stood, up to twice.
        const before = index.put(values, row, { hash, row: Number(index.has(values, row, hash)) })
        if (before === 0) keys.duplicates += 1
      })
      yield
    }
    for (const chunk of many?.table.chunks.keys() ?? []) {
      if (many)
        eachKey(many, chunk, share, (values, row, hash) => {
          found.filled += 1
          if (index.has(values, row, hash)) found.matched += 1
        })
      yield
    }
  }
  return { keys, found }
}

const ALL = { of: 1, n: 0 }

/** The different keys of the first rows that have one, by the chunk in which these end. */
function firstKeys(chunks: KeyChunks, most: { rows: number; keys: number }): { index: KeyIndex; seen: number } {
  const index = new KeyIndex(chunks.width)
  let seen = 0
  for (const chunk of chunks.table.chunks.keys()) {
    if (seen === most.rows || index.size === most.keys) break
    eachKey(chunks, chunk, ALL, (values, row, hash) => {
      if (seen === most.rows || index.size === most.keys) return
      seen += 1
      index.put(values, row, { hash, row: 0 })
    })
  }
  return { index, seen }
}

/** Of the first rows with a key, the share of different keys that are found; null without any. */
export function sampledShareInPasses(
  context: WarehouseContext,
  { from, to }: KeyPair,
  most: { rows: number; keys: number },
): number | null {
  const one = keyChunks(context, to, from)
  const { index } = firstKeys(keyChunks(context, from, to), most)
  let found = 0
  for (const chunk of one.table.chunks.keys())
    eachKey(one, chunk, ALL, (values, row, hash) => {
      if (index.has(values, row, hash) && index.put(values, row, { hash, row: 1 }) === 0) found += 1
    })
  return index.size === 0 ? null : found / index.size
}

/** Whether the first rows with a key have different ones. */
export function firstAreUniqueInPasses(context: WarehouseContext, at: KeyLocation, rows: number): boolean {
  const { index, seen } = firstKeys(keyChunks(context, at, at), { rows, keys: rows })
  return seen > 0 && seen === index.size
}
