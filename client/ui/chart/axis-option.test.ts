import { describe, expect, it } from 'vitest'
import { chartColours } from './chart-colours'
import { chartModel, type ChartModel } from '../../../src/shared/charts/chart-model'
import type { ResultColumn } from '../../../src/shared/query/result'
import { axisChartOption } from './axis-option'
import { valueAxes } from './value-axis'
import { marksOf } from '../../../src/shared/charts/axis-scale'
import type { AxisRenderSettings } from './annotations'
import { answerOf, country, kronor, month, quarter, sales } from './chart.fixture'
import { baseChartOption, escapeHtml, categoryTooltipHtml } from './chart-frame'

const HOSTILE = '<img src=x onerror=alert(1)>"\'&'
const modelOf = (result: Parameters<typeof chartModel>[0]): ChartModel => {
  const model = chartModel(result, { format: kronor })
  if (!model) throw new Error('nothing to draw')
  return model
}
const settings = (over: Partial<AxisRenderSettings> = {}): AxisRenderSettings => ({
  chart: 'line',
  format: kronor,
  colours: chartColours(() => '', false),
  reducedMotion: false,
  ...over,
})
const seriesOf = (option: ReturnType<typeof axisChartOption>) => (Array.isArray(option.series) ? option.series : [])
const running = () => {
  const { period } = quarter()
  return modelOf(quarter({ period: period && { ...period, to: '2026-03-12', incomplete: true } }))
}

describe('chartOption', () => {
  it('draws the comparison dashed and lighter', () => {
    const [now, before] = seriesOf(axisChartOption(modelOf(quarter()), settings()))
    expect(now).toMatchObject({ type: 'line', lineStyle: { type: 'solid', opacity: 1 } })
    expect(before).toMatchObject({ lineStyle: { type: 'dashed', opacity: 0.55 } })
  })

  it('names a measure and its earlier period so that they stay apart, on a small screen too', () => {
    const names = ['Profit after financial items', 'Profit after financial items, Nov 2024 – Oct 2025']
    for (const look of [{ narrow: true, width: 290 }, { width: 720 }]) {
      const { legend, grid } = baseChartOption(settings(look), { summary: '', legend: names })
      const shown = names.map(legend.formatter)
      expect(new Set(shown).size, String(look.width)).toBe(2)
      expect(shown[0]).toBe(names[0])
      expect(grid.top).toBe(look.narrow ? 2 * 24 + 20 : 24 + 20)
    }
    const many = Array.from({ length: 4 }, (_, at) => `${'A name that is long'} ${at}`)
    const { legend } = baseChartOption(settings({ narrow: true, width: 290 }), { summary: '', legend: many })
    expect(legend.formatter(many[0] ?? '')).toHaveLength(16)
  })

  it('leaves room for the mark at the end of a small line', () => {
    const small = axisChartOption(running(), settings({ small: true }))
    const sizes = seriesOf(small).flatMap((one) => ('symbolSize' in one ? [Number(one.symbolSize)] : []))
    const size = Math.max(0, ...sizes)
    expect(size).toBeGreaterThan(0)
    const { right } = Array.isArray(small.grid) ? { right: 0 } : { right: 0, ...small.grid }
    expect(Number(right)).toBeGreaterThan(size / 2)
  })

  it('draws the running bucket apart: dotted as a line, hatched as a bar', () => {
    const [whole, tail] = seriesOf(axisChartOption(running(), settings()))
    expect(whole).toMatchObject({ data: [400_000, 450_000, null] })
    // The mark of the whole month is its own, not the hollow one of the running month.
    expect(tail).toMatchObject({
      data: [null, { value: 450_000, symbolSize: 0 }, 451_770],
      lineStyle: { type: 'dotted' },
    })
    const [bar] = seriesOf(axisChartOption(running(), settings({ chart: 'bar' })))
    const data = Array.isArray(bar?.data) ? bar.data : []
    expect(data[2]).toHaveProperty('itemStyle.decal')
    expect(data[1]).not.toHaveProperty('itemStyle')
  })

  it('draws buckets that the data begin and end in apart, and says in the tooltip how far they reach', () => {
    const cut = {
      ...month,
      partial: [
        { start: '2026-01-01', from: '2026-01-12' },
        { start: '2026-03-01', to: '2026-03-09' },
      ],
    }
    const rows = [1, 2, 3, 4].map((value, at) => [`2026-0${at + 1}-01`, value])
    const model = modelOf(answerOf([{ ...cut, partial: cut.partial.slice(0, 1) }, sales], rows))
    const [whole, tail] = seriesOf(axisChartOption(model, settings()))
    // The mark of a point without a whole one beside it is its own.
    expect(whole).toMatchObject({ data: [null, 2, 3, 4] })
    expect(tail).toMatchObject({ data: [1, { value: 2, symbolSize: 0 }, null, null] })
    const both = modelOf(answerOf([cut, sales], rows.slice(0, 3)))
    const [, around] = seriesOf(axisChartOption(both, settings()))
    expect(around).toMatchObject({ data: [1, { value: 2, symbolSize: 0 }, 3] })
    const html = categoryTooltipHtml({ model: both, colours: [], format: kronor, at: 2 })
    expect(html).toContain('Incomplete: data to 9 Mar 2026')
  })

  it('lets bars over names lie and bars over time stand', () => {
    const names = axisChartOption(modelOf(answerOf([country, sales], [['Sweden', 1]])), settings({ chart: 'bar' }))
    expect(names.yAxis).toMatchObject({ type: 'category', inverse: true })
    expect(axisChartOption(modelOf(quarter()), settings({ chart: 'bar' })).xAxis).toMatchObject({ type: 'category' })
  })

  it('marks no axis below zero whose figures are not, beside one with figures that are', () => {
    const profit = { ...sales, key: 'm0', label: 'Profit' }
    const count: ResultColumn = {
      ...{ key: 'm1', label: 'Count', kind: 'measure', type: 'integer', format: { style: 'plain' } },
    }
    const rows = [
      ['2026-01-01', -40_000, 90],
      ['2026-02-01', 120_000, 30],
    ]
    const axes = valueAxes(modelOf(answerOf([month, profit, count], rows)), settings({ chart: 'bar' }))
    const marks = axes.map(({ min, max, interval, axisLabel }) =>
      marksOf({ min, max, step: interval }).map((mark) => axisLabel.formatter(mark)),
    )
    expect(marks).toEqual([
      ['−50\u00a0tkr', '0', '50\u00a0tkr', '100\u00a0tkr', '150\u00a0tkr', '200\u00a0tkr'],
      ['', '0', '25', '50', '75', '100'],
    ])
  })

  it('moves nothing where motion is unwanted, and always describes itself', () => {
    const option = axisChartOption(modelOf(quarter()), settings({ reducedMotion: true }))
    expect(option.animation).toBe(false)
    expect(option.aria).toMatchObject({ enabled: true, label: { description: expect.stringContaining('highest') } })
  })

  it('keeps the bands of a stack whole where a part has no rows, and lines broken', () => {
    const rows = [
      ['2026-01-01', 'Sweden', 1],
      ['2026-01-01', 'Norway', 2],
      ['2026-02-01', 'Sweden', 3],
    ]
    const dataOf = (chart: 'area' | 'line') =>
      seriesOf(axisChartOption(modelOf(answerOf([month, country, sales], rows)), settings({ chart }))).map(({ data }) =>
        JSON.stringify(data),
      )
    expect(dataOf('area')).toContain('[2,0]')
    const day = { ...month, partial: [{ start: '2026-01-01', from: '2026-01-14', to: '2026-01-14' }] }
    const alone = modelOf(answerOf([day, country, sales], rows.slice(0, 2)))
    expect(JSON.stringify(seriesOf(axisChartOption(alone, settings({ chart: 'area' }))))).toContain(
      '"data":[{"value":1,"symbolSize":6}]',
    )
    expect(dataOf('line').some((data) => data.includes('null'))).toBe(true)
  })

  it('stacks the parts of a split', () => {
    const rows = [
      ['2026-01-01', 'Norway', 2],
      ['2026-01-01', 'Sweden', 3],
    ]
    const option = axisChartOption(modelOf(answerOf([month, country, sales], rows)), settings({ chart: 'stackedBar' }))
    expect(seriesOf(option).map((one) => 'stack' in one && one.stack)).toEqual(['all:SEK', 'all:SEK'])
  })
})

describe('tooltip', () => {
  it('never lets a label become markup', () => {
    const model = modelOf(answerOf([month, country, { ...sales, label: HOSTILE }], [['2026-01-01', HOSTILE, 1]]))
    const html = categoryTooltipHtml({ model, colours: [HOSTILE], format: kronor, at: 0 })
    expect(html).not.toContain('<img')
    expect(html).toContain(escapeHtml(HOSTILE))
  })

  it('shows figures in full and says what is not complete', () => {
    const html = categoryTooltipHtml({ model: running(), colours: [], format: kronor, at: 2 }).replace(
      /[\u00a0\u202f]/g,
      ' ',
    )
    expect(html).toContain('451 770 kr')
    expect(html).toContain('Incomplete')
  })

  it('says nothing outside the chart', () => {
    expect(categoryTooltipHtml({ model: running(), colours: [], format: kronor, at: 99 })).toBe('')
  })
})
