import { describe, expect, it } from 'vitest'
import { findBookkeepingTables, openingBalanceFilters, latestYearOpenings, fiscalYearFirstDay } from './ledger'
import { eventAmounts, removeEvents } from './events'
import { firstWholePeriod, missingPeriods, toGrid, partToGrid, listPeriods, remainderPart } from './period-grid'
import type { ForecastEvent } from '../../../shared/forecasts/forecasts'
import type { Column } from '../../../shared/data-sources/data-sources'
import type { Calendar } from '../../../shared/dates'

const calendar: Calendar = { timeZone: 'UTC', weekStart: 'sunday', fiscalYearStart: 9, today: '2026-05-05' }
const months = { grain: 'month', calendar } as const
const series = (label: string, values: (number | null)[]) => ({ member: label, label, values })

describe('a grid', () => {
  it('holds each period of the calendar once, weeks from the day that they begin on', () => {
    expect(listPeriods('2025-11-01', '2026-02-01', months)).toEqual([
      '2025-11-01',
      '2025-12-01',
      '2026-01-01',
      '2026-02-01',
    ])
    expect(listPeriods('2026-02-22', '2026-03-08', { grain: 'week', calendar })).toEqual([
      '2026-02-22',
      '2026-03-01',
      '2026-03-08',
    ])
  })

  it('begins with a whole period', () => {
    expect([firstWholePeriod('2026-03-01', months), firstWholePeriod('2026-03-02', months)]).toEqual([
      '2026-03-01',
      '2026-04-01',
    ])
  })

  it.each([
    ['two quiet months are none', '1100111', []],
    ['three months in a row are one', '1000111', [1, 2, 3]],
    ['three months in a row are none where that is usual', '10001000100011', []],
    [
      'half a year is one even where three months are usual',
      '1000100010001000000000011',
      [13, 14, 15, 16, 17, 18, 19, 20, 21, 22],
    ],
  ])('with holes: %s', (_name, rows, holes) => {
    expect([...missingPeriods(Array.from(rows, Number), 'month')]).toEqual(holes)
  })

  it('with a hole where a month lacks its records: others have many, and the same month of other years has some', () => {
    const months = (usual: number, ...empty: number[]): number[] =>
      Array.from({ length: 36 }, (_, at) => (empty.includes(at) ? 0 : usual))
    expect([...missingPeriods(months(40, 21), 'month')]).toEqual([21])
    expect([...missingPeriods(months(4, 21), 'month')], 'months of few rows').toEqual([])
    expect([...missingPeriods(months(40, 6, 18, 30), 'month')], 'a holiday of each year').toEqual([])
    expect([...missingPeriods(months(40, 21), 'week')]).toEqual([])
  })

  it('with no hole where a business is closed for the same months of each year, and one where it lacks them once', () => {
    const closed = (...winters: number[]): number[] =>
      Array.from({ length: 30 }, (_, at) => (winters.some((first) => first <= at && at < first + 3) ? 0 : 40))
    expect([...missingPeriods(closed(8, 20), 'month')]).toEqual([])
    expect([...missingPeriods(closed(8), 'month')]).toEqual([8, 9, 10])
    const years = [40, ...Array.from({ length: 26 }, () => 0), 40, 40]
    expect(missingPeriods(years, 'month').size, 'two years without a row are no season').toBe(26)
  })

  it('fills sums with 0 outside holes, and averages never', () => {
    const values = new Map([
      ['a', 5],
      ['d', 7],
    ])
    const holes = new Set([2])
    expect(toGrid(['a', 'b', 'c', 'd'], values, { additive: true, holes })).toEqual([5, 0, null, 7])
    expect(toGrid(['a', 'b', 'c', 'd'], values, { additive: false, holes })).toEqual([5, null, null, 7])
  })

  it('knows nothing of a part before it first appears, and calls what is left Other', () => {
    expect(partToGrid(['a', 'b', 'c', 'd'], new Map([['b', 5]]), [1, 9, null, 3])).toEqual([null, 5, null, 0])
    expect(remainderPart([10, null, 0.3], [series('x', [4, 1, 0.1]), series('y', [null, 1, 0.2])])).toEqual(
      series('Other', [6, null, 0]),
    )
    expect(remainderPart([10], [series('Other', [4])])).toEqual(series('All others', [6]))
    expect(remainderPart([0.3], [series('x', [0.1]), series('y', [0.2])])).toBeNull()
  })
})

describe('events', () => {
  const event = (from: string, to: string, effect: ForecastEvent['effect']): ForecastEvent => ({
    name: 'e',
    from,
    to,
    effect,
  })
  const periods = ['2026-01-01', '2026-02-01', '2026-03-01']
  const events = [
    event('2026-01-31', '2026-02-01', { kind: 'amount', value: 100 }),
    event('2026-03-31', '2026-04-02', { kind: 'leaveOut' }),
  ]

  it('count in every period that they share a day with', () => {
    expect(eventAmounts(periods, events, months)).toEqual([100, 100, 0])
  })

  it('are taken off the whole, and off the parts in proportion to what they were', () => {
    const total = { member: null, label: null, values: [400, null, 50] }
    const parts = [series('x', [300, null, 20]), series('y', [100, null, 30])]
    const seen = removeEvents({ total, parts }, { ...months, periods, events })
    expect(seen.total.values).toEqual([300, null, null])
    expect(seen.parts.map(({ values }) => values)).toEqual([
      [225, null, null],
      [75, null, null],
    ])
  })
})

describe('books', () => {
  const table = (id: string, labels: string[], sourceId = 's') => ({
    ...{ id, sourceId },
    columns: labels.map((label, at): Column => ({
      ...{ key: `c${at}`, label, type: 'text', role: 'dimension', format: { style: 'plain' }, hidden: false },
      fileIndex: at,
    })),
  })
  const entries = table('e', ['org_number', 'voucher_key', 'date', 'account', 'amount', 'dim_1'])
  const balances = table('b', ['org_number', 'fiscal_year', 'account', 'object', 'kind', 'amount'])
  const any = [{ op: 'eq' as const, value: '556000-0001' }]

  it('are postings beside the balances of the same source', () => {
    expect(findBookkeepingTables('e', [balances, entries])).toEqual({ balances, entries })
    expect(findBookkeepingTables('e', [{ ...balances, sourceId: 'other' }, entries])).toBeNull()
    expect(findBookkeepingTables('b', [balances, entries])).toBeNull()
  })

  it('are asked of the companies that a figure is of, and not for something narrower', () => {
    const of = { balances, entries }
    const on = (column: `c${number}`) => ({ field: { dataset: 'e', column }, any })
    expect(openingBalanceFilters([on('c0'), on('c3')], of)).toEqual([{ field: { dataset: 'b', column: 'c0' }, any }])
    expect(openingBalanceFilters([on('c5')], of)).toBeNull()
    expect(openingBalanceFilters([{ kind: 'exists', dataset: 'b', filters: [] }], of)).toBeNull()
  })

  it('begin with the newest fiscal year that has begun', () => {
    expect(['2025', '2024-07/2025-06', '-1'].map(fiscalYearFirstDay)).toEqual(['2025-01-01', '2024-07-01', null])
    const year = (company: string, start: string, amount: number) => ({ company, start, amount })
    const years = [
      year('a', '2024-01-01', 1),
      year('a', '2026-01-01', 3),
      year('a', '2025-01-01', 2),
      year('b', '2026-01-01', 4),
    ]
    expect(latestYearOpenings(years, '2025-12-31')).toEqual([year('a', '2025-01-01', 2)])
  })
})
