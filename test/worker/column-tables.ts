import { ColumnEncoder } from '../../src/warehouse/columns/column-encoder'
import { ratesOfSet } from '../../src/warehouse/rate-store'
import { groupLevels } from '../../src/warehouse/groupings/store'
import type { ColumnSources, ColumnTable } from '../../src/warehouse/columns/column-table'
import type { EncodedChunk } from '../../src/warehouse/columns/chunk'
import type { QueryResult } from '../../src/shared/query/result'
import type { Column } from '../../src/shared/data-sources/data-sources'
import type { StorageValue } from '../../src/lib/storage-value'

/** Rows kept in columns, in memory, in chunks as short as is asked for. */
export function columnTableOf(
  columns: readonly Column[],
  rows: readonly StorageValue[][],
  perChunk: number,
): ColumnTable {
  const chunks = Array.from({ length: Math.ceil(rows.length / perChunk) }, (_, i) =>
    Math.min(perChunk, rows.length - i * perChunk),
  )
  const kept = new Map(
    columns.map((column, at) => {
      const encoder = new ColumnEncoder(column, [], 'rows')
      const words: string[] = []
      const encoded = chunks.map((size, i): EncodedChunk => {
        for (const row of rows.slice(i * perChunk, i * perChunk + size)) encoder.add(row[at] ?? null)
        const taken = encoder.take()
        if (!taken) throw new Error('a column is not within bounds')
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
    holds: (key) => kept.has(key),
    read,
    ends: read,
    words: (key) => kept.get(key)?.words ?? [],
  }
}

/** Columns of tests beside what lies in an object's SQLite. */
export const columnsIn = (sql: SqlStorage, table: ColumnSources['table']): ColumnSources => ({
  table,
  damaged: () => {
    throw new Error('a chunk is damaged')
  },
  groupLevels: (map, level) => groupLevels({ sql }, map, level),
  rates: (set) => ratesOfSet(sql, set),
})

/** The same SQLite, with what is asked of rows counted. */
export function countingRows(sql: SqlStorage): { sql: SqlStorage; asked(): number } {
  let asked = 0
  const counting = new Proxy(sql, {
    get(target, name) {
      if (name !== 'exec') return Reflect.get(target, name, target)
      return (text: string, ...values: SqlStorageValue[]) => {
        if (/ FROM t\d/.test(text)) asked += 1
        return target.exec(text, ...values)
      }
    },
  })
  return { sql: counting, asked: () => asked }
}

/** What an answer tells beside its figures. */
export const withoutFigures = ({ rows: _rows, totals: _totals, ...told }: QueryResult): Partial<QueryResult> => told
