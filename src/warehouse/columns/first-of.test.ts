import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FirstOf } from './first-of'
import { sortedInPieces } from './merge-sort'
import { seedOf } from '../../../test/seed'
import { finished } from '../../../test/worker/run-query'

const piecesOf = (steps: Generator): number => Array.from(steps).length

describe('the first of all', () => {
  it('are those that a sort finds, equal ones as they came', () => {
    const pairs = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer()), { maxLength: 80 })
    fc.assert(
      fc.property(pairs, fc.nat({ max: 90 }), (of, count) => {
        const first = new FirstOf<[number, number]>(count, ([a], [b]) => a - b)
        for (const one of of) first.add(one)
        expect(finished(first.sorted())).toEqual(of.toSorted(([a], [b]) => a - b).slice(0, count))
      }),
      { numRuns: 300, seed: seedOf(false) },
    )
  })

  it('are sorted in pieces when they are many', () => {
    const first = new FirstOf<number>(20_000, (a, b) => a - b)
    for (let n = 0; n < 50_000; n += 1) first.add((n * 7919) % 50_000)
    const sorting = first.sorted()
    let pieces = 1
    for (let step = sorting.next(); ; step = sorting.next(), pieces += 1)
      if (step.done === true) {
        expect(step.value).toEqual(Array.from({ length: 20_000 }, (_, n) => n))
        break
      }
    expect(pieces).toBeGreaterThan(20)
  })
})

describe('numbers sorted in pieces', () => {
  const sorted = (values: Float64Array): ReturnType<typeof sortedInPieces<number>> =>
    sortedInPieces<number>(values, () => new Float64Array(values.length))

  it('are in order, whatever the length of the last run', () => {
    for (const length of [0, 1, 16_384, 16_385, 49_153, 100_000]) {
      const values = Float64Array.from({ length }, (_, n) => (n * 7919) % 10_007)
      expect(Float64Array.from(finished(sorted(values.slice())))).toEqual(values.toSorted())
    }
    expect(piecesOf(sorted(new Float64Array(2 ** 20)))).toBeGreaterThan(70)
  })
})
