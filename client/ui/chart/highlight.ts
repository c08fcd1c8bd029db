import type { BarSeriesOption, HeatmapSeriesOption, LineSeriesOption, ScatterSeriesOption } from 'echarts/charts'
import type { ChartOption, ChartSeriesOption, ChartSpec } from './chart-spec'

const FADED = 0.22
const FADED_LINE = 0.35
const CHOSEN_PX = 11

/** Whether a mark is chosen; null for what is no mark of the answer. */
type IsChosen = (index: number) => boolean | null

/** A datum is a value, several of one point, or a value with a look of its own. */
const isBare = (item: unknown): item is string | number | Date | null | undefined | readonly unknown[] =>
  typeof item !== 'object' || item === null || Array.isArray(item) || item instanceof Date

const fadeBars = (series: BarSeriesOption, isChosen: IsChosen): BarSeriesOption => ({
  ...series,
  data: (series.data ?? []).map((item, at) => {
    if (isChosen(at) !== false) return item
    if (isBare(item)) return { value: item, itemStyle: { opacity: FADED } }
    return { ...item, itemStyle: { ...item.itemStyle, opacity: FADED } }
  }),
})

const fadeCells = (series: HeatmapSeriesOption, isChosen: IsChosen): HeatmapSeriesOption => ({
  ...series,
  data: (series.data ?? []).map((item, at) => {
    if (isChosen(at) !== false) return item
    if (isBare(item)) return { value: item, itemStyle: { opacity: FADED } }
    return { ...item, itemStyle: { ...item.itemStyle, opacity: FADED } }
  }),
})

function fadePoints(series: ScatterSeriesOption, isChosen: IsChosen): ScatterSeriesOption {
  const { data } = series
  if (!Array.isArray(data)) return series
  return {
    ...series,
    data: data.map((item, at) => {
      if (isChosen(at) !== false) return item
      if (isBare(item)) return { value: item, itemStyle: { opacity: FADED } }
      return { ...item, itemStyle: { ...item.itemStyle, opacity: FADED } }
    }),
  }
}

/** A line stays, paler where none of its points is chosen; those that are stand out on it. */
function markPoints(series: LineSeriesOption, isChosen: IsChosen): LineSeriesOption {
  const data = series.data ?? []
  const isAny = data.some((_, at) => isChosen(at) === true)
  return {
    ...series,
    lineStyle: { ...series.lineStyle, opacity: isAny ? 1 : FADED_LINE },
    data: data.map((item, at) => {
      if (isChosen(at) !== true) return item
      const look = { symbol: 'circle', symbolSize: CHOSEN_PX }
      return isBare(item) ? { value: item, ...look } : { ...item, ...look }
    }),
  }
}

function highlightSeries(series: ChartSeriesOption, isChosen: IsChosen): ChartSeriesOption {
  if (series.type === 'bar') return fadeBars(series, isChosen)
  if (series.type === 'heatmap') return fadeCells(series, isChosen)
  if (series.type === 'scatter') return fadePoints(series, isChosen)
  return series.type === 'line' ? markPoints(series, isChosen) : series
}

/** A picture in which the marks of these rows stand out from the others. */
export function withHighlight(option: ChartOption, rows: ReadonlySet<number>, rowOf: ChartSpec['rowOf']): ChartOption {
  if (rows.size === 0 || !option.series) return option
  const all = Array.isArray(option.series) ? option.series : [option.series]
  const series = all.map((one): ChartSeriesOption => {
    const { id } = one
    if (typeof id !== 'string') return one
    return highlightSeries(one, (dataIndex) => {
      const row = rowOf({ seriesId: id, dataIndex })
      return row === null ? null : rows.has(row)
    })
  })
  return { ...option, series }
}
