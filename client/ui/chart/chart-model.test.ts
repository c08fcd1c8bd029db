import { describe, expect, it } from 'vitest'
import { chartModel, chartSummary } from '../../../src/shared/charts/chart-model'
import { answerOf, compared, country, kronor, month, quarter, sales } from './chart.fixture'

const model = (result: Parameters<typeof chartModel>[0]) => chartModel(result, { format: kronor })

describe('chartModel', () => {
  it('draws a measure and its comparison over time', () => {
    const drawn = model(quarter())
    expect(drawn?.categories.map((one) => one.label)).toEqual(['Jan 2026', 'Feb 2026', 'Mar 2026'])
    expect(drawn?.series.map((one) => [one.name, one.role])).toEqual([
      ['Sales', 'current'],
      ['Sales, Jan–Mar 2025', 'comparison'],
    ])
  })

  it('says of a comparison without any figure that it has none', () => {
    const drawn = model(quarter({ rows: [['2026-01-01', 400_000, null, null, null]] }))
    expect(drawn?.series.map((one) => one.name)).toEqual(['Sales', 'Sales, Jan–Mar 2025 (no data)'])
    const said = drawn ? chartSummary(drawn, kronor) : ''
    expect(said).toContain('Sales, Jan–Mar 2025 (no data).')
    expect(said).not.toContain('no data:')
    expect(said).not.toContain(': no data')
  })

  it('keeps a month without rows on the time axis', () => {
    const drawn = model(
      answerOf(
        [month, sales],
        [
          ['2026-01-01', 1],
          ['2026-03-01', 3],
        ],
      ),
    )
    expect(drawn?.series[0]?.points.map((point) => point.value)).toEqual([1, null, 3])
    expect(drawn?.series[0]?.points.map((point) => point.row)).toEqual([0, null, 1])
  })

  it('puts time on the axis even when it is the second split', () => {
    const drawn = model(
      answerOf([{ ...country, key: 'd0' }, { ...month, key: 'd1' }, sales], [['Sweden', '2026-01-01', 1]]),
    )
    expect(drawn?.axis.grain).toBe('month')
    expect(drawn?.series.map((one) => one.name)).toEqual(['Sweden'])
  })

  it('says the edges of bins, and keeps those without rows between others', () => {
    const bin = { ...country, type: 'integer' as const, bins: { width: 10 } }
    const bins = model(
      answerOf(
        [bin, sales],
        [
          [-10, 5],
          [10, 6],
        ],
      ),
    )
    expect(bins?.categories.map((one) => one.label)).toEqual(['\u221210 to \u22121', '0 to 9', '10 to 19'])
    const shares = model(answerOf([{ ...bin, type: 'number', bins: { width: 0.5 } }, sales], [[0.5, 5]]))
    expect(shares?.categories.map((one) => one.label)).toEqual(['0,5 to <1'])
  })

  it('keeps hours without rows between others, and lays weekdays of a second split as the week has them', () => {
    const hour = { ...country, type: 'integer' as const, part: 'hourOfDay' as const }
    const weekday = { ...country, key: 'd1', type: 'integer' as const, part: 'weekday' as const, firstWeekday: 7 }
    const hours = model(
      answerOf(
        [hour, sales],
        [
          [8, 5],
          [10, 6],
        ],
      ),
    )
    expect(hours?.categories.map((one) => one.label)).toEqual(['08:00', '09:00', '10:00'])
    const days = model(
      answerOf(
        [hour, weekday, sales],
        [
          [8, 1, 5],
          [8, 3, 50],
          [9, 7, 6],
        ],
      ),
    )
    expect(days?.series.map((one) => one.name)).toEqual(['Sunday', 'Monday', 'Wednesday'])
  })

  it('orders series by size with the rest last', () => {
    const rows = [
      ['2026-01-01', 'Norway', 2],
      ['2026-01-01', 'Other', 90],
      ['2026-01-01', 'Sweden', 10],
    ]
    const drawn = model(
      answerOf([month, country, sales], rows, { otherRow: 1, otherCells: [{ row: 1, dimension: 1 }] }),
    )
    expect(drawn?.series.map((one) => [one.name, one.other])).toEqual([
      ['Sweden', false],
      ['Norway', false],
      ['Other', true],
    ])
  })

  it('marks the unit that today lies in, and none of a past period whose data end early', () => {
    const { period } = quarter()
    const marked = (over: object) =>
      model(quarter({ period: period && { ...period, ...over } }))?.categories.map((one) => one.incomplete)
    expect(marked({ to: '2026-12-31', incomplete: true, runningFrom: '2026-02-01' })).toEqual([false, true, false])
    expect(marked({ to: '2026-03-30', incomplete: false, dataTo: '2026-03-30' })).toEqual([false, false, false])
  })

  it('marks the running bucket, and only that', () => {
    const { period } = quarter()
    const drawn = model(quarter({ period: period && { ...period, to: '2026-03-12', incomplete: true } }))
    expect(drawn?.categories.map((one) => one.incomplete)).toEqual([false, false, true])
  })

  it('marks the buckets that the data begin and end in the middle of, and says how far they reach', () => {
    const cut = {
      ...month,
      partial: [
        { start: '2026-01-01', from: '2026-01-12' },
        { start: '2026-03-01', to: '2026-03-09' },
      ],
    }
    const drawn = model({ ...quarter(), columns: [cut, ...compared] })
    expect(
      drawn?.categories.map(({ incomplete, beginsInside, dataRange }) => [incomplete, beginsInside, dataRange]),
    ).toEqual([
      [true, true, 'data from 12 Jan 2026'],
      [false, undefined, undefined],
      [true, false, 'data to 9 Mar 2026'],
    ])
    const said = drawn ? chartSummary(drawn, kronor) : ''
    const single = { ...month, partial: [{ start: '2026-01-01', from: '2026-01-14', to: '2026-01-14' }] }
    const day = model({ ...quarter(), columns: [single, ...compared] })
    expect(day?.categories[0]?.dataRange).toBe('data of 14 Jan 2026 only')
    expect(said).toContain('Jan 2026 is incomplete: data from 12 Jan 2026. Mar 2026 is incomplete: data to 9 Mar 2026.')
  })

  it('names empty values and reads exact decimal text', () => {
    const drawn = model(answerOf([country, sales], [[null, '12.50']]))
    expect(drawn?.categories[0]?.label).toBe('No value')
    expect(drawn?.series[0]?.points[0]?.value).toBe(12.5)
  })

  it('draws nothing of three splits or of none', () => {
    expect(model(answerOf([sales], [[1]]))).toBeNull()
    expect(model(answerOf([month, country, { ...country, key: 'd2' }, sales], []))).toBeNull()
  })
})

describe('chartSummary', () => {
  it('tells extremes, those of the comparison by its own months, and what is not complete', () => {
    const { period } = quarter()
    const drawn = model(quarter({ period: period && { ...period, to: '2026-03-12', incomplete: true } }))
    const said = drawn ? chartSummary(drawn, kronor).replace(/[\u00a0\u202f]/g, ' ') : ''
    expect(said).toContain('highest 451 770 kr (Mar 2026), lowest 400 000 kr (Jan 2026)')
    expect(said).toContain('Mar 2026 is incomplete.')
    expect(said).toContain(
      'Sales, Jan–Mar 2025: highest 500 000 kr (Jan 2025), lowest 486 000 kr (Feb 2025). From 500 000 kr (Jan 2025) to 500 000 kr (Mar 2025).',
    )
  })

  it('leaves the rest of a top N out of what is highest and lowest', () => {
    const rows = [
      ['Sweden', 50],
      ['Norway', 40],
      ['Other', 900],
    ]
    const drawn = model(answerOf([country, sales], rows, { otherRow: 2, otherCells: [{ row: 2, dimension: 0 }] }))
    const said = drawn ? chartSummary(drawn, kronor).replace(/[\u00a0\u202f]/g, ' ') : ''
    expect(said).toContain('highest 50 kr (Sweden), lowest 40 kr (Norway).')
  })

  it('tells one point as a point, and equal ones as equal', () => {
    const said = (...rows: (string | number)[][]): string => {
      const drawn = model(answerOf([month, sales], rows))
      return drawn ? chartSummary(drawn, kronor).replace(/[\u00a0\u202f]/g, ' ') : ''
    }
    expect(said(['2026-01-01', 5])).toBe('1 point over date. Sales: 5 kr (Jan 2026).')
    expect(said(['2026-01-01', 5], ['2026-02-01', 5])).toBe('2 points over date. Sales: 5 kr at each of 2 points.')
  })
})
