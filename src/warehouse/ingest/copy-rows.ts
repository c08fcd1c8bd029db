import { oneRow, type WarehouseContext } from '../context'
import { groupTable, lastRowNumber, quotedName, type TableSet } from '../tables'
import type { ColumnKey } from '../../shared/data-sources/files'

/** The tables of some groups of a set, side by side. */
function joined(set: TableSet, groups: number[]): string {
  const [driver = 0, ...others] = groups
  const joins = others.map(
    (group) => `JOIN ${groupTable(set, group)} ON ${groupTable(set, group)}."r" = ${groupTable(set, driver)}."r"`,
  )
  return [groupTable(set, driver), ...joins].join(' ')
}
const groupOf = (set: TableSet, key: ColumnKey): number => set.layout.findIndex((keys) => keys.includes(key))
const cell = (set: TableSet, key: ColumnKey): string => `${groupTable(set, groupOf(set, key))}.${quotedName(key)}`

interface Copy {
  from: TableSet
  to: TableSet
  /** Added to the number of every row. */
  shift: number
  /** A table with the numbers (`r`) of the rows to copy; absent = all. */
  only?: string
}

/** Copies rows between sets whose columns may lie in different groups; columns the source lacks stay empty. */
export function copyRows(context: WarehouseContext, { from, to, shift, only }: Copy): void {
  for (const [group, keys] of to.layout.entries()) {
    const shared = keys.filter((key) => groupOf(from, key) >= 0)
    const groups = [...new Set([0, ...shared.map((key) => groupOf(from, key))])]
    const names = ['r', ...shared].map(quotedName).join(', ')
    const row = `${groupTable(from, 0)}."r"`
    const values = [`${row} + ?`, ...shared.map((key) => cell(from, key))].join(', ')
    const where = only === undefined ? '' : ` WHERE ${row} IN (SELECT r FROM ${only})`
    const insert = `INSERT INTO ${groupTable(to, group)} (${names}) SELECT ${values} FROM ${joined(from, groups)}${where}`
    context.sql.exec(insert, shift)
  }
}

/** Removes the rows whose numbers stand in a table. */
export function removeRows(context: WarehouseContext, set: TableSet, numbers: string): void {
  for (const group of set.layout.keys()) {
    context.sql.exec(`DELETE FROM ${groupTable(set, group)} WHERE r IN (SELECT r FROM ${numbers})`)
  }
}

/** Writes down the numbers of a set's rows that lie in a range, or that another set has, too. */
export function collectNumbers(
  context: WarehouseContext,
  set: TableSet,
  of: { range: { first: number; last: number }; numbersOf: TableSet | null; into: string },
): void {
  const { range, numbersOf, into } = of
  context.sql.exec(`DROP TABLE IF EXISTS ${into}`)
  context.sql.exec(`CREATE TABLE ${into} (r INTEGER PRIMARY KEY)`)
  const rows = `INSERT OR IGNORE INTO ${into} (r) SELECT r FROM ${groupTable(set, 0)} WHERE r`
  context.sql.exec(`${rows} BETWEEN ? AND ?`, range.first, range.last)
  if (numbersOf) context.sql.exec(`${rows} IN (SELECT r FROM ${groupTable(numbersOf, 0)})`)
}

/** Those numbers of a table that no row of a set has; stands where a table stands. */
export const numbersNotIn = (numbers: string, set: TableSet): string =>
  `(SELECT r FROM ${numbers} WHERE r NOT IN (SELECT r FROM ${groupTable(set, 0)}))`

/** Puts all rows of one set behind those of another. Answers the numbers they got there. */
export function appendRows(
  context: WarehouseContext,
  from: TableSet,
  to: TableSet,
): { firstRow: number; lastRow: number } {
  const shift = lastRowNumber(context, to)
  copyRows(context, { from, to, shift })
  return { firstRow: shift + 1, lastRow: shift + lastRowNumber(context, from) }
}

/** Text that is equal exactly for equal keys, empty cells included. `quote` keeps every digit of a REAL. */
function keyText(set: TableSet, keys: ColumnKey[]): string {
  const part = (name: string): string =>
    `CASE typeof(${name}) WHEN 'real' THEN quote(${name}) ELSE json_quote(${name}) END`
  return keys.map((key) => (groupOf(set, key) < 0 ? "'null'" : part(cell(set, key)))).join(` || ',' || `)
}
const keySource = (set: TableSet, keys: ColumnKey[]): string =>
  joined(set, [...new Set([0, ...keys.map((key) => groupOf(set, key)).filter((group) => group >= 0)])])

/** Keys of the staged rows, in a table beside them. */
const keyTable = (set: TableSet): string => quotedName(`t${set.n}_k`)
/** Numbers of rows that another set must give up. */
export const matchTable = (set: TableSet): string => quotedName(`t${set.n}_m`)

/** Writes down the keys of staged rows, each with the number of its last row. Repeating it changes nothing. */
export function collectKeys(context: WarehouseContext, set: TableSet, keys: ColumnKey[]): void {
  const { sql } = context
  const table = keyTable(set)
  sql.exec(`DROP TABLE IF EXISTS ${table}`)
  sql.exec(`CREATE TABLE ${table} (k TEXT PRIMARY KEY, r INTEGER NOT NULL) WITHOUT ROWID`)
  const row = `${groupTable(set, 0)}."r"`
  sql.exec(`INSERT INTO ${table} (k, r) SELECT ${keyText(set, keys)}, ${row} FROM ${keySource(set, keys)} WHERE true
    ORDER BY ${row} ON CONFLICT (k) DO UPDATE SET r = excluded.r`)
}

/** How many different keys the staged rows have. Needs {@link collectKeys} before. */
export const countKeys = (context: WarehouseContext, set: TableSet): number =>
  oneRow<{ n: number }>(context.sql, `SELECT count(*) AS n FROM ${keyTable(set)}`).n

/** Of staged rows with one key only the last stays. Answers how many went. Needs {@link collectKeys} before. */
export function dropDuplicates(context: WarehouseContext, set: TableSet): number {
  const { sql } = context
  const table = keyTable(set)
  const counts = oneRow<{ all_rows: number; kept: number }>(
    sql,
    `SELECT (SELECT count(*) FROM ${groupTable(set, 0)}) AS all_rows, (SELECT count(*) FROM ${table}) AS kept`,
  )
  if (counts.all_rows > counts.kept) {
    for (const group of set.layout.keys()) {
      sql.exec(`DELETE FROM ${groupTable(set, group)} WHERE r NOT IN (SELECT r FROM ${table})`)
    }
  }
  return counts.all_rows - counts.kept
}

/** Finds the rows of a set that have a staged row's key. Needs {@link collectKeys} before. Answers how many. */
export function matchRows(
  context: WarehouseContext,
  sets: { staging: TableSet; live: TableSet },
  keys: ColumnKey[],
): number {
  const { staging, live } = sets
  const matches = matchTable(staging)
  context.sql.exec(`DROP TABLE IF EXISTS ${matches}`)
  context.sql.exec(`CREATE TABLE ${matches} (r INTEGER PRIMARY KEY)`)
  context.sql.exec(`INSERT INTO ${matches} (r) SELECT ${groupTable(live, 0)}."r" FROM ${keySource(live, keys)}
    WHERE ${keyText(live, keys)} IN (SELECT k FROM ${keyTable(staging)})`)
  return oneRow<{ n: number }>(context.sql, `SELECT count(*) AS n FROM ${matches}`).n
}
