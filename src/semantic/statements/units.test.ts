import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toUnits, unitsText } from './units'

it.each([
  [1234.5, 12_345_000n],
  ['-0.01', -100n],
  ['90071992547409.93', 900_719_925_474_099_300n],
  [null, 0n],
  [1e-7, 0n],
  [0.00005, 1n],
])('reads %s exactly', (cell, units) => {
  expect(toUnits(cell)).toBe(units)
})

it('gives every amount in hundredths back as it was read', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), (cents) => {
      const text = unitsText(cents * 100n, 2)
      expect(toUnits(text)).toBe(cents * 100n)
      expect(text).toMatch(/^-?\d+\.\d\d$/)
    }),
  )
})
