import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ColumnLocation, ColumnPair, KeyPair } from './column-location'
import { firstAreUnique, keySetOf, matchesOf, sampledShare } from './key-set'
import { firstAreUniqueInPasses, matchesInPasses, sampledShareInPasses } from './keys-in-passes'
import { duplicateKeys, isRowCount, proveRelation } from './proof'
import { column } from '../../../test/worker/warehouse-driver'
import { seedOf } from '../../../test/seed'
import { inSqlite } from '../../../test/worker/warehouse-rows'
import { putEarlierSet } from '../../../test/worker/earlier-release'
import { ExceedsBounds } from '../columns/memory'
import type { WarehouseContext } from '../context'
import { columnReader } from '../segments/column-reader'
import { convertRows } from '../segments/convert-rows'
import { deleteChunks } from '../segments/segment-store'
import { getTableSet, type TableSet } from '../tables'
import type { StorageValue } from '../../lib/storage-value'

const LONG = env['LONG'] === '1'
const PAIRS = LONG ? 5_000 : 60
const HANG_MS = LONG ? 3_600_000 : 60_000

const contextOf = (sql: SqlStorage): WarehouseContext => ({
  sql,
  transaction: (work) => work(),
  clock: { now: () => 1 },
  pause: () => Promise.resolve(),
})

let serial = 0
/** A set of one column. */
async function setOf(context: WarehouseContext, type: string, cells: readonly StorageValue[]): Promise<TableSet> {
  const n = (serial += 1)
  const rows = cells.map((cell) => [cell])
  await convertRows(
    context,
    putEarlierSet(context, { n, datasetId: 'ds_1', kind: 'live', columns: [column(0, type)], rows }),
  )
  return getTableSet(context, n)
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
const told = ({ filled, duplicates }: { filled: number; duplicates: number }) => ({ filled, duplicates })

/** What is to be told, of the cells themselves; whole numbers and texts are compared as texts. */
function expectedOf(from: readonly StorageValue[], to: readonly StorageValue[]) {
  const keysOf = (cells: readonly StorageValue[]): string[] =>
    cells.flatMap((cell) => (cell === null ? [] : [String(cell)]))
  const [many, one] = [keysOf(from), keysOf(to)]
  const known = new Set(one)
  const sampled = new Set<string>()
  for (const key of many.slice(0, SAMPLE.rows)) if (sampled.size < SAMPLE.keys) sampled.add(key)
  const first = one.slice(0, SAMPLE.rows)
  const repeated = new Set(one.filter((key, at) => one.indexOf(key) !== at))
  return {
    keys: { filled: one.length, duplicates: repeated.size },
    matches: { filled: many.length, matched: many.filter((key) => known.has(key)).length },
    share: sampled.size === 0 ? null : [...sampled].filter((key) => known.has(key)).length / sampled.size,
    unique: first.length > 0 && new Set(first).size === first.length,
  }
}
function toldByHeldKeys(context: WarehouseContext, { from, to }: ColumnPair) {
  const [many, one] = [columnReader(context, from.set, from), columnReader(context, to.set, to)]
  const keys = resultOf(keySetOf(one))
  return {
    keys: told(keys),
    matches: resultOf(matchesOf(many, keys)),
    share: sampledShare(many, keys, SAMPLE),
    unique: firstAreUnique(one, SAMPLE.rows),
  }
}
function toldInPasses(context: WarehouseContext, pair: KeyPair, keysMax: number) {
  const { keys, found } = resultOf(matchesInPasses(context, pair, keysMax))
  return {
    ...{ keys, matches: found, share: sampledShareInPasses(context, pair, SAMPLE) },
    unique: firstAreUniqueInPasses(context, pair.to, SAMPLE.rows),
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
  `tells ${PAIRS} random pairs of keys, held at once and in passes, as their cells say`,
  async () => {
    const pairs = types.chain(([from, to]) =>
      fc.record({ from: cellsOf(from), to: cellsOf(to), types: fc.constant([from, to]) }),
    )
    const cases = fc.sample(pairs, { numRuns: PAIRS, seed: seedOf(LONG) })
    await inSqlite('key-sets', async (sql) => {
      const context = contextOf(sql)
      let matched = 0
      for (const {
        from,
        to,
        types: [many = '', one = ''],
      } of cases) {
        const sets = [await setOf(context, many, from), await setOf(context, one, to)] as const
        const pair = { from: locationOf(sets[0]), to: locationOf(sets[1]) }
        const wanted = expectedOf(from, to)
        expect(toldByHeldKeys(context, pair)).toEqual(wanted)
        for (const keysMax of [1, 7, 1000])
          expect(toldInPasses(context, { from: [pair.from], to: [pair.to] }, keysMax)).toEqual(wanted)
        matched += wanted.matches.matched
        for (const set of sets) drop(context, set)
      }
      expect(matched).toBeGreaterThan(PAIRS / 2)
    })
  },
  HANG_MS,
)

it('tells keys of texts too many to be numbered, and refuses damaged ones', async () => {
  await inSqlite('key-sets-long', async (sql) => {
    const context = contextOf(sql)
    const long = (n: number): string => `${n} ${'x'.repeat(70_000)}`
    const cells = Array.from({ length: 300 }, (_, n) => (n % 7 === 0 ? null : long(n % 290)))
    const ends = [await setOf(context, 'text', cells), await setOf(context, 'text', cells.slice(0, 290))] as const
    const pair = { from: locationOf(ends[0]), to: locationOf(ends[1]) }
    expect(() => resultOf(keySetOf(columnReader(context, ends[0], pair.from)))).toThrow(ExceedsBounds)
    const { matches, keys } = expectedOf(cells, cells.slice(0, 290))
    expect(keys.duplicates).toBe(0)
    expect(proveRelation(context, { from: [pair.from], to: [pair.to] })).toMatchObject({
      ...{ fromRows: matches.filled, matchedRows: matches.matched, toRows: keys.filled, duplicateKeys: 0 },
    })
    expect(duplicateKeys(context, [pair.from])).toBe(expectedOf([], cells).keys.duplicates)
    sql.exec('UPDATE column_texts SET checksum = checksum + 1 WHERE table_set = ?', ends[1].n)
    expect(() => proveRelation(context, { from: [pair.from], to: [pair.to] })).toThrow(
      'Stored data is damaged. Import the file again.',
    )
  })
})

it('finds texts too many for a dictionary among each other in one look at each', async () => {
  await inSqlite('key-sets-many', async (sql) => {
    const context = contextOf(sql)
    const cells = Array.from({ length: 160_000 }, (_, n) => `A-${n}`)
    const at = locationOf(await setOf(context, 'text', cells))
    const proof = proveRelation(context, { from: [at], to: [at] })
    expect(proof).toMatchObject({ fromRows: 160_000, matchedRows: 160_000, toRows: 160_000, duplicateKeys: 0 })
  })
})

it('knows numbers that only count the rows', async () => {
  await inSqlite('key-sets-counting', async (sql) => {
    const context = contextOf(sql)
    const counts = async (type: string, cells: StorageValue[]): Promise<boolean> => {
      const set = await setOf(context, type, cells)
      const isCount = isRowCount(context, locationOf(set))
      drop(context, set)
      return isCount
    }
    expect(await counts('integer', [3, 1, 2])).toBe(true)
    for (const cells of [[1, 2, 2], [1, 2, 4], [0, 1, 2], [1, 2, null], []])
      expect(await counts('integer', cells)).toBe(false)
    expect(await counts('text', ['1', '2'])).toBe(false)
  })
})
