import { describe, expect, it } from 'vitest'
import { fPValue, normalPValue, studentTPValue, zFromPValue } from './statistics'

/** Against printed tables (NIST/SEMATECH e-Handbook 1.3.6.7) and by hand. */
describe('tails of distributions', () => {
  it('are those of the tables', () => {
    expect(studentTPValue(2.228, 10)).toBeCloseTo(0.05, 4)
    expect(studentTPValue(-3.169, 10)).toBeCloseTo(0.01, 4)
    expect(normalPValue(1.959964)).toBeCloseTo(0.05, 6)
    expect(fPValue(3.326, [5, 10])).toBeCloseTo(0.05, 4)
    expect(zFromPValue(0.05)).toBeCloseTo(1.959964, 5)
  })

  it('stay between 0 and 1 and are never nothing or no number', () => {
    for (const t of [0, 1e-300, 5, 1e6, Infinity, Number.NaN])
      for (const df of [0, 1, 7.5, 1e9]) {
        const p = studentTPValue(t, df)
        expect(p).toBeGreaterThan(0)
        expect(p).toBeLessThanOrEqual(1)
      }
  })
})
