import { describe, expect, it } from 'vitest'
import { periodRange } from './period-range'

describe('a range of periods', () => {
  it('writes once what both ends share', () => {
    expect(periodRange('Jan 2027', 'Dec 2027')).toBe('Jan–Dec 2027')
    expect(periodRange('Q1 2027', 'Q4 2027')).toBe('Q1–Q4 2027')
    expect(periodRange('3 Nov 2026', '9 Nov 2026')).toBe('3–9 Nov 2026')
    expect(periodRange('28 Nov 2026', '4 Dec 2026')).toBe('28 Nov – 4 Dec 2026')
    expect(periodRange('Nov 2025', 'Oct 2026')).toBe('Nov 2025 – Oct 2026')
    expect(periodRange('2025', '2027')).toBe('2025 – 2027')
    expect(periodRange('Jan 2027', 'Jan 2027')).toBe('Jan 2027')
  })
})
