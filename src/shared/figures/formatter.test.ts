import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ColumnFormat } from '../data-sources/files'
import { amountColumn, createCellFormatter, inOneSentence } from './cell-formatter'
import { joinRange } from './figures'
import { formatRelativeTime, formatDateTime, formatDate, createFormatter } from './formatter'

const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ')

const swedish = createFormatter({ numberLocale: 'sv-SE', currency: 'SEK', timeZone: 'Europe/Stockholm' })
const german = createFormatter({ numberLocale: 'de-DE', currency: 'EUR', timeZone: 'Europe/Berlin' })
const american = createFormatter({ numberLocale: 'en-US', currency: 'USD', timeZone: 'America/New_York' })

describe('figures', () => {
  it('writes kronor as Swedes do', () => {
    expect(plain(swedish.money(1_234_567))).toBe('1 234 567 kr')
    expect(plain(swedish.money(1234.5))).toBe('1 234,50 kr')
    expect(plain(swedish.money(-500))).toBe('−500 kr')
  })
  it('writes per cent with the locale’s mark and space', () => {
    expect(plain(swedish.percent(0.124))).toBe('12,4 %')
    expect(american.percent(0.124)).toBe('12.4%')
  })
  it('writes the marks of an axis with the decimals of their step, in the unit of the largest', () => {
    const sek = { style: 'currency', currency: 'SEK' } as const
    const ticks = (values: number[], format: ColumnFormat, step: number): string[] =>
      values.map((value) => plain(swedish.tick(value, format, { like: values.at(-1) ?? 0, step })))
    expect(ticks([0, 4_000, 8_000, 12_000], sek, 4_000)).toEqual(['0', '4 tkr', '8 tkr', '12 tkr'])
    expect(ticks([0, 0.05, 0.1, 0.15], { style: 'plain' }, 0.05)).toEqual(['0,00', '0,05', '0,10', '0,15'])
    expect(ticks([0, 250_000, 1_000_000], sek, 250_000)).toEqual(['0', '0,25 Mkr', '1,00 Mkr'])
    expect(ticks([0, 0.025, 0.05], { style: 'percent' }, 0.025)).toEqual(['0,0 %', '2,5 %', '5,0 %'])
    expect(american.tick(250_000, { style: 'currency', currency: 'USD' }, { like: 1_000_000, step: 250_000 })).toBe(
      '$0.25M',
    )
  })

  it('shortens the figures of marks to about three digits', () => {
    expect(plain(swedish.shortMoney(1_234_567))).toBe('1,23 Mkr')
    expect(plain(swedish.shortMoney(340_400))).toBe('340 tkr')
    expect(plain(swedish.shortMoney(2_100_000_000))).toBe('2,1 Mdkr')
    expect(plain(swedish.shortMoney(950))).toBe('950 kr')
    expect(plain(swedish.short(1_234_567))).toBe('1,23 M')
    expect(american.shortMoney(1_234_567)).toBe('$1.23M')
    expect(american.shortMoney(830_600)).toBe('$831k')
    expect(american.short(167_200)).toBe('167k')
    expect(plain(german.shortMoney(1_234_567))).toBe('1,23 Mio. €')
  })

  it('says three digits and a unit in sentences from 100 000 on', () => {
    const sek = { style: 'currency', currency: 'SEK' } as const
    expect(plain(swedish.sentence(1_284_400, sek))).toBe('1,28 Mkr')
    expect(plain(swedish.sentence(99_940, sek))).toBe('99 940 kr')
    expect(plain(swedish.sentence(553_412, sek, { signed: true }))).toBe('+553 tkr')
    expect(plain(swedish.sentence(-553_412, sek, { signed: true }))).toBe('−553 tkr')
    expect(american.sentence(830_600, { style: 'currency', currency: 'USD' })).toBe('$831k')
    expect(plain(swedish.sentence(12_449.6, { style: 'plain' }))).toBe('12 450')
    expect(plain(swedish.sentence(-0.003, { style: 'percent' }, { signed: true }))).toBe('−0,3 pp')
  })

  it('writes all three digits in a sentence with other figures, and fewer alone', () => {
    const beside = (value: number): string => plain(swedish.sentence(value, { style: 'plain' }, { decimals: 0 }))
    expect([1_700_000, 1_810_000, 250_000, 100_000_000].map(beside)).toEqual(['1,70 M', '1,81 M', '250 k', '100 M'])
    expect(plain(swedish.sentence(1_000_000, { style: 'currency', currency: 'SEK' }, { decimals: 0 }))).toBe('1,00 Mkr')
    expect(plain(swedish.sentence(1_700_000, { style: 'plain' }))).toBe('1,7 M')
  })

  it('writes money with both decimals where its column keeps one', () => {
    const cells = createCellFormatter(swedish)
    const column = { type: 'number', kind: 'measure', format: { style: 'plain' }, scale: 1 } as const
    expect(plain(cells.full('5287852.0', { ...column, label: 'Sum of Belopp' }))).toBe('5 287 852,00')
    expect(plain(cells.full('410.0', { ...column, label: 'Sum of Hours' }))).toBe('410,0')
    expect(plain(cells.full('12.5', { ...column, kind: 'column', label: 'Belopp' }))).toBe('12,5')
  })

  it('rounds a loss as the gain of its size', () => {
    const shown = (value: number): string => plain(swedish.sentence(value, { style: 'plain' }, { signed: true }))
    expect([16_746.5, -16_746.5].map(shown)).toEqual(['+16 747', '−16 747'])
    expect(plain(swedish.sentence(-372.5, { style: 'plain' }, { decimals: 0 }))).toBe('−373')
  })

  it('gives per cent one decimal below 100 % and none above', () => {
    expect(plain(swedish.percent(0.9994))).toBe('99,9 %')
    expect(plain(swedish.percent(0.99961, { even: true }))).toBe('100 %')
    expect(plain(swedish.percent(12.404))).toBe('1 240 %')
    expect(plain(swedish.percent(0.1, { even: true }))).toBe('10,0 %')
    expect(plain(swedish.percent(0.124, { signed: true }))).toBe('+12,4 %')
  })

  it('has at most two decimals, and never a nought for what is none', () => {
    expect(plain(swedish.decimal(613_933.58))).toBe('613 933,58')
    expect(plain(swedish.decimal(0.00341))).toBe('0,0034')
    expect(plain(swedish.decimal(-0.000001))).toBe('−0,000001')
  })
  it('shows a moment of a file on the workspace’s clock only when it names a zone', () => {
    expect(swedish.moment('2025-10-31T23:30:00Z')).toBe('1 Nov 2025, 00:30')
    expect(swedish.moment('2025-10-31 23:30')).toBe('31 Oct 2025, 23:30')
    expect(swedish.moment('2025-10-31')).toBe('31 Oct 2025, 00:00')
    expect(swedish.moment('soon')).toBe('–')
  })
  it('never shows a thousand of the smaller unit', () => {
    expect(plain(swedish.short(999_999))).toBe('1 M')
    expect(plain(swedish.sentence(999_999, { style: 'plain' }))).toBe('1 M')
  })
  it('keeps every digit of exact decimal text', () => {
    expect(plain(swedish.decimal('90071992547409931.25'))).toBe('90 071 992 547 409 931,25')
  })
  it('never shows NaN, null, undefined or an infinity', () => {
    const figure = fc.oneof(
      fc.double(),
      fc.constantFrom(null, undefined, NaN, Infinity, -Infinity, '', 'abc', '1e999'),
      fc.string(),
    )
    fc.assert(
      fc.property(figure, figure, (value, before) => {
        for (const format of [swedish, german, american]) {
          const all = [
            format.decimal(value),
            format.money(value),
            format.percent(value),
            format.short(value),
            format.shortMoney(value),
            format.count(value),
            format.change({ now: value, before, period: 'May 2026', format: { style: 'currency', currency: 'SEK' } }),
          ]
          for (const words of all) {
            expect(words).not.toMatch(/NaN|null|undefined|∞|Infinity/)
            expect(words).not.toBe('')
          }
        }
      }),
    )
  })
  it('names file sizes in powers of 1024', () => {
    expect(plain(swedish.bytes(0))).toBe('0 B')
    expect(plain(swedish.bytes(1536))).toBe('1,5 kB')
    expect(plain(swedish.bytes(200 * 1024 * 1024))).toBe('200 MB')
  })
})

describe('changes', () => {
  const words = (
    now: number | null,
    before: number | null,
    format: ColumnFormat = { style: 'currency', currency: 'SEK' },
  ) => plain(swedish.change({ now, before, period: 'Jan–Mar 2025', format }))
  it('say direction, per cent, amount and period', () => {
    expect(words(1_668_797, 1_484_567)).toBe('up 12,4 % (+184 tkr) vs Jan–Mar 2025')
    expect(words(900, 1000)).toBe('down 10,0 % (−100 kr) vs Jan–Mar 2025')
  })
  it('from a base of zero or less say the amount only', () => {
    expect(words(500, 0)).toBe('up 500 kr vs Jan–Mar 2025')
    expect(words(500, -200)).toBe('up 700 kr vs Jan–Mar 2025')
    expect(words(500, 500)).toBe('unchanged vs Jan–Mar 2025')
    expect(words(null, 500)).toBe('No value for Jan–Mar 2025')
  })
  it('of per cent are in points', () => {
    expect(words(0.31, 0.284, { style: 'percent' })).toBe('up 2,6 pp vs Jan–Mar 2025')
  })
})

describe('dates', () => {
  it('keep a day the same day in every zone', () => {
    expect(formatDate('2026-01-31')).toBe('31 Jan 2026')
  })
  it('show an instant on the workspace’s clock', () => {
    expect(formatDateTime('2026-06-30T22:30:00Z', 'Europe/Stockholm')).toBe('1 Jul 2026, 00:30')
    expect(formatDateTime('not a date', 'UTC')).toBe('–')
    expect(swedish.day('2026-06-30T22:30:00Z')).toBe('1 Jul 2026')
    expect(swedish.day(null)).toBe('–')
  })
  it('are written as the person writes them, figures as the workspace does', () => {
    const settings = { numberLocale: 'sv-SE', currency: 'SEK', timeZone: 'Europe/Stockholm' }
    const american = createFormatter({ ...settings, dateLocale: 'en-US' })
    expect(american.date('2026-01-31')).toBe('Jan 31, 2026')
    expect(american.dateTime('2026-06-30T22:30:00Z').replace(/\s/g, ' ')).toBe('Jul 1, 2026, 12:30 AM')
    expect(american.decimal(1234.5)).toBe(createFormatter(settings).decimal(1234.5))
    expect(createFormatter({ ...settings, dateLocale: 'sv-SE' }).date('2026-01-31')).toBe('31 jan. 2026')
    expect(createFormatter({ ...settings, dateLocale: null }).date('2026-09-01')).toBe('1 Sep 2026')
  })
  it('tell an age in words', () => {
    const now = Date.parse('2026-06-30T12:00:00Z')
    expect(formatRelativeTime('2026-06-30T11:59:40Z', now)).toBe('just now')
    expect(formatRelativeTime('2026-06-30T11:20:00Z', now)).toBe('40 minutes ago')
    expect(formatRelativeTime('2026-06-29T11:00:00Z', now)).toBe('yesterday')
    expect(formatRelativeTime(null, now)).toBe('never')
    expect(formatRelativeTime('2026-07-01T00:00:00Z', now)).toBe('just now')
  })
})

const cells = createCellFormatter(swedish)
const PLAIN = { style: 'plain' } as const
const SEK = { style: 'currency', currency: 'SEK' } as const

it.each([
  ['of amounts with fractions', PLAIN, ['1101.36', 195.1, null, 7], ['1 101,36', '195,10', '–', '7,00']],
  ['of whole ones', PLAIN, [1101, 7], ['1 101', '7']],
  ['of money', SEK, [1101.5, 7], ['1 101,50 kr', '7,00 kr']],
] as const)('writes the figures of a list alike, and none rounded: %s', (_, format, values, written) => {
  const column = amountColumn(format, values)
  expect(values.map((value) => cells.full(value, column).replaceAll(/\s/g, ' '))).toEqual(written)
})

it.each([
  ['to the decimals of the one that needs the most', PLAIN, [712.45, 630.5, 12], ['712,45', '630,50', '12,00']],
  ['whole where all are', PLAIN, [712, 630], ['712', '630']],
  ['whole beside what is too large for fractions', PLAIN, [1105.2, 630.5], ['1 105', '631']],
  ['but not what is too small to lose them', PLAIN, [1105.2, -5.5], ['1 105', '−5,5']],
  ['in money', SEK, [712.45, 630], ['712,45 kr', '630,00 kr']],
  ['beside short ones', SEK, [1_280_000, 630.5], ['1,28 Mkr', '631 kr']],
  ['of nothing', PLAIN, [null, 630.5], ['–', '630,5']],
] as const)('writes the figures of one sentence alike: %s', (_, format, values, written) => {
  const column = inOneSentence({ kind: 'measure', type: 'number', format }, values)
  expect(values.map((value) => cells.sentence(value, column).replaceAll(/\s/g, ' '))).toEqual(written)
})

it.each([
  ['a figure by itself', [529.5], ['529,50']],
  ['figures beside it', [529.5, 12], ['529,50', '12,00']],
  ['whole ones', [529, 12], ['529', '12']],
  ['what is too large for fractions', [1529.5], ['1 530']],
] as const)('shows in a sentence the decimals that its column shows: %s', (_, values, written) => {
  const own = { kind: 'measure', type: 'number', format: PLAIN, scale: 2 } as const
  const text = (value: number, column = inOneSentence(own, values)) => cells.sentence(value, column)
  expect(values.map((value) => text(value).replaceAll(/\s/g, ' '))).toEqual(written)
  expect(text(529.5, own)).toBe(cells.full(529.5, own))
  expect(cells.signedSentence(-0.5, own)).toBe('−0,50')
  expect(cells.change({ now: 10.5, before: -7, period: '2025' }, own)).toBe('up 17,50 vs 2025')
})

it('writes a change like the figures beside it', () => {
  const column = inOneSentence({ kind: 'measure', type: 'number', format: PLAIN }, [712.45, 12])
  expect(cells.change({ now: 712, before: 700, period: '2025' }, column)).toBe('up 1,7\u00a0% (+12,00) vs 2025')
  expect(cells.change({ now: 5, before: -7, period: '2025' }, column)).toBe('up 12,00 vs 2025')
})

it.each([
  ['in the unit of the larger end', SEK, [73_059, 1_280_000], '0,07 Mkr–1,28 Mkr'],
  ['with three digits of it', SEK, [3_456_000, 12_800_000], '3,5 Mkr–12,8 Mkr'],
  ['below nothing', SEK, [-1_280_000, -73_059], '−1,28 Mkr – −0,07 Mkr'],
  ['around nothing', SEK, [-320_000, 1_300_000], '−0,32 Mkr–1,30 Mkr'],
  ['from nothing', SEK, [0, 1_300_000], '0 kr–1,3 Mkr'],
  ['apart where one would vanish', SEK, [730, 1_280_000], '730 kr–1,28 Mkr'],
  ['whole where both are small', SEK, [12_450, 73_059], '12 450 kr–73 059 kr'],
  ['with the same decimals', PLAIN, [630.5, 712.45], '630,50–712,45'],
  ['of a percentage', { style: 'percent' }, [0.05, 0.124], '5,0 %–12,4 %'],
] as const)('writes both ends of a range alike: %s', (_, format, [lower, upper], written) => {
  const column = { kind: 'measure' as const, type: 'number' as const, format }
  const [from = '', to = ''] = cells.alikeInSentence([lower, upper], column)
  expect(joinRange(from, to).replaceAll(/\s/g, ' ')).toBe(written)
})
