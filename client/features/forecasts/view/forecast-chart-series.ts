import { mixColours, type ChartColours } from '../../../ui/chart/chart-colours'
import type { RenderSettings, ChartSeriesOption } from '../../../ui/chart/chart-spec'
import { TERMS } from '../../../../src/shared/terms'
import type { CellFormatter } from '../../../../src/shared/figures/cell-formatter'
import type { ChartBand, ForecastChartModel } from './forecast-chart-model'

type Values = (number | null)[]

/** Names of what is drawn, as the legend has them. */
export const ACTUAL = 'Actual'
export const FORECAST = 'Forecast'
export const BACKTEST_SERIES = TERMS.backtest
const SO_FAR = 'To date'
const OUTLIERS = 'Outliers'
const EVENTS = 'Events'
/** “80 % interval”. */
export const bandName = (level: number, { percent }: Pick<CellFormatter, 'percent'>): string =>
  `${percent(level / 100)} interval`

/** Colours of a picture: one for what was and is expected, others for paths beside it. */
export function forecastChartColours(colours: ChartColours) {
  const [main = colours.text, ...others] = colours.series
  return { main, then: others[2] ?? colours.dimmed, scenarios: [others[0], others[1], others[3], others[4]] }
}

const noValues = (count: number): Values => Array.from({ length: Math.max(0, count) }, () => null)
const futureValues = (model: ForecastChartModel, values: readonly number[]): Values => [
  ...noValues(model.known),
  ...values,
]
/** Up to here every point has its mark. */
const FEW_POINTS = 40
const LINE = { type: 'line' as const, connectNulls: false, showSymbol: true, symbol: 'circle' }

interface BandStyle {
  id: string
  name: string
  colour: string
  /** How much of its ground it covers, of one. */
  opacity: number
  /** As it looks in the legend. */
  seen: string
}

/** A band is its lower end, unseen, and what lies between the ends laid on it; of one period, a bar. */
function bandSeries(
  { lower, upper }: Pick<ChartBand, 'lower' | 'upper'>,
  at: number,
  bandStyle: BandStyle,
): ChartSeriesOption[] {
  const { id, name, colour, opacity, seen } = bandStyle
  const shared = {
    ...LINE,
    name,
    color: colour,
    itemStyle: { color: seen },
    symbol: 'none',
    silent: true,
    z: 1,
    tooltip: { show: false },
  }
  if (lower.length === 1)
    return [
      {
        ...shared,
        id: `${id}:bar`,
        data: [
          [at, lower[0] ?? 0],
          [at, upper[0] ?? 0],
        ],
        lineStyle: { color: colour, width: 14, opacity, cap: 'butt' },
      },
    ]
  const line = { ...shared, stack: id, stackStrategy: 'all' as const, lineStyle: { width: 0, opacity: 0 } }
  return [
    { ...line, id: `${id}:lower`, data: [...noValues(at), ...lower] },
    {
      ...line,
      id: `${id}:between`,
      data: [...noValues(at), ...lower.map((low, step) => (upper[step] ?? low) - low)],
      areaStyle: { color: colour, opacity },
    },
  ]
}

const OPACITY = { outer: 0.13, inner: 0.24, then: 0.16 }

function pathSeries(model: ForecastChartModel, { colours }: RenderSettings): ChartSeriesOption[] {
  const { main, then, scenarios } = forecastChartColours(colours)
  const few = model.labels.length <= FEW_POINTS
  const size = few ? 5 : 0
  return [
    {
      ...LINE,
      ...{ id: 'main:actual', name: ACTUAL, color: main, z: 4, symbolSize: size },
      lineStyle: { width: 2.25, type: 'solid' },
      data: isolatedPoints(model.past),
    },
    {
      ...LINE,
      ...{ id: 'main:forecast', name: FORECAST, color: main, z: 4 },
      symbolSize: few || model.mean.length === 1 ? 5 : 0,
      lineStyle: { width: 2.25, type: [6, 5], color: main },
      itemStyle: { color: colours.surface, borderColor: main, borderWidth: 1.75 },
      data: futureValues(model, model.mean),
    },
    ...model.scenarios.map(({ name, mean }, at): ChartSeriesOption => {
      const colour = scenarios[at] ?? colours.other
      return {
        ...LINE,
        ...{ id: `scenario:${at}`, name, color: colour, z: 5, symbolSize: mean.length === 1 ? 6 : 0 },
        lineStyle: { width: 2, type: 'dashed' },
        data: futureValues(model, mean),
      }
    }),
    ...(model.fold
      ? [
          ...bandSeries(model.fold.band, model.fold.at, {
            ...{ id: 'then', name: BACKTEST_SERIES, colour: then, seen: then, opacity: OPACITY.then },
          }),
          {
            ...LINE,
            ...{ id: 'main:then', name: BACKTEST_SERIES, color: then, z: 5, symbolSize: 0 },
            lineStyle: { width: 2, type: 'dashed' as const },
            data: [...noValues(model.fold.at), ...model.fold.mean],
          },
        ]
      : []),
  ]
}
/** A point without neighbours has no line: it needs a mark, however many points there are. */
const isolatedPoints = (values: readonly (number | null)[]) =>
  values.map((value, at) =>
    value !== null && (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null
      ? { value, symbolSize: 5 }
      : value,
  )

function thresholdSeries({ thresholds, labels }: ForecastChartModel, { colours }: RenderSettings): ChartSeriesOption[] {
  return thresholds.map(({ name, value }, at): ChartSeriesOption => ({
    ...{
      ...LINE,
      id: `level:${at}`,
      name,
      color: colours.text,
      symbol: 'none',
      silent: true,
      z: 3,
      showAllSymbol: true,
    },
    lineStyle: { width: 1.25, type: [2, 3], color: colours.text },
    data: labels.map((_, place) =>
      place === 0
        ? {
            value,
            symbol: 'circle',
            symbolSize: 0.1,
            label: {
              ...{ show: true, formatter: name, color: colours.text, fontSize: 12, align: 'left' as const },
              // Above its line: under one that lies on the axis it would cover the names of the periods.
              position: [6, -18],
              ...{ textBorderColor: colours.surface, textBorderWidth: 3 },
            },
          }
        : value,
    ),
  }))
}

/** What stands over the whole height, on axes of its own that run from nothing to one. */
function fullHeightSeries(
  { line, events, labels }: ForecastChartModel,
  { colours }: RenderSettings,
): ChartSeriesOption[] {
  const shared = { ...LINE, silent: true, yAxisIndex: 1, tooltip: { show: false } }
  const covered = new Set(events.flatMap(({ places }) => places))
  return [
    ...(line
      ? [
          {
            ...shared,
            ...{
              id: 'line',
              name: line.word,
              xAxisIndex: 1,
              color: colours.dimmed,
              symbol: 'none',
              z: 2,
              showAllSymbol: true,
            },
            lineStyle: { width: 1, color: colours.dimmed },
            data: [
              [line.at, 0],
              {
                value: [line.at, 1],
                symbol: 'circle',
                symbolSize: 0.1,
                label: {
                  ...{ show: true, formatter: line.word, position: 'top' as const, distance: 3 },
                  ...{ color: colours.dimmed, fontSize: 12 },
                },
              },
            ],
          },
        ]
      : []),
    ...(covered.size > 0
      ? [
          {
            ...shared,
            ...{ id: 'events', name: EVENTS, color: colours.dimmed, symbolSize: 7, symbol: 'diamond', z: 3 },
            lineStyle: { width: 4, color: mixColours(colours.dimmed, colours.surface, 0.3), cap: 'round' as const },
            data: labels.map((_, at) => (covered.has(at) ? 0.012 : null)),
          },
        ]
      : []),
  ]
}

function markerSeries(model: ForecastChartModel, { colours }: RenderSettings): ChartSeriesOption[] {
  const { main } = forecastChartColours(colours)
  const shared = { type: 'scatter' as const, silent: true, z: 6, tooltip: { show: false } }
  const { running, unusual } = model
  return [
    ...(unusual.length > 0
      ? [
          {
            ...shared,
            ...{ id: 'unusual', name: OUTLIERS, symbol: 'circle', symbolSize: 15, color: colours.text },
            itemStyle: { color: 'transparent', borderColor: colours.text, borderWidth: 1.5 },
            data: unusual.map(({ at, value }) => [at, value]),
          },
        ]
      : []),
    ...(running
      ? [
          {
            ...shared,
            ...{ id: 'running', name: SO_FAR, symbol: 'emptyCircle', symbolSize: 8, color: main },
            itemStyle: { color: main, borderColor: main, borderWidth: 2 },
            data: [[running.at, running.value]],
          },
        ]
      : []),
  ]
}

/** All that is drawn of a picture. The first two are what was and what is expected. */
export function forecastChartSeries(model: ForecastChartModel, settings: RenderSettings): ChartSeriesOption[] {
  const { main } = forecastChartColours(settings.colours)
  const look = (outer: boolean) => ({
    opacity: outer ? OPACITY.outer : OPACITY.inner,
    seen: mixColours(main, settings.colours.surface, outer ? 0.8 : 0.6),
  })
  const fan = model.bands.flatMap((band, at) =>
    bandSeries(band, model.known, {
      ...{ id: `band:${band.level}`, name: bandName(band.level, settings.format), colour: main },
      ...look(at < model.bands.length - 1),
    }),
  )
  return [
    ...pathSeries(model, settings),
    ...fan,
    ...thresholdSeries(model, settings),
    ...fullHeightSeries(model, settings),
    ...markerSeries(model, settings),
  ]
}

/** Names for the legend, in the order in which they are read. */
export const forecastChartLegend = (model: ForecastChartModel, figures: Pick<CellFormatter, 'percent'>): string[] => [
  ACTUAL,
  FORECAST,
  ...model.bands.toReversed().map(({ level }) => bandName(level, figures)),
  ...model.scenarios.map(({ name }) => name),
  ...(model.fold ? [BACKTEST_SERIES] : []),
  ...(model.running ? [SO_FAR] : []),
  ...(model.unusual.length > 0 ? [OUTLIERS] : []),
  ...(model.events.length > 0 ? [EVENTS] : []),
]
