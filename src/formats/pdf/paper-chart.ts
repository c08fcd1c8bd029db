import { drawLine, PAPER_COLOURS, textWidth, type Paper } from './paper'
import { axisScale, marksOf, reachOf, type AxisScale } from '../../shared/charts/axis-scale'
import { CHART_PALETTE } from '../../shared/charts/chart-palette'

export interface PaperSeries {
  name: string
  /** One for each category; null where there is none. */
  values: (number | null)[]
  /** Drawn beside the others, lighter: what they are held against. */
  quiet: boolean
}
export interface PaperChart {
  kind: 'line' | 'bar' | 'stack'
  /** From left to right as time goes, or from top to bottom. */
  categories: { label: string; incomplete: boolean }[]
  time: boolean
  series: PaperSeries[]
  tick: (value: number, scale: { like: number; step: number }) => string
}
/** Where something is drawn, in points. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

const SMALL = 7.5
const LEGEND_HEIGHT = 14
const AXIS_HEIGHT = 14
const QUIET = '#9fb0ba'
const BAR_MAX = 26

const colourOf = (series: PaperSeries, at: number): string =>
  series.quiet ? QUIET : (CHART_PALETTE.light[at % CHART_PALETTE.light.length] ?? PAPER_COLOURS.accent)

/** Lines over time; else bars: side by side, or on each other. Long names of bars stand at the left of them. */
export function drawChart(paper: Paper, chart: PaperChart, box: Box): void {
  const whole = legendLines(paper, chart, { width: box.width, nameWidth: box.width })
  const nameWidth = Math.max(box.width / 3, 70)
  const isShort = whole.length <= LEGEND_LINES_MAX
  const lines = isShort ? whole : legendLines(paper, chart, { width: box.width, nameWidth })
  drawLegend(paper, chart, box, lines)
  const legend = lines.length * LEGEND_HEIGHT
  const rest = { ...box, y: box.y + legend, height: box.height - legend }
  if (chart.kind !== 'line' && !chart.time) drawFlatBars(paper, chart, rest)
  else drawUpright(paper, chart, rest)
}

/** From here on names of series are cut to a third of the chart. */
const LEGEND_LINES_MAX = 2

/** Names of series in lines, none wider than so many points; a chart of one series needs none. */
function legendLines(
  paper: Paper,
  { series }: PaperChart,
  { width, nameWidth }: { width: number; nameWidth: number },
): { index: number; width: number }[][] {
  const lines: { index: number; width: number }[][] = []
  if (series.length < 2) return lines
  let used = Infinity
  series.forEach(({ name }, index) => {
    const needed = Math.min(textWidth(paper, name, { size: SMALL }) + 18, nameWidth)
    if (used + needed > width) {
      lines.push([])
      used = 0
    }
    lines.at(-1)?.push({ index, width: needed })
    used += needed
  })
  return lines
}

function drawLegend(paper: Paper, { series }: PaperChart, { x, y }: Box, lines: ReturnType<typeof legendLines>): void {
  lines.forEach((line, row) => {
    let at = x
    for (const { index, width } of line) {
      const one = series[index]
      if (!one) continue
      const top = y + row * LEGEND_HEIGHT
      paper.doc.rect(at, top + 1.5, 6, 6).fill(colourOf(one, index))
      drawLine(paper, one.name, { size: SMALL, colour: PAPER_COLOURS.muted, x: at + 9, y: top, width: width - 12 })
      at += width
    }
  })
}

/** Figures as they are drawn: of a stack, what lies below each. */
function scaleOf({ kind, series, categories }: PaperChart): AxisScale {
  const values = series.flatMap((one) => one.values.filter((value) => value !== null))
  if (kind !== 'stack') return axisScale(reachOf(values))
  const sums = categories.flatMap((_, at) => {
    const own = series.map((one) => one.values[at] ?? 0)
    const above = own.filter((value) => value > 0).reduce((sum, value) => sum + value, 0)
    return [above, own.filter((value) => value < 0).reduce((sum, value) => sum + value, 0)]
  })
  return axisScale(reachOf(sums))
}

function drawUpright(paper: Paper, chart: PaperChart, box: Box): void {
  const { doc } = paper
  const scale = scaleOf(chart)
  const like = Math.max(Math.abs(scale.min), Math.abs(scale.max))
  const marks = marksOf(scale).map((value) => ({ value, text: chart.tick(value, { like, step: scale.step }) }))
  const margin = Math.max(...marks.map(({ text }) => textWidth(paper, text, { size: SMALL }))) + 6
  const plot = { x: box.x + margin, y: box.y + 6, width: box.width - margin, height: box.height - AXIS_HEIGHT - 8 }
  const yOf = (value: number): number =>
    plot.y + plot.height - ((value - scale.min) / (scale.max - scale.min)) * plot.height
  for (const { value, text } of marks) {
    const y = yOf(value)
    doc.lineWidth(value === 0 ? 0.8 : 0.4).strokeColor(value === 0 ? PAPER_COLOURS.muted : PAPER_COLOURS.line)
    doc
      .moveTo(plot.x, y)
      .lineTo(plot.x + plot.width, y)
      .stroke()
    drawLine(paper, text, {
      size: SMALL,
      colour: PAPER_COLOURS.muted,
      align: 'right',
      x: box.x,
      y: y - 5,
      width: margin - 5,
    })
  }
  drawCategoryNames(paper, chart, plot)
  if (chart.kind === 'line') drawLines(paper, chart, { plot, yOf })
  else drawBars(paper, chart, { plot, yOf })
}

function drawCategoryNames(paper: Paper, { categories, kind }: PaperChart, plot: Box): void {
  const slot = plot.width / Math.max(1, categories.length)
  const widest = Math.max(0, ...categories.map(({ label }) => textWidth(paper, label, { size: SMALL })))
  const every = Math.max(1, Math.ceil((widest + 16) / slot))
  categories.forEach(({ label, incomplete }, at) => {
    if (at % every !== 0) return
    const middle = plot.x + slot * (at + 0.5)
    const width = Math.max(slot * every, widest) + 4
    const x = Math.min(Math.max(middle - width / 2, plot.x - 20), plot.x + plot.width - width + 6)
    const align = kind === 'line' && categories.length === 1 ? 'left' : 'center'
    const text = incomplete ? `${label}*` : label
    drawLine(paper, text, { size: SMALL, colour: PAPER_COLOURS.muted, align, x, y: plot.y + plot.height + 4, width })
  })
}

interface Plot {
  plot: Box
  yOf: (value: number) => number
}

function drawLines(paper: Paper, { series, categories }: PaperChart, { plot, yOf }: Plot): void {
  const slot = plot.width / Math.max(1, categories.length)
  const { doc } = paper
  const ordered = [...series.entries()].toSorted(([, a], [, b]) => Number(b.quiet) - Number(a.quiet))
  for (const [index, one] of ordered) {
    doc.lineWidth(one.quiet ? 1 : 1.4).strokeColor(colourOf(one, index))
    if (one.quiet) doc.dash(3, { space: 2 })
    let open = false
    one.values.forEach((value, at) => {
      if (value === null) {
        open = false
        return
      }
      const [x, y] = [plot.x + slot * (at + 0.5), yOf(value)]
      if (open) doc.lineTo(x, y)
      else doc.moveTo(x, y)
      open = true
    })
    doc.stroke().undash()
    markLonePoints(paper, one, { colour: colourOf(one, index), slot, plot, yOf })
  }
}

/** A point without a neighbour is no line: it is drawn as a dot. */
function markLonePoints(
  { doc }: Paper,
  { values }: PaperSeries,
  { colour, slot, plot, yOf }: Plot & { colour: string; slot: number },
): void {
  values.forEach((value, at) => {
    if (value === null || (values[at - 1] ?? null) !== null || (values[at + 1] ?? null) !== null) return
    doc.circle(plot.x + slot * (at + 0.5), yOf(value), 2).fill(colour)
  })
}

function drawBars(paper: Paper, { series, categories, kind }: PaperChart, { plot, yOf }: Plot): void {
  const slot = plot.width / Math.max(1, categories.length)
  const beside = kind === 'stack' ? 1 : series.length
  const bar = Math.min(BAR_MAX, (slot * 0.74) / beside)
  categories.forEach((_, at) => {
    const sums = { above: 0, below: 0 }
    series.forEach((one, index) => {
      const value = one.values[at] ?? null
      if (value === null || value === 0) return
      const from = kind === 'stack' ? (value > 0 ? sums.above : sums.below) : 0
      if (value > 0) sums.above += value
      else sums.below += value
      const left = plot.x + slot * (at + 0.5) - (bar * beside) / 2 + (kind === 'stack' ? 0 : bar * index)
      const [y, end] = [yOf(Math.max(from, from + value)), yOf(Math.min(from, from + value))]
      paper.doc.rect(left, y, Math.max(0.5, bar - 1), Math.max(0.4, end - y)).fill(colourOf(one, index))
    })
  })
}

/** One bar below the other with its name at the left and its figure behind it. */
function drawFlatBars(paper: Paper, chart: PaperChart, box: Box): void {
  const { categories, series, kind } = chart
  const scale = scaleOf(chart)
  const like = Math.max(Math.abs(scale.min), Math.abs(scale.max))
  const widest = Math.max(0, ...categories.map(({ label }) => textWidth(paper, label, { size: SMALL })))
  const names = Math.min(widest + 8, box.width * 0.38)
  const figures = 44
  const plot = { x: box.x + names, width: box.width - names - figures }
  const xOf = (value: number): number => plot.x + ((value - scale.min) / (scale.max - scale.min)) * plot.width
  const slot = Math.min(24, box.height / Math.max(1, categories.length))
  const beside = kind === 'stack' ? 1 : series.length
  const bar = (slot * 0.72) / beside
  categories.forEach(({ label }, at) => {
    const y = box.y + slot * at
    drawLine(paper, label, {
      size: SMALL,
      colour: PAPER_COLOURS.ink,
      align: 'right',
      x: box.x,
      y: y + slot / 2 - 5,
      width: names - 6,
    })
    let sum = 0
    series.forEach((one, index) => {
      const value = one.values[at] ?? null
      if (value === null) return
      const from = kind === 'stack' ? sum : 0
      sum += value
      const [left, right] = [xOf(Math.min(from, from + value)), xOf(Math.max(from, from + value))]
      const top = y + slot * 0.14 + (kind === 'stack' ? 0 : bar * index)
      paper.doc.rect(left, top, Math.max(0.5, right - left), Math.max(1, bar - 0.8)).fill(colourOf(one, index))
      if (kind === 'stack' || slot < 9) return
      const text = chart.tick(value, { like, step: like / 1000 })
      drawLine(paper, text, {
        size: SMALL - 0.5,
        colour: PAPER_COLOURS.muted,
        x: Math.max(right, xOf(0)) + 3,
        y: top + bar / 2 - 5,
        width: figures,
      })
    })
  })
  paper.doc.lineWidth(0.6).strokeColor(PAPER_COLOURS.muted)
  paper.doc
    .moveTo(xOf(0), box.y)
    .lineTo(xOf(0), box.y + slot * categories.length)
    .stroke()
}
