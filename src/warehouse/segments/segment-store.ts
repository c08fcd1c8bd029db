import { damagedRows } from './damage'
import { checksumOfBytes, type ChunkBits, type EncodedChunk } from '../columns/chunk'
import type { ColumnChunk } from '../columns/column-encoder'
import type { EncodedTexts } from '../columns/texts/text-chunk'
import { hashText } from '../columns/texts/text-hash'
import { firstRow, oneRow, type WarehouseContext } from '../context'
import { ProductError } from '../../shared/errors'
import type { ColumnKey } from '../../shared/data-sources/files'

type Store = Pick<WarehouseContext, 'sql'>
/** One column of a table set. */
export interface ColumnAddress {
  tableSet: number
  key: ColumnKey
}

/** A BLOB or a text may have two megabytes; JSON of hostile texts is up to six bytes a character. */
const WORDS_MAX_CHARS = 300_000

export function insertColumnChunk(store: Store, tableSet: number, at: { chunk: number; of: ColumnChunk }): void {
  const { sql } = store
  const { key } = at.of
  if (at.of.kind === 'texts') {
    for (const part of at.of.parts) insertTexts(store, { tableSet, key, chunk: at.chunk }, part)
    return
  }
  const { chunk, scale, words } = at.of
  sql.exec(
    `INSERT OR REPLACE INTO column_chunks (table_set, column_key, chunk, rows, bits, base, least, most, nulls, checksum,
      data, scale) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[tableSet, key, at.chunk, chunk.rows, chunk.bits, chunk.base, chunk.least, chunk.most, chunk.nulls],
    ...[chunk.checksum, chunk.data, scale ?? null],
  )
  const insert = 'INSERT INTO column_words (table_set, column_key, first, words, checksum) VALUES (?, ?, ?, ?, ?)'
  let part: string[] = []
  let [first, chars] = [words.first, 0]
  const write = (): void => {
    const json = JSON.stringify(part)
    if (part.length > 0) sql.exec(insert, tableSet, key, first, json, hashText(json, 0))
    first += part.length
    part = []
    chars = 0
  }
  for (const word of words.added) {
    part.push(word)
    chars += word.length
    if (chars > WORDS_MAX_CHARS) write()
  }
  write()
}

/** A chunk as it is kept; its scale tells how its numbers lie. */
export type StoredChunk = EncodedChunk & { scale: number | null }
type ChunkRow = {
  rows: number
  bits: number
  base: number
  least: number | null
  most: number | null
  nulls: number
  checksum: number
  data: ArrayBuffer
  scale: number | null
}
const BITS: readonly ChunkBits[] = [0, 1, 8, 16, 32, 64]

/** Null where there is none. */
export function readColumnChunk({ sql }: Store, { tableSet, key, chunk }: ChunkAddress): StoredChunk | null {
  const query = `SELECT rows, bits, base, least, most, nulls, checksum, data, scale FROM column_chunks
    WHERE table_set = ? AND column_key = ? AND chunk = ?`
  const row = firstRow<ChunkRow>(sql, query, tableSet, key, chunk)
  if (!row) return null
  const bits = BITS.find((each) => each === row.bits)
  if (bits === undefined) throw new Error('A chunk of a column has an unknown width.')
  return { ...row, bits }
}

/** One column of a chunk. */
type ChunkAddress = ColumnAddress & { chunk: number }

function insertTexts({ sql }: Store, at: ChunkAddress, { first, rows, checksum, data }: EncodedTexts): void {
  sql.exec(
    `INSERT OR REPLACE INTO column_texts (table_set, column_key, chunk, first, rows, checksum, data)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ...[at.tableSet, at.key, at.chunk, first, rows, checksum, data],
  )
}
export const deleteTexts = ({ sql }: Store, { tableSet, key, chunk }: ChunkAddress): void =>
  void sql.exec('DELETE FROM column_texts WHERE table_set = ? AND column_key = ? AND chunk = ?', tableSet, key, chunk)

/** Numbers of the chunks of a column whose texts are kept as they are. */
export const textChunks = ({ sql }: Store, { tableSet, key }: ColumnAddress): Set<number> =>
  new Set(
    sql
      .exec<{ chunk: number }>(
        'SELECT DISTINCT chunk FROM column_texts WHERE table_set = ? AND column_key = ?',
        tableSet,
        key,
      )
      .toArray()
      .map(({ chunk }) => chunk),
  )
/** The part of a chunk's texts that a row is in, or the last one before it; null where there is none. */
export const readTexts = ({ sql }: Store, at: ChunkAddress & { row: number }): EncodedTexts | null =>
  firstRow<{ first: number; rows: number; checksum: number; data: ArrayBuffer }>(
    sql,
    `SELECT first, rows, checksum, data FROM column_texts
     WHERE table_set = ? AND column_key = ? AND chunk = ? AND first <= ? ORDER BY first DESC LIMIT 1`,
    ...[at.tableSet, at.key, at.chunk, at.row],
  )

/** Rows of a column's chunks, by their numbers. */
export const chunkRows = ({ sql }: Store, { tableSet, key }: ColumnAddress): Map<number, number> =>
  new Map(
    sql
      .exec<{ chunk: number; rows: number }>(
        `SELECT chunk, sum(rows) AS rows FROM (
           SELECT table_set, column_key, chunk, rows FROM column_chunks
           UNION ALL SELECT table_set, column_key, chunk, rows FROM column_texts)
         WHERE table_set = ? AND column_key = ? GROUP BY chunk`,
        tableSet,
        key,
      )
      .toArray()
      .map(({ chunk, rows }) => [chunk, rows]),
  )

export type ChunkEnds = Pick<StoredChunk, 'least' | 'most' | 'nulls' | 'scale'>
/** Bounds of a column's chunks, and how many of their cells are empty, by their numbers. */
export const columnEnds = ({ sql }: Store, { tableSet, key }: ColumnAddress): Map<number, ChunkEnds> =>
  new Map(
    sql
      .exec<{ chunk: number } & ChunkEnds>(
        'SELECT chunk, least, most, nulls, scale FROM column_chunks WHERE table_set = ? AND column_key = ?',
        tableSet,
        key,
      )
      .toArray()
      .map(({ chunk, ...ends }) => [chunk, ends]),
  )

/**
 * The texts of a column's dictionary, from code 1 on. Some may stand in no row any more.
 * @param sets that go on with each other's words
 * @throws ProductError for damage
 */
export function columnWords({ sql }: Store, sets: readonly number[], key: ColumnKey): string[] {
  const query = 'SELECT first, words, checksum FROM column_words WHERE table_set = ? AND column_key = ? ORDER BY first'
  const all: string[] = []
  for (const tableSet of sets)
    for (const { first, words, checksum } of sql.exec<WordsRow>(query, tableSet, key)) {
      if (first !== all.length + 1 || hashText(words, 0) !== checksum) throw damagedRows(sql, tableSet)
      const part: string[] = JSON.parse(words)
      for (const word of part) all.push(word)
    }
  return all
}
type WordsRow = { first: number; words: string; checksum: number }

/** Tells one state of a dictionary from a longer one. */
export const lastWordsOf = ({ sql }: Store, { tableSet, key }: ColumnAddress): number =>
  oneRow<{ first: number | null }>(
    sql,
    'SELECT max(first) AS first FROM column_words WHERE table_set = ? AND column_key = ?',
    tableSet,
    key,
  ).first ?? 0

/** From this number on no chunk of a set was written. */
export const nextChunk = ({ sql }: Store, tableSet: number): number =>
  (oneRow<{ n: number | null }>(
    sql,
    `SELECT max(chunk) AS n FROM (SELECT chunk FROM column_chunks WHERE table_set = ?1
      UNION ALL SELECT chunk FROM column_texts WHERE table_set = ?1)`,
    tableSet,
  ).n ?? -1) + 1

/** Deletes the chunks and deletion vectors of a set that nothing names any more. */
export function deleteUnnamed(
  { sql }: Store,
  tableSet: number,
  named: { chunks: ReadonlySet<number>; vectors: ReadonlySet<number> },
): void {
  for (const table of ['column_chunks', 'column_texts']) {
    const query = `DELETE FROM ${table} WHERE table_set = ? AND chunk NOT IN (SELECT value FROM json_each(?))`
    sql.exec(query, tableSet, JSON.stringify([...named.chunks]))
  }
  const vectors = 'DELETE FROM deletion_vectors WHERE table_set = ? AND n NOT IN (SELECT value FROM json_each(?))'
  sql.exec(vectors, tableSet, JSON.stringify([...named.vectors]))
}

export const insertDeletionVector = ({ sql }: Store, tableSet: number, bitmap: Uint8Array<ArrayBuffer>): number =>
  oneRow<{ n: number }>(
    sql,
    'INSERT INTO deletion_vectors (table_set, data, checksum) VALUES (?, ?, ?) RETURNING n',
    tableSet,
    bitmap.buffer,
    checksumOfBytes(bitmap),
  ).n
/** A bitmap of so many rows. @throws ProductError for damage */
export function readDeletionVector({ sql }: Store, { n, rows }: { n: number; rows: number }): Uint8Array {
  const query = 'SELECT table_set, data, checksum FROM deletion_vectors WHERE n = ?'
  const found = oneRow<{ table_set: number; data: ArrayBuffer; checksum: number }>(sql, query, n)
  const bitmap = new Uint8Array(found.data)
  const isIntact = bitmap.length === Math.ceil(rows / 8) && checksumOfBytes(bitmap) === found.checksum
  if (!isIntact) throw damagedRows(sql, found.table_set)
  return bitmap
}

/** What was written under one set belongs to another from now on; their numbers do not meet. */
export function moveChunks({ sql }: Store, from: number, to: number): void {
  for (const table of ['column_chunks', 'column_words', 'column_texts', 'deletion_vectors'])
    sql.exec(`UPDATE ${table} SET table_set = ? WHERE table_set = ?`, to, from)
}

/** Nothing of the set is left. */
export function deleteChunks({ sql }: Store, tableSet: number): void {
  for (const table of ['column_chunks', 'column_words', 'column_texts', 'deletion_vectors', 'staged_batches'])
    sql.exec(`DELETE FROM ${table} WHERE table_set = ?`, tableSet)
}

/** Rows as they came, until their chunk is full. */
export interface StagedBatch {
  /** Rows staged before it. */
  first: number
  rows: number
  /** As `encodeBatch` makes it. */
  body: ArrayBuffer
}
export function insertStagedBatch({ sql }: Store, tableSet: number, { first, rows, body }: StagedBatch): void {
  sql.exec('INSERT INTO staged_batches (table_set, first, rows, body) VALUES (?, ?, ?, ?)', tableSet, first, rows, body)
}
/** @throws ProductError `expired` for rows that an earlier release staged, in a form of its own: their load begins anew. */
export function firstStagedBatch({ sql }: Store, tableSet: number, from: number): StagedBatch | null {
  const found = firstRow<{ first: number; rows: number; body: ArrayBuffer | string }>(
    sql,
    'SELECT first, rows, body FROM staged_batches WHERE table_set = ? AND first >= ? ORDER BY first LIMIT 1',
    tableSet,
    from,
  )
  if (found === null) return null
  const { first, rows, body } = found
  if (typeof body === 'string') throw new ProductError('expired', { what: 'load' }, 'Import interrupted. Try again.')
  return { first, rows, body }
}
/** The batch that has a row and one before it; null where the row is the first of its batch, or is not there. */
export function stagedBatchAcross({ sql }: Store, tableSet: number, row: number): StagedBatch | null {
  return firstRow<{ first: number; rows: number; body: ArrayBuffer }>(
    sql,
    'SELECT first, rows, body FROM staged_batches WHERE table_set = ? AND first < ? AND first + rows > ?',
    tableSet,
    row,
    row,
  )
}
export const deleteStagedBatches = ({ sql }: Store, tableSet: number, range: { from: number; to: number }): void =>
  void sql.exec(
    'DELETE FROM staged_batches WHERE table_set = ? AND first >= ? AND first < ?',
    tableSet,
    range.from,
    range.to,
  )
