import { describe, expect, it } from 'vitest'
import type { QueryResult, ResultColumn } from '../../../src/shared/query/result'
import { limitToFit, isStacked } from './axis-model'
import { chartColours, mixColours } from './chart-colours'
import { chartModel, withPercent, type ChartModel } from '../../../src/shared/charts/chart-model'
import type { ChartSpec, RenderSettings } from './chart-spec'
import { buildChartSpec } from './build-chart-spec'
import { contrastRatio, heatMapColour, heatMapScale, readableTextColour, heatMapModel } from './heat-map'
import { answerOf, country, kronor, month, quarter, sales } from './chart.fixture'
import { scatterModel } from './scatter-plot'
import { truncateToWidth, wrapText } from './export-page'
import { waterfallModel } from './waterfall-chart'

const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ')
const name: ResultColumn = { ...country, key: 'd0' }
const orders: ResultColumn = {
  key: 'm1',
  label: 'Orders',
  kind: 'measure',
  type: 'integer',
  format: { style: 'plain' },
}
const margin: ResultColumn = { ...orders, key: 'm2', label: 'Margin', type: 'number', format: { style: 'percent' } }
const modelOf = (result: QueryResult): ChartModel => {
  const model = chartModel(result, { format: kronor })
  if (!model) throw new Error('nothing to draw')
  return model
}
const drawn = (result: QueryResult, chart: Parameters<typeof buildChartSpec>[1]): ChartSpec => {
  const drawing = buildChartSpec(result, chart, { format: kronor })
  if (!drawing) throw new Error('nothing to draw')
  return drawing
}
const settings = (over: Partial<RenderSettings> = {}): RenderSettings => ({
  format: kronor,
  colours: chartColours(() => '', false),
  reducedMotion: true,
  ...over,
})
const listed = <T>(given: T | T[] | undefined): T[] =>
  Array.isArray(given) ? given : given === undefined ? [] : [given]
const many = (count: number): [string, number][] =>
  Array.from({ length: count }, (_, at): [string, number] => [`Name ${at}`, count - at])

describe('a chart of series over an axis', () => {
  it('draws at most sixty lying names, keeps the group of the rest, and says what is left out', () => {
    const rows = [...many(70), ['Other', 3]]
    const model = limitToFit(modelOf(answerOf([name, sales], rows, { otherCells: [{ row: 70, dimension: 0 }] })), 'bar')
    expect(model.categories).toHaveLength(60)
    expect(model.categories.at(-1)).toMatchObject({ label: 'Other', other: true })
    expect(model.series[0]?.points.at(-1)).toEqual({ value: 3, row: 70 })
    expect(model.notes).toEqual(['Showing 60 of 71 names; all are in the table.'])
  })

  it('leaves a rest that dwarfs the bars of a top list to the table, and says how large it is', () => {
    const drawnOf = (rest: number) => {
      const rows = [...many(3), ['Other', rest]]
      return limitToFit(modelOf(answerOf([name, sales], rows, { otherCells: [{ row: 3, dimension: 0 }] })), 'bar')
    }
    expect(drawnOf(12).categories.map(({ label }) => label)).toEqual(['Name 0', 'Name 1', 'Name 2', 'Other'])
    expect(drawnOf(12).notes).toEqual([])
    expect(drawnOf(43).categories.map(({ label }) => label)).toEqual(['Name 0', 'Name 1', 'Name 2'])
    expect(drawnOf(43).series[0]?.points.map(({ row }) => row)).toEqual([0, 1, 2])
    expect(drawnOf(43).notes).toEqual(['Other is in the table only: 14 times the longest bar.'])
  })

  it('leaves names without any figure to the table, and says so', () => {
    const rows: [string, number | null][] = [...many(3), ['Bank', null], ['Cash', null]]
    const model = limitToFit(modelOf(answerOf([name, sales], rows)), 'bar')
    expect(model.categories.map(({ label }) => label)).toEqual(['Name 0', 'Name 1', 'Name 2'])
    expect(model.series[0]?.points.map(({ row }) => row)).toEqual([0, 1, 2])
    expect(model.notes).toEqual(['2 names without a value are in the table only.'])
    expect(limitToFit(modelOf(answerOf([name, sales], [['Bank', null]])), 'bar').categories).toHaveLength(1)
  })

  it('grows with its names and never below the height it is given', () => {
    expect(drawn(answerOf([name, sales], many(50)), 'bar').height(300)).toBeGreaterThan(1000)
    expect(drawn(answerOf([name, sales], many(2)), 'bar').height(300)).toBe(300)
    // Ten, and the rest of them, fit in a tile of a report without being cut.
    expect(drawn(answerOf([name, sales], many(11)), 'bar').height(240)).toBe(240)
    expect(drawn(quarter(), 'line').height(300)).toBe(300)
  })

  it('lays the small groups of a stack together, so that its height stays the whole', () => {
    const rows = many(20).map(([label, value]) => ['2026-01-01', label, value])
    const model = limitToFit(modelOf(answerOf([month, country, sales], rows)), 'stackedBar')
    expect(model.series).toHaveLength(12)
    expect(model.series.at(-1)).toMatchObject({ name: '9 others', other: true, points: [{ value: 45, row: null }] })
    const total = model.series.reduce((sum, series) => sum + (series.points[0]?.value ?? 0), 0)
    expect(total).toBe(210)
  })

  it('has a second axis only for a second unit, calls both, and leaves a third to the table', () => {
    const rows = [['2026-01-01', 10, 2, 0.1]]
    const two = drawn(answerOf([month, sales, orders], rows), 'combined').option(settings())
    expect(listed(two.yAxis).map((axis) => axis.name)).toEqual(['Sales', 'Orders'])
    expect(listed(two.series).map((series) => series.type)).toEqual(['bar', 'line'])
    const same = drawn(answerOf([month, sales, { ...sales, key: 'm1', label: 'Cost' }], rows), 'combined')
    expect(listed(same.option(settings()).yAxis)).toHaveLength(1)
    const price: ResultColumn = { ...orders, key: 'm1', label: 'Share', type: 'number' }
    const plainSales: ResultColumn = { ...sales, format: { style: 'plain' } }
    const ratio = drawn(answerOf([month, plainSales, price], rows), 'combined').option(settings())
    expect(listed(ratio.yAxis)).toHaveLength(2)
    expect(drawn(answerOf([month, sales, orders, margin], rows), 'line').notes).toEqual([
      'Charts show two units. See the table for Margin.',
    ])
  })

  it('stacks areas only while nothing is negative', () => {
    const rows = (value: number) => [
      ['2026-01-01', 'A', 1],
      ['2026-01-01', 'B', value],
    ]
    expect(isStacked(modelOf(answerOf([month, country, sales], rows(2))), 'area')).toBe(true)
    expect(isStacked(modelOf(answerOf([month, country, sales], rows(-2))), 'area')).toBe(false)
    expect(drawn(answerOf([month, country, sales], rows(-2)), 'area').notes[0]).toMatch(
      /^Not stacked: some values are negative/,
    )
  })

  it('marks a lonely point among many, which has no line', () => {
    const rows = Array.from({ length: 60 }, (_, at) => [`2026-01-${at}`, at === 30 ? 1 : null])
    const option = drawn(answerOf([{ ...month, grain: 'hour' }, sales], rows), 'line').option(settings())
    const [line] = listed(option.series)
    expect(line).toMatchObject({ symbolSize: 0 })
    expect(JSON.stringify(line?.data)).toContain('"symbolSize":6')
  })

  it('tells a real "Other" from the group of the rest', () => {
    const model = modelOf(
      answerOf(
        [name, sales],
        [
          ['Other', 5],
          ['Other', 9],
        ],
        { otherCells: [{ row: 1, dimension: 0 }] },
      ),
    )
    expect(model.categories.map((one) => one.other)).toEqual([false, true])
    expect(model.series[0]?.points.map((point) => point.value)).toEqual([5, 9])
    const [bars] = listed(
      drawn(answerOf([name, sales], [['Other', 9]], { otherRow: 0 }), 'bar').option(settings()).series,
    )
    expect(JSON.stringify(bars?.data)).toContain(chartColours(() => '', false).other)
  })

  it('finds the row behind a mark, also behind the tail of a running bucket', () => {
    const drawing = drawn(quarter(), 'line')
    expect(drawing.rowOf({ seriesId: 'main:m0', dataIndex: 2 })).toBe(2)
    expect(drawing.rowOf({ seriesId: 'tail:m0', dataIndex: 1 })).toBe(1)
    expect(drawing.rowOf({ seriesId: 'main:none', dataIndex: 1 })).toBeNull()
  })
})

describe('waterfall', () => {
  const stepsOf = (result: QueryResult) => waterfallModel(modelOf(result), result)?.steps ?? []
  const told = (result: QueryResult) => stepsOf(result).map(({ label, from, to }) => [label, from, to])

  it('adds what adds, then takes away, with a level between and the total at the end', () => {
    const rows = [
      ['Costs', -40],
      ['Sales', 100],
      ['Service', 20],
    ]
    expect(told(answerOf([name, sales], rows, { totals: [null, 80] }))).toEqual([
      ['Sales', 0, 100],
      ['Service', 100, 120],
      ['Subtotal', 0, 120],
      ['Costs', 120, 80],
      ['Total', 0, 80],
    ])
  })

  it('leads from the figure before to the figure now', () => {
    const steps = told(quarter())
    expect(steps[0]).toEqual(['Jan–Mar 2025', 0, 1_486_000])
    expect(steps[1]).toEqual(['Jan 2026', 1_486_000, 1_386_000])
    expect(steps.at(-1)).toEqual(['Jan–Mar 2026', 0, 1_301_770])
  })

  it('says what no part accounts for instead of hiding it', () => {
    const steps = told(answerOf([name, sales], [['A', 60]], { totals: [null, 100] }))
    expect(steps).toEqual([
      ['A', 0, 60],
      ['Not broken down', 60, 100],
      ['Total', 0, 100],
    ])
  })

  it('puts a level where a year ends', () => {
    const rows = [
      ['2025-11-01', 1],
      ['2025-12-01', 2],
      ['2026-01-01', 4],
    ]
    expect(told(answerOf([month, sales], rows)).map(([label]) => label)).toEqual([
      'Nov 2025',
      'Dec 2025',
      '2025',
      'Jan 2026',
      'Total',
    ])
  })

  it('cuts an axis only for changes that are small beside their levels, and says so', () => {
    expect(drawn(quarter(), 'waterfall').notes).toEqual(['The axis is broken above zero.'])
    const total = answerOf([name, sales], [['A', 60]], { totals: [null, 60] })
    expect(drawn(total, 'waterfall').notes).toEqual([])
  })

  it('draws a bar that crosses zero as two pieces', () => {
    const rows = [
      ['A', 10],
      ['B', -30],
    ]
    const [ground, above, below] = listed(drawn(answerOf([name, sales], rows), 'waterfall').option(settings()).series)
    expect(ground?.data).toEqual([0, 0, 0])
    expect(JSON.stringify(above?.data)).toMatch(/"value":10.*"value":10.*"value":0/)
    expect(JSON.stringify(below?.data)).toMatch(/"value":0.*"value":-20.*"value":-20/)
  })
})

describe('scatter', () => {
  const rows = [
    ['Sweden', 100, 4],
    ['Norway', 50, null],
    ['Other', 10, 1],
  ]
  const result = answerOf([name, sales, orders], rows, { otherCells: [{ row: 2, dimension: 0 }] })

  it('draws two measures over a split and says which groups lack one', () => {
    const model = scatterModel(result, kronor)
    expect(model?.groups[0]?.points.map((point) => [point.name, point.x, point.y, point.other, point.row])).toEqual([
      ['Sweden', 100, 4, false, 0],
      ['Other', 10, 1, true, 2],
    ])
    expect(model?.notes).toEqual(['1 group is missing a value and not shown.'])
    const drawing = drawn(result, 'scatter')
    expect(drawing.keyboardStops.map((stop) => plain(stop.description))[0]).toBe('Sweden: Sales 100 kr, Orders 4')
    expect(drawing.rowOf({ seriesId: 'main:', dataIndex: 1 })).toBe(2)
  })

  it('keeps points and their names clear of the edges, and shows no halves of a count', () => {
    const option = drawn(result, 'scatter').option(settings())
    expect(option.yAxis).toMatchObject({ min: 0, max: 5, interval: 1 })
    expect(option.xAxis).toMatchObject({ min: 0, interval: 20 })
  })

  it('needs two measures', () => {
    expect(buildChartSpec(answerOf([name, sales], [['A', 1]]), 'scatter', { format: kronor })).toBeNull()
  })
})

describe('heat map', () => {
  const rows = [
    ['2026-01-01', 'Sweden', 10],
    ['2026-03-01', 'Sweden', 30],
    ['2026-01-01', null, 20],
  ]
  const result = answerOf([month, country, sales], rows)

  it('puts time across, without gaps, and names downwards', () => {
    const model = heatMapModel(result, kronor)
    expect(model?.across.map((one) => one.label)).toEqual(['Jan 2026', 'Feb 2026', 'Mar 2026'])
    expect(model?.down.map((one) => one.label)).toEqual(['Sweden', 'No value'])
    expect(model?.cells.map(({ x, y, value }) => [x, y, value])).toEqual([
      [0, 0, 10],
      [2, 0, 30],
      [0, 1, 20],
    ])
    expect(plain(drawn(result, 'heatMap').summary)).toContain('Highest Sweden, Mar 2026: 30 kr.')
    const click = { x: 2.2, y: -0.3, hidden: new Set<string>(), pixelsTo: () => 0 }
    expect(drawn(result, 'heatMap').markAtPosition(click)).toEqual({ row: 1 })
  })

  it.each([
    ['light', false],
    ['dark', true],
  ] as const)('writes on every shade so that it can be read, %s', (_name, dark) => {
    const colours = chartColours(() => '', dark)
    for (const [low, high] of [
      [0, 100],
      [-50, 100],
      [-100, -1],
      [7, 7],
    ] as const) {
      const scale = heatMapScale(low, high, colours)
      for (let at = 0; at <= 20; at++) {
        const ground = heatMapColour(scale.low + ((scale.high - scale.low) * at) / 20, scale)
        expect(contrastRatio(ground, readableTextColour(ground))).toBeGreaterThanOrEqual(4.5)
      }
    }
  })

  it('meets in a neutral middle when figures stand on both sides of zero', () => {
    const scale = heatMapScale(
      -10,
      40,
      chartColours(() => '', false),
    )
    expect([scale.low, scale.high, scale.stops.length]).toEqual([-40, 40, 3])
    expect(heatMapColour(0, scale)).toBe(scale.stops[1])
  })
})

describe('per cent by choice', () => {
  it('changes the look of one measure and of what is derived from it, and no other', () => {
    const shown = withPercent(quarter(), [0])
    expect(shown.columns.map((column) => column.format.style)).toEqual([
      'plain',
      'percent',
      'percent',
      'percent',
      'percent',
    ])
    expect(withPercent(quarter(), [1])).toEqual(quarter())
    expect(withPercent(quarter(), undefined)).toEqual(quarter())
  })
})

describe('a change of per cent', () => {
  it('is told in points', () => {
    expect(plain(kronor.signed(-0.003, margin))).toBe('−0,3 pp')
    expect(plain(kronor.signedRound(0.01, margin))).toBe('+1 pp')
    expect(plain(kronor.full(0.4, margin))).toBe('40,0 %')
  })
})

describe('a sheet of paper', () => {
  const measure = (text: string): number => text.length
  it('breaks lines at words, and words that are longer than a line', () => {
    expect(wrapText('one two three', 7, measure)).toEqual(['one two', 'three'])
    expect(wrapText('abcdefghij k', 4, measure)).toEqual(['abcd', 'efgh', 'ij k'])
    expect(wrapText('', 4, measure)).toEqual([])
  })
  it('cuts with an ellipsis only what does not fit', () => {
    expect(truncateToWidth('abcdef', 6, measure)).toBe('abcdef')
    expect(truncateToWidth('abcdefg', 6, measure)).toBe('abcde…')
  })
})

describe('tints', () => {
  it('mix towards the ground and leave unknown notations alone', () => {
    expect(mixColours('#000000', '#ffffff', 0.5)).toBe('#808080')
    expect(mixColours('red', '#ffffff', 0.5)).toBe('red')
  })
})
