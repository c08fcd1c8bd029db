import { describe, expect, it } from 'vitest'
import { countDecimals, toIsoDate, normalizeNumber, parseCell } from './cell-parsing'

describe('reading a cell in the preview', () => {
  it.each([
    ['1 234,50', ',', '1234.50'],
    ['1\u00a0234,50', ',', '1234.50'],
    ['1.234,50 kr', ',', '1234.50'],
    ['-12,5', ',', '-12.5'],
    ['\u221212,5', ',', '-12.5'],
    ['(12,50)', ',', '-12.50'],
    ['1,234.50', '.', '1234.50'],
    ['15 %', ',', '15'],
    ['1.234', ',', '1234'],
  ] as const)('reads %s with %s as %s', (raw, mark, plain) => {
    expect(normalizeNumber(raw, mark)).toBe(plain)
  })

  it.each([
    ['12.5', ','],
    ['1,5,5', ','],
    ['1.23.456', ','],
    ['abc', '.'],
    ['', '.'],
  ] as const)('refuses %s as a number with %s', (raw, mark) => {
    expect(normalizeNumber(raw, mark)).toBeNull()
  })

  it('reads dates by their order and refuses days that do not exist', () => {
    expect(toIsoDate('03/04/2026', 'dmy')).toBe('2026-04-03')
    expect(toIsoDate('03/04/2026', 'mdy')).toBe('2026-03-04')
    expect(toIsoDate('2026-04-03', 'mdy')).toBe('2026-04-03')
    expect(toIsoDate('31.2.2026', 'dmy')).toBeNull()
    expect(toIsoDate('13/13/2026', 'mdy')).toBeNull()
  })

  it('marks what a type cannot hold, and leaves empty cells empty', () => {
    const reading = { decimalMark: ',', dateOrder: 'dmy' } as const
    expect(parseCell('n/a', { ...reading, type: 'number' })).toEqual({ bad: 'n/a' })
    expect(parseCell('1,5', { ...reading, type: 'integer' })).toEqual({ bad: '1,5' })
    expect(parseCell('  ', { ...reading, type: 'number' })).toBeNull()
    expect(parseCell('ja', { ...reading, type: 'boolean' })).toBe(true)
    expect(parseCell('24.7.1996 13:05', { ...reading, type: 'datetime' })).toBe('1996-07-24 13:05')
    expect(parseCell('45292', { ...reading, type: 'date' })).toEqual({ bad: '45292' })
    expect(parseCell('45292', { ...reading, type: 'date', serialDates: true })).toBe('2024-01-01')
    expect(parseCell('0012', { ...reading, type: 'text' })).toBe('0012')
    expect(parseCell(' null', { ...reading, type: 'text', emptyMarker: 'NULL' })).toBeNull()
    expect(parseCell('NULL', { ...reading, type: 'text' }), 'kept by a person').toBe('NULL')
  })

  it('counts decimals', () => {
    expect(countDecimals('1 234,50', ',')).toBe(2)
    expect(countDecimals('1 234', ',')).toBe(0)
  })
})
