import fc from 'fast-check'
import { expect, it } from 'vitest'
import { finished } from '../../../../test/worker/run-query'
import { seedOf } from '../../../../test/seed'
import { realNumber } from '../number-expressions'
import { percentileFold } from './percentile-fold'
import { rankOf, realBetween } from '../../query/aggregates/percentile'

const value = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.integer(),
  fc.double({ noDefaultInfinity: true, noNaN: true }),
  fc.constantFrom(Number.NaN, -0, Number.MAX_VALUE, -Number.MIN_VALUE),
)
const row = fc.record({ group: fc.integer({ min: 0, max: 4 }), value })

it('finds percentiles of all groups alike, however few values fit in memory', () => {
  let passesMax = 0
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 60 }),
      fc.constantFrom(0, 12.5, 50, 99, 100),
      fc.nat({ max: 9 }),
      (rows, percent, most) => {
        const numbers = Float64Array.from(rows, (each) => each.value)
        const fold = percentileFold(
          realNumber(() => numbers),
          percent,
          most + 1,
        )
        let passes = 0
        do {
          fold.grow(5)
          fold.add(
            { chunk: 0, rows: rows.length },
            Int32Array.from(rows, ({ group }) => group),
          )
          passes += 1
        } while (fold.again && finished(fold.again()))
        passesMax = Math.max(passesMax, passes)
        for (const group of [1, 2, 3, 4]) {
          const own = rows.flatMap((each) =>
            each.group === group && !Number.isNaN(each.value) ? [each.value + 0] : [],
          )
          const sorted = Float64Array.from(own).sort()
          const { below, share } = rankOf(sorted.length, percent)
          const [low = 0, high = low] = [sorted[below], sorted[below + 1]]
          const wanted = realBetween(low, high, share)
          expect(fold.value(group)).toEqual(own.length === 0 || !Number.isFinite(wanted) ? null : wanted)
        }
      },
    ),
    { numRuns: 400, seed: seedOf(false) },
  )
  expect(passesMax).toBeGreaterThanOrEqual(5)
})
