import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DenseKeys, GrowingKeys, HashedKeys, type KeyKind } from './key-places'
import { keyPlaces, keySet, rowsByKey } from './relation-keys'
import { runToCompletion } from './kept-keys'
import { wholeNumbers } from './whole-columns'
import { seedOf } from '../../../../test/seed'
import { columnTableOf } from '../../../../test/worker/column-tables'
import { CALENDAR, column, EVERYTHING, tableOf } from '../../../../test/worker/warehouse-rows'
import type { RowSource } from '../column-vectors'
import { rowScans } from '../row-scan'
import { codesOf, numbersOf, type ChunkPlace } from '../vectors'
import { realText } from '../../query/expressions/real-text'
import { planContextOf } from '../../query/make-context'
import { relationGraph } from '../../query/plan/relation-graph'
import type { Column } from '../../../shared/data-sources/data-sources'

const RUNS = env['LONG'] === '1' ? 20_000 : 250
const PER_CHUNK = 5
type Cell = number | string | null
interface Keys {
  type: Column['type']
  cells: Cell[]
  /** Texts without a dictionary. */
  long: boolean
}

/** A dataset of one column, as a question reads it. */
function sourceOf({ type, cells, long }: Keys): RowSource {
  const columns = [column(0, { type })]
  const rows = cells.map((cell) => [cell])
  const dataset = tableOf(columns, rows)
  const table = columnTableOf(columns, rows, PER_CHUNK, long && type === 'text' ? ['c0'] : [])
  const catalogue = { find: () => dataset, edges: [] }
  const at = { graph: relationGraph(catalogue), period: null }
  const planContext = planContextOf({ scope: EVERYTHING, calendar: CALENDAR, catalogue, groupings: undefined }, at)
  return rowScans(planContext, { table: () => table, groupLevels: () => [], rates: () => new Map() })(dataset.id)
}

/** Values that meet: near each other, far apart, further than 32 bits, and not whole. */
const VALUES = [
  ...[
    [0, 1, 2, 3, 4, 5, 6, 7],
    [-5, 1_000, 90_000_000, 2_000_000_000, 4_294_967_290],
    [-9e15, 7, 8e15, 4e12],
  ],
  ...[
    [-0, 0, 0.5, -1.25, 1e300, 3],
    [4_294_967_295, 0, 8_589_934_590, 12],
  ],
]
const isInteger = (value: number): boolean => Number.isSafeInteger(value) && !Object.is(value, -0)
const KEYS: fc.Arbitrary<{ one: Keys; many: Keys }> = fc.constantFrom(...VALUES).chain((values) => {
  const isWhole = values.every(isInteger)
  const textOf = isWhole ? String : realText
  const side: fc.Arbitrary<Keys> = fc
    .record({ type: fc.constantFrom<Column['type']>(isWhole ? 'integer' : 'number', 'text'), long: fc.boolean() })
    .chain(({ type, long }) =>
      fc.array(fc.option(fc.constantFrom(...values), { freq: 6, nil: null }), { maxLength: 40 }).map((cells) => ({
        ...{ type, long },
        cells: cells.map((cell) => (type === 'text' && cell !== null ? textOf(cell) : cell)),
      })),
    )
  return fc.record({ one: side, many: side })
})

/** What a key is compared as. */
function asCompared(cell: Cell, { type }: Keys, unlike: boolean): Cell {
  if (typeof cell !== 'number') return cell
  if (!unlike) return cell + 0
  return type === 'integer' ? String(cell) : realText(cell)
}
const readAll = (source: RowSource, codes: (place: ChunkPlace) => Int32Array): number[] =>
  source.table.chunks.flatMap((rows, chunk) => [...codes({ chunk, rows }).subarray(0, rows)])

it(`finds the first row of each of ${RUNS} sets of random keys, whatever their types are`, () => {
  fc.assert(
    fc.property(KEYS, ({ one, many }) => {
      const [there, here] = [sourceOf(one), sourceOf(many)]
      const [to, from] = [there.along([], 'c0', false), here.along([], 'c0', false)]
      const unlike = one.type !== many.type
      const rows = one.cells.map((cell) => asCompared(cell, one, unlike))
      const wanted = many.cells.map((cell) => (cell === null ? -1 : rows.indexOf(asCompared(cell, many, unlike))))
      const keys = runToCompletion(rowsByKey(there, { from: to, other: from.column }))
      expect(readAll(here, keyPlaces(keys, { from, other: to.column }))).toEqual(wanted)
      const set = runToCompletion(keySet(there, { from: to, other: from.column }))
      const found = readAll(here, keyPlaces(set, { from, other: to.column }))
      expect(found.map((place) => place >= 0)).toEqual(wanted.map((row) => row >= 0))
    }),
    { numRuns: RUNS, seed: seedOf(env['LONG'] === '1') },
  )
})

it.each<[string, KeyKind, (n: number) => [number, number]]>([
  ['whole numbers', { kind: 'whole', least: -3e9 }, (n) => [n * 190_001 - 3e9, 0]],
  ['numbers', { kind: 'number' }, (n) => [n / 7, 0]],
  // Half of them differ in the second number only.
  ['texts', { kind: 'text' }, (n) => [n >> 1, n & 1]],
])('holds 20 000 keys that are %s, and finds no others', (_name, kind, keyOf) => {
  let [held, peak] = [0, 0]
  const growing = new GrowingKeys(kind, (bytes) => {
    held += bytes
    peak = Math.max(peak, held)
  })
  const fixed = new HashedKeys(kind, 20_000)
  for (let n = 0; n < 20_000; n += 1) {
    growing.put(0, ...keyOf(n))
    growing.put(0, ...keyOf(n >> 1))
    fixed.put(n, ...keyOf(n))
  }
  const numbers = Array.from({ length: 22_000 }, (_, n) => n)
  expect(numbers.map((n) => fixed.find(...keyOf(n)))).toEqual(numbers.map((n) => (n < 20_000 ? n : -1)))
  expect(numbers.filter((n) => growing.find(...keyOf(n)) >= 0)).toEqual(numbers.slice(0, 20_000))
  expect(held).toBe(HashedKeys.bytes(kind, 32_768))
  expect(peak).toBe(HashedKeys.bytes(kind, 32_768) + HashedKeys.bytes(kind, 16_384))
})

it('finds no place for what is not among whole numbers near each other', () => {
  const keys = new DenseKeys({ least: -2, most: 3 })
  keys.put(7, -2)
  keys.put(9, 3)
  keys.put(10, 3)
  expect([-3, -2, 0, 0.5, 3, 4, 1e300].map((key) => keys.find(key))).toEqual([-1, 7, -1, -1, 9, -1, -1])
})

it.each<[string, (number | null)[], number]>([
  ['a byte', [5, 259, null, 6], 1],
  ['two bytes', [5, 260, null, -60_000], 2],
  ['four bytes', [-1, 4_294_967_292, null, 0], 4],
  ['eight bytes past 32 bits', [-2, 4_294_967_293, null], 8],
  ['eight bytes with decimals', [1, 0.5, null], 8],
  ['eight bytes for −0', [1, -0], 8],
  ['a byte where nothing is', [null, null, null], 1],
])('keeps a column of related rows in %s a row', (_name, cells, bytes) => {
  const values = Float64Array.from(cells, (cell) => cell ?? Number.NaN)
  let held = 0
  const source = {
    table: { chunks: [values.length], rows: values.length },
    holdBytes: (more: number) => (held += more),
  }
  const rowOf = codesOf((_place, to) => to.set([...values.keys(), -1]))
  const seen = wholeNumbers(
    source,
    numbersOf((_place, to) => to.set(values)),
  )(rowOf)
  expect([...seen({ chunk: 0, rows: values.length + 1 })]).toEqual([...values, Number.NaN])
  expect(held).toBe(values.length * bytes)
})
