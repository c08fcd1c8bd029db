import type { Grain } from '../../../src/shared/query/date-range'
import type { QueryResult } from '../../../src/shared/query/result'
import { isStacked, type AxisChart } from './axis-model'
import type { ChartColours } from './chart-colours'
import { categoriesOf, columnsOfKind, type ChartModel } from '../../../src/shared/charts/chart-model'
import type { RenderSettings } from './chart-spec'
import type { ScatterSeriesOption } from 'echarts/charts'
import type { CellFormatter } from '../../../src/shared/figures/cell-formatter'
import { bucketEnd, dayOf } from '../../../src/shared/figures/time-buckets'

/** Something said of one unit of a time axis: by a person, or by statistics. */
export interface ChartAnnotation {
  /** First day of the unit, or any day of it. */
  start: string
  kind: 'note' | 'unusual'
  /** What is said, for the screen reader and the tooltip. */
  text: string
}

export interface TimeAxis {
  grain: Grain
  buckets: { start: string; label: string }[]
}

/** The units of time that an answer is split by, in order; null when it is split by none. */
export function timeAxis(result: QueryResult, format: CellFormatter): TimeAxis | null {
  const axis = columnsOfKind(result, 'dimension').find(({ column }) => column.grain !== undefined)
  const grain = axis?.column.grain
  if (!axis || grain === undefined) return null
  const buckets = categoriesOf(result, axis, format).flatMap(({ value, label }) =>
    typeof value === 'string' && value !== '' ? [{ start: value, label }] : [],
  )
  return { grain, buckets }
}

/** A mark at its place in a model. */
export interface PlacedAnnotation extends ChartAnnotation {
  at: number
}

/** How series over an axis are drawn, and what is said of its units. */
export type AxisRenderSettings = RenderSettings & { chart: AxisChart; annotations?: readonly PlacedAnnotation[] }

/** Marks whose day lies in a unit that is drawn. */
export function placeAnnotations(model: ChartModel, marks: readonly ChartAnnotation[]): PlacedAnnotation[] {
  const { grain } = model.axis
  if (!model.time || grain === undefined) return []
  return marks.flatMap((mark) => {
    const at = model.categories.findIndex(
      ({ value }) => typeof value === 'string' && bucketContains(value, grain, mark.start),
    )
    return at < 0 ? [] : [{ ...mark, at }]
  })
}

function bucketContains(bucket: string, grain: Grain, day: string): boolean {
  if (grain === 'hour') return bucket === day
  const [start, asked] = [dayOf(bucket), dayOf(day)]
  return start !== null && asked !== null && start <= asked && asked <= bucketEnd(start, grain)
}

const PIN_PX = 28
const RING_PX = 16

/** Around the one point that is meant. */
const ringStyle = (colours: ChartColours) => ({
  symbol: 'circle',
  symbolSize: RING_PX,
  itemStyle: { color: 'transparent', borderColor: colours.text, borderWidth: 1.75 },
})
/** Over all that is drawn of a unit. */
const pinStyle = (colours: ChartColours, { sign, aside }: { sign: string; aside: number }) => ({
  symbol: 'pin',
  symbolSize: PIN_PX,
  symbolOffset: [aside, -4],
  itemStyle: { color: colours.text, borderColor: colours.surface, borderWidth: 1 },
  label: {
    show: true,
    formatter: sign,
    color: colours.surface,
    fontSize: 11,
    fontWeight: 'bold' as const,
    offset: [0, -2],
  },
})

/** Rings around what is unusual, and pins over what people noted; drawn over everything else. */
export function annotationSeries(
  model: ChartModel,
  marks: readonly PlacedAnnotation[],
  { colours, chart }: RenderSettings & { chart: AxisChart },
): ScatterSeriesOption[] {
  const heightAt = (at: number): number | null => {
    const current = model.series.filter(({ role }) => role === 'current')
    const values = current.flatMap(({ points }) => points[at]?.value ?? [])
    if (values.length === 0) return null
    return isStacked(model, chart) ? values.reduce((sum, value) => sum + Math.max(0, value), 0) : Math.max(...values)
  }
  const isSingleOutline = isStacked(model, chart) || model.series.filter(({ role }) => role === 'current').length === 1
  const positionsOf = (kind: ChartAnnotation['kind']) =>
    [...new Set(marks.filter((mark) => mark.kind === kind).map(({ at }) => at))].map((at) => [at, heightAt(at) ?? 0])
  const shared = { type: 'scatter' as const, silent: true, z: 6, tooltip: { show: false } }
  const [unusual, noted] = [positionsOf('unusual'), positionsOf('note')]
  return [
    ...(unusual.length === 0
      ? []
      : [
          {
            ...shared,
            id: 'mark:unusual',
            name: 'Finding',
            data: unusual,
            ...(isSingleOutline
              ? ringStyle(colours)
              : pinStyle(colours, { sign: '!', aside: noted.length > 0 ? 14 : 0 })),
          },
        ]),
    ...(noted.length === 0
      ? []
      : [
          {
            ...shared,
            id: 'mark:note',
            name: 'Note',
            data: noted,
            ...pinStyle(colours, { sign: '✎', aside: 0 }),
          },
        ]),
  ]
}

/** What is said of the unit at this place, to follow its figures. */
export const annotationTextAt = (marks: readonly PlacedAnnotation[], at: number): string =>
  marks
    .filter((mark) => mark.at === at)
    .map(({ kind, text }) => `. ${kind === 'note' ? 'Note' : 'Finding'}: ${text}`)
    .join('')
