import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { finished } from '../../../../test/worker/run-query'
import { CHUNK_ROWS } from '../chunk'
import { distinctFold } from './distinct'
import type { Fold } from './fold'
import { countFold } from './folds'
import { percentileFold } from './percentile-fold'
import { product, storedNumber, vectorNumber, type ExpressionSource } from '../number-expressions'
import { NumberIndex } from '../number-index'
import { averageFold, sumFold } from './sums'
import type { VectorNumber } from '../vector-number'
import type { Numbers } from '../vectors'
import { column, DATASET } from '../../../../test/worker/warehouse-rows'
import { isExact } from '../../query/aggregates/amount'
import { pow10, quotient } from '../../query/expressions/decimal'
import type { Expr } from '../../../shared/query/expression'

const MOST = 2 ** 53 - 1
const numbersOf = (values: readonly number[]): Numbers => {
  const all = Float64Array.from(values)
  return () => all
}
const exact = (values: readonly number[], scale = 0): VectorNumber => ({
  ...{ kind: 'exact', numbers: numbersOf(values), parts: null, scale, bound: BigInt(MOST) },
})
/** Everything in one group. */
function folded(fold: Fold, rows: number): Fold {
  do {
    fold.grow(2)
    fold.add({ chunk: 0, rows }, new Int32Array(rows).fill(1))
  } while (fold.again && finished(fold.again()))
  return fold
}
const amount = (fold: Fold): bigint | null => {
  const value = fold.value(1)
  return isExact(value) ? value.n : null
}
const large = fc.oneof(fc.integer({ min: -MOST, max: MOST }), fc.constantFrom(MOST, -MOST, 0, 1, -1))
const values = fc.array(large, { minLength: 1, maxLength: 200 })
const total = (of: readonly number[]): bigint => of.reduce((sum, value) => sum + BigInt(value), 0n)

describe('sums over columns', () => {
  it('add up the rows that count, few or many, and tell how many those are', () => {
    const chosen = fc.record({ rows: fc.integer({ min: 1, max: 3_000 }), every: fc.integer({ min: 1, max: 400 }) })
    fc.assert(
      fc.property(chosen, fc.constantFrom(3n, BigInt(MOST)), ({ rows, every }, bound) => {
        const of = Array.from({ length: rows }, (_, i) => (i % 5 === 4 ? Number.NaN : (i % 7) - 3))
        const keys = Int32Array.from(of, (_, i) => (i % every === 0 ? 1 + (i % 2) : 0))
        const [sum, count] = [sumFold({ ...exact(of), bound }, CHUNK_ROWS), countFold(null)]
        for (const fold of [sum, count]) {
          fold.grow(3)
          fold.add({ chunk: 0, rows }, keys)
        }
        for (const group of [1, 2]) {
          const own = of.filter((_, i) => keys[i] === group)
          const there = own.filter((value) => !Number.isNaN(value))
          expect(sum.value(group)).toEqual(there.length === 0 ? null : { n: total(there), scale: 0 })
          expect(count.value(group)).toEqual({ n: BigInt(own.length), scale: 0 })
        }
      }),
    )
  })

  it('are exact past 2^53, and averages are one division of them', () => {
    fc.assert(
      fc.property(values, (of) => {
        const fold = folded(sumFold(exact(of), CHUNK_ROWS), of.length)
        expect(amount(fold)).toBe(total(of))
        const average = folded(averageFold(exact(of, 2), CHUNK_ROWS), of.length).value(1)
        expect(average).toBe(quotient(total(of), BigInt(of.length) * pow10(2)))
      }),
    )
  })

  it('past 2^53 are ordered by a number that never says the opposite', () => {
    const near = fc.integer({ min: -3, max: 3 })
    fc.assert(
      fc.property(values, near, (of, more) => {
        const [one, other] = [of, [...of, more]].map((each) => folded(sumFold(exact(each), CHUNK_ROWS), each.length))
        const [a, b] = [one?.order?.(1) ?? 0, other?.order?.(1) ?? 0]
        expect(Math.sign(b - a) * Math.sign(more)).toBeGreaterThanOrEqual(0)
        expect(Math.abs(a - Number(total(of)))).toBe(0)
      }),
    )
  })

  it('of products past 2^53 lose nothing', () => {
    const small = fc.integer({ min: -(2 ** 30), max: 2 ** 30 })
    const pairs = fc.array(fc.tuple(small, small), { minLength: 1, maxLength: 100 })
    fc.assert(
      fc.property(pairs, (of) => {
        const bounds = { min: -(2 ** 30), max: 2 ** 30 }
        const source: ExpressionSource = {
          number: ({ column: key }) =>
            storedNumber({
              column: column(0, { type: 'integer' }),
              dataset: { ...DATASET_OF, bounds: { c0: bounds } },
              isOwn: true,
              numbers: () => numbersOf(of.map((pair) => pair[key === 'c0' ? 0 : 1])),
              codes: unused,
              words: unused,
              texts: unused,
              wall: unused,
              days: unused,
            }),
          days: unused,
          special: unused,
        }
        const field = (key: 'c0' | 'c1'): Expr => ({ kind: 'field', field: { dataset: DATASET, column: key } })
        const product: Expr = { kind: 'binary', op: 'multiply', left: field('c0'), right: field('c1') }
        const minus: Expr = { kind: 'binary', op: 'subtract', left: product, right: field('c1') }
        const wanted = of.reduce((sum, [a, b]) => sum + BigInt(a) * BigInt(b), 0n)
        expect(amount(folded(sumFold(vectorNumber(product, source), CHUNK_ROWS), of.length))).toBe(wanted)
        expect(amount(folded(sumFold(vectorNumber(minus, source), CHUNK_ROWS), of.length))).toBe(
          wanted - of.reduce((sum, [, b]) => sum + BigInt(b), 0n),
        )
      }),
    )
  })

  it('past 2^53 lose nothing of what is added up before it is put on top', () => {
    const bound = 2 ** 44
    const value = fc.oneof(fc.integer({ min: -bound, max: bound }), fc.constantFrom(bound, -bound, Number.NaN))
    const rows = fc.array(fc.tuple(value, fc.integer({ min: 0, max: 3 })), { minLength: 1_500, maxLength: 2_000 })
    fc.assert(
      fc.property(rows, (of) => {
        const numbers = numbersOf(of.map(([each]) => each))
        const fold = sumFold({ ...exact([]), numbers, bound: BigInt(bound) }, CHUNK_ROWS)
        const keys = Int32Array.from(of, ([, key]) => key)
        fold.grow(4)
        for (const chunk of [0, 1]) fold.add({ chunk, rows: of.length }, keys)
        for (const group of [1, 2, 3]) {
          const own = of.flatMap(([each, key]) => (key === group && !Number.isNaN(each) ? [each] : []))
          expect(fold.value(group)).toEqual(own.length === 0 ? null : { n: 2n * total(own), scale: 0 })
        }
      }),
      { numRuns: 10 },
    )
  })

  it('of amounts by one rate are multiplied by it once, and are the same', () => {
    const small = fc.integer({ min: -(2 ** 25), max: 2 ** 25 })
    fc.assert(
      fc.property(fc.array(fc.tuple(small, small, small), { minLength: 1, maxLength: 50 }), (of) => {
        const [a, b, rate] = [0, 1, 2].map((at) => ({
          ...exact(
            of.map((each) => each[at] ?? 0),
            2,
          ),
          bound: 2n ** 25n,
        }))
        if (!a || !b || !rate) throw new TypeError('There are three.')
        const amounts: Record<string, VectorNumber> = { c0: product(a, rate), c1: product(b, rate) }
        const number: ExpressionSource['number'] = ({ column: key }) => amounts[key] ?? a
        const field = (key: 'c0' | 'c1'): Expr => ({ kind: 'field', field: { dataset: DATASET, column: key } })
        for (const op of ['add', 'subtract'] as const) {
          const both = vectorNumber(
            { kind: 'binary', op, left: field('c0'), right: field('c1') },
            { number, days: unused, special: unused },
          )
          const sign = op === 'add' ? 1n : -1n
          const wanted = of.map(([x, y, r]) => (BigInt(x) + sign * BigInt(y)) * BigInt(r))
          expect({ ...both, factors: both.factors?.[1] }).toMatchObject({ scale: 4, bound: 2n ** 51n, factors: rate })
          expect(amount(folded(sumFold(both, CHUNK_ROWS), of.length))).toBe(wanted.reduce((sum, n) => sum + n, 0n))
        }
      }),
    )
  })

  it('leave empty cells and rows that do not count out', () => {
    const fold = sumFold(exact([5, Number.NaN, 7, 9]), CHUNK_ROWS)
    fold.grow(3)
    fold.add({ chunk: 0, rows: 4 }, Int32Array.from([1, 1, 0, 2]))
    expect([amount(fold), fold.value(2)]).toEqual([5n, { n: 9n, scale: 0 }])
    expect(folded(sumFold(exact([Number.NaN]), CHUNK_ROWS), 1).value(1)).toBeNull()
  })

  it('of floating point keep what each addition loses', () => {
    const real: VectorNumber = { kind: 'real', numbers: numbersOf([1e16, 1, -1e16]), parts: null, scale: 0, bound: 0n }
    expect(folded(sumFold(real, CHUNK_ROWS), 3).value(1)).toBe(1)
  })
})

describe('medians over columns', () => {
  it('are exact between two numbers past 2^52', () => {
    expect(folded(percentileFold(exact([MOST, MOST - 1]), 50, 10), 2).value(1)).toEqual({
      n: (2n * BigInt(MOST) - 1n) * 5n,
      scale: 1,
    })
  })
})

describe('different values', () => {
  it('are counted alike in a table and, of many groups, in pairs, in as many passes as these take', () => {
    const rows = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 20 })), { maxLength: 80 })
    fc.assert(
      fc.property(rows, fc.boolean(), fc.integer({ min: 1, max: 12 }), (of, isWide, pairs) => {
        const codes = Int32Array.from(of, ([, code]) => code)
        const keys = Int32Array.from(of, ([key]) => key)
        const fold = distinctFold({ codes: () => codes, words: 21 }, { pairs, marks: 200 })
        let passes = 0
        do {
          fold.grow(6)
          fold.add({ chunk: 0, rows: of.length }, keys)
          if (isWide) fold.grow(1_000_000)
          fold.add({ chunk: 0, rows: of.length }, keys)
          passes += 1
        } while (fold.again && finished(fold.again()))
        const all = new Set(of.flatMap(([key, code]) => (key !== 0 && code !== 0 ? [key * 21 + code] : [])))
        if (isWide) expect(passes).toBeGreaterThanOrEqual(all.size / pairs)
        for (const group of [1, 2, 3, 4, 5]) {
          const wanted = new Set(of.flatMap(([key, code]) => (key === group && code !== 0 ? [code] : []))).size
          expect(fold.value(group)).toEqual({ n: BigInt(wanted), scale: 0 })
        }
      }),
    )
  })

  it('have places in the order in which they come, 0 and −0 one of them', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.double({ noNaN: true }), fc.integer()), { maxLength: 3000 }), (of) => {
        const index = new NumberIndex()
        const known: number[] = []
        const places = new Map<number, number>()
        for (const value of of) {
          const own = value + 0
          if (!places.has(own)) places.set(own, known.push(own) - 1)
          expect(index.placeOf(value)).toBe(places.get(own))
        }
        expect(known.map((_, at) => index.valueAt(at))).toEqual(known)
      }),
      { numRuns: 20 },
    )
  })
})

const unused = (): never => {
  throw new TypeError('This is not read.')
}
const DATASET_OF = {
  ...{ id: DATASET, sourceId: '', name: '', rowCount: 1, bytes: 0, dataVersion: 1, columns: [], keyColumns: [] },
  ...{ loadedAt: null, tableSet: 1, layout: [], bounds: {}, manifest: null },
}
