import { columnBounds, storedColumns } from './stored-columns'
import { CHUNK_ROWS, decodeCodes, decodeNumbers } from '../columns/chunk'
import { chunkTexts } from '../columns/texts/chunk-texts'
import { Dictionary } from '../columns/dictionary'
import { type ColumnTable } from '../columns/column-table'
import { ExceedsBounds } from '../columns/memory'
import type { WarehouseContext } from '../context'
import type { ColumnBounds } from '../contract'
import type { TableSet } from '../tables'
import type { Column } from '../../shared/data-sources/data-sources'

/** One column of a table set, a chunk of rows at a time. */
export interface ColumnReader {
  isText: boolean
  /** Between which its numbers lie. */
  bounds: ColumnBounds
  /** Numbers of the chunks. */
  chunks: readonly number[]
  /** Numbers, NaN for an empty cell; of texts their codes, 0 for an empty one. They hold until the next chunk is read. */
  read(chunk: number): { values: Float64Array; rows: number }
  /** What the codes of the chunks read so far stand for, from 1 on. Some may stand in no row. */
  words(): readonly string[]
}

/**
 * Reads a column. Between two chunks others may have their turns as long as the rows stay the same.
 * @throws ExceedsBounds for a column with more different texts than can be numbered
 */
export function columnReader(
  context: WarehouseContext,
  set: Pick<TableSet, 'n' | 'manifest' | 'columns'>,
  { key, type }: Pick<Column, 'key' | 'type'>,
): ColumnReader {
  const table = columnTable(context, set)
  const chunks = [...table.chunks.keys()]
  if (type !== 'text') {
    const buffer = new Float64Array(CHUNK_ROWS)
    const read: ColumnReader['read'] = (chunk) => ({
      rows: decodeNumbers(table.read(key, chunk), buffer),
      values: buffer,
    })
    return { isText: false, bounds: columnBounds(table, key), chunks, read, words: () => [] }
  }
  const bounds = { min: null, max: null }
  return {
    isText: true,
    bounds,
    chunks,
    ...(table.holdsTexts(key) ? numberedTexts(table, key) : codedTexts(table, key)),
  }
}

/** The columns of a set. @throws Error for rows of an earlier release: they are converted before they are asked */
export function columnTable(
  { sql }: WarehouseContext,
  { n, manifest, columns }: Pick<TableSet, 'n' | 'manifest' | 'columns'>,
): ColumnTable {
  if (!manifest) throw new Error('Rows of an earlier release were not converted.')
  return storedColumns(sql, { tableSet: n, manifest, columns })
}

function codedTexts(table: ColumnTable, key: Column['key']): Pick<ColumnReader, 'read' | 'words'> {
  const buffer = new Float64Array(CHUNK_ROWS)
  const codes = new Int32Array(CHUNK_ROWS)
  const read: ColumnReader['read'] = (chunk) => {
    const rows = decodeCodes(table.read(key, chunk), codes)
    for (let i = 0; i < rows; i += 1) buffer[i] = codes[i] ?? 0
    return { values: buffer, rows }
  }
  let words: readonly string[] | null = null
  return { read, words: () => (words ??= table.words(key)) }
}

/** Characters of texts that are numbered at most. */
const CHARS_MAX = 16_000_000

function numberedTexts(table: ColumnTable, key: Column['key']): Pick<ColumnReader, 'read' | 'words'> {
  const buffer = new Float64Array(CHUNK_ROWS)
  const dictionary = new Dictionary([])
  const read: ColumnReader['read'] = (chunk) => {
    let rows = 0
    for (const text of chunkTexts(table, key, chunk)) {
      buffer[rows] = dictionary.codeOf(text)
      rows += 1
      if (dictionary.chars > CHARS_MAX) throw new ExceedsBounds()
    }
    return { values: buffer, rows }
  }
  // Asked for at every cell: those known are not made again.
  const words: string[] = []
  const known = (): readonly string[] => {
    for (let code = words.length + 1; code <= dictionary.size; code += 1) words.push(dictionary.wordAt(code) ?? '')
    return words
  }
  return { read, words: known }
}
