import { describe, expect, it } from 'vitest'
import { decimalsOf, plainDate, plainNumber, readCell } from './cell-reading'

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
    expect(plainNumber(raw, mark)).toBe(plain)
  })

  it.each([
    ['12.5', ','],
    ['1,5,5', ','],
    ['1.23.456', ','],
    ['abc', '.'],
    ['', '.'],
  ] as const)('refuses %s as a number with %s', (raw, mark) => {
    expect(plainNumber(raw, mark)).toBeNull()
  })

  it('reads dates by their order and refuses days that do not exist', () => {
    expect(plainDate('03/04/2026', 'dmy')).toBe('2026-04-03')
    expect(plainDate('03/04/2026', 'mdy')).toBe('2026-03-04')
    expect(plainDate('2026-04-03', 'mdy')).toBe('2026-04-03')
    expect(plainDate('31.2.2026', 'dmy')).toBeNull()
    expect(plainDate('13/13/2026', 'mdy')).toBeNull()
  })

  it('marks what a type cannot hold, and leaves empty cells empty', () => {
    const reading = { decimalMark: ',', dateOrder: 'dmy' } as const
    expect(readCell('n/a', { ...reading, type: 'number' })).toEqual({ bad: 'n/a' })
    expect(readCell('1,5', { ...reading, type: 'integer' })).toEqual({ bad: '1,5' })
    expect(readCell('  ', { ...reading, type: 'number' })).toBeNull()
    expect(readCell('ja', { ...reading, type: 'boolean' })).toBe(true)
    expect(readCell('24.7.1996 13:05', { ...reading, type: 'datetime' })).toBe('1996-07-24 13:05')
    expect(readCell('0012', { ...reading, type: 'text' })).toBe('0012')
  })

  it('counts decimals', () => {
    expect(decimalsOf('1 234,50', ',')).toBe(2)
    expect(decimalsOf('1 234', ',')).toBe(0)
  })
})
