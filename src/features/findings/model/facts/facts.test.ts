import { describe, expect, it } from 'vitest'
import { factsOf, monthFacts } from './facts'
import { growthWindows } from './growth-facts'
import type { AnalysisSubject, SubjectSeries } from '../subject'
import type { DetectedFinding, FindingKind } from '../../../../shared/findings'

const monthsFrom = (year: number, count: number): string[] =>
  Array.from({ length: count }, (_, n) => new Date(Date.UTC(year, n, 1)).toISOString().slice(0, 10))
const series = (values: readonly number[]): SubjectSeries => ({ value: values, count: values.map(() => 10) })
const flat = (first: number, second: number): number[] => [
  ...Array.from({ length: 12 }, () => first),
  ...Array.from({ length: 12 }, () => second),
]

/** Two years of a result by region: the north brings more each year, the south loses. */
function subject(over: Partial<AnalysisSubject> = {}): AnalysisSubject {
  const [north, south] = [flat(100, 130), flat(20, -10)]
  return {
    ...{ key: 'profit', label: 'Profit', grain: 'month', additive: true, direction: 'up', scale: 2 },
    buckets: monthsFrom(2024, 24),
    total: series(north.map((value, at) => value + (south[at] ?? 0))),
    dimensions: [
      {
        key: 'region',
        label: 'Region',
        members: [
          { member: 'North', series: series(north) },
          { member: 'South', series: series(south) },
          { member: '', series: series(flat(0, 0)) },
        ],
      },
    ],
    ...over,
  }
}
const MAIN = { isMain: true, isMoney: true, isResult: true }
const told = (found: readonly DetectedFinding[], kind: FindingKind): string[] =>
  found
    .filter((one) => one.kind === kind)
    .map(({ sentence }) =>
      sentence
        .map((part) => {
          if ('text' in part) return part.text
          if ('member' in part) return String(part.member.value)
          if ('period' in part) return `${part.period.from.slice(0, 7)}–${part.period.to.slice(0, 7)}`
          return 'figure' in part ? String(part.figure) : ''
        })
        .join(''),
    )

describe('what the rows of a figure say by themselves', () => {
  it('is when it was highest and lowest, within the time that is looked at: rows may go back further', () => {
    const waves = Array.from({ length: 24 }, (_, at) => (at === 3 ? 400 : at === 20 ? 20 : 100))
    expect(told(factsOf(subject({ total: series(waves) }), MAIN), 'peak')).toEqual([
      'Profit in 2024-01–2025-12: highest in 2024-04–2024-04 (400), lowest in 2025-09–2025-09 (20), 109.17 per month on average.',
    ])
  })

  it('is the highest month of what is looked at by weeks, and the newest beside the one before', () => {
    const months = (values: readonly number[]): string[] =>
      told(
        monthFacts(subject({ buckets: monthsFrom(2024, values.length), total: series(values), dimensions: [] })),
        'peak',
      )
    expect(months([100, 130, 90])).toEqual([
      'Profit in 2024-01–2024-03: highest in 2024-02–2024-02 (130), lowest in 2024-03–2024-03 (90), 106.67 per month on average. 2024-03–2024-03: down 0.3076923076923077 (-40) to 90 vs 2024-02–2024-02.',
    ])
    expect(months([100, 130])).toEqual([])
  })

  it('is the highest week beside the highest month', () => {
    const of = subject({ buckets: monthsFrom(2024, 3), total: series([100, 130, 90]), dimensions: [] })
    const weeks = { ...of, grain: 'week' as const, buckets: ['2024-01-01', '2024-01-08', '2024-01-15'] }
    expect(told(monthFacts(of, { ...weeks, total: series([20, 60, 40]) }), 'peak')[0]).toContain(
      ' per month on average. Highest week: 2024-01–2024-01 (60). ',
    )
  })

  it('is a large member that lacks a month in which all others had theirs, unless it comes in bursts or lacks it each year', () => {
    const dimensionOf = (rowsAt: (at: number) => number): AnalysisSubject['dimensions'] => {
      const count = Array.from({ length: 24 }, (_, at) => rowsAt(at))
      const town = { member: 'Falun', series: { value: count.map((rows) => rows * 2), count } }
      const others = { member: 'Borås', series: series(flat(200, 200)) }
      return [{ key: 'town', label: 'Town', members: [town, others] }]
    }
    const gaps = (rowsAt: (at: number) => number): string[] =>
      told(factsOf(subject({ dimensions: dimensionOf(rowsAt) }), MAIN), 'outlier')
    expect(gaps((at) => (at === 16 ? 0 : 20 + (at % 3)))).toEqual([
      'No Profit for Falun in 2025-05–2025-05; 42 per month around it.',
    ])
    expect(gaps((at) => (at % 12 === 4 ? 0 : 20))).toEqual([])
    expect(gaps((at) => (at === 16 ? 0 : at % 4 === 0 ? 60 : 9))).toEqual([])
    expect(
      gaps((at) => (at === 23 ? 0 : 20)),
      'the newest month is told as a member that is gone',
    ).toEqual([])
    expect(
      gaps((at) => (at === 3 ? 0 : 20)),
      'before the newest year',
    ).toEqual([])
  })

  it('is the largest member, with the month since when it is gone', () => {
    const gone = flat(50, 50).map((value, at) => (at > 20 ? 0 : value))
    const members = [
      { member: 'A', series: { value: gone, count: gone.map((value) => value / 10) } },
      { member: 'B', series: series(flat(30, 30)) },
    ]
    const total = series(gone.map((value) => value + 30))
    const of = subject({ total, dimensions: [{ key: 'customer', label: 'Customer', members }] })
    expect(told(factsOf(of, MAIN), 'leader')[0]).toContain('None for A since 2025-10–2025-10.')
    const still = members.map((one) => ({ ...one, series: series(flat(50, 50)) }))
    const there = subject({ dimensions: [{ key: 'customer', label: 'Customer', members: still }] })
    expect(told(factsOf(there, MAIN), 'leader').join(' ')).not.toContain('None for')
  })

  it('takes a month that lacks from the file for no zero, says so, and knows a month in which nothing happens each year', () => {
    const lacking = (months: readonly number[], rows = 10): SubjectSeries => ({
      value: Array.from({ length: 24 }, (_, at) => (months.includes(at) ? 0 : at === 3 ? 400 : 100 + at)),
      count: Array.from({ length: 24 }, (_, at) => (months.includes(at) ? 0 : rows)),
    })
    const said = (total: SubjectSeries, kind: FindingKind): string =>
      told(factsOf(subject({ total, dimensions: [] }), MAIN), kind).join(' ')
    const gap = 'No records in 2025-03–2025-04, 2025-10–2025-10.'
    expect(said(lacking([14, 15, 21]), 'peak')).toBe(
      `Profit in 2024-01–2025-12: highest in 2024-04–2024-04 (400), lowest in 2024-01–2024-01 (100), 124.9 per month on average. ${gap}`,
    )
    expect(said(lacking([14, 15, 21]), 'growth')).toMatch(new RegExp(`^Profit rose .* ${gap}$`))
    expect(said(lacking([14, 15, 21], 9), 'peak'), 'few rows: a month may have none').toContain('lowest in 2025-10')
    expect(said(lacking([6, 18]), 'peak'), 'closed each July').toContain('lowest in 2025-07–2025-07 (0)')
    expect(said(lacking([6, 18]), 'growth')).not.toContain('No records')
  })

  it('is how the newest year stands beside the one before, who made it so, and who went against it', () => {
    expect(told(factsOf(subject(), MAIN), 'growth')).toEqual([
      'Profit little changed: 1440 in 2025-01–2025-12 vs 2024-01–2024-12 (0).',
    ])
    const more = subject({ total: series(flat(120, 150)) })
    expect(told(factsOf(more, MAIN), 'growth')).toEqual([
      'Profit rose 0.25 (360) to 1800 in 2025-01–2025-12 vs 2024-01–2024-12. North accounts for all of it: 360. Against it: South, -360. 2025-12–2025-12: up 0.25 (30) to 150 vs 2024-12–2024-12.',
    ])
    expect(
      told(factsOf(more, { ...MAIN, isMain: false }), 'growth')[0],
      'the newest month of what comes first',
    ).not.toContain('2025-12: up')
  })

  it('compares years in which a month lacks over the months that both have', () => {
    const total: SubjectSeries = {
      value: Array.from({ length: 24 }, (_, at) => (at === 21 ? 0 : at < 12 ? 100 : 105)),
      count: Array.from({ length: 24 }, (_, at) => (at === 21 ? 0 : 10)),
    }
    expect(told(factsOf(subject({ total, dimensions: [] }), MAIN), 'growth')).toEqual([
      'Profit rose 0.05 (55) to 1155 in 2025-01–2025-12 vs 2024-01–2024-12, over the months with records in both. 2025-12–2025-12: up 0.05 (5) to 105 vs 2024-12–2024-12. No records in 2025-10–2025-10.',
    ])
  })

  it('names who grew fastest and who shrank most, of those that are large enough', () => {
    const parts = { North: [100, 150], South: [100, 100], East: [100, 60], New: [1, 50] }
    const members = Object.entries(parts).map(([member, [was = 0, is = 0]]) => ({
      member,
      series: series(flat(was, is)),
    }))
    const sold = (label: string): AnalysisSubject =>
      subject({
        ...{ label: 'Sales', total: series(flat(301, 360)) },
        dimensions: [{ key: 'region', label, members }],
      })
    const [, fastest] = told(factsOf(sold('Region'), MAIN), 'growth')
    expect(fastest).toBe(
      'Sales by Region in 2025-01–2025-12 vs 2024-01–2024-12: fastest North, up 0.5 (600) to 1800; slowest East, down 0.4 (-480) to 720.',
    )
    expect(told(factsOf(sold('Remark'), MAIN), 'growth'), 'of what a business is organised by').toHaveLength(1)
    expect(told(factsOf(sold('Region'), { ...MAIN, isMain: false }), 'growth')).toHaveLength(1)
  })

  it('leaves who has gone out of who shrank most: that is a loss, and told as one', () => {
    const stopped = [...flat(100, 100).slice(0, 20), 0, 0, 0, 0]
    const parts: Record<string, number[]> = {
      North: flat(100, 150),
      South: flat(100, 100),
      East: flat(100, 80),
      Closed: stopped,
    }
    const members = Object.entries(parts).map(([member, value]) => ({
      member,
      series: { value, count: value.map((sold) => (sold > 0 ? 10 : 0)) },
    }))
    const whole = stopped.map((_, at) => Object.values(parts).reduce((sum, value) => sum + (value[at] ?? 0), 0))
    const sold = subject({ total: series(whole), dimensions: [{ key: 'region', label: 'Region', members }] })
    expect(told(factsOf(sold, MAIN), 'growth').join(' ')).toMatch(/fastest North.*slowest East/)
  })

  it('tells how much hangs on few of many, and the largest of many that are all small', () => {
    const byCustomer = (sizeOf: (n: number) => number): string | undefined => {
      const sizes = Array.from({ length: 100 }, (_, n) => sizeOf(n))
      const members = sizes.map((size, n) => ({ member: `Customer ${n}`, series: series(flat(size, size)) }))
      const all = sizes.reduce((sum, size) => sum + size, 0)
      const sold = subject({
        ...{ label: 'Sales', total: series(flat(all, all)) },
        dimensions: [{ key: 'customer', label: 'Customer', members }],
      })
      return told(factsOf(sold, MAIN), 'leader')[0]
    }
    expect(byCustomer((n) => (n < 10 ? 30 : 1))).toContain('Top 3 of 100: 0.231, top 10: 0.769.')
    expect(
      byCustomer((n) => (n === 0 ? 3 : 1)),
      'three times what others have',
    ).toContain('Customer 0 0.029')
    expect(
      byCustomer((n) => (n === 0 ? 1.5 : 1)),
      'as large as all others',
    ).toBeUndefined()
  })

  it('names who loses while the whole does not, and who loses in all', () => {
    const [loss] = factsOf(subject(), MAIN).filter(({ kind }) => kind === 'loss')
    expect([loss?.tone, loss?.member?.value, loss?.effect.value]).toEqual(['bad', 'South', '-120'])
    expect(told(factsOf(subject(), MAIN), 'loss')).toEqual([
      'Profit below zero by Region in 2025-01–2025-12: South -120.',
    ])
    const both = subject({ total: series(flat(-5, -5)) })
    expect(told(factsOf(both, MAIN), 'loss'), 'where all lose nobody does').toEqual([])
    const sold = { ...MAIN, isResult: false }
    expect(told(factsOf(subject({ label: 'Sales' }), sold), 'loss'), 'what was given back').toEqual([])
  })

  it('tells the largest members of the main amount alone, and what has no name where it is as large', () => {
    const members = [
      { member: null, series: series(flat(90, 90)) },
      { member: 'North', series: series(flat(60, 60)) },
      { member: 'South', series: series(flat(50, 50)) },
    ]
    const sold = subject({
      ...{ label: 'Sales', total: series(flat(200, 200)) },
      dimensions: [{ key: 'region', label: 'Region', members }],
    })
    expect(told(factsOf(sold, MAIN), 'leader')).toEqual([
      'Sales by Region in 2025-01–2025-12: North 0.3 (720), South 0.25 (600). null: 0.45. 2024-01–2025-12: North 0.3 (1440).',
    ])
    expect(told(factsOf(sold, { ...MAIN, isMain: false }), 'leader')).toEqual([])
  })

  it('counts the members that have a part in the period told, not those that had one before', () => {
    const parts = { North: [60, 60], South: [50, 50], East: [40, 40], West: [30, 30], Centre: [20, 20], Closed: [9, 0] }
    const members = Object.entries(parts).map(([member, [was = 0, is = 0]]) => ({
      member,
      series: series(flat(was, is)),
    }))
    const sold = subject({
      ...{ label: 'Sales', total: series(flat(209, 200)) },
      dimensions: [{ key: 'region', label: 'Region', members }],
    })
    expect(told(factsOf(sold, MAIN), 'leader')[0]).toContain('Top 3 of 5: 0.75.')
  })

  it('tells whose ratio is lowest, where ratios differ', () => {
    const under = series(flat(1000, 1000))
    const part = series(flat(500, 500))
    const ratio = (low: number, more: AnalysisSubject['dimensions'][number]['members'] = []): AnalysisSubject =>
      subject({
        ...{ label: 'Margin', percent: true, scale: undefined, under, total: series(flat(100, 100)) },
        dimensions: [
          {
            ...{ key: 'region', label: 'Region' },
            members: [
              { member: 'North', series: series(flat(100 - low, 100 - low)), under: part },
              { member: 'South', series: series(flat(low, low)), under: part },
              ...more,
            ],
          },
        ],
      })
    expect(told(factsOf(ratio(20), MAIN), 'rateGap')).toEqual([
      'Margin by Region in 2025-01–2025-12: lowest South 0.04; highest North 0.16; 0.1 overall.',
    ])
    expect(told(factsOf(ratio(49), MAIN), 'rateGap')).toEqual([])
    const few = { member: 'West', series: series(flat(0, 0)), under: series(flat(9, 9)) }
    const withFew = (over: Partial<AnalysisSubject>): string[] =>
      told(factsOf({ ...ratio(20, [few]), ...over }, MAIN), 'rateGap')
    expect(withFew({ underLabel: 'Sales' }), 'of those that are large enough').toEqual([
      'Margin by Region in 2025-01–2025-12, 2 of 3 with at least 0.02 of Sales: lowest South 0.04; highest North 0.16; 0.1 overall.',
    ])
    expect(withFew({})[0]).toContain(', 2 of 3 with at least 240 records: lowest South')
  })

  it('compares as much of a year as there is twice, else halves', () => {
    const windows = (grain: AnalysisSubject['grain'], buckets: number): unknown => {
      const found = growthWindows({ grain }, { from: 0, to: buckets - 1 })
      return found && [found.now.from, found.now.to, found.then.from, found.against]
    }
    expect(windows('month', 40)).toEqual([28, 39, 16, 'year'])
    expect(windows('month', 16), 'four months of a year before').toEqual([12, 15, 0, 'year'])
    expect(windows('month', 13)).toEqual([7, 12, 1, 'previous'])
    expect(windows('week', 20)).toEqual([10, 19, 0, 'previous'])
    expect(windows('week', 6)).toBeNull()
  })
})
