import type { Grain } from '../../../src/shared/query'
import type { QueryResult } from '../../../src/shared/query-result'
import { stacks } from './axis-model'
import type { AxisChart } from './axis-model'
import type { ChartColours } from './chart-colours'
import { categoriesOf, placed } from './chart-model'
import type { ChartModel } from './chart-model'
import type { DrawSettings } from './drawing'
import type { ScatterSeriesOption } from 'echarts/charts'
import type { FigureFormat } from './figure-format'
import { bucketEnd, dayOf } from './time-buckets'

/** Something said of one unit of a time axis: by a person, or by statistics. */
export interface ChartMark {
  /** First day of the unit, or any day of it. */
  start: string
  kind: 'note' | 'unusual'
  /** What is said, for the screen reader and the tooltip. */
  words: string
}

export interface TimeAxis {
  grain: Grain
  buckets: { start: string; label: string }[]
}

/** The units of time that an answer is split by, in order; null when it is split by none. */
export function timeAxis(result: QueryResult, format: FigureFormat): TimeAxis | null {
  const axis = placed(result, 'dimension').find(({ column }) => column.grain !== undefined)
  const grain = axis?.column.grain
  if (!axis || grain === undefined) return null
  const buckets = categoriesOf(result, axis, format).flatMap(({ value, label }) =>
    typeof value === 'string' && value !== '' ? [{ start: value, label }] : [],
  )
  return { grain, buckets }
}

/** A mark at its place in a model. */
export interface PlacedMark extends ChartMark {
  at: number
}

/** Marks whose day lies in a unit that is drawn. */
export function placeMarks(model: ChartModel, marks: readonly ChartMark[]): PlacedMark[] {
  const { grain } = model.axis
  if (!model.time || grain === undefined) return []
  return marks.flatMap((mark) => {
    const at = model.categories.findIndex(({ value }) => typeof value === 'string' && holds(value, grain, mark.start))
    return at < 0 ? [] : [{ ...mark, at }]
  })
}

function holds(bucket: string, grain: Grain, day: string): boolean {
  if (grain === 'hour') return bucket === day
  const [start, asked] = [dayOf(bucket), dayOf(day)]
  return start !== null && asked !== null && start <= asked && asked <= bucketEnd(start, grain)
}

const PIN_PX = 28
const RING_PX = 16

/** Around the one point that is meant. */
const ring = (colours: ChartColours) => ({
  symbol: 'circle',
  symbolSize: RING_PX,
  itemStyle: { color: 'transparent', borderColor: colours.text, borderWidth: 1.75 },
})
/** Over all that is drawn of a unit. */
const pin = (colours: ChartColours, { sign, aside }: { sign: string; aside: number }) => ({
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
export function markSeries(
  model: ChartModel,
  marks: readonly PlacedMark[],
  { colours, chart }: DrawSettings & { chart: AxisChart },
): ScatterSeriesOption[] {
  const heightAt = (at: number): number | null => {
    const current = model.series.filter(({ role }) => role === 'current')
    const values = current.flatMap(({ points }) => points[at]?.value ?? [])
    if (values.length === 0) return null
    return stacks(model, chart) ? values.reduce((sum, value) => sum + Math.max(0, value), 0) : Math.max(...values)
  }
  const alone = stacks(model, chart) || model.series.filter(({ role }) => role === 'current').length === 1
  const over = (kind: ChartMark['kind']) =>
    [...new Set(marks.filter((mark) => mark.kind === kind).map(({ at }) => at))].map((at) => [at, heightAt(at) ?? 0])
  const shared = { type: 'scatter' as const, silent: true, z: 6, tooltip: { show: false } }
  const [unusual, noted] = [over('unusual'), over('note')]
  return [
    ...(unusual.length === 0
      ? []
      : [
          {
            ...shared,
            ...{ id: 'mark:unusual', name: 'Unusual', data: unusual },
            ...(alone ? ring(colours) : pin(colours, { sign: '!', aside: noted.length > 0 ? 14 : 0 })),
          },
        ]),
    ...(noted.length === 0
      ? []
      : [
          {
            ...shared,
            ...{ id: 'mark:note', name: 'Note', data: noted },
            ...pin(colours, { sign: '✎', aside: 0 }),
          },
        ]),
  ]
}

/** What is said of the unit at this place, to follow its figures. */
export const wordsAt = (marks: readonly PlacedMark[], at: number): string =>
  marks
    .filter((mark) => mark.at === at)
    .map(({ kind, words }) => `. ${kind === 'note' ? 'Note' : 'Unusual'}: ${words}`)
    .join('')
