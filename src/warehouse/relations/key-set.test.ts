import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ColumnLocation, ColumnPair } from './column-location'
import { firstAreUnique, keySetOf, matchesOf, sampledShare } from './key-set'
import {
  duplicateKeysInRows,
  filledInRows,
  firstAreUniqueInRows,
  matchesInRows,
  sampledShareInRows,
} from './keys-in-rows'
import { isRowCount } from './proof'
import { column } from '../../../test/worker/warehouse-driver'
import { inSqlite } from '../../../test/worker/warehouse-rows'
import type { WarehouseContext } from '../context'
import { columnReader } from '../segments/column-reader'
import { fillColumns } from '../segments/fill-columns'
import { deleteChunks, invalidateFrom } from '../segments/segment-store'
import { createTableSet, groupTable, saveTableSet, type TableSet } from '../tables'
import type { StorageValue } from '../../lib/storage-value'

const LONG = env['LONG'] === '1'
const PAIRS = LONG ? 5_000 : 120
const HANG_MS = LONG ? 1_200_000 : 60_000

const contextOf = (sql: SqlStorage): WarehouseContext => ({
  sql,
  transaction: (work) => work(),
  clock: { now: () => 1 },
  pause: () => Promise.resolve(),
})

/** A table of one column. */
function setOf(context: WarehouseContext, type: string, cells: readonly StorageValue[]): TableSet {
  const set = createTableSet(context, { datasetId: 'ds_1', kind: 'live', columns: [column(0, type)] })
  for (const [i, cell] of cells.entries())
    context.sql.exec(
      `INSERT INTO ${groupTable(set, 0)} (r, "c0") VALUES (?, json_extract(?, '$'))`,
      i + 1,
      JSON.stringify(cell),
    )
  const numbers = cells.flatMap((cell) => (typeof cell === 'number' ? [cell] : []))
  const bounds = numbers.length > 0 ? { c0: { min: Math.min(...numbers), max: Math.max(...numbers) } } : {}
  const measured = { ...set, bounds, tip: 1 }
  saveTableSet(context, measured)
  return measured
}
function drop(context: WarehouseContext, { n }: TableSet): void {
  deleteChunks(context, n)
  context.sql.exec(`DROP TABLE t${n}`)
  context.sql.exec('DELETE FROM table_sets WHERE n = ?', n)
}
const locationOf = (set: TableSet): ColumnLocation => {
  const [{ key, type, scale } = column(0)] = set.columns
  return { set, key, type, scale }
}
function resultOf<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

const SAMPLE = { rows: 12, keys: 4 }
function toldByRows(context: WarehouseContext, pair: ColumnPair) {
  return {
    duplicates: duplicateKeysInRows(context, pair.to),
    filled: filledInRows(context, pair.to),
    matches: resultOf(matchesInRows(context, pair)),
    share: sampledShareInRows(context, pair, SAMPLE),
    unique: firstAreUniqueInRows(context, pair.to, SAMPLE.rows),
  }
}
function toldByColumns(context: WarehouseContext, { from, to }: ColumnPair) {
  const [many, one] = [columnReader(context, from.set, from), columnReader(context, to.set, to)]
  const keys = resultOf(keySetOf(one))
  return {
    duplicates: keys.duplicates,
    filled: keys.filled,
    matches: resultOf(matchesOf(many, keys)),
    share: sampledShare(many, keys, SAMPLE),
    unique: firstAreUnique(one, SAMPLE.rows),
  }
}

const near = fc.integer({ min: -3, max: 12 })
const whole = fc.oneof(
  { weight: 9, arbitrary: near },
  { weight: 1, arbitrary: fc.constantFrom(2 ** 53 - 1, -(2 ** 31)) },
)
const text = fc.oneof(whole.map(String), fc.constantFrom('', '007', '1.0', ' 1', '-0', 'Ann', 'ann', 'Åsa', '1e3'))
const real = fc.constantFrom(0.5, -0.25, 3, 3.5, 0.1 + 0.2, 1e300)
const VALUES: Record<string, fc.Arbitrary<StorageValue>> = {
  text,
  integer: whole,
  number: real,
  'number:2': whole,
  date: whole,
}
const cellsOf = (type: string) => fc.array(fc.option(VALUES[type] ?? text, { freq: 6 }), { maxLength: 25 })
const types = fc.constantFrom(
  ...['text', 'integer', 'number', 'number:2', 'date'].map((type): [string, string] => [type, type]),
  ...[
    ['text', 'integer'],
    ['integer', 'text'],
  ].map(([from = '', to = '']): [string, string] => [from, to]),
)

it(
  `tells ${PAIRS} random pairs of keys from chunks, and from rows without chunks, as SQLite does`,
  async () => {
    const pairs = types.chain(([from, to]) =>
      fc.record({ from: cellsOf(from), to: cellsOf(to), types: fc.constant([from, to]) }),
    )
    const cases = fc.sample(pairs, { numRuns: PAIRS, seed: 22 })
    await inSqlite('key-sets', async (sql) => {
      const context = contextOf(sql)
      let matched = 0
      for (const {
        from,
        to,
        types: [many = '', one = ''],
      } of cases) {
        const pair = { from: locationOf(setOf(context, many, from)), to: locationOf(setOf(context, one, to)) }
        const told = toldByRows(context, pair)
        expect(toldByColumns(context, pair)).toEqual(told)
        await fillColumns(context, pair.from.set)
        await fillColumns(context, pair.to.set)
        expect(toldByColumns(context, pair)).toEqual(told)
        matched += told.matches.matched
        for (const { set } of [pair.from, pair.to]) drop(context, set)
      }
      expect(matched).toBeGreaterThan(PAIRS / 2)
    })
  },
  HANG_MS,
)

const MANY = 70_000
function filledSet(context: WarehouseContext, type: string, value: string): TableSet {
  const set = createTableSet(context, { datasetId: 'ds_1', kind: 'live', columns: [column(0, type)] })
  context.sql.exec(
    `INSERT INTO ${groupTable(set, 0)} (r, "c0") WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY})
     SELECT i, ${value} FROM n`,
  )
  return set
}

it('reads chunks where they are, and the rows of those that are being made again', async () => {
  await inSqlite('key-sets-mixed', async (sql) => {
    const context = contextOf(sql)
    const many = filledSet(context, 'text', `CASE i % 7 WHEN 0 THEN NULL ELSE 'k' || (i % 9000 + i / 60000 * 9000) END`)
    const one = filledSet(context, 'text', `'k' || i`)
    const pair = { from: locationOf(many), to: locationOf(one) }
    const told = toldByRows(context, pair)
    expect(told).toMatchObject({ duplicates: 0, filled: MANY, matches: { filled: MANY - MANY / 7 } })
    for (const set of [many, one]) {
      await fillColumns(context, set)
      invalidateFrom(context, set.n, 65_537)
      sql.exec('DELETE FROM column_words WHERE table_set = ? AND first > 65536', set.n)
    }
    expect(toldByColumns(context, pair)).toEqual(told)
    // Bytes that were damaged are not read.
    sql.exec('UPDATE column_chunks SET checksum = checksum + 1 WHERE table_set = ?', many.n)
    expect(toldByColumns(context, pair)).toEqual(told)
    for (const set of [many, one]) drop(context, set)
  })
})

it('knows numbers that only count the rows', async () => {
  await inSqlite('key-sets-counting', (sql) => {
    const context = contextOf(sql)
    const counts = (type: string, cells: StorageValue[]): boolean => {
      const set = setOf(context, type, cells)
      const told = isRowCount(context, locationOf(set))
      drop(context, set)
      return told
    }
    expect(counts('integer', [3, 1, 2])).toBe(true)
    for (const cells of [[1, 2, 2], [1, 2, 4], [0, 1, 2], [1, 2, null], []])
      expect(counts('integer', cells)).toBe(false)
    expect(counts('text', ['1', '2'])).toBe(false)
  })
})
