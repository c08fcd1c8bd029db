import type { ColumnFormat } from '../../../src/shared/files'
import type { Drawing, DrawSettings } from '../../ui/chart/drawing'
import type { ChartOption } from '../../ui/chart/engine-types'
import type { FigureColumn, FigureFormat } from '../../ui/chart/figure-format'
import { frameOption, legendPx } from '../../ui/chart/frame-option'
import { cardHtml } from '../../ui/chart/tooltip'
import type { TooltipLine } from '../../ui/chart/tooltip'
import type { Picture } from './forecast-picture'
import { ACTUAL, bandName, coloursOfPicture, FORECAST, legendOfPicture, seriesOfPicture, THEN } from './forecast-series'

/** A forecast figure as a column of an answer: it has no decimals of its own. */
export const figureColumn = (format: ColumnFormat): FigureColumn => ({ type: 'number', kind: 'measure', format })

type Say = (value: number) => string
/** A line of what is known of one period. */
interface Line {
  name: string
  figure: string
  colour?: string | undefined
}

/** Everything that is known or said of one period. */
function linesAt(picture: Picture, at: number, { say, settings }: { say: Say; settings?: DrawSettings }): Line[] {
  const colours = settings ? coloursOfPicture(settings.colours) : null
  const step = at - picture.known
  const was = picture.past[at] ?? null
  const mean = step >= 0 ? picture.mean[step] : undefined
  const between = (lower: number | undefined, upper: number | undefined): string =>
    lower === undefined || upper === undefined ? '' : `${say(lower)} to ${say(upper)}`
  const { fold, running } = picture
  const thenStep = fold ? at - fold.at : -1
  const then = thenStep >= 0 ? fold?.mean[thenStep] : undefined
  const { main } = colours ?? {}
  return [
    ...(step < 0 ? [{ name: ACTUAL, figure: was === null ? 'nothing' : say(was), colour: main }] : []),
    ...(running?.at === at ? [{ name: 'So far, not complete', figure: say(running.value), colour: main }] : []),
    ...(mean === undefined ? [] : [{ name: FORECAST, figure: say(mean), colour: main }]),
    ...(mean === undefined
      ? []
      : picture.bands
          .toReversed()
          .map(({ level, lower, upper }) => ({ name: bandName(level), figure: between(lower[step], upper[step]) }))),
    ...picture.scenarios.flatMap((one, place) => {
      const value = step >= 0 ? one.mean[step] : undefined
      return value === undefined
        ? []
        : [{ name: one.name, figure: say(value), colour: colours?.scenarios[place] ?? settings?.colours.other }]
    }),
    ...(then === undefined ? [] : [{ name: THEN, figure: say(then), colour: colours?.then }]),
    ...(then === undefined || !fold
      ? []
      : [
          {
            name: `${bandName(fold.band.level)} then`,
            figure: between(fold.band.lower[thenStep], fold.band.upper[thenStep]),
          },
        ]),
  ]
}

const notesAt = ({ unusual, events }: Picture, at: number): string[] => [
  ...unusual.filter((mark) => mark.at === at).map(({ words }) => words),
  ...events.filter(({ places }) => places.includes(at)).map(({ words }) => words),
]

function summaryOf(picture: Picture, say: Say): string {
  const { labels, known, mean, bands, thresholds, scenarios } = picture
  const last = picture.past.findLastIndex((value) => value !== null)
  const ends = (at: number): string => `${labels[at] ?? ''} ${say(mean[at - known] ?? 0)}`
  const band = bands.at(-1)
  const end = mean.length - 1
  return [
    last < 0 ? '' : `Actual from ${labels[0] ?? ''} to ${labels[last] ?? ''}, last ${say(picture.past[last] ?? 0)}.`,
    mean.length === 0 ? '' : `Forecast: ${ends(known)}${end > 0 ? `, ${ends(known + end)}` : ''}.`,
    band && end >= 0
      ? `In the last period ${band.level} % likely between ${say(band.lower[end] ?? 0)} and ${say(band.upper[end] ?? 0)}.`
      : '',
    ...thresholds.map(({ name, value }) => `Level ${name} at ${say(value)}.`),
    scenarios.length === 0 ? '' : `Scenarios: ${scenarios.map(({ name }) => name).join(', ')}.`,
  ]
    .filter((one) => one !== '')
    .join(' ')
}

/** Months and quarters are named where a year begins, or every so many of them. */
const STEPS = { month: [1, 2, 3, 6, 12, 24, 36, 60], quarter: [1, 2, 4, 8, 16, 40] } as const
const LABEL_PX = 76

function labelled({ grain, starts }: Picture, width: number): 'auto' | ((at: number) => boolean) {
  if (grain === 'day' || grain === 'week') return 'auto'
  const room = Math.max(2, Math.floor(width / LABEL_PX))
  const every = STEPS[grain].find((step) => starts.length / step <= room) ?? 60
  const place = (start: string): number => {
    const [year = 0, month = 1] = start.split('-').map(Number)
    return grain === 'month' ? year * 12 + month - 1 : Math.floor((year * 12 + month - 1) / 3)
  }
  return (at) => place(starts[at] ?? '') % every === 0
}

/** All values that the axis of figures has to reach. */
const reached = ({ past, mean, bands, fold, scenarios, thresholds }: Picture): number[] => [
  ...past.flatMap((value) => value ?? []),
  ...mean,
  ...bands.flatMap(({ lower, upper }) => [...lower, ...upper]),
  ...(fold?.mean ?? []),
  ...scenarios.flatMap((one) => one.mean),
  ...thresholds.map(({ value }) => value),
]
/** Where all of it lies high above zero, the axis does not begin there: the fan could not be read. */
const liesHigh = (values: readonly number[]): boolean => {
  const [low, high] = values.reduce(([a, b], one) => [Math.min(a, one), Math.max(b, one)], [Infinity, -Infinity])
  return low > 0 && high - low < 0.3 * high
}

const ASSUMED_PX = 720

function optionOf(picture: Picture, column: FigureColumn, settings: DrawSettings): ChartOption {
  const { colours, format } = settings
  const say: Say = (value) => format.round(value, column)
  const legend = legendOfPicture(picture)
  const frame = frameOption(settings, { summary: summaryOf(picture, say), legend })
  const values = reached(picture)
  const largest = Math.max(0, ...values.map(Math.abs))
  const count = picture.labels.length
  return {
    ...frame,
    grid: { ...frame.grid, top: legendPx(settings, legend) + 26 },
    tooltip: {
      ...frame.tooltip,
      trigger: 'axis',
      axisPointer: { type: 'line', lineStyle: { color: colours.border } },
      formatter: (params: unknown) => tooltipAt(picture, placeOf(params), { say, settings }),
    },
    xAxis: [
      {
        type: 'category',
        data: picture.labels,
        boundaryGap: false,
        axisTick: { show: false },
        axisLine: { onZero: false, lineStyle: { color: colours.border } },
        axisLabel: {
          ...{ color: colours.dimmed, fontSize: 12, hideOverlap: true },
          interval: labelled(picture, settings.width ?? ASSUMED_PX),
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
        scale: liesHigh(values),
        splitLine: { lineStyle: { color: colours.grid } },
        axisLabel: {
          ...{ color: colours.dimmed, fontSize: 12 },
          formatter: (value: number) => format.short(value, column, largest),
        },
      },
      { type: 'value', min: 0, max: 1, show: false, axisPointer: { show: false } },
    ],
    series: seriesOfPicture(picture, settings),
  }
}

/** Of what the library hands to a tooltip of an axis: the place on it. */
function placeOf(params: unknown): number {
  const [first]: unknown[] = Array.isArray(params) ? params : [params]
  return typeof first === 'object' && first !== null && 'dataIndex' in first && typeof first.dataIndex === 'number'
    ? first.dataIndex
    : -1
}

function tooltipAt(picture: Picture, at: number, parts: { say: Say; settings: DrawSettings }): string {
  const title = picture.labels[at]
  if (title === undefined) return ''
  const lines = linesAt(picture, at, parts).map(({ name, figure, colour }): TooltipLine => ({
    ...{ name, figure },
    ...(colour === undefined ? {} : { colour }),
  }))
  const notes = notesAt(picture, at)
  return cardHtml({ title, lines, ...(notes.length > 0 ? { note: notes.join('. ') } : {}) })
}

/** A forecast as a chart: drawn on a screen or for a file, walked by keyboard, said in words. Pure. */
export function forecastDrawing(picture: Picture, format: ColumnFormat, figures: FigureFormat): Drawing {
  const column = figureColumn(format)
  const say: Say = (value) => figures.round(value, column)
  return {
    summary: summaryOf(picture, say),
    notes: [],
    stops: picture.labels.map((label, at) => {
      const said = linesAt(picture, at, { say }).map(({ name, figure }) => `${name} ${figure}`)
      return {
        words: `${label}: ${[...said, ...notesAt(picture, at)].join(', ')}`,
        row: null,
        mark: { seriesIndex: at < picture.known ? 0 : 1, dataIndex: at },
      }
    }),
    height: (base) => base,
    option: (settings) => optionOf(picture, column, settings),
    rowOf: () => null,
    rowNear: () => null,
  }
}
