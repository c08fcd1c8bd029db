import { mixColours, type ChartColours } from './chart-colours'
import type { QueryResult, ResultColumn } from '../../../src/shared/query/result'
import { capitalize } from '../../../src/shared/text'
import {
  categoriesOf,
  columnsOfKind,
  describeIncomplete,
  dimensionGroupAt,
  dimensionGroups,
  incompleteNotes,
  type Category,
} from '../../../src/shared/charts/chart-model'
import { toNumber, type CellFormatter } from '../../../src/shared/figures/cell-formatter'
import { markOfRow, type ChartSpec, type RenderSettings, type ChartOption } from './chart-spec'
import {
  WIDTH_PX,
  bareChartOption,
  baseChartOption,
  hatchPattern,
  categoryLabelWidth,
  tooltipCardHtml,
} from './chart-frame'
import { layOutCategoryLabels, missingLabelsAxisName } from './category-labels'
import { shortLabels } from './short-names'

/** From the least to the most; when figures stand on both sides of zero, two colours meet in a neutral middle. */
export interface HeatMapScale {
  stops: readonly string[]
  low: number
  high: number
}

export function heatMapScale(low: number, high: number, colours: ChartColours): HeatMapScale {
  const [strong = '#000000', contrary = '#000000'] = colours.series
  const faint = (colour: string): string => mixColours(colours.surface, colour, 0.1)
  if (low < 0 && high > 0) {
    const reach = Math.max(-low, high)
    return { stops: [contrary, faint(colours.dimmed), strong], low: -reach, high: reach }
  }
  const stops = high <= 0 && low < 0 ? [contrary, faint(contrary)] : [faint(strong), strong]
  return low === high ? { stops, low: Math.min(0, low), high: Math.max(0, high, low + 1) } : { stops, low, high }
}

/** The colour of a value, mixed evenly between the two stops it lies between. */
export function heatMapColour(value: number, { stops, low, high }: HeatMapScale): string {
  const place = ((value - low) / (high - low || 1)) * (stops.length - 1)
  const at = Math.min(stops.length - 2, Math.max(0, Math.floor(place)))
  return mixColours(stops[at] ?? '#000000', stops[at + 1] ?? '#000000', Math.min(1, Math.max(0, place - at)))
}

const linearChannel = (byte: number): number => {
  const share = byte / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}
/** Relative luminance (WCAG 2) of `#rrggbb`. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => linearChannel(parseInt(hex.slice(at, at + 2), 16)))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
export function contrastRatio(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const DARK_TEXT = '#000000'
const LIGHT_TEXT = '#ffffff'
/** The ink that stands out more from a ground; one of the two always reaches 4.5:1. */
export const readableTextColour = (ground: string): string =>
  contrastRatio(ground, LIGHT_TEXT) >= contrastRatio(ground, DARK_TEXT) ? LIGHT_TEXT : DARK_TEXT

/** A measure over two splits: time, or the second split, across; the other one downwards. */
export interface HeatMapModel {
  column: ResultColumn
  across: Category[]
  down: { label: string; other: boolean }[]
  of: [string, string]
  cells: HeatMapCell[]
  low: number
  high: number
  notes: string[]
}
interface HeatMapCell {
  /** Places in `across` and `down`. */
  x: number
  y: number
  value: number
  row: number
}

const ACROSS_MAX = 60
const DOWN_MAX = 40

const truncationNote = (name: string, drawn: number, of: number): string[] =>
  of > drawn ? [`Showing ${drawn} of ${of} values of ${name}; all are in the table.`] : []

/** @returns null without exactly two splits and a measure */
export function heatMapModel(result: QueryResult, format: CellFormatter): HeatMapModel | null {
  const dimensions = columnsOfKind(result, 'dimension')
  const [measure, ...more] = columnsOfKind(result, 'measure')
  const [first, second] = dimensions
  if (!measure || !first || !second || dimensions.length > 2) return null
  const [wide, deep] = first.column.grain && !second.column.grain ? [first, second] : [second, first]
  const all = categoriesOf(result, wide, format)
  const across = all.slice(0, ACROSS_MAX)
  const groups = dimensionGroups(result, deep.at).sort((a, b) => Number(a.other) - Number(b.other))
  const down = groups.slice(0, DOWN_MAX)
  const places = {
    x: new Map(across.map(({ key }, at) => [key, at])),
    y: new Map(down.map(({ key }, at) => [key, at])),
  }
  const cells = result.rows.flatMap((figures, row): HeatMapCell[] => {
    const x = places.x.get(dimensionGroupAt(result, row, wide.at).key)
    const y = places.y.get(dimensionGroupAt(result, row, deep.at).key)
    const value = toNumber(figures[measure.at])
    return x === undefined || y === undefined || value === null ? [] : [{ x, y, value, row }]
  })
  // As it is read: line by line.
  cells.sort((a, b) => a.y - b.y || a.x - b.x)
  const values = cells.map((cell) => cell.value)
  return {
    column: measure.column,
    across,
    down: down.map(({ value, other }) => ({ label: format.label(value, deep.column), other })),
    of: [wide.column.label, deep.column.label],
    cells,
    low: values.length === 0 ? 0 : Math.min(...values),
    high: values.length === 0 ? 0 : Math.max(...values),
    notes: [
      ...truncationNote(wide.column.label, across.length, all.length),
      ...truncationNote(deep.column.label, down.length, groups.length),
      ...(more.length > 0 ? [`Shows ${measure.column.label}. Other measures are in the table.`] : []),
    ],
  }
}

const cellName = (cell: HeatMapCell, model: HeatMapModel): string =>
  `${model.down[cell.y]?.label ?? ''}, ${model.across[cell.x]?.label ?? ''}`
const describeCell = (cell: HeatMapCell, model: HeatMapModel, format: CellFormatter): string =>
  `${cellName(cell, model)}: ${format.full(cell.value, model.column)}`

function summarizeHeatMap(model: HeatMapModel, format: CellFormatter): string {
  const high = model.cells.find((cell) => cell.value === model.high)
  const low = model.cells.find((cell) => cell.value === model.low)
  return [
    `Heat map of ${model.column.label}: ${model.down.length} × ${model.across.length} cells, ${model.of[1]} down, ${model.of[0]} across.`,
    ...(high ? [`Highest ${describeCell(high, model, format)}.`] : []),
    ...(low ? [`Lowest ${describeCell(low, model, format)}.`] : []),
    ...incompleteNotes(model.across),
  ].join(' ')
}

const LABELS_ACROSS_MAX = 13
/** Cells narrower than this would be nothing but the gaps between them. */
const NARROW_CELL_PX = 12

function heatMapSeries(model: HeatMapModel, settings: RenderSettings, scale: HeatMapScale) {
  const { colours, format } = settings
  const largest = Math.max(Math.abs(model.low), Math.abs(model.high))
  const labels = !settings.small && !settings.narrow && model.across.length <= LABELS_ACROSS_MAX
  const cellWidth = ((settings.width ?? WIDTH_PX) - categoryLabelWidth(settings)) / Math.max(1, model.across.length)
  const gap = settings.small ? 1 : cellWidth < NARROW_CELL_PX ? 0.5 : 2
  return {
    type: 'heatmap' as const,
    id: 'main:cells',
    data: model.cells.map((cell) => {
      const ground = heatMapColour(cell.value, scale)
      const cut = model.across[cell.x]?.incomplete ?? false
      return {
        value: [cell.x, cell.y, cell.value],
        itemStyle: {
          color: ground,
          borderColor: colours.surface,
          borderWidth: gap,
          ...(cut ? { decal: hatchPattern(colours.surface) } : {}),
        },
        label: {
          show: labels,
          color: readableTextColour(ground),
          fontSize: 12,
          formatter: () => format.short(cell.value, model.column, largest),
        },
      }
    }),
    emphasis: { itemStyle: { borderColor: colours.text, borderWidth: 2 } },
  }
}

function heatMapAxes(model: HeatMapModel, settings: RenderSettings): Pick<ChartOption, 'xAxis' | 'yAxis'> {
  const { colours, small = false } = settings
  const across = model.across.map((category) => (category.incomplete ? `${category.label} *` : category.label))
  const layout = layOutCategoryLabels(across, {
    ...settings,
    width: (settings.width ?? WIDTH_PX) - categoryLabelWidth(settings),
  })
  const common = {
    type: 'category' as const,
    show: !small,
    axisTick: { show: false },
    axisLine: { show: false },
    splitArea: { show: false },
  }
  const label = { color: colours.dimmed, fontSize: 12, overflow: 'truncate' as const, ellipsis: '…' }
  const down = model.down.map((one) => one.label)
  return {
    xAxis: {
      ...common,
      data: across,
      axisLabel: { ...label, ...layout.axisLabel },
      ...(small ? {} : missingLabelsAxisName(layout, colours.dimmed)),
    },
    yAxis: {
      ...common,
      inverse: true,
      data: down,
      axisLabel: { ...label, interval: 0, ...shortLabels(down, categoryLabelWidth(settings)) },
    },
  }
}

/** The scale as a bar of colour with its two ends in figures. */
function heatMapLegend(model: HeatMapModel, settings: RenderSettings, scale: HeatMapScale) {
  const { colours, format, small = false } = settings
  const end = (value: number): string =>
    format.short(value, model.column, Math.max(Math.abs(scale.low), Math.abs(scale.high)))
  return {
    type: 'continuous' as const,
    show: !small,
    min: scale.low,
    max: scale.high,
    calculable: false,
    orient: 'horizontal' as const,
    left: 0,
    top: 0,
    itemWidth: 10,
    itemHeight: 140,
    text: [end(scale.high), end(scale.low)],
    textStyle: { color: colours.dimmed, fontSize: 12 },
    inRange: { color: [...scale.stops] },
  }
}

function heatMapOption(model: HeatMapModel, settings: RenderSettings, summary: string): ChartOption {
  const scale = heatMapScale(model.low, model.high, settings.colours)
  const parts = {
    ...heatMapAxes(model, settings),
    visualMap: heatMapLegend(model, settings, scale),
    series: heatMapSeries(model, settings, scale),
  }
  if (settings.small) return { ...bareChartOption(summary), ...parts }
  const frame = baseChartOption(settings, { summary, legend: [] })
  return {
    ...frame,
    grid: { ...frame.grid, top: 44, outerBoundsContain: 'all' },
    tooltip: {
      ...frame.tooltip,
      formatter: (given) => {
        const cell = model.cells[(Array.isArray(given) ? given[0] : given)?.dataIndex ?? -1]
        if (!cell) return ''
        const line = {
          name: model.column.label,
          figure: settings.format.full(cell.value, model.column),
          colour: heatMapColour(cell.value, scale),
        }
        const category = model.across[cell.x]
        return tooltipCardHtml({
          title: cellName(cell, model),
          lines: [line],
          ...(category?.incomplete ? { note: capitalize(describeIncomplete(category)) } : {}),
        })
      },
    },
    ...parts,
  }
}

const HEADER_PX = 84
const CELL_PX = 28

export function heatMapSpec(model: HeatMapModel, format: CellFormatter): ChartSpec {
  const summary = summarizeHeatMap(model, format)
  return {
    summary,
    notes: model.notes,
    keyboardStops: model.cells.map((cell, dataIndex) => ({
      description: describeCell(cell, model, format),
      row: cell.row,
      dataPoint: { seriesIndex: 0, dataIndex },
    })),
    height: (base) => Math.max(base, HEADER_PX + model.down.length * CELL_PX),
    option: (settings) => heatMapOption(model, settings, summary),
    rowOf: ({ dataIndex = -1 }) => model.cells[dataIndex]?.row ?? null,
    markAtPosition: ({ x, y }) =>
      markOfRow(model.cells.find((cell) => cell.x === Math.round(x) && cell.y === Math.round(y))?.row),
  }
}
