import type { ColumnVectors, RowSource } from './column-vectors'
import { codesOf, type Codes } from './vectors'
import { realText } from '../query/expressions/real-text'
import type { Column } from '../../shared/data-sources/data-sources'

/** A key as both sides have it: keys of unlike types are equal when their texts are. */
type Key = string | number

/** How a number of a column is compared with keys of another. */
function keyOfNumber(column: Column, other: Pick<Column, 'type'>): (value: number) => Key {
  if (column.type === other.type) return (value) => value
  return column.type === 'number' && column.scale === undefined ? realText : String
}

/** What each row's key is worth to the other side, worked out once for each different key. */
export function keyValues(
  from: ColumnVectors,
  other: Pick<Column, 'type'>,
  { valueOf, missing }: { valueOf: (key: Key) => number; missing: number },
): Codes {
  if (from.column.type === 'text') {
    const codes = from.codes()
    const table = Int32Array.from([missing, ...from.words().map(valueOf)])
    return codesOf((place, to) => look(to, codes(place), table, place.rows))
  }
  const numbers = from.numbers()
  const keyOf = keyOfNumber(from.column, other)
  const known = new Map<number, number>()
  return codesOf((place, to) => {
    const values = numbers(place)
    for (let i = 0; i < place.rows; i += 1) {
      const value = values[i] ?? Number.NaN
      let found = Number.isNaN(value) ? missing : known.get(value)
      if (found === undefined) {
        found = valueOf(keyOf(value))
        known.set(value, found)
      }
      to[i] = found
    }
  })
}
function look(to: Int32Array, codes: Int32Array, table: Int32Array, rows: number): void {
  for (let i = 0; i < rows; i += 1) to[i] = table[codes[i] ?? 0] ?? 0
}

/** Calls back with the key of every row that has one and that the asker may see. */
export function eachKey(
  source: Pick<RowSource, 'rule' | 'table'>,
  { from, other }: { from: ColumnVectors; other: Pick<Column, 'type'> },
  take: (key: Key, row: number) => void,
): void {
  const rule = source.rule()
  const isText = from.column.type === 'text'
  const [codes, numbers] = isText ? [from.codes(), null] : [null, from.numbers()]
  const words = isText ? from.words() : []
  const keyOf = isText ? null : keyOfNumber(from.column, other)
  let row = 0
  for (const [chunk, rows] of source.table.chunks.entries()) {
    const place = { chunk, rows }
    const passes = rule?.(place)
    const own = codes?.(place)
    const values = numbers?.(place)
    for (let i = 0; i < rows; i += 1, row += 1) {
      if (passes?.[i] === 0) continue
      const word = words[(own?.[i] ?? 0) - 1]
      const value = values?.[i] ?? Number.NaN
      const key = isText ? word : Number.isNaN(value) ? undefined : keyOf?.(value)
      if (key !== undefined) take(key, row)
    }
  }
}

/**
 * The rows of the one side of a relation by their keys. Keys are in one row each while a relation is confirmed; until that
 * is counted again after a load, the first row of a key stands for it.
 */
export function rowsByKey(source: RowSource, to: ColumnVectors, other: Pick<Column, 'type'>): ReadonlyMap<Key, number> {
  const rows = new Map<Key, number>()
  eachKey(source, { from: to, other }, (key, row) => {
    if (!rows.has(key)) rows.set(key, row)
  })
  return rows
}
