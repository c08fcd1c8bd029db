import type { QueryResult, ResultColumn } from '../../../src/shared/query/result'
import { dimensionGroupAt, dimensionGroups, columnsOfKind } from '../../../src/shared/charts/chart-model'
import { toNumber, type CellFormatter } from '../../../src/shared/figures/cell-formatter'
import { valueColours } from './chart-colours'
import { pointScale, reachOf, type ScaleMaker } from '../../../src/shared/charts/axis-scale'
import { scaleAcross, scaleOption } from './value-axis'
import type { ChartSpec, RenderSettings, ChartOption } from './chart-spec'
import { WIDTH_PX, bareChartOption, baseChartOption, tooltipCardHtml } from './chart-frame'

/** Groups as points: the first measure across, the second upwards; a second split gives the colour. */
export interface ScatterModel {
  across: ResultColumn
  up: ResultColumn
  /** What one point is: "country". */
  of: string
  groups: ScatterGroup[]
  notes: string[]
}
interface ScatterGroup {
  key: string
  name: string
  value: string | number | boolean | null
  other: boolean
  points: ScatterPoint[]
}
interface ScatterPoint {
  name: string
  x: number
  y: number
  other: boolean
  row: number
}

const GROUPS_MAX = 12

/** @returns null without two measures and one or two splits */
export function scatterModel(result: QueryResult, format: CellFormatter): ScatterModel | null {
  const dimensions = columnsOfKind(result, 'dimension')
  const [across, up] = columnsOfKind(result, 'measure')
  const [first, second] = dimensions
  if (!across || !up || !first || dimensions.length > 2) return null
  // Names tell groups apart better than days do.
  const colour = second && first.column.grain === undefined && second.column.grain !== undefined ? first : second
  const points = result.rows.flatMap((cells, row) => {
    const [x, y] = [toNumber(cells[across.at]), toNumber(cells[up.at])]
    if (x === null || y === null) return []
    const name = dimensions.map(({ column, at }) => format.label(cells[at] ?? null, column)).join(', ')
    const other = dimensions.some(({ at }) => dimensionGroupAt(result, row, at).other)
    return [{ name, x, y, other, row, group: colour ? dimensionGroupAt(result, row, colour.at).key : '' }]
  })
  const named = colour ? dimensionGroups(result, colour.at) : [{ key: '', value: null, other: false }]
  const groups = named.map(({ key, value, other }) => ({
    key,
    name: colour ? format.label(value, colour.column) : across.column.label,
    value,
    other,
    points: points.filter((point) => point.group === key),
  }))
  const lacking = result.rows.length - points.length
  const missing = lacking === 1 ? '1 group is' : `${lacking} groups are`
  return {
    across: across.column,
    up: up.column,
    of: dimensions.map(({ column }) => column.label).join(', '),
    groups: groups.slice(0, GROUPS_MAX),
    notes: [
      ...(lacking > 0 ? [`${missing} missing a value and not shown.`] : []),
      ...(groups.length > GROUPS_MAX
        ? [`Showing ${GROUPS_MAX} of ${groups.length} groups; all are in the table.`]
        : []),
    ],
  }
}

const POINT_LABELS_MAX = 30
const allPoints = (model: ScatterModel): ScatterPoint[] => model.groups.flatMap((group) => group.points)

const describePoint = (point: ScatterPoint, { across, up }: ScatterModel, format: CellFormatter): string =>
  `${point.name}: ${across.label} ${format.full(point.x, across)}, ${up.label} ${format.full(point.y, up)}`

function summarizeScatter(model: ScatterModel, format: CellFormatter): string {
  const points = allPoints(model)
  const most = (of: 'x' | 'y'): ScatterPoint | null =>
    points.reduce<ScatterPoint | null>((best, point) => (best === null || point[of] > best[of] ? point : best), null)
  const [x, y] = [most('x'), most('y')]
  return [
    `${points.length} points by ${model.of}: ${model.across.label} across, ${model.up.label} up.`,
    ...(x ? [`Furthest across ${describePoint(x, model, format)}.`] : []),
    ...(y ? [`Highest ${describePoint(y, model, format)}.`] : []),
  ].join(' ')
}

/** The axis upwards with its marks, and the edges. */
const BESIDE_PX = 90

function scatterAxis(model: ScatterModel, settings: RenderSettings, side: 'across' | 'up') {
  const { colours, format, small = false } = settings
  const column = model[side]
  const values = allPoints(model).map((point) => (side === 'across' ? point.x : point.y))
  const make: ScaleMaker = (steps) => pointScale(reachOf(values), { whole: column.type === 'integer', steps })
  const width = (settings.width ?? WIDTH_PX) - BESIDE_PX
  const scale = side === 'across' ? scaleAcross(make, { column, format, width }) : make()
  return {
    ...scaleOption(scale, { column, format, colour: colours.dimmed }),
    show: !small,
    name: small ? '' : column.label,
    nameLocation: side === 'across' ? ('middle' as const) : ('end' as const),
    nameGap: side === 'across' ? 30 : 22,
    nameTextStyle: {
      color: colours.dimmed,
      fontSize: 12,
      align: side === 'across' ? ('center' as const) : ('left' as const),
    },
    splitLine: { lineStyle: { color: colours.grid } },
    axisLine: { show: true, onZero: false, lineStyle: { color: colours.border } },
  }
}

function scatterColours(model: ScatterModel, settings: RenderSettings): string[] {
  if (model.groups.length === 1 && model.groups[0]?.key === '') return [settings.colours.series[0] ?? '']
  return valueColours(model.groups, settings.colours)
}

function scatterSeries(model: ScatterModel, settings: RenderSettings) {
  const colours = scatterColours(model, settings)
  const named = !settings.small && allPoints(model).length <= POINT_LABELS_MAX
  return model.groups.map((group, index) => ({
    type: 'scatter' as const,
    id: `main:${group.key}`,
    name: group.name,
    color: colours[index] ?? settings.colours.other,
    symbolSize: settings.small ? 5 : 11,
    itemStyle: { opacity: 0.85, borderColor: settings.colours.surface, borderWidth: 1 },
    labelLayout: { hideOverlap: true },
    label: {
      show: named,
      position: 'top' as const,
      color: settings.colours.text,
      fontSize: 12,
      width: settings.narrow ? 84 : 140,
      overflow: 'truncate' as const,
      ellipsis: '…',
      formatter: ({ dataIndex }: { dataIndex: number }) => group.points[dataIndex]?.name ?? '',
    },
    data: group.points.map((point) => ({
      value: [point.x, point.y],
      ...(point.other ? { itemStyle: { color: settings.colours.other } } : {}),
    })),
  }))
}

function scatterOption(model: ScatterModel, settings: RenderSettings, summary: string): ChartOption {
  const parts = {
    xAxis: scatterAxis(model, settings, 'across'),
    yAxis: scatterAxis(model, settings, 'up'),
    series: scatterSeries(model, settings),
  }
  if (settings.small) return { ...bareChartOption(summary), ...parts }
  const legend = model.groups.map((group) => group.name)
  const frame = baseChartOption(settings, { summary, legend })
  const colours = scatterColours(model, settings)
  return {
    ...frame,
    grid: { ...frame.grid, outerBoundsContain: 'all' },
    tooltip: {
      ...frame.tooltip,
      formatter: (given) => {
        const one = Array.isArray(given) ? given[0] : given
        const group = one ? model.groups[one.seriesIndex ?? -1] : undefined
        const point = group?.points[one?.dataIndex ?? -1]
        if (!point) return ''
        const colour = point.other ? settings.colours.other : (colours[one?.seriesIndex ?? 0] ?? '')
        const across = { name: model.across.label, figure: settings.format.full(point.x, model.across), colour }
        const up = { name: model.up.label, figure: settings.format.full(point.y, model.up), colour }
        return tooltipCardHtml({ title: point.name, lines: [across, up] })
      },
    },
    ...parts,
  }
}

const groupBySeriesId = (model: ScatterModel, seriesId: string | undefined): ScatterGroup | undefined =>
  model.groups.find((group) => `main:${group.key}` === seriesId)

export function scatterSpec(model: ScatterModel, format: CellFormatter): ChartSpec {
  const summary = summarizeScatter(model, format)
  return {
    summary,
    notes: model.notes,
    keyboardStops: model.groups.flatMap((group, seriesIndex) =>
      group.points.map((point, dataIndex) => ({
        description: describePoint(point, model, format),
        row: point.row,
        dataPoint: { seriesIndex, dataIndex },
      })),
    ),
    height: (base) => base,
    option: (settings) => scatterOption(model, settings, summary),
    rowOf: ({ seriesId, dataIndex = -1 }) => groupBySeriesId(model, seriesId)?.points[dataIndex]?.row ?? null,
    markAtPosition: () => null,
  }
}
