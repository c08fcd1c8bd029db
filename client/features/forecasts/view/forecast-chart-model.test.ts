import { describe, expect, it } from 'vitest'
import { chartColours } from '../../../ui/chart/chart-colours'
import { kronor } from '../../../ui/chart/chart.fixture'
import { forecastDrawing } from './forecast-drawing'
import { buildChartModel, type ForecastChartOptions } from './forecast-chart-model'
import { pathOf, resultOf, splitResult } from '../forecasts.fixture'
import { applyScenario } from '../../../../src/shared/forecasts/scenarios'
import type { ForecastResult } from '../../../../src/shared/forecasts/result'

const TODAY = { day: '2026-11-21', word: 'Today' }
const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ')
const drawingOf = (result: ForecastResult, options: Partial<ForecastChartOptions> = {}) =>
  forecastDrawing(buildChartModel(result, { level: 80, ...options }), result.format, kronor)
const seriesOf = (result: ForecastResult, options: Partial<ForecastChartOptions> = {}) => {
  const { series } = drawingOf(result, options).option({
    ...{ format: kronor, colours: chartColours(() => '', false), reducedMotion: true },
  })
  return new Map((Array.isArray(series) ? series : []).map((one) => [String(one.id), one]))
}

describe('the chart of a forecast', () => {
  it('draws the past solid and the forecast dashed, with a gap between them and a line at today', () => {
    const drawn = seriesOf(resultOf(), { line: TODAY })
    const [actual, ahead] = [drawn.get('main:actual'), drawn.get('main:forecast')]
    expect(actual).toMatchObject({ lineStyle: { type: 'solid' } })
    expect(ahead).toMatchObject({ lineStyle: { type: [6, 5] } })
    expect(actual?.data).toHaveLength(46)
    expect(ahead?.data).toHaveLength(46 + 12)
    expect(Array.isArray(ahead?.data) && ahead.data.slice(0, 46).every((value) => value === null)).toBe(true)
    // November, which today lies in, is the first that is not over.
    // Two thirds of November are over.
    const x = expect.closeTo(46.18, 2)
    expect(drawn.get('line')).toMatchObject({ data: [[x, 0], { value: [x, 1] }] })
  })

  it('lays the chosen band over a lighter, wider one, whose ends are those of the result', () => {
    const picture = buildChartModel(resultOf(), { level: 50 })
    expect(picture.bands.map(({ level }) => level)).toEqual([80, 50])
    expect(buildChartModel(resultOf(), { level: 95 }).bands.map(({ level }) => level)).toEqual([95])
    const drawn = seriesOf(resultOf(), { level: 50 })
    const lower = drawn.get('band:80:lower')?.data
    const between = drawn.get('band:80:between')?.data
    expect(Array.isArray(lower) && lower.at(-1)).toBe(95_000)
    expect(Array.isArray(between) && between.at(-1)).toBe(20_000)
    expect(drawn.get('band:80:between')).toMatchObject({ areaStyle: { opacity: 0.13 } })
  })

  it('lays what would have been said over what came, where a fold began, however far back', () => {
    const days = { ...resultOf() }
    const { fold, past } = buildChartModel(days, { level: 80, fold: 0 })
    expect(fold?.at).toBe(34)
    expect(past[fold?.at ?? 0]).toBe(days.total.backtest?.folds[0]?.actual[0])
  })

  it('adds the paths of up to four scenarios, levels that matter, events and what is unusual', () => {
    const result = resultOf()
    const line = (name: string) => ({
      name,
      applied: applyScenario(result, {
        steps: [{ kind: 'percent', by: 0.1, from: '2026-11-01', to: '2027-12-31' }],
      }),
    })
    const drawn = seriesOf(result, {
      scenarios: ['a', 'b', 'c', 'd', 'e'].map(line),
      thresholds: [{ name: 'Floor', side: 'below', value: 90_000 }],
      events: [{ name: 'Fair', from: '2025-06-10', to: '2025-07-03', effect: { kind: 'leaveOut' } }],
    })
    expect([...drawn.keys()].filter((id) => id.startsWith('scenario:'))).toHaveLength(4)
    expect(drawn.get('level:0')).toMatchObject({ name: 'Floor' })
    expect(drawn.get('unusual')).toMatchObject({ data: [[30, 400_000]] })
    const events = drawn.get('events')?.data
    expect(Array.isArray(events) && events.flatMap((value, at) => (value === null ? [] : [at]))).toEqual([29, 30])
  })

  it('says every period in words, with its bands and what is known of it', () => {
    const { keyboardStops, summary } = drawingOf(resultOf(), { line: TODAY })
    const said = keyboardStops.map(({ description }) => plain(description))
    expect(said[30]).toContain('Outlier')
    expect(said[46]).toBe(
      'Nov 2026: To date, incomplete 41 000 kr, Forecast 105 000 kr, 80 % interval 95 000 kr–115 000 kr, 95 % interval 85 000 kr–125 000 kr',
    )
    expect(plain(summary)).toContain('80 % interval in Oct 2027: 95 000 kr to 115 000 kr.')
  })

  it('draws a part, or the balance, in place of the whole', () => {
    expect(buildChartModel(splitResult(), { level: 80, part: 1 }).mean[0]).toBeCloseTo(42_000)
    const balance = {
      ...{ opening: 50_000, source: 'person' as const, past: resultOf().periods.map(() => 1) },
      path: pathOf(Array.from({ length: 12 }, (_, at) => at)),
    }
    // Levels are held against the balance, and so are drawn over it alone.
    const thresholds = [{ name: 'Minimum cash', side: 'below' as const, value: 5 }]
    expect(buildChartModel(resultOf({ balance }), { level: 80, thresholds }).thresholds).toEqual([])
    expect(buildChartModel(resultOf({ balance }), { level: 80, thresholds, asBalance: true }).thresholds).toEqual(
      thresholds,
    )
    expect(buildChartModel(resultOf({ balance }), { level: 80, asBalance: true })).toMatchObject({
      ...{ mean: balance.path.mean, running: null, unusual: [] },
    })
  })

  it('draws one period ahead as a bar, and no line for a day beyond the picture', () => {
    const result = resultOf()
    const short = { ...result, future: result.future.slice(0, 1), total: { ...result.total, path: pathOf([105_000]) } }
    const drawn = seriesOf(short, { line: { day: '2027-06-01', word: 'Today' } })
    expect(drawn.get('band:80:bar')).toMatchObject({
      data: [
        [46, 95_000],
        [46, 115_000],
      ],
    })
    expect(drawn.has('line')).toBe(false)
  })

  it('puts today where it is, also where the data go on after it, and nowhere where they end years before', () => {
    const lineOf = (day: string) => buildChartModel(resultOf(), { level: 80, line: { day, word: 'Today' } }).line
    const { periods } = resultOf()
    expect(lineOf(`${periods[40]?.slice(0, 8) ?? ''}15`)?.at).toBeCloseTo(40, 1)
    expect(lineOf(periods[40] ?? '')?.at).toBeCloseTo(39.52, 1)
    expect(lineOf(periods[0] ?? '')?.at, 'no further than the picture').toBe(0)
    expect(lineOf('2031-01-15')).toBeNull()
    expect(lineOf('1999-01-15')).toBeNull()
  })
})
