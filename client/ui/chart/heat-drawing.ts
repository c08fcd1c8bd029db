import type { ChartSpec, RenderSettings } from './drawing'
import type { ChartOption } from './engine-types'
import type { CellFormatter } from './figure-format'
import { bareChartOption, baseChartOption, hatchPattern, categoryLabelWidth } from './frame-option'
import { heatMapColour, heatMapScale, readableTextColour } from './heat-colours'
import type { HeatMapScale } from './heat-colours'
import type { HeatMapCell, HeatMapModel } from './heat-model'
import { tooltipCardHtml } from './tooltip'

const cellName = (cell: HeatMapCell, model: HeatMapModel): string =>
  `${model.down[cell.y]?.label ?? ''}, ${model.across[cell.x]?.label ?? ''}`
const describeCell = (cell: HeatMapCell, model: HeatMapModel, format: CellFormatter): string =>
  `${cellName(cell, model)}: ${format.full(cell.value, model.column)}`

function summarizeHeatMap(model: HeatMapModel, format: CellFormatter): string {
  const high = model.cells.find((cell) => cell.value === model.high)
  const low = model.cells.find((cell) => cell.value === model.low)
  const cut = model.across.find((category) => category.incomplete)
  return [
    `Heat map of ${model.column.label}: ${model.down.length} × ${model.across.length} fields, ${model.of[1]} downwards, ${model.of[0]} across.`,
    ...(high ? [`Highest ${describeCell(high, model, format)}.`] : []),
    ...(low ? [`Lowest ${describeCell(low, model, format)}.`] : []),
    ...(cut ? [`${cut.label} is not complete yet.`] : []),
  ].join(' ')
}

const LABELS_ACROSS_MAX = 13

function heatMapSeries(model: HeatMapModel, settings: RenderSettings, scale: HeatMapScale) {
  const { colours, format } = settings
  const largest = Math.max(Math.abs(model.low), Math.abs(model.high))
  const labels = !settings.small && !settings.narrow && model.across.length <= LABELS_ACROSS_MAX
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
          borderWidth: settings.small ? 1 : 2,
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
  const common = {
    type: 'category' as const,
    show: !small,
    axisTick: { show: false },
    axisLine: { show: false },
    splitArea: { show: false },
  }
  const label = { color: colours.dimmed, fontSize: 12, overflow: 'truncate' as const }
  return {
    xAxis: {
      ...common,
      data: model.across.map((category) => (category.incomplete ? `${category.label} *` : category.label)),
      axisLabel: { ...label, width: 84, hideOverlap: true },
    },
    yAxis: {
      ...common,
      inverse: true,
      data: model.down.map((one) => one.label),
      axisLabel: { ...label, interval: 0, width: categoryLabelWidth(settings) },
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
    grid: { ...frame.grid, top: 44 },
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
        const cut = model.across[cell.x]?.incomplete
        return tooltipCardHtml({
          title: cellName(cell, model),
          lines: [line],
          ...(cut ? { note: 'Not complete yet' } : {}),
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
    rowAtPosition: (x, y) =>
      model.cells.find((cell) => cell.x === Math.round(x) && cell.y === Math.round(y))?.row ?? null,
  }
}
