import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chartColours, seriesColours, assignColourSlots, valueColours } from './chart-colours'
import { chartModel } from '../../../src/shared/charts/chart-model'
import { bucketLabel } from '../../../src/shared/figures/cell-formatter'
import { answerOf, country, kronor, month, quarter, sales } from './chart.fixture'
import {
  addDays,
  addMonths,
  bucketEnd,
  daysBetween,
  fillBuckets,
  nextBucket,
} from '../../../src/shared/figures/time-buckets'
import { stackedPointAt, pointAtCategory, describeCategory } from './axis-chart'
import { nextStopIndex } from './chart'

const colours = chartColours(() => '', false)

describe('colours', () => {
  it('give a value the same colour on every chart while slots are free', () => {
    const alone = assignColourSlots(['Sweden'], 8).get('Sweden')
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { maxLength: 3 }), (others) => {
        const slots = assignColourSlots(['Sweden', ...others.filter((one) => one !== 'Sweden')], 8)
        expect(new Set(slots.values()).size).toBe(slots.size)
        if (slots.size === 1) expect(slots.get('Sweden')).toBe(alone)
      }),
    )
  })

  it('stay with a value that is at home, whoever else comes or goes', () => {
    const names = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(names, fc.nat(), (values, drop) => {
        const all = assignColourSlots(values, 8)
        const left = values.filter((_, at) => at !== drop % values.length)
        const fewer = assignColourSlots(left, 8)
        for (const value of left) {
          const home = assignColourSlots([value], 8).get(value)
          if (all.get(value) === home) expect(fewer.get(value)).toBe(home)
        }
      }),
    )
  })

  it('of more values than the palette holds are tints, each still a colour', () => {
    const values = Array.from({ length: 30 }, (_, at) => ({ value: `v${at}`, other: false }))
    const drawn = valueColours(values, colours)
    expect(new Set(drawn).size).toBeGreaterThan(16)
    for (const colour of drawn) expect(colour).toMatch(/^#[0-9a-f]{6}$/)
    expect(valueColours([{ value: 'Other', other: true }], colours)).toEqual([colours.other])
  })

  it('do not depend on the order of rows', () => {
    expect(assignColourSlots(['a', 'b', 'c'], 8)).toEqual(assignColourSlots(['c', 'a', 'b'], 8))
  })

  it('draw a comparison in the colour of its measure, and the rest grey', () => {
    const model = chartModel(quarter(), { format: kronor })
    const [now, before] = seriesColours(model?.series ?? [], colours)
    expect(now).toBe(before)
    const rest = chartModel(
      answerOf([month, country, sales], [['2026-01-01', 'Other', 1]], { otherCells: [{ row: 0, dimension: 1 }] }),
      { format: kronor },
    )
    expect(seriesColours(rest?.series ?? [], colours)).toEqual([colours.other])
  })

  it('follow the theme and fall back where it is silent', () => {
    expect(chartColours((name) => (name === '--chart-1' ? ' #123456 ' : ''), true).series[0]).toBe('#123456')
    expect(chartColours(() => '', true).text).toMatch(/^#/)
  })
})

describe('time buckets', () => {
  it.each([
    ['2026-01-01', 'month', '2026-01-31'],
    ['2024-02-01', 'month', '2024-02-29'],
    ['2026-04-01', 'quarter', '2026-06-30'],
    ['2025-07-01', 'fiscalYear', '2026-06-30'],
    ['2026-01-05', 'week', '2026-01-11'],
    ['2026-01-05', 'day', '2026-01-05'],
  ] as const)('%s by %s ends on %s', (start, grain, end) => {
    expect(bucketEnd(start, grain)).toBe(end)
  })

  it('follow each other without gap or overlap', () => {
    const day = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(day, fc.constantFrom('day', 'week', 'month', 'quarter', 'year'), (date, grain) => {
        const start = `${date.toISOString().slice(0, 7)}-01`
        expect(addDays(bucketEnd(start, grain), 1)).toBe(nextBucket(start, grain))
      }),
    )
  })

  it('keep every answered bucket when filling gaps', () => {
    expect(fillBuckets(['2026-03-01', '2026-01-01'], 'month')).toEqual(['2026-01-01', '2026-02-01', '2026-03-01'])
    expect(fillBuckets(['2026-01-01', '2026-01-20'], 'month')).toEqual(['2026-01-01', '2026-01-20'])
    expect(fillBuckets([], 'month')).toEqual([])
  })

  it('stay on the last day of shorter months', () => {
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
    expect(addMonths('2024-02-29', -12)).toBe('2023-02-28')
    expect(daysBetween('2024-02-01', '2024-03-01')).toBe(29)
  })

  it.each([
    ['2026-01-01', 'month', 'Jan 2026'],
    ['2026-09-01', 'month', 'Sep 2026'],
    ['2026-04-01', 'quarter', 'Q2 2026'],
    ['2026-01-01', 'year', '2026'],
    ['2025-12-29', 'week', 'W1 2026'],
    ['2026-12-28', 'week', 'W53 2026'],
    // Weeks from Sunday and from Saturday: numbered as the part "week of year" is, week 1 has 1 January.
    ['2018-03-25', 'week', 'W13 2018'],
    ['2018-03-24', 'week', 'W13 2018'],
    ['2026-12-27', 'week', 'W1 2027'],
    ['2026-12-26', 'week', 'W1 2027'],
    ['2027-12-19', 'week', 'W52 2027'],
    ['2025-07-01', 'fiscalYear', 'FY 2025/26'],
    ['2025-11-01', 'fiscalQuarter', 'Nov–Jan 2026'],
    ['2026-03-01T14:00', 'hour', '1 Mar 14:00'],
  ] as const)('%s by %s is called %s', (value, grain, label) => {
    expect(bucketLabel(value, grain)).toBe(label)
  })

  it.each([
    ['2026-01-01', 'month', 'jan. 2026'],
    ['2026-01-31', 'day', '31 jan. 2026'],
    ['2026-04-01', 'quarter', 'Q2 2026'],
    ['2026-03-01T14:00', 'hour', '1 mars 14:00'],
  ] as const)('%s by %s is called %s by a Swede', (value, grain, label) => {
    expect(bucketLabel(value, grain, 'sv-SE')).toBe(label)
  })
})

describe('keys of a focused chart', () => {
  it('walk from end to end and stop there', () => {
    expect(nextStopIndex('ArrowRight', null, 3)).toBe(0)
    expect(nextStopIndex('ArrowLeft', null, 3)).toBe(2)
    expect(nextStopIndex('ArrowRight', 2, 3)).toBe(2)
    expect(nextStopIndex('ArrowLeft', 0, 3)).toBe(0)
    expect(nextStopIndex('End', 0, 3)).toBe(2)
    expect(nextStopIndex('a', 0, 3)).toBeNull()
    expect(nextStopIndex('Home', null, 0)).toBeNull()
  })

  it('say the point they stand on', () => {
    const model = chartModel(quarter(), { format: kronor })
    const said = model ? describeCategory(model, 0, kronor).replace(/[\u00a0\u202f]/g, ' ') : ''
    expect(said).toBe('Jan 2026: Sales 400 000 kr, Sales, Jan–Mar 2025 500 000 kr')
  })
})

describe('a click beside a mark', () => {
  it('picks the category only where it is clear which series is meant', () => {
    const one = chartModel(quarter(), { format: kronor })
    expect(one && pointAtCategory(one, 1)).toMatchObject({ row: 1 })
    expect(one && pointAtCategory(one, 9)).toBeNull()
    const two = chartModel(
      answerOf(
        [month, country, sales],
        [
          ['2026-01-01', 'A', 1],
          ['2026-01-01', 'B', 1],
        ],
      ),
      { format: kronor },
    )
    expect(two && pointAtCategory(two, 0)).toBeNull()
    const measures = chartModel(
      answerOf([month, sales, { ...sales, key: 'm1', label: 'Cost' }], [['2026-01-01', 5, 3]]),
      {
        format: kronor,
      },
    )
    expect(measures && pointAtCategory(measures, 0)).toMatchObject({ row: 0 })
  })

  it('picks the band of a stack that it lies in', () => {
    const rows = [
      ['2026-01-01', 'Sweden', 10],
      ['2026-01-01', 'Norway', 4],
    ]
    const model = chartModel(answerOf([month, country, sales], rows), { format: kronor })
    expect(model && stackedPointAt(model, 0, 3)).toMatchObject({ row: 0 })
    expect(model && stackedPointAt(model, 0, 12)).toMatchObject({ row: 1 })
    expect(model && stackedPointAt(model, 0, 15)).toBeNull()
    expect(model && stackedPointAt(model, 0, -1)).toBeNull()
  })
})
