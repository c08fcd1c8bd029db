import type { QueryResult, ResultColumn } from '../../../src/shared/query/result'
import { capitalize } from '../../../src/shared/text'
import {
  describeIncomplete,
  incompleteNotes,
  type ChartModel,
  type Series,
} from '../../../src/shared/charts/chart-model'
import { TERMS } from '../../../src/shared/terms'
import { toNumber, type CellFormatter } from '../../../src/shared/figures/cell-formatter'
import { dayOf } from '../../../src/shared/figures/time-buckets'
import { axisScale, pointScale, reachOf, type AxisScale, type ScaleMaker } from '../../../src/shared/charts/axis-scale'
import { layOutCategoryLabels, missingLabelsAxisName } from './category-labels'
import { shortLabels } from './short-names'
import { scaleAcross, scaleOption, widthBesideNames } from './value-axis'
import type { ChartColours } from './chart-colours'
import { markOfRow, type ChartSpec, type RenderSettings, type ChartOption, type ChartSeriesOption } from './chart-spec'
import { bareChartOption, baseChartOption, hatchPattern, categoryLabelWidth, tooltipCardHtml } from './chart-frame'

/** Parts that lead from nothing, or from the figure before, to the figure of the whole. */
export interface WaterfallModel {
  axis: ResultColumn
  column: ResultColumn
  time: boolean
  /** The parts are changes against an earlier period, not shares of a total. */
  change: boolean
  steps: WaterfallStep[]
  notes: string[]
}
export interface WaterfallStep {
  label: string
  kind: 'level' | 'part'
  /** A level stands from 0 to its value; a part leads from the level before it to the one after. */
  from: number
  to: number
  /** Group of the rest, or what no part accounts for. */
  other: boolean
  incomplete: boolean
  dataRange?: string
  row: number | null
}
type WaterfallPart = Pick<WaterfallStep, 'label' | 'other' | 'incomplete' | 'dataRange' | 'row'> & {
  value: number
  year: string | null
}

const PARTS_MAX = 24

/** A part that belongs to no single row. */
const unplacedPart = (label: string, value: number): WaterfallPart => ({
  label,
  other: true,
  incomplete: false,
  row: null,
  value,
  year: null,
})

const waterfallParts = (model: ChartModel, now: Series, before: Series | undefined): WaterfallPart[] =>
  model.categories.flatMap((category, at) => {
    const value = now.points[at]?.value ?? null
    const earlier = before?.points[at]?.value ?? null
    if (value === null && earlier === null) return []
    const { label, other, incomplete, dataRange } = category
    const told = { label, other, incomplete, ...(dataRange === undefined ? {} : { dataRange }) }
    const day = typeof category.value === 'string' ? dayOf(category.value) : null
    const row = now.points[at]?.row ?? null
    return [{ ...told, row, value: (value ?? 0) - (earlier ?? 0), year: day?.slice(0, 4) ?? null }]
  })

/** The largest parts; the small ones together. Time keeps all of its buckets. */
function limitParts(parts: WaterfallPart[], time: boolean): { parts: WaterfallPart[]; notes: string[] } {
  if (time || parts.length <= PARTS_MAX) return { parts, notes: [] }
  const bySize = [...parts].sort((a, b) => Number(a.other) - Number(b.other) || Math.abs(b.value) - Math.abs(a.value))
  const kept = new Set(bySize.slice(0, PARTS_MAX - 1))
  const rest = parts.filter((part) => !kept.has(part))
  const value = rest.reduce((sum, part) => sum + part.value, 0)
  const others = unplacedPart(`${rest.length} others`, value)
  const note = `Showing the ${kept.size} largest of ${parts.length} parts; the others are grouped.`
  return { parts: [...parts.filter((part) => kept.has(part)), others], notes: [note] }
}

const columnTotal = (result: QueryResult, key: string): number | null => {
  const at = result.columns.findIndex((column) => column.key === key)
  return at < 0 ? null : toNumber(result.totals?.[at])
}

/** Sums of many decimals differ in the last digits; that is no part of its own. */
const isNegligible = (value: number, of: number): boolean => Math.abs(value) <= Math.max(1e-9, Math.abs(of) * 1e-9)

/** What adds first, the largest first, then what takes away; the rest last of its kind. */
const byContribution = (a: WaterfallPart, b: WaterfallPart): number =>
  Number(a.value < 0) - Number(b.value < 0) ||
  Number(a.other) - Number(b.other) ||
  Math.abs(b.value) - Math.abs(a.value)

export const levelStep = (label: string, value: number): WaterfallStep => ({
  label,
  kind: 'level',
  from: 0,
  to: value,
  other: false,
  incomplete: false,
  row: null,
})

/** A level between two parts: where a year ends, or where what takes away begins. */
function subtotalLabel(before: WaterfallPart, after: WaterfallPart | undefined, time: boolean): string | null {
  if (!after) return null
  if (time) return before.year !== null && after.year !== null && before.year !== after.year ? before.year : null
  return before.value >= 0 && after.value < 0 ? 'Subtotal' : null
}

function waterfallSteps(parts: readonly WaterfallPart[], start: number, time: boolean): WaterfallStep[] {
  let reached = start
  return parts.flatMap((part, at) => {
    const { value, year: _year, ...told } = part
    const step: WaterfallStep = { ...told, kind: 'part', from: reached, to: reached + value }
    reached += value
    const name = parts.length > 2 ? subtotalLabel(part, parts[at + 1], time) : null
    return name === null ? [step] : [step, levelStep(name, reached)]
  })
}

/** A waterfall of the first measure over the axis; null when there is nothing to add up. */
export function waterfallModel(model: ChartModel, result: QueryResult): WaterfallModel | null {
  const now = model.series.find((series) => series.role === 'current')
  if (!now) return null
  const before = model.series.find((series) => series.role === 'comparison' && series.column.measure === 0)
  const few = limitParts(waterfallParts(model, now, before), model.time)
  const sum = few.parts.reduce((total, part) => total + part.value, 0)
  const start = before ? (columnTotal(result, before.column.key) ?? seriesTotal(before)) : 0
  const end = columnTotal(result, now.column.key) ?? start + sum
  const left = end - start - sum
  const rest = unplacedPart('Not broken down', left)
  const parts = isNegligible(left, end) ? few.parts : [...few.parts, rest]
  const ordered = model.time ? parts : [...parts].sort(byContribution)
  const first = before ? [levelStep(result.period?.compare?.label ?? TERMS.previousPeriod, start)] : []
  const last = levelStep(before ? (result.period?.label ?? TERMS.period) : TERMS.total, end)
  return {
    axis: model.axis,
    column: now.column,
    time: model.time,
    change: before !== undefined,
    steps: [...first, ...waterfallSteps(ordered, start, model.time), last],
    notes: few.notes,
  }
}
const seriesTotal = (series: Series): number => series.points.reduce((sum, { value }) => sum + (value ?? 0), 0)

const stepSize = (step: WaterfallStep): number => step.to - step.from

function formatStep(step: WaterfallStep, model: WaterfallModel, format: CellFormatter): string {
  return step.kind === 'level' ? format.full(step.to, model.column) : format.signed(stepSize(step), model.column)
}

const describeStep = (step: WaterfallStep, model: WaterfallModel, format: CellFormatter): string =>
  step.kind === 'level'
    ? `${step.label}: ${formatStep(step, model, format)}`
    : `${step.label}: ${formatStep(step, model, format)}, total ${format.full(step.to, model.column)}`

function summarizeWaterfall(model: WaterfallModel, format: CellFormatter): string {
  const parts = model.steps.filter((step) => step.kind === 'part')
  const [first, last] = [model.steps[0], model.steps.at(-1)]
  const largest = (sign: 1 | -1): WaterfallStep | null =>
    parts.reduce<WaterfallStep | null>(
      (best, step) => (sign * stepSize(step) > (best ? sign * stepSize(best) : 0) ? step : best),
      null,
    )
  const said = (word: string, step: WaterfallStep | null): string[] =>
    step ? [`${word} ${step.label}, ${formatStep(step, model, format)}.`] : []
  const ends =
    model.change && first && last
      ? `From ${describeStep(first, model, format)} to ${describeStep(last, model, format)}`
      : last
        ? describeStep(last, model, format)
        : 'No data'
  return [
    `Waterfall of ${model.column.label} in ${parts.length} parts. ${ends}.`,
    ...said(model.change ? 'Largest rise:' : 'Adds most:', largest(1)),
    ...said(model.change ? 'Largest fall:' : 'Subtracts most:', largest(-1)),
    ...incompleteNotes(parts),
  ].join(' ')
}

function stepColour(step: WaterfallStep, colours: ChartColours): string {
  if (step.kind === 'level') return colours.dimmed
  if (step.other) return colours.other
  return (stepSize(step) < 0 ? colours.series[1] : colours.series[0]) ?? colours.other
}

/**
 * A bar from one level to another is laid on an unseen one; where it crosses zero it is two pieces that meet there.
 * The library stacks what is above zero and what is below it apart.
 */
function stackPieces({ from, to }: WaterfallStep): { ground: number; above: number; below: number } {
  const [low, high] = [Math.min(from, to), Math.max(from, to)]
  if (low >= 0) return { ground: low, above: high - low, below: 0 }
  if (high <= 0) return { ground: high, above: 0, below: low - high }
  return { ground: 0, above: high, below: low }
}

const LABELS_MAX = 16
/** Steps whose names may take two lines. */
const WRAPPED_LABELS_MAX = 10

function waterfallSeries(model: WaterfallModel, settings: RenderSettings): ChartSeriesOption[] {
  const { colours, format } = settings
  const labelled = !settings.small && model.steps.length <= LABELS_MAX && (!model.time || !settings.narrow)
  const piece = (side: 'above' | 'below'): ChartSeriesOption => ({
    type: 'bar',
    id: `main:${side}`,
    stack: 'steps',
    barMaxWidth: model.time ? 44 : 20,
    data: model.steps.map((step) => {
      const value = stackPieces(step)[side]
      const labels = labelled && value !== 0 && (side === 'above' || stackPieces(step).above === 0)
      return {
        value,
        itemStyle: {
          color: stepColour(step, colours),
          ...(step.incomplete ? { opacity: 0.75, decal: hatchPattern(colours.surface) } : {}),
        },
        label: {
          show: labels,
          position: model.time ? (side === 'above' ? 'top' : 'bottom') : side === 'above' ? 'right' : 'left',
          color: colours.text,
          fontSize: 12,
          formatter: () => shortStepLabel(step, model, format),
        },
      }
    }),
  })
  const ground: ChartSeriesOption = {
    type: 'bar',
    id: 'ground',
    stack: 'steps',
    silent: true,
    itemStyle: { color: 'transparent' },
    data: model.steps.map((step) => stackPieces(step).ground),
  }
  return [ground, piece('above'), piece('below')]
}

interface WaterfallScale extends AxisScale {
  /** Changes are small beside the levels they lie between: the axis leaves out what is below this. Null: nothing. */
  brokenTo: number | null
}

/** @param fit of the scales that could be drawn the one that has room */
function waterfallScale(
  { change, steps: parts, column }: WaterfallModel,
  fit: (make: ScaleMaker) => AxisScale = (make) => make(),
): WaterfallScale {
  const whole = column.type === 'integer'
  const levels = reachOf(parts.flatMap(({ from, to }) => [from, to]))
  const changes = reachOf(parts.flatMap((step) => (step.kind === 'part' ? [step.from, step.to] : [])))
  const all: ScaleMaker = (steps) => axisScale(levels, { whole, steps })
  const unbroken = (): WaterfallScale => ({ ...fit(all), brokenTo: null })
  if (!change || !changes || changes.low <= 0 || changes.high - changes.low > changes.low / 2) return unbroken()
  const { low, high } = changes
  const near: ScaleMaker = (steps) => pointScale({ low: low - (high - low) / 2, high }, { whole, steps })
  if (near().min <= 0) return unbroken()
  const fitted = fit(near)
  const drawn = fitted.min > 0 ? fitted : near()
  return { ...drawn, brokenTo: drawn.min }
}

/** All parts are told in one unit with the same decimals; so are the levels. */
function shortStepLabel(step: WaterfallStep, model: WaterfallModel, format: CellFormatter): string {
  const valueOf = (one: WaterfallStep): number => (one.kind === 'level' ? one.to : stepSize(one))
  const value = valueOf(step)
  const alike = model.steps.filter((one) => one.kind === step.kind)
  // A change of a share is said in points.
  if (step.kind === 'part' && model.column.format.style === 'percent') return format.signed(value, model.column)
  const text = format.shortList(alike.map(valueOf), model.column)[alike.indexOf(step)] ?? ''
  return step.kind === 'part' && value > 0 ? `+${text}` : text
}

/** Room for the figures after lying bars. */
const AFTER_BARS_PX = 76

function waterfallAxes(model: WaterfallModel, settings: RenderSettings): Pick<ChartOption, 'xAxis' | 'yAxis'> {
  const { colours, format, small = false } = settings
  const { column } = model
  const scale = waterfallScale(model, (make) =>
    model.time ? make() : scaleAcross(make, { column, format, width: widthBesideNames(settings) - AFTER_BARS_PX }),
  )
  const label = { color: colours.dimmed, fontSize: 12 }
  const data = model.steps.map((step) => (step.incomplete ? `${step.label} *` : step.label))
  const layout = layOutCategoryLabels(data, settings)
  const names = {
    type: 'category' as const,
    show: !small,
    inverse: !model.time,
    data,
    axisTick: { show: false },
    axisLine: { lineStyle: { color: colours.border } },
    ...(model.time && !small ? missingLabelsAxisName(layout, colours.dimmed) : {}),
    axisLabel: {
      ...label,
      ...(model.time
        ? layout.axisLabel
        : {
            interval: 0,
            lineHeight: 14,
            // Two lines have room only where there are few steps.
            ...(settings.narrow && model.steps.length <= WRAPPED_LABELS_MAX
              ? { width: categoryLabelWidth(settings), overflow: 'break' as const }
              : shortLabels(data, categoryLabelWidth(settings))),
          }),
    },
  }
  const figures = {
    ...scaleOption(scale, { column, format, colour: colours.dimmed }),
    show: !small,
    splitLine: { lineStyle: { color: colours.grid } },
    ...(scale.brokenTo === null ? {} : axisBreak(scale.brokenTo, settings)),
  }
  return model.time ? { xAxis: names, yAxis: figures } : { xAxis: figures, yAxis: names }
}

/** From zero to where the figures begin, drawn as a torn strip across bars and axis. */
const axisBreak = (end: number, { colours, small = false }: RenderSettings) => ({
  min: 0,
  breaks: [{ start: 0, end, gap: BREAK_GAP }],
  breakArea: {
    show: !small,
    expandOnClick: false,
    zigzagAmplitude: 3,
    itemStyle: { color: colours.surface, borderColor: colours.dimmed, borderWidth: 1, opacity: 1 },
  },
})
const BREAK_GAP = '5%'

function waterfallTooltip(model: WaterfallModel, settings: RenderSettings, at: number): string {
  const step = model.steps[at]
  if (!step) return ''
  const { format } = settings
  const colour = stepColour(step, settings.colours)
  const after = step.kind === 'part' ? [{ name: TERMS.total, figure: format.full(step.to, model.column) }] : []
  const lines = [{ name: model.column.label, figure: formatStep(step, model, format), colour }, ...after]
  return tooltipCardHtml({
    title: step.label,
    lines,
    ...(step.incomplete ? { note: capitalize(describeIncomplete(step)) } : {}),
  })
}

function waterfallOption(model: WaterfallModel, settings: RenderSettings, summary: string): ChartOption {
  const series = waterfallSeries(model, settings)
  if (settings.small) return { ...bareChartOption(summary), ...waterfallAxes(model, settings), series }
  const frame = baseChartOption(settings, { summary, legend: [] })
  return {
    ...frame,
    grid: { ...frame.grid, right: model.time ? 20 : AFTER_BARS_PX, top: 24 },
    tooltip: {
      ...frame.tooltip,
      trigger: 'axis',
      axisPointer: { type: 'shadow' },
      formatter: (given) =>
        waterfallTooltip(model, settings, (Array.isArray(given) ? given[0] : given)?.dataIndex ?? -1),
    },
    ...waterfallAxes(model, settings),
    series,
  }
}

const HEADER_PX = 60
const STEP_PX = 28

export function waterfallSpec(model: WaterfallModel, format: CellFormatter): ChartSpec {
  const summary = summarizeWaterfall(model, format)
  return {
    summary,
    notes: waterfallScale(model).brokenTo === null ? model.notes : [...model.notes, 'The axis is broken above zero.'],
    keyboardStops: model.steps.map((step, at) => ({
      description: describeStep(step, model, format),
      row: step.row,
      dataPoint: { seriesIndex: 1, dataIndex: at },
    })),
    height: (base) => (model.time ? base : Math.max(base, HEADER_PX + model.steps.length * STEP_PX)),
    option: (settings) => waterfallOption(model, settings, summary),
    rowOf: ({ dataIndex = -1 }) => model.steps[dataIndex]?.row ?? null,
    isLying: !model.time,
    markAtPosition: ({ x, y }) => markOfRow(model.steps[Math.round(model.time ? x : y)]?.row),
  }
}
