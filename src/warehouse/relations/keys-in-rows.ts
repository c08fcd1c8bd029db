import type { ColumnLocation, ColumnPair } from './column-location'
import type { KeyMatches } from './key-set'
import { oneRow, type WarehouseContext } from '../context'
import { groupTable, quotedName } from '../tables'

/** Keys as the rows have them: those of columns with more different texts than chunks hold. */

function placeOf({ set, key }: ColumnLocation): { table: string; column: string } {
  const group = set.layout.findIndex((keys) => keys.includes(key))
  return { table: groupTable(set, group), column: quotedName(key) }
}
const keyExpression = (location: ColumnLocation, other: ColumnLocation): string => {
  const { column } = placeOf(location)
  return location.type === other.type || location.type === 'text' ? column : `CAST(${column} AS TEXT)`
}

export function duplicateKeysInRows({ sql }: WarehouseContext, to: ColumnLocation): number {
  const { table, column } = placeOf(to)
  const query = `SELECT count(*) AS n FROM
    (SELECT 1 FROM ${table} WHERE ${column} IS NOT NULL GROUP BY ${column} HAVING count(*) > 1)`
  return oneRow<{ n: number }>(sql, query).n
}

/** Rows looked at in one go; where they point at more, as many as that: all of those are read for each go. */
const BATCH_ROWS = 25_000

export function* matchesInRows({ sql }: WarehouseContext, { from, to }: ColumnPair): Generator<void, KeyMatches> {
  const [many, one] = [placeOf(from), placeOf(to)]
  const last = (table: string): number =>
    oneRow<{ n: number }>(sql, `SELECT coalesce(max(rowid), 0) AS n FROM ${table}`).n
  const size = Math.max(BATCH_ROWS, last(one.table))
  const found: KeyMatches = { filled: 0, matched: 0 }
  const query = `SELECT count(${many.column}) AS n, count(*) FILTER (WHERE ${many.column} IS NOT NULL AND
       ${keyExpression(from, to)} IN (SELECT ${keyExpression(to, from)} FROM ${one.table} WHERE ${one.column} IS NOT NULL)) AS matched
     FROM ${many.table} WHERE rowid >= ? AND rowid < ?`
  for (let at = 0, end = last(many.table); at <= end; at += size) {
    const { n, matched } = oneRow<{ n: number; matched: number }>(sql, query, at, at + size)
    found.filled += n
    found.matched += matched
    yield
  }
  return found
}

export function filledInRows({ sql }: WarehouseContext, to: ColumnLocation): number {
  const { table, column } = placeOf(to)
  return oneRow<{ n: number }>(sql, `SELECT count(${column}) AS n FROM ${table}`).n
}

export function sampledShareInRows(
  { sql }: WarehouseContext,
  { from, to }: ColumnPair,
  most: { rows: number; keys: number },
): number | null {
  const [many, one] = [placeOf(from), placeOf(to)]
  const { n, matched } = oneRow<{ n: number; matched: number | null }>(
    sql,
    `SELECT count(*) AS n, sum(v IN (SELECT ${keyExpression(to, from)} FROM ${one.table} WHERE ${one.column} IS NOT NULL)) AS matched
     FROM (SELECT DISTINCT ${keyExpression(from, to)} AS v FROM
       (SELECT ${many.column} FROM ${many.table} WHERE ${many.column} IS NOT NULL LIMIT ${most.rows}) LIMIT ${most.keys})`,
  )
  return n === 0 ? null : (matched ?? 0) / n
}

export function firstAreUniqueInRows({ sql }: WarehouseContext, at: ColumnLocation, rows: number): boolean {
  const { table, column } = placeOf(at)
  const { n, different } = oneRow<{ n: number; different: number }>(
    sql,
    `SELECT count(*) AS n, count(DISTINCT v) AS different FROM
       (SELECT ${column} AS v FROM ${table} WHERE ${column} IS NOT NULL LIMIT ${rows})`,
  )
  return n > 0 && n === different
}
