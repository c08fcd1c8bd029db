import { describe, expect, it } from 'vitest'
import { rangeOf } from './masked-texts'

describe('a range', () => {
  it.each([
    [0, [0, 10]],
    [7, [0, 10]],
    [0.05, [0, 10]],
    [9.99, [0, 10]],
    [-7, [-10, 0]],
    [10, [10, 20]],
    [19.99, [10, 20]],
    [20, [20, 50]],
    [50, [50, 100]],
    [43_210, [20_000, 50_000]],
    [-43_210, [-50_000, -20_000]],
    [1000, [1000, 2000]],
    [999.999_999_999_999_9, [500, 1000]],
  ])('of %d is %j', (value, range) => expect(rangeOf(value)).toEqual(range))

  it('has ten whole numbers or more, and the number in it, whatever it is of', () => {
    let seed = 7
    const next = (): number => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32
    for (let n = 0; n < 5_000; n += 1) {
      const value = (next() - 0.5) * 10 ** Math.floor(next() * 18)
      const [from, to] = rangeOf(value)
      expect([value, to - from >= 10, from <= value, value <= to]).toEqual([value, true, true, true])
    }
  })
})
