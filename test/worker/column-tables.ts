import { ColumnEncoder } from '../../src/warehouse/columns/column-encoder'
import type { ColumnTable } from '../../src/warehouse/columns/column-table'
import { TextPartEncoder, type EncodedTexts } from '../../src/warehouse/columns/texts/text-chunk'
import { CHUNK_ROWS, encodeNumbers, type EncodedChunk } from '../../src/warehouse/columns/chunk'
import type { Column } from '../../src/shared/data-sources/data-sources'
import type { ColumnKey } from '../../src/shared/data-sources/files'
import type { StorageValue } from '../../src/lib/storage-value'

/** A column's texts as such, chunk by chunk, each row a part. */
const textParts = (cells: readonly StorageValue[], chunks: readonly number[]): EncodedTexts[][] => {
  let before = 0
  return chunks.map((size) => {
    const own = cells.slice(before, (before += size))
    return own.map((cell, first): EncodedTexts => {
      const encoder = new TextPartEncoder()
      encoder.add(typeof cell === 'string' ? cell : null)
      const part = encoder.end()
      if (!part) throw new Error('a part is missing')
      return { ...part, first }
    })
  })
}

/** Of every other dataset, all columns of texts: both ways of keeping them are to answer alike. */
export const withoutDictionary = (columns: readonly Column[], rows: readonly StorageValue[][]): ColumnKey[] =>
  rows.length % 2 === 0 ? columns.flatMap(({ type, key }) => (type === 'text' ? [key] : [])) : []

/** Rows kept in columns, in memory, in chunks as short as is asked for; `texts` are the columns without a dictionary. */
export function columnTableOf(
  columns: readonly Column[],
  rows: readonly StorageValue[][],
  perChunk: number,
  texts: readonly ColumnKey[] = [],
): ColumnTable {
  const chunks = Array.from({ length: Math.ceil(rows.length / perChunk) }, (_, i) =>
    Math.min(perChunk, rows.length - i * perChunk),
  )
  const isLong = new Set(texts)
  const long = new Map(
    columns.flatMap(({ key }, at) =>
      isLong.has(key)
        ? [
            [
              key,
              textParts(
                rows.map((row) => row[at] ?? null),
                chunks,
              ),
            ] as const,
          ]
        : [],
    ),
  )
  const short = columns.map((column, at) => ({ column, at })).filter(({ column }) => !isLong.has(column.key))
  const kept = new Map(
    short.map(({ column, at }) => {
      const encoder = new ColumnEncoder(column)
      const words: string[] = []
      const encoded = chunks.map((size, i): EncodedChunk => {
        for (const row of rows.slice(i * perChunk, i * perChunk + size)) encoder.add(row[at] ?? null)
        const taken = encoder.take()
        if (taken.kind === 'texts') throw new Error('a dictionary is too small')
        words.push(...taken.words.added)
        return taken.chunk
      })
      return [column.key, { encoded, words }]
    }),
  )
  const read: ColumnTable['read'] = (key, chunk) => {
    const found = kept.get(key)?.encoded[chunk]
    if (!found) throw new Error('there is no such chunk')
    return found
  }
  return {
    chunks,
    rows: rows.length,
    holds: (key) => kept.has(key) || isLong.has(key),
    read,
    ends: read,
    words: (key) => kept.get(key)?.words ?? [],
    holdsTexts: (key) => long.has(key),
    readTexts(key, { chunk, row }) {
      const found = long.get(key)?.[chunk]?.find(({ first, rows: size }) => row >= first && row < first + size)
      if (!found) throw new Error('there is no such part')
      return found
    },
  }
}

/** A column of a table that is made, not loaded: its numbers by row (NaN is an empty cell), or codes of its words. */
export interface MadeColumn {
  valueAt: (row: number) => number
  words?: readonly string[]
}

/** Many rows in columns, in chunks of full length. */
export function madeTable(rows: number, columns: Readonly<Record<string, MadeColumn>>): ColumnTable {
  const chunks = Array.from({ length: Math.ceil(rows / CHUNK_ROWS) }, (_, chunk) =>
    Math.min(CHUNK_ROWS, rows - chunk * CHUNK_ROWS),
  )
  const values = new Float64Array(CHUNK_ROWS)
  const encoded = new Map<string, EncodedChunk[]>()
  for (const [key, { valueAt }] of Object.entries(columns))
    encoded.set(
      key,
      chunks.map((size, chunk) => {
        for (let row = 0; row < size; row += 1) values[row] = valueAt(chunk * CHUNK_ROWS + row)
        return encodeNumbers(values, size)
      }),
    )
  const read: ColumnTable['read'] = (key, chunk) => {
    const found = encoded.get(key)?.[chunk]
    if (!found) throw new Error('there is no such chunk')
    return found
  }
  return {
    ...{ chunks, rows, read, ends: read },
    holds: (key) => encoded.has(key),
    words: (key) => columns[key]?.words ?? [],
    holdsTexts: () => false,
    readTexts: () => {
      throw new Error('there are no such texts')
    },
  }
}
