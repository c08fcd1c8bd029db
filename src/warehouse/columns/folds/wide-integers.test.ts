import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { finished } from '../../../../test/worker/run-query'
import { seedOf } from '../../../../test/seed'
import { distinctFold } from './distinct'
import type { Fold } from './fold'
import { vectorNumber } from '../number-expressions'
import { sumFold } from './sums'
import { numbersOf, type Numbers } from '../vectors'
import type { VectorNumber } from '../vector-number'
import { edgeOfValues } from './folds'
import { keptInMap } from './kept-values'
import { percentileFold } from './percentile-fold'
import { wideHalves, wideValues } from './wide-integers'
import type { Amount } from '../../query/aggregates/amount'
import type { Expr } from '../../../shared/query/expression'

const LONG = env['LONG'] === '1'
const RUNS = { numRuns: LONG ? 20_000 : 200, seed: seedOf(LONG) }

const numbers = (values: readonly (number | null)[]): Numbers =>
  numbersOf((_place, to) => to.set(values.map((value) => value ?? Number.NaN)))
const LARGEST = 2 ** 30
const cell = fc.option(fc.integer({ min: -LARGEST, max: LARGEST }), { nil: null, freq: 6 })
const DATASET = 'ds_00000000000000000000'
const field = (at: number): Expr => ({ kind: 'field', field: { dataset: DATASET, column: `c${at}` } })

/** (a × b), else (c × 2^31), else nothing: past 53 bits as a whole. */
const EXPRESSION: Expr = {
  kind: 'coalesce',
  items: [
    { kind: 'binary', op: 'multiply', left: field(0), right: field(1) },
    { kind: 'binary', op: 'multiply', left: field(2), right: { kind: 'number', value: 2 ** 31 } },
  ],
}
type Row = readonly [number | null, number | null, number | null]
const naive = ([a, b, c]: Row): bigint | null => {
  if (a !== null && b !== null) return BigInt(a) * BigInt(b)
  return c === null ? null : BigInt(c) * 2n ** 31n
}
function wideNumber(rows: readonly Row[]): { number: VectorNumber; parts: readonly Numbers[] } {
  const bound = BigInt(LARGEST)
  const number = vectorNumber(EXPRESSION, {
    number: ({ column }) => {
      const at = Number(column.slice(1))
      const own = numbers(rows.map((row) => row[at] ?? null))
      return { kind: 'exact', numbers: own, parts: null, scale: 0, bound }
    },
    days: () => numbers([]),
    special() {
      throw new Error('no function is asked for')
    },
  })
  if (!number.parts) throw new Error('it is past 53 bits')
  return { number, parts: number.parts }
}
/** Folded in one group, the second of two, in as many passes as it takes. */
function folded(fold: Fold, rows: number): Amount {
  do {
    fold.grow(3)
    fold.add({ chunk: 0, rows }, new Int32Array(rows).fill(2))
  } while (fold.again && finished(fold.again()))
  return fold.value(2)
}
const edge = (parts: readonly Numbers[], which: 'min' | 'max'): Fold =>
  edgeOfValues(
    {
      valuesAt: wideValues(parts),
      compare: (a, b) => (a < b ? -1 : Number(a > b)),
      shown: (n: bigint) => ({ n, scale: 0 }),
    },
    which,
    keptInMap({ sizeOf: () => 0, max: 0 }),
  )

it('works out least, most, middle, sum and different ones of numbers past 53 bits to the last digit', () => {
  const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 20 }), (given, most) => {
      const { number, parts } = wideNumber(given)
      const there = given.map(naive).filter((value) => value !== null)
      const sorted = there.toSorted((a, b) => (a < b ? -1 : Number(a > b)))
      const exact = (n: bigint | undefined, scale = 0): Amount => (n === undefined ? null : { n, scale })
      expect(folded(edge(parts, 'min'), given.length)).toEqual(exact(sorted[0]))
      expect(folded(edge(parts, 'max'), given.length)).toEqual(exact(sorted.at(-1)))
      const middle = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
      const [low, high] = middle
      const median = low === undefined || high === undefined ? undefined : (low + high) * 5n
      expect(folded(percentileFold(number, 50, most), given.length)).toEqual(exact(median, 1))
      const total = there.length === 0 ? undefined : there.reduce((sum, value) => sum + value, 0n)
      expect(folded(sumFold(number, given.length), given.length)).toEqual(exact(total))
      const distinct = distinctFold({ numbers: wideHalves(parts) }, { pairs: most, marks: 0 })
      expect(folded(distinct, given.length)).toEqual(exact(BigInt(new Set(there).size)))
      const valueOf = wideValues(parts)({ chunk: 0, rows: given.length })
      expect(given.map((_, row) => valueOf(row))).toEqual(given.map(naive))
    }),
    RUNS,
  )
})

it('tells halves whose order is that of the numbers', () => {
  const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 2, maxLength: 2 })
  fc.assert(
    fc.property(rows, (given) => {
      const [high, low] = wideHalves(wideNumber(given).parts).map((half) => half({ chunk: 0, rows: 2 }))
      const [a, b] = given.map(naive)
      fc.pre(a !== null && a !== undefined && b !== null && b !== undefined)
      const order = (high?.[0] ?? 0) - (high?.[1] ?? 0) || (low?.[0] ?? 0) - (low?.[1] ?? 0)
      expect(Math.sign(order)).toBe((a ?? 0n) < (b ?? 0n) ? -1 : Number((a ?? 0n) > (b ?? 0n)))
    }),
    RUNS,
  )
})
