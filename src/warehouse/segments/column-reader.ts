import { chunkOf, columnEnds, columnWords, findColumnChunk, rowChunks } from './segment-store'
import { CHUNK_ROWS, decodeNumbers, isIntact, type EncodedChunk } from '../columns/chunk'
import { NeedsRows } from '../columns/column-table'
import { Dictionary } from '../columns/dictionary'
import { oneRow, type WarehouseContext } from '../context'
import type { ColumnBounds } from '../contract'
import { groupTable, quotedName, type TableSet } from '../tables'
import type { Column } from '../../shared/data-sources/data-sources'

/** One column of a table set, a chunk of rows at a time. */
export interface ColumnReader {
  isText: boolean
  /** Between which its numbers lie. */
  bounds: ColumnBounds
  /** Numbers of the chunks; some may be of no rows. */
  chunks: readonly number[]
  /** Numbers, NaN for an empty cell; of texts their codes, 0 for an empty one. They hold until the next chunk is read. */
  read(chunk: number): { values: Float64Array; rows: number }
  /** What the codes of the chunks read so far stand for, from 1 on. */
  words(): readonly string[]
}

/**
 * Reads chunks where there are any, and the rows of those that are not: of rows that were just added, and of all of them
 * while chunks are made. Between two chunks others may have their turns as long as the rows stay the same.
 * @throws NeedsRows for a column with too many different texts, or whose cells are not all of its type
 */
export function columnReader(
  context: WarehouseContext,
  set: Pick<TableSet, 'n' | 'layout' | 'bounds'>,
  { key, type }: Pick<Column, 'key' | 'type'>,
): ColumnReader {
  const at = { tableSet: set.n, key }
  const held = columnEnds(context, at)
  const stored = new Set(rowChunks(context, set.n).map(({ chunk }) => chunk))
  // A column without chunks, where others have some, holds what no chunk does.
  if ([...stored].some((chunk) => !held.has(chunk))) throw new NeedsRows()
  const isText = type === 'text'
  const last = lastRow(context, set)
  const buffer = new Float64Array(CHUNK_ROWS)
  const texts = isText ? columnWords(context, at) : []
  // The codes of what is read from the rows follow those that stand in chunks now.
  let dictionary: Dictionary | null = null
  const words = (): Dictionary | null => (isText ? (dictionary ??= new Dictionary(texts, false)) : null)
  // Chunks that were thrown away may come back with other codes.
  const isKept = (chunk: number): boolean => {
    const isThere = rowChunks(context, set.n).some((each) => each.chunk === chunk)
    if (stored.has(chunk) && !isThere) stored.clear()
    return stored.has(chunk)
  }
  const chunks = last === 0 ? [] : Array.from({ length: chunkOf(last) + 1 }, (_, i) => i)
  return {
    isText,
    bounds: set.bounds[key] ?? { min: null, max: null },
    chunks,
    read(chunk) {
      const found = isKept(chunk) ? intact(findColumnChunk(context, { ...at, chunk })) : null
      if (found) decodeNumbers(found, buffer)
      const rows = found?.rows ?? gather(context, set, { key, chunk, words: words(), to: buffer })
      return { values: buffer, rows }
    },
    words: () => dictionary?.words ?? texts,
  }
}
const lastRow = ({ sql }: WarehouseContext, set: Pick<TableSet, 'n'>): number =>
  oneRow<{ r: number | null }>(sql, `SELECT max(rowid) AS r FROM ${groupTable(set, 0)}`).r ?? 0
const intact = (chunk: EncodedChunk | null): EncodedChunk | null => (chunk && isIntact(chunk) ? chunk : null)

function gather(
  { sql }: Pick<WarehouseContext, 'sql'>,
  set: Pick<TableSet, 'n' | 'layout'>,
  of: { key: Column['key']; chunk: number; words: Dictionary | null; to: Float64Array },
): number {
  const { key, chunk, words, to } = of
  const table = groupTable(
    set,
    set.layout.findIndex((keys) => keys.includes(key)),
  )
  const query = `SELECT ${quotedName(key)} FROM ${table} WHERE rowid > ? AND rowid <= ? ORDER BY rowid`
  let rows = 0
  for (const [cell = null] of sql.exec(query, chunk * CHUNK_ROWS, (chunk + 1) * CHUNK_ROWS).raw()) {
    to[rows] = words ? codeOf(words, cell) : numberOf(cell)
    rows += 1
  }
  return rows
}
function codeOf(words: Dictionary, cell: SqlStorageValue): number {
  const code = cell === null || typeof cell === 'string' ? words.codeOf(cell) : null
  if (code === null || words.isTooLarge) throw new NeedsRows()
  return code
}
function numberOf(cell: SqlStorageValue): number {
  if (cell !== null && typeof cell !== 'number') throw new NeedsRows()
  return cell ?? Number.NaN
}
