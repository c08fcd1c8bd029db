import { describe, expect, it } from 'vitest'
import { builtInFormat, parseNumberFormat } from './number-format'
import { serialToText } from './serial-date'

describe('number formats', () => {
  it.each([
    ['General', 'number'],
    ['0.00E+00', 'number'],
    ['#,##0.00;[Red]-#,##0.00', 'number'],
    ['"year" 0', 'number'],
    ['0 \\d\\a\\y\\s', 'number'],
    ['_-* #,##0_-', 'number'],
    ['[Red]0', 'number'],
    ['@', 'number'],
    ['# ?/?', 'number'],
    ['0.0%', 'percent'],
    ['yyyy-mm-dd', 'date'],
    ['d.m.', 'date'],
    ['mmm yy', 'date'],
    ['mmmm', 'date'],
    ['[$-409]m/d/yy h:mm AM/PM;@', 'date'],
    ['[$-F800]dddd\\,\\ mmmm\\ dd', 'date'],
    ['hh:mm:ss', 'time'],
    ['mm:ss.0', 'time'],
    ['[h]:mm', 'duration'],
    ['[mm]:ss', 'duration'],
  ])('reads %s as %s', (code, kind) => {
    expect(parseNumberFormat(code).kind).toBe(kind)
  })

  it.each([
    ['#,##0.00 [$€-407]', 'EUR'],
    ['[$SEK] #,##0', 'SEK'],
    ['#,##0 [$kr-41D]', 'SEK'],
    ['#,##0 [$kr-414]', 'NOK'],
    ['[$$-409]#,##0.00', 'USD'],
    ['#,##0 "SEK"', 'SEK'],
    ['£#,##0', 'GBP'],
    ['"$"#,##0.00', undefined],
    ['#,##0 "kr"', undefined],
    ['[$¥]#,##0', undefined],
    ['#,##0 "st"', undefined],
  ])('names the currency of %s only when there is one: %s', (code, currency) => {
    expect(parseNumberFormat(code).currency).toBe(currency)
  })

  it('knows the formats that workbooks name by number alone', () => {
    expect([0, 4, 9, 14, 20, 22, 46, 49].map((id) => builtInFormat(id).kind)).toEqual([
      'number',
      'number',
      'percent',
      'date',
      'time',
      'date',
      'duration',
      'number',
    ])
  })
})

describe('serial numbers', () => {
  const in1900 = { date1904: false }
  it.each([
    [1, '1900-01-01'],
    [59, '1900-02-28'],
    [61, '1900-03-01'],
    [44_197, '2021-01-01'],
    [44_197.5, '2021-01-01T12:00:00'],
    [12_345.6789, '1933-10-18T16:17:36.960'],
    // A float that is a midnight but for its last bits.
    [44_197.999_999_999_9, '2021-01-02'],
    [-1.2, '1899-12-28T19:12:00'],
    [2_958_465, '9999-12-31'],
    [3_000_000, null],
    [-800_000, null],
  ])('reads day %d as %s', (serial, text) => {
    expect(serialToText(serial, 'date', in1900)).toBe(text)
  })

  it('counts from 1904 where the workbook says so', () => {
    expect(serialToText(1, 'date', { date1904: true })).toBe('1904-01-02')
    expect(serialToText(42_735, 'date', { date1904: true })).toBe('2021-01-01')
  })

  it('tells times of day, moments that a format shows as times, and durations in hours', () => {
    expect(serialToText(0.75, 'time', in1900)).toBe('18:00:00')
    expect(serialToText(0.999_999_999_9, 'time', in1900)).toBe('23:59:59.999')
    expect(serialToText(44_197.75, 'time', in1900)).toBe('2021-01-01T18:00:00')
    expect(serialToText(1.5, 'duration', in1900)).toBe('36')
    expect(serialToText(7.75 / 24, 'duration', in1900)).toBe('7.75')
  })
})
