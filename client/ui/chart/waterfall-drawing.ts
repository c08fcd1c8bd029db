import type { ChartColours } from './chart-colours'
import type { Drawing, DrawSettings } from './drawing'
import type { ChartOption, DrawnSeries } from './engine-types'
import type { FigureFormat } from './figure-format'
import { bareOption, frameOption, hatch, nameWidth } from './frame-option'
import { cardHtml } from './tooltip'
import type { Step, WaterfallModel } from './waterfall-model'

const sizeOf = (step: Step): number => step.to - step.from

function figureOf(step: Step, model: WaterfallModel, format: FigureFormat): string {
  return step.kind === 'level' ? format.full(step.to, model.column) : format.signed(sizeOf(step), model.column)
}

const sayStep = (step: Step, model: WaterfallModel, format: FigureFormat): string =>
  step.kind === 'level'
    ? `${step.label}: ${figureOf(step, model, format)}`
    : `${step.label}: ${figureOf(step, model, format)}, then at ${format.full(step.to, model.column)}`

function summaryOf(model: WaterfallModel, format: FigureFormat): string {
  const parts = model.steps.filter((step) => step.kind === 'part')
  const [first, last] = [model.steps[0], model.steps.at(-1)]
  const up = parts.reduce<Step | null>((best, step) => (sizeOf(step) > (best ? sizeOf(best) : 0) ? step : best), null)
  const down = parts.reduce<Step | null>((best, step) => (sizeOf(step) < (best ? sizeOf(best) : 0) ? step : best), null)
  const said = (word: string, step: Step | null): string[] =>
    step ? [`${word} ${step.label}, ${figureOf(step, model, format)}.`] : []
  const ends =
    model.change && first && last
      ? `From ${sayStep(first, model, format)} to ${sayStep(last, model, format)}`
      : last
        ? sayStep(last, model, format)
        : 'Nothing to add up'
  const cut = parts.find((step) => step.incomplete)
  return [
    `Waterfall of ${model.column.label} in ${parts.length} parts. ${ends}.`,
    ...said(model.change ? 'Largest rise:' : 'Adds most:', up),
    ...said(model.change ? 'Largest fall:' : 'Takes most away:', down),
    ...(cut ? [`${cut.label} is not complete yet.`] : []),
  ].join(' ')
}

function colourOfStep(step: Step, colours: ChartColours): string {
  if (step.kind === 'level') return colours.dimmed
  if (step.other) return colours.other
  return (sizeOf(step) < 0 ? colours.series[1] : colours.series[0]) ?? colours.other
}

/**
 * A bar from one level to another is laid on an unseen one; where it crosses zero it is two pieces that meet there.
 * The library stacks what is above zero and what is below it apart.
 */
function pieces({ from, to }: Step): { ground: number; above: number; below: number } {
  const [low, high] = [Math.min(from, to), Math.max(from, to)]
  if (low >= 0) return { ground: low, above: high - low, below: 0 }
  if (high <= 0) return { ground: high, above: 0, below: low - high }
  return { ground: 0, above: high, below: low }
}

const LABELS_MAX = 16
/** Steps whose names may take two lines. */
const BROKEN_MAX = 10

function barsOf(model: WaterfallModel, settings: DrawSettings): DrawnSeries[] {
  const { colours, format } = settings
  const labelled = !settings.small && model.steps.length <= LABELS_MAX && (!model.time || !settings.narrow)
  const piece = (side: 'above' | 'below'): DrawnSeries => ({
    type: 'bar',
    id: `main:${side}`,
    stack: 'steps',
    barMaxWidth: model.time ? 44 : 20,
    data: model.steps.map((step) => {
      const value = pieces(step)[side]
      const labels = labelled && value !== 0 && (side === 'above' || pieces(step).above === 0)
      return {
        value,
        itemStyle: {
          color: colourOfStep(step, colours),
          ...(step.incomplete ? { opacity: 0.75, decal: hatch(colours.surface) } : {}),
        },
        label: {
          show: labels,
          position: model.time ? (side === 'above' ? 'top' : 'bottom') : side === 'above' ? 'right' : 'left',
          color: colours.text,
          fontSize: 12,
          formatter: () => short(step, model, format),
        },
      }
    }),
  })
  const ground: DrawnSeries = {
    type: 'bar',
    id: 'ground',
    stack: 'steps',
    silent: true,
    itemStyle: { color: 'transparent' },
    data: model.steps.map((step) => pieces(step).ground),
  }
  return [ground, piece('above'), piece('below')]
}

/** Where the axis begins when changes are small beside the levels they lie between; null for zero. */
function baseOf({ change, steps }: WaterfallModel): number | null {
  const levels = steps.flatMap((step) => (step.kind === 'part' ? [step.from, step.to] : []))
  const [low, high] = [Math.min(...levels), Math.max(...levels)]
  if (!change || levels.length === 0 || low <= 0 || high - low > low / 2) return null
  const below = low - (high - low) / 2
  const unit = 10 ** Math.floor(Math.log10(high - low || 1))
  return Math.max(0, Math.floor(below / unit) * unit)
}

const largestOf = (model: WaterfallModel): number => Math.max(0, ...model.steps.map((step) => Math.abs(step.to)))

/** All parts are told in one unit, that of the largest; so are the levels. */
function short(step: Step, model: WaterfallModel, format: FigureFormat): string {
  const value = step.kind === 'level' ? step.to : sizeOf(step)
  const alike = model.steps.filter((one) => one.kind === step.kind)
  const largest = Math.max(0, ...alike.map((one) => Math.abs(one.kind === 'level' ? one.to : sizeOf(one))))
  // A change of a share is said in points.
  if (step.kind === 'part' && model.column.format.style === 'percent') return format.signed(value, model.column)
  const text = format.short(value, model.column, largest)
  return step.kind === 'part' && value > 0 ? `+${text}` : text
}

function axes(model: WaterfallModel, settings: DrawSettings): Pick<ChartOption, 'xAxis' | 'yAxis'> {
  const { colours, format, small = false } = settings
  const base = baseOf(model)
  const label = { color: colours.dimmed, fontSize: 12 }
  const names = {
    type: 'category' as const,
    show: !small,
    inverse: !model.time,
    data: model.steps.map((step) => (step.incomplete ? `${step.label} *` : step.label)),
    axisTick: { show: false },
    axisLine: { lineStyle: { color: colours.border } },
    axisLabel: {
      ...label,
      ...(model.time
        ? { hideOverlap: true }
        : {
            interval: 0,
            width: nameWidth(settings),
            // Two lines have room only where there are few steps.
            overflow: settings.narrow && model.steps.length <= BROKEN_MAX ? ('break' as const) : ('truncate' as const),
            lineHeight: 14,
          }),
    },
  }
  const figures = {
    type: 'value' as const,
    show: !small,
    splitNumber: 4,
    ...(base === null ? {} : { min: base }),
    splitLine: { lineStyle: { color: colours.grid } },
    axisLabel: {
      ...label,
      hideOverlap: true,
      formatter: (value: number) => format.short(value, model.column, largestOf(model)),
    },
  }
  return model.time ? { xAxis: names, yAxis: figures } : { xAxis: figures, yAxis: names }
}

function tooltipOf(model: WaterfallModel, settings: DrawSettings, at: number): string {
  const step = model.steps[at]
  if (!step) return ''
  const { format } = settings
  const colour = colourOfStep(step, settings.colours)
  const after = step.kind === 'part' ? [{ name: 'Level after it', figure: format.full(step.to, model.column) }] : []
  const lines = [{ name: model.column.label, figure: figureOf(step, model, format), colour }, ...after]
  return cardHtml({ title: step.label, lines, ...(step.incomplete ? { note: 'Not complete yet' } : {}) })
}

function optionOf(model: WaterfallModel, settings: DrawSettings, summary: string): ChartOption {
  const series = barsOf(model, settings)
  if (settings.small) return { ...bareOption(summary), ...axes(model, settings), series }
  const frame = frameOption(settings, { summary, legend: [] })
  return {
    ...frame,
    grid: { ...frame.grid, right: model.time ? 20 : 76, top: 24 },
    tooltip: {
      ...frame.tooltip,
      trigger: 'axis',
      axisPointer: { type: 'shadow' },
      formatter: (given) => tooltipOf(model, settings, (Array.isArray(given) ? given[0] : given)?.dataIndex ?? -1),
    },
    ...axes(model, settings),
    series,
  }
}

const HEAD_PX = 60
const STEP_PX = 28

export function waterfallDrawing(model: WaterfallModel, format: FigureFormat): Drawing {
  const summary = summaryOf(model, format)
  return {
    summary,
    notes:
      baseOf(model) === null
        ? model.notes
        : [...model.notes, 'The axis does not begin at zero, so that the changes can be seen.'],
    stops: model.steps.map((step, at) => ({
      words: sayStep(step, model, format),
      row: step.row,
      mark: { seriesIndex: 1, dataIndex: at },
    })),
    height: (base) => (model.time ? base : Math.max(base, HEAD_PX + model.steps.length * STEP_PX)),
    option: (settings) => optionOf(model, settings, summary),
    rowOf: ({ dataIndex = -1 }) => model.steps[dataIndex]?.row ?? null,
    rowNear: (x, y) => model.steps[Math.round(model.time ? x : y)]?.row ?? null,
  }
}
