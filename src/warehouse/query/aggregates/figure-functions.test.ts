import { describe, expect, it } from 'vitest'
import { applyFunction } from './figure-functions'

const exact = (n: bigint, scale = 0) => ({ n, scale })

describe('functions of figures', () => {
  it('round half away from zero, exact figures past 2^53 too', () => {
    expect(applyFunction('round', [exact(125n, 2)], 1)).toEqual(exact(13n, 1))
    expect(applyFunction('round', [exact(-125n, 2)], 1)).toEqual(exact(-13n, 1))
    expect(applyFunction('round', [exact(90071992547409915n, 1)], 0)).toEqual(exact(9007199254740992n))
    expect(applyFunction('round', [2.5], 0)).toBe(3)
    expect(applyFunction('round', [null], 0)).toBeNull()
  })

  it('compare figures of different decimals exactly', () => {
    const equal = applyFunction('eq', [exact(9007199254740993n), exact(90071992547409930n, 1)])
    expect(applyFunction('if', [equal, exact(1n), exact(2n)])).toEqual(exact(1n))
    const less = applyFunction('lt', [exact(9007199254740992n), exact(9007199254740993n)])
    expect(applyFunction('if', [less, exact(1n), exact(2n)])).toEqual(exact(1n))
  })

  it('have an empty figure equal an empty one only, and in no order', () => {
    const chosen = (fn: 'eq' | 'ne' | 'lt' | 'ge', a: null | number, b: null | number) =>
      applyFunction('if', [applyFunction(fn, [a, b]), 1, 0])
    expect([chosen('eq', null, null), chosen('eq', null, 0), chosen('ne', null, 0)]).toEqual([1, 0, 1])
    expect([chosen('lt', null, 1), chosen('ge', null, -1)]).toEqual([0, 0])
  })

  it('leave empty figures out of the least and the greatest', () => {
    expect(applyFunction('least', [null, exact(25n, 1), exact(3n)])).toEqual(exact(25n, 1))
    expect(applyFunction('greatest', [null, exact(25n, 1), exact(3n)])).toEqual(exact(3n))
    expect(applyFunction('coalesce', [null, null])).toBeNull()
  })
})
