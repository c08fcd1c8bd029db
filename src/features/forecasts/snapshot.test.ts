import { describe, expect, it } from 'vitest'
import { toStoredSnapshot, RESULT_MAX_BYTES, serialiseResult } from './snapshot'
import { prepared, resultOf } from '../../../test/worker/forecast-fixtures'
import type { ForecastResult } from '../../shared/forecasts/result'

const base = resultOf(prepared('a').prepared)
const long = (many: number): number[] => Array.from({ length: many }, (_, n) => 1_000_000 / (n + 3))
/** Ten parts over so many days, each with what it is made of. */
function ofDays(many: number): ForecastResult {
  const values = long(many)
  const components = { kind: 'additive' as const, trend: values, season: values, rest: values, first: 0 }
  const part = { ...base.total, label: 'One', values, components }
  const periods = values.map((_, n) => new Date(n * 86_400_000).toISOString().slice(0, 10))
  return { ...base, periods, raw: values, values, parts: Array.from({ length: 10 }, () => part) }
}
const read = (text: string | null): ForecastResult | null => (text === null ? null : JSON.parse(text))

describe('what is kept of a result', () => {
  it('is all of it, without what parts are made of where a row has no room for that, and nothing where it has none at all', () => {
    const [small, large] = [ofDays(400), ofDays(3_000)]
    expect(read(serialiseResult(small))).toEqual(small)
    const kept = read(serialiseResult(large))
    expect(kept?.parts.map(({ components }) => components)).toEqual(Array(10).fill(null))
    expect(kept?.parts.map(({ values }) => values)).toEqual(large.parts.map(({ values }) => values))
    expect((serialiseResult(large) ?? '').length).toBeLessThanOrEqual(RESULT_MAX_BYTES)
    expect(serialiseResult(ofDays(12_000))).toBeNull()
  })

  it('is for good what it said, with more than a year of days before it', () => {
    const said = toStoredSnapshot(ofDays(3_650))
    expect([said.periods.length, said.raw.length, said.path]).toEqual([400, 400, base.total.path])
    expect(said.periods.at(-1)).toBe('1979-12-29')
  })
})
