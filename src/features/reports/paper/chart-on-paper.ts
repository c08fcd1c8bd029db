import { drawChart, type Box, type PaperChart, type PaperSeries } from '../../../formats/pdf/paper-chart'
import { drawLine, PAPER_COLOURS, wrapText, type Paper } from '../../../formats/pdf/paper'
import { chartModel, incompleteNotes, withPercent, type ChartModel } from '../../../shared/charts/chart-model'
import {
  changeVerdict,
  describeCompared,
  describeResultPeriod,
  headline,
  keyFigure,
  type KeyFigure,
} from '../../../shared/charts/headline'
import { toNumber, type CellFormatter } from '../../../shared/figures/cell-formatter'
import { MISSING_VALUE } from '../../../shared/figures/figures'
import type { ChartKind } from '../../../shared/insights'
import type { QueryResult, ResolvedPeriod } from '../../../shared/query/result'
import type { FigureAnswer, ForecastTile, TileContent } from '../../../shared/reports/tiles'

type ChartContent = Extract<TileContent, { kind: 'chart' }>

const STACKED: readonly ChartKind[] = ['stackedBar']
const LINES: readonly ChartKind[] = ['line', 'area']
/** Kinds that a paper shows as a table. */
const AS_TABLE: readonly ChartKind[] = ['table', 'pivot', 'scatter', 'heatMap']
const CATEGORIES_MAX = 60
const SERIES_MAX = 12

const kindOf = (chart: ChartKind): PaperChart['kind'] =>
  LINES.includes(chart) ? 'line' : STACKED.includes(chart) ? 'stack' : 'bar'

/** The picture of an answer; null where it is read as a figure or a table. */
export function chartOf({ result, viz }: ChartContent, format: CellFormatter): PaperChart | null {
  if (AS_TABLE.includes(viz.chart) || viz.chart === 'number') return null
  const model = chartModel(withPercent(result, viz.percent), { format })
  if (
    !model ||
    model.series.length === 0 ||
    model.series.length > SERIES_MAX ||
    model.categories.length > CATEGORIES_MAX
  )
    return null
  return paperChart(model, kindOf(viz.chart), format)
}

function paperChart(model: ChartModel, kind: PaperChart['kind'], format: CellFormatter): PaperChart {
  const [first] = model.series
  return {
    kind,
    time: model.time,
    categories: model.categories.map(({ label, incomplete }) => ({ label, incomplete })),
    series: model.series.map(({ name, points, role }): PaperSeries => ({
      name,
      values: points.map(({ value }) => value),
      quiet: role === 'comparison',
    })),
    tick: (value, scale) => (first ? format.tick(value, first.column, scale) : String(value)),
  }
}

/** What is said below the name of a chart: its sentence, else its period. */
export const chartCaption = ({ result, viz }: ChartContent, format: CellFormatter): string =>
  headline(withPercent(result, viz.percent), format) ?? describeResultPeriod(result, format.day) ?? ''

/** Which of its units are not whole. */
export function chartNotes({ result }: ChartContent, format: CellFormatter): string[] {
  const model = chartModel(result, { format })
  return model ? incompleteNotes(model.categories) : []
}

/** The past, and the path ahead with its 80 % interval. */
export function drawForecast(
  paper: Paper,
  { past, future, format: style, scale }: ForecastTile,
  { box, format }: { box: Box; format: CellFormatter },
): void {
  const column = { kind: 'measure', type: 'number', format: style, ...(scale === null ? {} : { scale }) } as const
  const none = past.map(() => null)
  const lastKnown = past.at(-1)?.value ?? null
  const joined = (values: number[]): (number | null)[] => [...none.slice(1), lastKnown, ...values]
  const periods = [...past.map(({ period }) => period), ...future.map(({ period }) => period)]
  drawChart(
    paper,
    {
      kind: 'line',
      time: true,
      categories: periods.map((period) => ({ label: format.day(period), incomplete: false })),
      series: [
        { name: 'Actual', values: [...past.map(({ value }) => value), ...future.map(() => null)], quiet: false },
        { name: 'Forecast', values: joined(future.map(({ mean }) => mean)), quiet: false },
        { name: '80 % low', values: joined(future.map(({ lower80 }) => lower80)), quiet: true },
        { name: '80 % high', values: joined(future.map(({ upper80 }) => upper80)), quiet: true },
      ],
      tick: (value, at) => format.tick(value, column, at),
    },
    box,
  )
}

const VERDICT_COLOURS = { good: PAPER_COLOURS.good, bad: PAPER_COLOURS.bad, neutral: PAPER_COLOURS.muted }

export const FIGURE_HEIGHT = 64

/** A figure, large, with its name above and its change below. */
export function drawFigure(
  paper: Paper,
  answer: FigureAnswer,
  { label, box, format }: { label: string; box: Box; format: CellFormatter },
): void {
  const { x, y, width } = box
  const name = 'error' in answer ? label : label || answer.name
  drawLine(paper, name, { size: 8, colour: PAPER_COLOURS.muted, x, y, width })
  const figure = 'error' in answer ? null : keyFigure(shownResult(answer))
  const value = figure ? format.round(figure.value, figure.column) : MISSING_VALUE
  drawLine(paper, value, { size: 16, bold: true, x, y: y + 11, width })
  if (!figure || 'error' in answer) return
  const change = toNumber(figure.change)
  const compared = change === null ? undefined : answer.result.period?.compare
  const style = { size: 7.5, colour: VERDICT_COLOURS[changeVerdict(change, answer.direction)] }
  const lines = wrapText(paper, besideFigure(figure, { result: answer.result, compared, format }), width, style).slice(
    0,
    3,
  )
  lines.forEach((line, at) => drawLine(paper, line, { ...style, x, y: y + 32 + at * 10, width }))
}
/** How it changed, with what is missing of what it is held against; else the period that it is of. */
function besideFigure(
  { value, previous, column }: KeyFigure,
  {
    result,
    compared,
    format,
  }: { result: QueryResult; compared: ResolvedPeriod | null | undefined; format: CellFormatter },
): string {
  if (!compared) return describeResultPeriod(result, format.day) ?? 'All time'
  return format.change({ now: value, before: previous, period: describeCompared(compared, format.day) }, column)
}

const shownResult = ({ result, percent }: { result: QueryResult; percent: boolean }): QueryResult =>
  percent ? withPercent(result, [0]) : result
