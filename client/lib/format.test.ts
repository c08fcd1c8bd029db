import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatRelativeTime, formatDateTime, formatDate, createFormatter } from './format'

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
  it('gives all marks of an axis the unit of its largest figure', () => {
    const marks = [0, 3_000, 9_000, 12_000].map((mark) => plain(swedish.shortMoney(mark, 'SEK', 11_500)))
    expect(marks).toEqual(['0', '3 tkr', '9 tkr', '12 tkr'])
    expect([0, 500_000, 1_500_000].map((mark) => plain(swedish.short(mark, 1_600_000)))).toEqual([
      '0',
      '0,5 M',
      '1,5 M',
    ])
  })

  it('shortens axis figures with one decimal', () => {
    expect(plain(swedish.shortMoney(1_234_567))).toBe('1,2 Mkr')
    expect(plain(swedish.shortMoney(340_000))).toBe('340 tkr')
    expect(plain(swedish.shortMoney(2_100_000_000))).toBe('2,1 Mdkr')
    expect(plain(swedish.shortMoney(950))).toBe('950 kr')
    expect(plain(swedish.short(1_234_567))).toBe('1,2 M')
    expect(american.shortMoney(1_234_567)).toBe('$1.2M')
    expect(plain(german.shortMoney(1_234_567))).toBe('1,2 Mio. €')
  })
  it('shows a moment of a file on the workspace’s clock only when it names a zone', () => {
    expect(swedish.moment('2025-10-31T23:30:00Z')).toBe('1 Nov 2025, 00:30')
    expect(swedish.moment('2025-10-31 23:30')).toBe('31 Oct 2025, 23:30')
    expect(swedish.moment('2025-10-31')).toBe('31 Oct 2025, 00:00')
    expect(swedish.moment('soon')).toBe('–')
  })
  it('never shows a thousand of the smaller unit', () => {
    expect(plain(swedish.short(999_999))).toBe('1 M')
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
            format.change({ now: value, before, period: 'May 2026', style: 'money' }),
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
  const words = (now: number | null, before: number | null) =>
    plain(swedish.change({ now, before, period: 'Jan–Mar 2025', style: 'money' }))
  it('say amount, per cent and period with a sign', () => {
    expect(words(1_668_797, 1_484_567)).toBe('+184 230 kr (+12,4 %) compared with Jan–Mar 2025')
    expect(words(900, 1000)).toBe('−100 kr (−10 %) compared with Jan–Mar 2025')
  })
  it('say in words what has no per cent', () => {
    expect(words(500, 0)).toBe('+500 kr compared with nothing in Jan–Mar 2025')
    expect(words(500, 500)).toBe('Unchanged compared with Jan–Mar 2025')
    expect(words(null, 500)).toBe('No comparison with Jan–Mar 2025')
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
