import type { ColumnFormat } from '../../../../src/shared/data-sources/files'
import type { ChartSpec, RenderSettings, ChartOption } from '../../../ui/chart/chart-spec'
import type { FormattedColumn, CellFormatter } from '../../../../src/shared/figures/cell-formatter'
import { baseChartOption, legendHeightPx, tooltipCardHtml, type TooltipLine } from '../../../ui/chart/chart-frame'
import type { ForecastChartModel } from './forecast-chart-model'
import {
  ACTUAL,
  bandName,
  forecastChartColours,
  FORECAST,
  forecastChartLegend,
  forecastChartSeries,
  BACKTEST_SERIES,
} from './forecast-chart-series'

/** A forecast figure as a column of an answer: it has no decimals of its own. */
export const figureColumn = (format: ColumnFormat): FormattedColumn => ({ type: 'number', kind: 'measure', format })

type FormatValue = (value: number) => string
/** A line of what is known of one period. */
interface PeriodLine {
  name: string
  figure: string
  colour?: string | undefined
}

/** Everything that is known or said of one period. */
function periodLines(
  model: ForecastChartModel,
  at: number,
  { say, figures, settings }: { say: FormatValue; figures: CellFormatter; settings?: RenderSettings },
): PeriodLine[] {
  const colours = settings ? forecastChartColours(settings.colours) : null
  const step = at - model.known
  const was = model.past[at] ?? null
  const mean = step >= 0 ? model.mean[step] : undefined
  const between = (lower: number | undefined, upper: number | undefined): string =>
    lower === undefined || upper === undefined ? '' : `${say(lower)}${upper < 0 ? ' – ' : '–'}${say(upper)}`
  const { fold, running } = model
  const thenStep = fold ? at - fold.at : -1
  const then = thenStep >= 0 ? fold?.mean[thenStep] : undefined
  const { main } = colours ?? {}
  return [
    ...(step < 0 ? [{ name: ACTUAL, figure: was === null ? 'no value' : say(was), colour: main }] : []),
    ...(running?.at === at ? [{ name: 'To date, incomplete', figure: say(running.value), colour: main }] : []),
    ...(mean === undefined ? [] : [{ name: FORECAST, figure: say(mean), colour: main }]),
    ...(mean === undefined
      ? []
      : model.bands.toReversed().map(({ level, lower, upper }) => ({
          name: bandName(level, figures),
          figure: between(lower[step], upper[step]),
        }))),
    ...model.scenarios.flatMap((one, place) => {
      const value = step >= 0 ? one.mean[step] : undefined
      return value === undefined
        ? []
        : [{ name: one.name, figure: say(value), colour: colours?.scenarios[place] ?? settings?.colours.other }]
    }),
    ...(then === undefined ? [] : [{ name: BACKTEST_SERIES, figure: say(then), colour: colours?.then }]),
    ...(then === undefined || !fold
      ? []
      : [
          {
            name: `${BACKTEST_SERIES}, ${bandName(fold.band.level, figures)}`,
            figure: between(fold.band.lower[thenStep], fold.band.upper[thenStep]),
          },
        ]),
  ]
}

const periodNotes = ({ unusual, events }: ForecastChartModel, at: number): string[] => [
  ...unusual.filter((mark) => mark.at === at).map(({ words }) => words),
  ...events.filter(({ places }) => places.includes(at)).map(({ words }) => words),
]

function forecastChartSummary(model: ForecastChartModel, figures: CellFormatter, formatValue: FormatValue): string {
  const { labels, known, mean, bands, thresholds, scenarios } = model
  const last = model.past.findLastIndex((value) => value !== null)
  const ends = (at: number): string => `${labels[at] ?? ''} ${formatValue(mean[at - known] ?? 0)}`
  const band = bands.at(-1)
  const end = mean.length - 1
  return [
    last < 0
      ? ''
      : `Actual from ${labels[0] ?? ''} to ${labels[last] ?? ''}, last ${formatValue(model.past[last] ?? 0)}.`,
    mean.length === 0 ? '' : `Forecast: ${ends(known)}${end > 0 ? `, ${ends(known + end)}` : ''}.`,
    band && end >= 0
      ? `${bandName(band.level, figures)} in ${labels[known + end] ?? ''}: ${formatValue(band.lower[end] ?? 0)} to ${formatValue(band.upper[end] ?? 0)}.`
      : '',
    ...thresholds.map(({ name, value }) => `Threshold ${name}: ${formatValue(value)}.`),
    scenarios.length === 0 ? '' : `Scenarios: ${scenarios.map(({ name }) => name).join(', ')}.`,
  ]
    .filter((one) => one !== '')
    .join(' ')
}

/** Months and quarters are named where a year begins, or every so many of them. */
const LABEL_STEPS = { month: [1, 2, 3, 6, 12, 24, 36, 60], quarter: [1, 2, 4, 8, 16, 40] } as const
const LABEL_PX = 76

function axisLabelInterval({ grain, starts }: ForecastChartModel, width: number): 'auto' | ((at: number) => boolean) {
  if (grain === 'day' || grain === 'week') return 'auto'
  const room = Math.max(2, Math.floor(width / LABEL_PX))
  const every = LABEL_STEPS[grain].find((step) => starts.length / step <= room) ?? 60
  const place = (start: string): number => {
    const [year = 0, month = 1] = start.split('-').map(Number)
    return grain === 'month' ? year * 12 + month - 1 : Math.floor((year * 12 + month - 1) / 3)
  }
  return (at) => place(starts[at] ?? '') % every === 0
}

/** All values that the axis of figures has to reach. */
const axisValues = ({ past, mean, bands, fold, scenarios, thresholds }: ForecastChartModel): number[] => [
  ...past.flatMap((value) => value ?? []),
  ...mean,
  ...bands.flatMap(({ lower, upper }) => [...lower, ...upper]),
  ...(fold?.mean ?? []),
  ...scenarios.flatMap((one) => one.mean),
  ...thresholds.map(({ value }) => value),
]
/** Where all of it lies high above zero, the axis does not begin there: the fan could not be read. */
const isFarAboveZero = (values: readonly number[]): boolean => {
  const [low, high] = values.reduce(([a, b], one) => [Math.min(a, one), Math.max(b, one)], [Infinity, -Infinity])
  return low > 0 && high - low < 0.3 * high
}

const ASSUMED_PX = 720

function forecastChartOption(
  model: ForecastChartModel,
  column: FormattedColumn,
  settings: RenderSettings,
): ChartOption {
  const { colours, format } = settings
  const formatValue: FormatValue = (value) => format.round(value, column)
  const legend = forecastChartLegend(model, format)
  const frame = baseChartOption(settings, { summary: forecastChartSummary(model, format, formatValue), legend })
  const values = axisValues(model)
  const largest = Math.max(0, ...values.map(Math.abs))
  const count = model.labels.length
  return {
    ...frame,
    grid: { ...frame.grid, top: legendHeightPx(settings, legend) + 26 },
    tooltip: {
      ...frame.tooltip,
      trigger: 'axis',
      axisPointer: { type: 'line', lineStyle: { color: colours.border } },
      formatter: (params: unknown) =>
        forecastTooltipHtml(model, tooltipIndex(params), { say: formatValue, figures: format, settings }),
    },
    xAxis: [
      {
        type: 'category',
        data: model.labels,
        boundaryGap: false,
        axisTick: { show: false },
        axisLine: { onZero: false, lineStyle: { color: colours.border } },
        axisLabel: {
          ...{ color: colours.dimmed, fontSize: 12, hideOverlap: true },
          interval: axisLabelInterval(model, settings.width ?? ASSUMED_PX),
        },
      },
      { type: 'value', min: 0, max: Math.max(1, count - 1), show: false, axisPointer: { show: false } },
    ],
    yAxis: [
      {
        type: 'value',
        splitNumber: 4,
        axisLine: { show: false },
        axisTick: { show: false },
        scale: isFarAboveZero(values),
        splitLine: { lineStyle: { color: colours.grid } },
        axisLabel: {
          ...{ color: colours.dimmed, fontSize: 12 },
          formatter: (value: number) => format.short(value, column, largest),
        },
      },
      { type: 'value', min: 0, max: 1, show: false, axisPointer: { show: false } },
    ],
    series: forecastChartSeries(model, settings),
  }
}

/** Of what the library hands to a tooltip of an axis: the place on it. */
function tooltipIndex(params: unknown): number {
  const [first]: unknown[] = Array.isArray(params) ? params : [params]
  return typeof first === 'object' && first !== null && 'dataIndex' in first && typeof first.dataIndex === 'number'
    ? first.dataIndex
    : -1
}

function forecastTooltipHtml(
  model: ForecastChartModel,
  at: number,
  parts: { say: FormatValue; figures: CellFormatter; settings: RenderSettings },
): string {
  const title = model.labels[at]
  if (title === undefined) return ''
  const lines = periodLines(model, at, parts).map(({ name, figure, colour }): TooltipLine => ({
    ...{ name, figure },
    ...(colour === undefined ? {} : { colour }),
  }))
  const notes = periodNotes(model, at)
  return tooltipCardHtml({ title, lines, ...(notes.length > 0 ? { note: notes.join('. ') } : {}) })
}

/** A forecast as a chart: drawn on a screen or for a file, walked by keyboard, said in words. Pure. */
export function forecastDrawing(model: ForecastChartModel, format: ColumnFormat, figures: CellFormatter): ChartSpec {
  const column = figureColumn(format)
  const formatValue: FormatValue = (value) => figures.round(value, column)
  return {
    summary: forecastChartSummary(model, figures, formatValue),
    notes: [],
    keyboardStops: model.labels.map((label, at) => {
      const said = periodLines(model, at, { say: formatValue, figures }).map(({ name, figure }) => `${name} ${figure}`)
      return {
        description: `${label}: ${[...said, ...periodNotes(model, at)].join(', ')}`,
        row: null,
        dataPoint: { seriesIndex: at < model.known ? 0 : 1, dataIndex: at },
      }
    }),
    height: (base) => base,
    option: (settings) => forecastChartOption(model, column, settings),
    rowOf: () => null,
    markAtPosition: () => null,
  }
}
