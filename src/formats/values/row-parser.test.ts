import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ColumnMapping } from '../contract'
import { epochDay, parseDate, parseDateTime } from '../../shared/values/parse-date'
import { isoFromDay } from '../../shared/dates'
import { parseNumber } from '../../shared/values/parse-number'
import { createRowParser } from './row-parser'
import type { DateOrder, DecimalMark } from '../../shared/data-sources/files'

const LONG = env.LONG === '1'
const DEFAULTS = { decimalMark: ',', dateOrder: 'ymd' } as const
type Shape = Omit<ColumnMapping['column'], 'key' | 'label'>

function column(shape: Shape, index = 0, file: Partial<NonNullable<ColumnMapping['file']>> = {}): ColumnMapping {
  return {
    column: { key: `c${index}`, label: `Column ${index}`, ...shape },
    file: { index, decimalMark: undefined, dateOrder: undefined, ...file },
  }
}
/** The value of one cell, or the reason of its reject. */
function typed(shape: Shape, text: string, at: { mark?: DecimalMark; order?: DateOrder } = {}): unknown {
  const typer = createRowParser([column(shape)], { decimalMark: at.mark ?? ',', dateOrder: at.order ?? 'ymd' })
  const row = typer.parse([text], 1)
  return row.ok ? row.values[0] : row.reject.reason
}
const money: Shape = { type: 'number', scale: 2 }

describe('typing numbers', () => {
  it.each([
    ['1 234,50', 123_450],
    ['1\u00a0234,50', 123_450],
    ['1\u202f234,50', 123_450],
    ['1’234,50', 123_450],
    ["1'234,50", 123_450],
    ['1.234,50', 123_450],
    ['1234,5', 123_450],
    ['1 234,50 kr', 123_450],
    ['SEK 1 234,50', 123_450],
    ['€1.234,56', 123_456],
    ['-€5,00', -500],
    ['€ -5,00', -500],
    ['(1 234,50)', -123_450],
    ['(€5,00)', -500],
    ['123-', -12_300],
    ['\u2212123,4', -12_340],
    ['+7', 700],
    ['100:-', 10_000],
    [',5', 50],
    ['0', 0],
    ['-0,00', 0],
    ['1e3', 100_000],
    ['', null],
    ['   ', null],
    ['-', null],
    ['N/A', null],
    ['NaN', null],
    ['#SAKNAS!', null],
    ['- kr', 0],
  ])('reads %j with a decimal comma as %j hundredths', (text, value) => expect(typed(money, text)).toBe(value))

  it.each([
    ['1,234.56', 123_456],
    ['$1,234.56', 123_456],
    ['-$5.00', -500],
    ['1234.5', 123_450],
    ['USD 12', 1200],
  ])('reads %j with a decimal point as %j hundredths', (text, value) =>
    expect(typed(money, text, { mark: '.' })).toBe(value),
  )

  it.each([
    'abc',
    '12abc',
    '1,2,3',
    '1.23.4',
    '12 34',
    '1 2345',
    '--5',
    '5--',
    '(-5)',
    '1,',
    '١٢',
    '0x10',
    '1_000',
    '9.0.0',
    'kr',
    '%',
    '5 %%',
    '12 XYZ',
    '1e999',
    '1e-999',
  ])('rejects %j as a number', (text) => expect(typed({ type: 'number' }, text)).toMatch(/^Column 0: “/))

  it('turns percents into exact fractions', () => {
    expect(typed({ type: 'number', scale: 3 }, '12,4 %')).toBe(124)
    expect(typed({ type: 'number', scale: 4 }, '-0,05%')).toBe(-5)
    expect(typed({ type: 'number' }, '50 %')).toBe(0.5)
  })

  it('never adds percents to plain numbers, nor one currency to another', () => {
    const mixed = (texts: string[]): boolean[] => {
      const typer = createRowParser([column({ type: 'number', scale: 4 })], DEFAULTS)
      return texts.map((text, i) => typer.parse([text], i + 1).ok)
    }
    expect(mixed(['5 %', '0', '5', '6 %'])).toEqual([true, true, false, true])
    expect(mixed(['5', '5 %', '0 %'])).toEqual([true, false, true])
    expect(mixed(['€5', '6', '$7', 'EUR 8'])).toEqual([true, true, false, true])
    expect(mixed(['5 kr', 'SEK 5', '5 NOK'])).toEqual([true, true, true])
  })

  it('sends what does not fit the scale unscaled, and says how wide it is', () => {
    const typer = createRowParser([column(money), column(money, 1), column(money, 2)], DEFAULTS)
    const row = typer.parse(['1,234', '0,123456', '1,00'], 1)
    expect(row).toEqual({ ok: true, values: [[1.234], [0.123456], 100] })
  })

  it('keeps or flags numbers at the edge of what is exact', () => {
    const integer: Shape = { type: 'integer' }
    expect(typed(integer, '9007199254740991')).toBe(9_007_199_254_740_991)
    expect(typed(integer, '-9007199254740991')).toBe(-9_007_199_254_740_991)
    expect(typed(integer, '9007199254740992')).toMatch(/more digits than can be kept/)
    expect(typed(integer, '1,5')).toMatch(/not a whole number/)
    expect(typed({ type: 'number' }, '82544000000000707,52')).toMatch(/more digits than can be kept/)
    expect(typed({ type: 'number' }, '1e-320')).toBe(1e-320)
    expect(typed({ type: 'number', scale: 4 }, '90071992547409,92')).toEqual([90_071_992_547_409.92])
  })

  it('keeps every decimal exact, against whole-number arithmetic', () => {
    const amount = fc.record({
      whole: fc.bigInt({ min: 0n, max: 99_999_999_999n }),
      fraction: fc.integer({ min: 0, max: 9999 }),
      negative: fc.boolean(),
    })
    const groups = fc.constantFrom('', ' ', '\u00a0', '\u202f', '.', "'")
    fc.assert(
      fc.property(amount, groups, ({ whole, fraction, negative }, group) => {
        const grouped = whole.toString().replace(/\B(?=(\d{3})+$)/g, group)
        const text = `${negative ? '-' : ''}${grouped},${String(fraction).padStart(4, '0')}`
        const exact = (whole * 10_000n + BigInt(fraction)) * (negative ? -1n : 1n)
        expect(typed({ type: 'number', scale: 4 }, text)).toBe(Number(exact))
      }),
      { numRuns: LONG ? 100_000 : 5_000 },
    )
  })
})

describe('typing dates', () => {
  const iso = (text: string, order: DateOrder): string | null => {
    const days = parseDate(text, order)
    return days === null ? null : isoFromDay(days)
  }
  it.each<[string, DateOrder, string | null]>([
    ['2026-01-31', 'dmy', '2026-01-31'],
    ['2026/1/3', 'dmy', '2026-01-03'],
    ['2000.12.13', 'mdy', '2000-12-13'],
    ['31.12.2026', 'dmy', '2026-12-31'],
    ['1.8.1996', 'dmy', '1996-08-01'],
    ['1/2/19', 'mdy', '2019-01-02'],
    ['1/2/69', 'dmy', '2069-02-01'],
    ['1/2/70', 'dmy', '1970-02-01'],
    ['24-03-08', 'ymd', '2024-03-08'],
    ['31-OCT-2023', 'ymd', '2023-10-31'],
    ['3 maj 2026', 'mdy', '2026-05-03'],
    ['Oct 31, 2023', 'dmy', '2023-10-31'],
    ['20260131', 'dmy', '2026-01-31'],
    ['2024-02-29', 'ymd', '2024-02-29'],
    ['2000-02-29', 'ymd', '2000-02-29'],
    ['1900-02-29', 'ymd', null],
    ['2023-02-29', 'ymd', null],
    ['2023-04-31', 'ymd', null],
    ['31/12/2026', 'mdy', null],
    ['03/10/2024', 'ymd', null],
    ['0000-01-01', 'ymd', null],
    ['45123', 'dmy', null],
    ['1 2 2023', 'dmy', null],
    ['2026-01', 'ymd', null],
    ['2026-1x-01', 'ymd', null],
    ['12:12:12', 'dmy', null],
  ])('reads %j (%s) as %j', (text, order, wanted) => expect(iso(text, order)).toBe(wanted))

  it('numbers every day from year 1 to 9999 in step with the platform', () => {
    fc.assert(
      fc.property(fc.integer({ min: -719_162, max: 2_932_896 }), (days) => {
        const text = new Date(days * 86_400_000).toISOString().slice(0, 10)
        expect(isoFromDay(days)).toBe(text)
        const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
        expect(epochDay(year, month, day)).toBe(days)
        expect(typed({ type: 'date' }, text)).toBe(days)
      }),
      { numRuns: LONG ? 100_000 : 3_000 },
    )
  })

  const at = (text: string, order: DateOrder = 'ymd'): string | null => {
    const found = parseDateTime(text, order)
    return found === null ? null : `${new Date(found.ms).toISOString()}${found.zoned ? ' zoned' : ''}`
  }
  it.each<[string, DateOrder, string | null]>([
    ['2026-01-31T23:59:58Z', 'ymd', '2026-01-31T23:59:58.000Z zoned'],
    ['2026-01-31 23:59', 'ymd', '2026-01-31T23:59:00.000Z'],
    ['2020-12-30 01:25:58.745232+01', 'ymd', '2020-12-30T00:25:58.745Z zoned'],
    ['2020-12-30T01:25:58-05:30', 'ymd', '2020-12-30T06:55:58.000Z zoned'],
    ['2020-12-30T01:25+0200', 'ymd', '2020-12-29T23:25:00.000Z zoned'],
    ['1/2/2023, 12:33 PM', 'mdy', '2023-01-02T12:33:00.000Z'],
    ['1/2/2023 12:00 AM', 'mdy', '2023-01-02T00:00:00.000Z'],
    ['13-12-2004 15:16:00', 'dmy', '2004-12-13T15:16:00.000Z'],
    ['2026-01-31', 'ymd', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31 24:00', 'ymd', null],
    ['2026-01-31 13:00 PM', 'ymd', null],
    ['2026-01-31T10:61:00', 'ymd', null],
    ['2023-02-29T10:00:00Z', 'ymd', null],
  ])('reads %j (%s) as %j', (text, order, wanted) => expect(at(text, order)).toBe(wanted))

  it('says why a date or time is refused', () => {
    expect(typed({ type: 'date' }, '2023-02-29')).toBe('Column 0: “2023-02-29” is not a date (year first).')
    expect(typed({ type: 'date' }, '2023-02-28 10:00')).toMatch(/has a time of day/)
    expect(typed({ type: 'date' }, '2023-02-28 00:00:00')).toBe(epochDay(2023, 2, 28))
    expect(typed({ type: 'datetime', zoned: false }, '2023-02-28T10:00:00Z')).toMatch(/has a time zone/)
    expect(typed({ type: 'datetime', zoned: true }, '2023-02-28T10:00:00')).toMatch(/has no time zone/)
  })
})

describe('typing rows', () => {
  it('fills missing cells with nothing, lets empty extra cells go and rejects filled ones', () => {
    const typer = createRowParser([column({ type: 'text' }), column({ type: 'integer' }, 1)], {
      ...DEFAULTS,
      fileWidth: 2,
    })
    expect(typer.parse(['a'], 2)).toEqual({ ok: true, values: ['a', null] })
    expect(typer.parse(['a', '1', '', ''], 3)).toEqual({ ok: true, values: ['a', 1] })
    expect(typer.parse(['a', '1', 'x'], 4)).toEqual({
      ok: false,
      reject: { line: 4, reason: 'The row has 3 values for 2 columns.', text: 'a | 1 | x' },
    })
  })

  it('gives NULL for columns that the file does not have, and per-column marks and orders', () => {
    const columns = [
      { column: { key: 'c9' as const, label: 'Gone', type: 'text' as const }, file: null },
      column(money, 0, { decimalMark: '.' }),
      column({ type: 'date' }, 1, { dateOrder: 'dmy' }),
      column({ type: 'boolean' }, 2),
    ]
    const row = createRowParser(columns, DEFAULTS).parse(['1,000.5', '1/2/2026', 'Ja'], 1)
    expect(row).toEqual({ ok: true, values: [null, 100_050, epochDay(2026, 2, 1), 1] })
  })

  it('keeps texts as they are in the file, in NFC', () => {
    expect(typed({ type: 'text' }, ' Åsa ')).toBe(' Åsa ')
    expect(typed({ type: 'text' }, 'A\u030asa')).toBe('Åsa')
    expect(typed({ type: 'text' }, '-')).toBe('-')
    expect(typed({ type: 'text' }, '007')).toBe('007')
    expect(typed({ type: 'text' }, '  \u00a0')).toBe(null)
  })

  it('tells every column that a rejected row cannot be read as, and remembers nothing of the row', () => {
    const typer = createRowParser([column({ type: 'integer' }), column(money, 1), column(money, 2)], DEFAULTS)
    expect(typer.parse(['1', '2 EUR', ''], 1).ok).toBe(true)
    expect(typer.parse(['x', '3 SEK', '4 SEK'], 2).ok).toBe(false)
    expect(typer.unfit(['x', '3 SEK', '4 SEK'])).toEqual([0, 1])
    expect(typer.parse(['5', '', '6 EUR'], 3).ok).toBe(true)
    expect(typer.unfit(['5', '', '6 EUR'])).toEqual([])
  })

  it('cuts the text of a reject to 200 characters', () => {
    const row = createRowParser([column({ type: 'integer' })], DEFAULTS).parse(['x'.repeat(5000)], 7)
    expect(row.ok).toBe(false)
    if (!row.ok) {
      expect(row.reject.text).toHaveLength(200)
      expect(row.reject.reason.length).toBeLessThan(120)
    }
  })

  it('answers long hostile texts at once', () => {
    const hostile = [
      '1',
      ' ',
      '-',
      '(',
      '1 ',
      "1'",
      '1.',
      '1,',
      'a',
      'kr',
      '%',
      '0',
      '1e',
      '12:',
      '+',
      '\u00a0',
      '1/',
      'e',
    ].map((part) => part.repeat(30_000 / part.length))
    const started = performance.now()
    for (const text of hostile) {
      for (const tail of ['', '!', '\n', 'Z']) {
        for (const short of [text + tail, text.slice(0, 40) + tail, text.slice(0, 62) + tail]) {
          parseNumber(short, ',')
          parseDate(short, 'dmy')
          parseDateTime(short, 'mdy')
          for (const type of ['integer', 'number', 'boolean', 'date', 'datetime', 'text'] as const)
            typed({ type }, short)
        }
      }
    }
    expect(performance.now() - started).toBeLessThan(hostile.length * 4 * 50)
  })
})

it('reads what a column of texts writes where it has no value as nothing, and only there', () => {
  const texts = [column({ type: 'text' }, 0, { emptyMarker: 'NULL' }), column({ type: 'text' }, 1)]
  const parser = createRowParser(texts, DEFAULTS)
  const read = (...cells: string[]): unknown => parser.parse(cells, 1)
  expect(read('NULL', 'NULL')).toEqual({ ok: true, values: [null, 'NULL'] })
  expect(read(' null ', '-')).toEqual({ ok: true, values: [null, '-'] })
  expect(read('NULLE', '')).toEqual({ ok: true, values: ['NULLE', null] })
})
