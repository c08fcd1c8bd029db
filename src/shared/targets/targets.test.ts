import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectedShare, paceStatus, periodProgress, targetLineValues } from './pace'
import { parseAmount, parsePaste, parsePeriod } from './paste'
import { addMonths, periodEnd, formatPeriod, periodsBetween, periodStart } from './periods'
import { spreadTarget, spreadTargetEvenly, sumTargetValues, formatTargetUnits, toTargetUnits } from './spread'

describe('spreading a target', () => {
  const amount = fc
    .tuple(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), fc.integer({ min: 0, max: 4 }))
    .map(([units, decimals]) => formatTargetUnits(units - (units % 10n ** BigInt(4 - decimals))))
  const weights = fc.array(fc.oneof(fc.double({ min: 0, max: 1e9, noNaN: true }), fc.constant(0)), {
    minLength: 1,
    maxLength: 24,
  })

  it('gives parts that add up exactly to the whole, whatever the weights and the rounding', () => {
    fc.assert(
      fc.property(amount, weights, fc.integer({ min: 0, max: 4 }), (whole, shape, decimals) => {
        const parts = spreadTarget(whole, shape, decimals)
        expect(parts).toHaveLength(shape.length)
        expect(sumTargetValues(parts)).toBe(formatTargetUnits(toTargetUnits(whole)))
      }),
    )
  })

  it('keeps every part within one step of its exact share, and nothing where there is no weight', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), weights, (whole, shape) => {
        const all = shape.reduce((sum, weight) => sum + weight, 0)
        fc.pre(all > 0)
        spreadTarget(String(whole), shape).forEach((part, at) => {
          const weight = shape[at] ?? 0
          expect(Math.abs(Number(part) - (whole * weight) / all)).toBeLessThanOrEqual(1.01)
          if (weight === 0) expect(part).toBe('0')
        })
      }),
    )
  })

  it('evenly: twelve parts of 1 000, the earlier ones the larger', () => {
    expect(spreadTargetEvenly('1000', 12)).toEqual([...Array<string>(4).fill('84'), ...Array<string>(8).fill('83')])
    expect(spreadTargetEvenly('0.05', 2)).toEqual(['0.03', '0.02'])
    expect(spreadTargetEvenly('-10', 3)).toEqual(['-4', '-3', '-3'])
  })

  it('by last year, and evenly where last year says nothing', () => {
    expect(spreadTarget('1000', [1, 3, 6])).toEqual(['100', '300', '600'])
    expect(spreadTarget('10', [0, 0])).toEqual(['5', '5'])
    expect(spreadTarget('10', [5, -3])).toEqual(['5', '5'])
  })
})

describe('what is pasted', () => {
  const month = { grain: 'month' as const, fiscalYearStart: 5 }
  it.each([
    ['2026-03', '2026-03-01'],
    ['2026-03-17', '2026-03-01'],
    ['03/2026', '2026-03-01'],
    ['Mar 2026', '2026-03-01'],
    ['mars 2026', '2026-03-01'],
    ['okt-26', '2026-10-01'],
    ['Maj 2026', '2026-05-01'],
  ])('reads the month %s', (text, period) => {
    expect(parsePeriod(text, month)).toBe(period)
  })

  it('reads quarters and years, fiscal ones from their own first month', () => {
    expect(parsePeriod('Q2 2026', { ...month, grain: 'quarter' })).toBe('2026-04-01')
    expect(parsePeriod('2026Q2', { ...month, grain: 'fiscalQuarter' })).toBe('2026-08-01')
    expect(parsePeriod('FY 2025/26', { ...month, grain: 'fiscalYear' })).toBe('2025-05-01')
    expect(parsePeriod('soon', month)).toBe(null)
  })

  it.each([
    ['1 234,50', null, '1234.5'],
    ['1,234.50', null, '1234.5'],
    ['1.234,50', null, '1234.5'],
    ['1.234.567', null, '1234567'],
    ['1,234', ',', '1.234'],
    ['1,234', '.', '1234'],
    ['1.234', ',', '1234'],
    ['−12 kr', null, '-12'],
    ['SEK 12', null, '12'],
    ['1,23456', null, null],
    ['twelve', null, null],
  ] as const)('reads the amount %s (others write %s) as %s', (text, mark, value) => {
    expect(parseAmount(text, mark)).toBe(value)
  })

  it('takes tabs, semicolons and commas, with a heading or without', () => {
    const cells = [
      { member: null, period: '2026-01-01', value: '1000.5' },
      { member: null, period: '2026-02-01', value: '2000' },
    ]
    const rules = { ...month, byMember: false }
    expect(parsePaste('Month\tTarget\r\nJan 2026\t1 000,50\r\nFeb 2026\t2 000\r\n', rules)).toEqual({
      cells,
      faults: [],
    })
    expect(parsePaste('2026-01;1000,50\n2026-02;2.000,00', rules)).toEqual({ cells, faults: [] })
    expect(parsePaste('2026-01,1000.50\n\n2026-02,2000', rules)).toEqual({ cells, faults: [] })
  })

  it('takes a table with periods in its heading, member by member', () => {
    const { cells, faults } = parsePaste('Country\tJan 2026\tFeb 2026\nSE\t1\t2\nNO\t\t3', { ...month, byMember: true })
    expect(faults).toEqual([])
    expect(cells.map(({ member, period, value }) => `${member} ${period} ${value}`)).toEqual([
      'SE 2026-01-01 1',
      'SE 2026-02-01 2',
      'NO 2026-02-01 3',
    ])
  })

  it('names every line that cannot be read, and periods that stand twice', () => {
    const rules = { ...month, byMember: false }
    expect(parsePaste('2026-01;1\nsoon;2\n2026-03;many\n2026-04', rules).faults).toEqual([
      { line: 2, message: 'Enter a period instead of “soon”.' },
      { line: 3, message: '“many” isn’t a number with at most 4 decimals.' },
      { line: 4, message: 'Enter a period and an amount.' },
    ])
    expect(parsePaste('2026-01;1\n2026-01;2', rules).faults).toHaveLength(1)
    expect(parsePaste('', rules).faults).toHaveLength(1)
  })
})

describe('pace', () => {
  const march = { from: '2026-03-01', to: '2026-03-31' }
  it('goes by the days that have passed, or by last year where it says how such a month fills', () => {
    expect(expectedShare({ ...march, today: '2026-03-31' }, { soFar: null, whole: null })).toEqual({
      share: 1,
      basis: 'days',
    })
    expect(expectedShare({ ...march, today: '2026-03-10' }, { soFar: 50, whole: 200 })).toEqual({
      share: 0.25,
      basis: 'lastYear',
    })
    const february = { from: '2025-02-01', to: '2025-02-28', today: '2025-02-28' }
    expect(expectedShare(february, { soFar: 280, whole: 290 })).toEqual({ share: 1, basis: 'lastYear' })
    expect(expectedShare({ ...march, today: '2026-03-10' }, { soFar: 300, whole: 200 }).basis).toBe('days')
  })

  it('knows which way is good', () => {
    expect(
      ['up', 'down', 'none'].map((way) => paceStatus(110, 100, way === 'up' ? 'up' : way === 'down' ? 'down' : 'none')),
    ).toEqual(['ahead', 'behind', null])
    expect(paceStatus(101, 100, 'up')).toBe('onPace')
    const input = { period: '2026-03-01', actual: null, target: 0, pace: null, direction: 'up' as const }
    expect(periodProgress(input)).toMatchObject({ share: null, status: null, expected: null })
  })
})

describe('the line of targets', () => {
  const months = periodsBetween('2026-01-01', '2026-06-30', { grain: 'month', fiscalYearStart: 4 })
  const cells = new Map(months.map((period, at) => [period, String(at + 1)]))
  const ask = { grain: 'month' as const, fiscalYearStart: 4, additive: true, running: null }

  it('adds finer targets up, leaves coarser ones whole, and adds nothing up that does not add up', () => {
    expect(targetLineValues(cells, ['2026-01-01', '2026-04-01'], { ...ask, chart: 'quarter' })).toEqual(['6', '15'])
    expect(targetLineValues(cells, ['2026-07-01'], { ...ask, chart: 'quarter' })).toEqual([null])
    expect(targetLineValues(cells, ['2026-01-01'], { ...ask, chart: 'quarter', additive: false })).toEqual([null])
    const quarters = new Map([['2026-01-01', '9']])
    expect(targetLineValues(quarters, ['2026-01-01'], { ...ask, grain: 'quarter', chart: 'month' })).toEqual([null])
  })

  it('runs up for a running total, from the beginning of its year', () => {
    const line = (running: 'never' | 'year' | 'fiscalYear') =>
      targetLineValues(cells, months, { ...ask, chart: 'month', running })
    expect(line('never')).toEqual(['1', '3', '6', '10', '15', '21'])
    expect(line('fiscalYear')).toEqual(['1', '3', '6', '4', '9', '15'])
  })
})

describe('periods of targets', () => {
  it('begin and end where the calendar of the workspace says', () => {
    const fiscal = { grain: 'fiscalQuarter' as const, fiscalYearStart: 5 }
    expect(periodStart('2026-01-31', fiscal)).toBe('2025-11-01')
    expect(periodEnd('2025-11-01', 'fiscalQuarter')).toBe('2026-01-31')
    expect(formatPeriod('2025-11-01', 'fiscalQuarter')).toBe('Nov–Jan 2026')
    expect(formatPeriod('2025-05-01', 'fiscalYear')).toBe('FY 2025/26')
    expect(addMonths('2024-02-29', -12)).toBe('2023-02-28')
    expect(periodsBetween('2026-01-15', '2026-03-01', { grain: 'month', fiscalYearStart: 1 })).toHaveLength(3)
  })
})
