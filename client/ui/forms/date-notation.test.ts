import { describe, expect, it } from 'vitest'
import { dateNotation, readDay, writeDay } from './date-notation'

describe('a day in figures', () => {
  it.each([
    ['sv-SE', '2026-11-20', 'YYYY-MM-DD'],
    ['en-GB', '20/11/2026', 'DD/MM/YYYY'],
    ['en-US', '11/20/2026', 'MM/DD/YYYY'],
    ['de-DE', '20.11.2026', 'DD.MM.YYYY'],
  ])('is written and read as in %s', (locale, text, pattern) => {
    const notation = dateNotation(locale)
    expect(notation.pattern).toBe(pattern)
    expect(writeDay('2026-11-20', notation)).toBe(text)
    expect(readDay(text, notation)).toBe('2026-11-20')
    expect(readDay('2026-11-20', notation)).toBe('2026-11-20')
  })
  it('is none where there is no such day', () => {
    const notation = dateNotation('en-GB')
    for (const text of ['31/02/2026', '1/1/26', '20/11', '', 'soon']) expect(readDay(text, notation)).toBeNull()
    expect(readDay('1/2/2026', notation)).toBe('2026-02-01')
  })
})
