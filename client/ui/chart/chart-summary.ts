import type { ChartModel, Point, Series } from './chart-model'
import type { CellFormatter } from './figure-format'

interface LabelledPoint {
  label: string
  point: Point & { value: number }
}

const labelledPoints = (model: ChartModel, series: Series): LabelledPoint[] =>
  series.points.flatMap((point, at) => {
    const label = model.categories[at]?.label
    return point.value === null || label === undefined ? [] : [{ label, point: { ...point, value: point.value } }]
  })

function summarizeSeries(model: ChartModel, series: Series, format: CellFormatter): string {
  const all = labelledPoints(model, series)
  const [first] = all
  const last = all.at(-1)
  if (!first || !last) return `${series.name}: no figures.`
  const high = all.reduce((best, one) => (one.point.value > best.point.value ? one : best))
  const low = all.reduce((best, one) => (one.point.value < best.point.value ? one : best))
  // The points of the compared period stand on the days of this one: "beside Dec 2026" keeps them apart.
  const at = model.time && series.role === 'comparison' ? 'beside ' : ''
  const figure = (one: LabelledPoint): string => `${format.full(one.point.value, series.column)} (${at}${one.label})`
  const ends = model.time ? ` From ${figure(first)} to ${figure(last)}.` : ''
  return `${series.name}: highest ${figure(high)}, lowest ${figure(low)}.${ends}`
}

const SUMMARY_SERIES_MAX = 6

/** The chart as text, for those who do not see it: extremes of each series, and what is not complete. */
export function chartSummary(model: ChartModel, format: CellFormatter): string {
  const seriesTexts = model.series.slice(0, SUMMARY_SERIES_MAX).map((series) => summarizeSeries(model, series, format))
  const more =
    model.series.length > SUMMARY_SERIES_MAX ? [`And ${model.series.length - SUMMARY_SERIES_MAX} more series.`] : []
  const cut = model.categories.find((category) => category.incomplete)
  const note = cut ? [`${cut.label} is not complete yet.`] : []
  return [`${model.categories.length} points over ${model.axis.label}.`, ...seriesTexts, ...more, ...note].join(' ')
}
