import { describe, expect, it } from 'vitest'
import { valueFormatterFor } from './value-formatter'

const MS_OF_YEAR_10000 = 253_402_300_800_000n
const timestamp = (unit: 'MILLIS' | 'MICROS') =>
  valueFormatterFor({ name: 'x', type: 'INT64', logical_type: { type: 'TIMESTAMP', unit, isAdjustedToUTC: false } })

describe('values of a Parquet column', () => {
  it('are no dates outside of the years 1 to 9999', () => {
    for (const [unit, perMs] of [
      ['MILLIS', 1n],
      ['MICROS', 1000n],
    ] as const) {
      expect(timestamp(unit).text(MS_OF_YEAR_10000 * perMs - 1000n)).toMatch(/^9999-12-31T23:59:/)
      expect(timestamp(unit).text(MS_OF_YEAR_10000 * perMs)).toBeNull()
      expect(timestamp(unit).text(-62_135_596_800_000n * perMs)).toBe('0001-01-01T00:00:00')
      expect(timestamp(unit).text(-62_135_596_800_000n * perMs - 1n)).toBeNull()
    }
    const date = valueFormatterFor({ name: 'x', type: 'INT32', converted_type: 'DATE' })
    expect([date.text(-719_162), date.text(-719_163), date.text(2_932_896), date.text(2_932_897)]).toEqual([
      '0001-01-01',
      null,
      '9999-12-31',
      null,
    ])
  })

  it('are times of the day before where an offset takes them there', () => {
    const time = valueFormatterFor({ name: 'x', type: 'INT64', converted_type: 'TIME_MICROS' })
    expect(time.text(-4n * 3_600_000_000n)).toBe('20:00:00')
    expect(time.text(36_000_000_000n)).toBe('10:00:00')
  })

  it('are halves as they are where that is short, else as they were before they were stored', () => {
    const half = valueFormatterFor({ name: 'x', type: 'FIXED_LEN_BYTE_ARRAY', logical_type: { type: 'FLOAT16' } })
    const text = (bits: number): string | null => half.text(Uint8Array.of(bits & 255, bits >> 8))
    expect([text(0x501c), text(0x2e66), text(0x3e00), text(0x7c00)]).toEqual(['32.875', '0.1', '1.5', null])
  })
})
