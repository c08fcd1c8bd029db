import { CHUNK_ROWS, type ChunkBits, type EncodedChunk } from '../columns/chunk'
import type { ColumnChunk } from '../columns/column-encoder'
import type { EncodedTexts } from '../columns/texts/text-chunk'
import { firstRow, type WarehouseContext } from '../context'
import type { ColumnKey } from '../../shared/data-sources/files'

/** Rows of a set by the numbers of their chunks, those that are whole only. */
export interface RowChunk {
  chunk: number
  rows: number
}
/** The chunk in which a row lies. */
export const chunkOf = (row: number): number => Math.floor((row - 1) / CHUNK_ROWS)

type Store = Pick<WarehouseContext, 'sql'>

export const rowChunks = ({ sql }: Store, tableSet: number): RowChunk[] =>
  sql
    .exec<{ chunk: number; rows: number }>(
      'SELECT chunk, rows FROM row_chunks WHERE table_set = ? ORDER BY chunk',
      tableSet,
    )
    .toArray()

/** From now on these chunks hold all columns of their rows. */
export function insertRowChunks({ sql }: Store, tableSet: number, chunks: readonly RowChunk[]): void {
  for (const { chunk, rows } of chunks)
    sql.exec('INSERT OR REPLACE INTO row_chunks (table_set, chunk, rows) VALUES (?, ?, ?)', tableSet, chunk, rows)
}

/** A BLOB or a text may have two megabytes; JSON of hostile texts is up to six bytes a character. */
const WORDS_MAX_CHARS = 300_000

export function insertColumnChunk({ sql }: Store, tableSet: number, at: { chunk: number; of: ColumnChunk }): void {
  const { key, chunk, words } = at.of
  sql.exec(
    `INSERT OR REPLACE INTO column_chunks (table_set, column_key, chunk, rows, bits, base, least, most, nulls, checksum, data)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[tableSet, key, at.chunk, chunk.rows, chunk.bits, chunk.base, chunk.least, chunk.most, chunk.nulls],
    ...[chunk.checksum, chunk.data],
  )
  const insert = 'INSERT INTO column_words (table_set, column_key, first, words) VALUES (?, ?, ?, ?)'
  let part: string[] = []
  let [first, chars] = [words.first, 0]
  const write = (): void => {
    if (part.length > 0) sql.exec(insert, tableSet, key, first, JSON.stringify(part))
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

type ChunkRow = {
  rows: number
  bits: number
  base: number
  least: number | null
  most: number | null
  nulls: number
  checksum: number
  data: ArrayBuffer
}
const BITS: readonly ChunkBits[] = [0, 1, 8, 16, 32, 64]

interface ChunkKey {
  tableSet: number
  key: ColumnKey
  chunk: number
}

/** Null for a chunk that is not there: another question may have thrown it away as damaged. */
export function findColumnChunk({ sql }: Store, at: ChunkKey): EncodedChunk | null {
  const row = firstRow<ChunkRow>(
    sql,
    `SELECT rows, bits, base, least, most, nulls, checksum, data FROM column_chunks
     WHERE table_set = ? AND column_key = ? AND chunk = ?`,
    at.tableSet,
    at.key,
    at.chunk,
  )
  if (!row) return null
  const bits = BITS.find((each) => each === row.bits)
  if (bits === undefined) throw new Error('A chunk of a column has an unknown width.')
  return { ...row, bits }
}

/** Bounds of a column's chunks, by their numbers. */
export const columnEnds = (
  { sql }: Store,
  of: { tableSet: number; key: ColumnKey },
): Map<number, Pick<EncodedChunk, 'least' | 'most'>> =>
  new Map(
    sql
      .exec<{ chunk: number; least: number | null; most: number | null }>(
        'SELECT chunk, least, most FROM column_chunks WHERE table_set = ? AND column_key = ?',
        of.tableSet,
        of.key,
      )
      .toArray()
      .map(({ chunk, least, most }) => [chunk, { least, most }]),
  )

/** The texts of a column's dictionary, from code 1 on. */
export function columnWords({ sql }: Store, of: { tableSet: number; key: ColumnKey }): string[] {
  const query = 'SELECT words FROM column_words WHERE table_set = ? AND column_key = ? ORDER BY first'
  return sql
    .exec<{ words: string }>(query, of.tableSet, of.key)
    .toArray()
    .flatMap(({ words }): string[] => JSON.parse(words))
}
/** Tells one state of a dictionary from a longer one. */
export const lastWordsOf = ({ sql }: Store, of: { tableSet: number; key: ColumnKey }): number =>
  firstRow<{ first: number | null }>(
    sql,
    'SELECT max(first) AS first FROM column_words WHERE table_set = ? AND column_key = ?',
    of.tableSet,
    of.key,
  )?.first ?? 0

/** Texts of a chunk from here on are about to be written. */
export function deleteChunkTexts({ sql }: Store, of: { tableSet: number; key: ColumnKey; chunk: number }): void {
  const query = 'DELETE FROM column_texts WHERE table_set = ? AND column_key = ? AND chunk = ?'
  sql.exec(query, of.tableSet, of.key, of.chunk)
}
export function insertTexts(
  { sql }: Store,
  at: { tableSet: number; key: ColumnKey; chunk: number },
  { first, rows, checksum, data }: EncodedTexts,
): void {
  sql.exec(
    `INSERT OR REPLACE INTO column_texts (table_set, column_key, chunk, first, rows, checksum, data) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ...[at.tableSet, at.key, at.chunk, first, rows, checksum, data],
  )
}

/** How many rows of each chunk stand in a column's texts; empty for a column with a dictionary, and for numbers. */
export const textRows = ({ sql }: Store, of: { tableSet: number; key: ColumnKey }): Map<number, number> =>
  new Map(
    sql
      .exec<{ chunk: number; rows: number }>(
        'SELECT chunk, sum(rows) AS rows FROM column_texts WHERE table_set = ? AND column_key = ? GROUP BY chunk',
        of.tableSet,
        of.key,
      )
      .toArray()
      .map(({ chunk, rows }) => [chunk, rows]),
  )

/** The part of a chunk's texts that a row is in; null when it is gone, as of {@link findColumnChunk}. */
export const findTexts = (
  { sql }: Store,
  at: { tableSet: number; key: ColumnKey; chunk: number; row: number },
): EncodedTexts | null =>
  firstRow<{ first: number; rows: number; checksum: number; data: ArrayBuffer }>(
    sql,
    `SELECT first, rows, checksum, data FROM column_texts
     WHERE table_set = ? AND column_key = ? AND chunk = ? AND first <= ? ORDER BY first DESC LIMIT 1`,
    ...[at.tableSet, at.key, at.chunk, at.row],
  )

/** The column goes out of the chunks. */
export function deleteColumn({ sql }: Store, of: { tableSet: number; key: ColumnKey }): void {
  sql.exec('DELETE FROM column_chunks WHERE table_set = ? AND column_key = ?', of.tableSet, of.key)
  sql.exec('DELETE FROM column_words WHERE table_set = ? AND column_key = ?', of.tableSet, of.key)
  sql.exec('DELETE FROM column_texts WHERE table_set = ? AND column_key = ?', of.tableSet, of.key)
}

/** No chunk of the set counts any more, nor is anything of it left. */
export function deleteChunks({ sql }: Store, tableSet: number): void {
  for (const table of ['row_chunks', 'column_chunks', 'column_words', 'column_texts'])
    sql.exec(`DELETE FROM ${table} WHERE table_set = ?`, tableSet)
}

/** The chunk that holds this row, and all after it, no longer say what the rows do. */
export function invalidateFrom({ sql }: Store, tableSet: number, row: number): void {
  sql.exec('DELETE FROM row_chunks WHERE table_set = ? AND chunk >= ?', tableSet, chunkOf(row))
}
/** The same of chunks with any of the rows whose numbers (`r`) stand in a table. */
export function invalidateRows({ sql }: Store, tableSet: number, numbers: string): void {
  sql.exec(
    `DELETE FROM row_chunks WHERE table_set = ? AND chunk IN (SELECT DISTINCT (r - 1) / ${CHUNK_ROWS} FROM ${numbers})`,
    tableSet,
  )
}
