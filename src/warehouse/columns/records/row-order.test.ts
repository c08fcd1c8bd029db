import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { seedOf } from '../../../../test/seed'
import { rowsInOrder, type OrderKey, type OrderValue } from './row-order'
import { maskOf } from '../vectors'
import { compareTexts } from '../../query/aggregates/group-order'

const LONG = env['LONG'] === '1'
const RUNS = LONG ? 20_000 : 400

const numbers = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, min: -1e300, max: 1e300 }).map((value) => value + 0),
  fc.constantFrom(Infinity, -Infinity, 2 ** 53),
)
const texts = fc.oneof(fc.constantFrom('a', 'aa', 'b', '', 'Å', '😀', '\uffff'), fc.string({ maxLength: 3 }))
const values = (isText: boolean): fc.Arbitrary<OrderValue> =>
  fc.option<OrderValue>(isText ? texts : numbers, { freq: 5, nil: null })

interface OrderedRows {
  chunks: number[]
  passes: boolean[]
  columns: { values: OrderValue[]; dir: 'asc' | 'desc'; isText: boolean }[]
}
const asked: fc.Arbitrary<OrderedRows> = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 8 }).chain((chunks) => {
  const rows = chunks.reduce((sum, size) => sum + size, 0)
  const each = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(value, { minLength: rows, maxLength: rows })
  const column = fc
    .boolean()
    .chain((isText) =>
      fc.record({ isText: fc.constant(isText), dir: fc.constantFrom('asc', 'desc'), values: each(values(isText)) }),
    )
  return fc.record({
    chunks: fc.constant(chunks),
    passes: each(fc.boolean()),
    columns: fc.array(column, { maxLength: 3 }),
  })
})

function compare(a: OrderValue, b: OrderValue, dir: 'asc' | 'desc'): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  const order = typeof a === 'string' && typeof b === 'string' ? compareTexts(a, b) : a === b ? 0 : a < b ? -1 : 1
  return dir === 'asc' ? order : -order
}

function naiveOrder({ passes, columns }: OrderedRows): number[] {
  const rows = passes.flatMap((isPassing, row) => (isPassing ? [row] : []))
  return rows.toSorted((a, b) => {
    for (const { values: own, dir } of columns) {
      const order = compare(own[a] ?? null, own[b] ?? null, dir)
      if (order !== 0) return order
    }
    return a - b
  })
}

it('finds every page of an order, in whatever way the page is looked for', () => {
  const page = fc.record({ offset: fc.nat(60), limit: fc.integer({ min: 1, max: 12 }), skippedMax: fc.nat(20) })
  fc.assert(
    fc.property(asked, page, (given, { offset, limit, skippedMax }) => {
      const starts = given.chunks.map((_, at) => given.chunks.slice(0, at).reduce((sum, size) => sum + size, 0))
      const mask = maskOf(({ chunk, rows }, to) => {
        for (let row = 0; row < rows; row += 1) to[row] = Number(given.passes[(starts[chunk] ?? 0) + row])
      })
      const keys = given.columns.map(({ values: own, dir, isText }): OrderKey => ({
        dir,
        ...(isText ? { isText } : {}),
        values:
          ({ chunk }) =>
          (row) =>
            own[(starts[chunk] ?? 0) + row] ?? null,
      }))
      const table = { chunks: given.chunks, rows: given.passes.length }
      const steps = rowsInOrder(table, { mask, keys, offset, limit }, { skippedMax, charsMax: 1000 })
      let step = steps.next()
      while (step.done !== true) step = steps.next()
      const wanted = naiveOrder(given)
      expect(step.value).toEqual({ rows: wanted.slice(offset, offset + limit), count: wanted.length })
    }),
    { numRuns: RUNS, seed: seedOf(LONG) },
  )
})

it('ends a page early whose texts are more than may be held, and goes on where it ended', () => {
  const own = Array.from({ length: 40 }, (_, row) => `${String((row * 7) % 40).padStart(2, '0')}${'x'.repeat(98)}`)
  const keys: OrderKey[] = [{ dir: 'asc', isText: true, values: () => (row) => own[row] ?? null }]
  const found: number[] = []
  while (found.length < own.length) {
    const window = { mask: null, keys, offset: found.length, limit: 30 }
    const { value, done } = rowsInOrder({ chunks: [40], rows: 40 }, window, { skippedMax: 9, charsMax: 450 }).next()
    if (done !== true) throw new Error('forty rows are read in one go')
    expect(value.count).toBe(40)
    expect(value.rows.length).toBeGreaterThan(0)
    expect(value.rows.length).toBeLessThanOrEqual(5)
    found.push(...value.rows)
  }
  expect(found.map((row) => own[row])).toEqual(own.toSorted())
})
