import type { QueryResult, ResultColumn } from '../../../src/shared/query-result'
import type { ChartModel, Series } from './chart-model'
import { toNumber } from './figure-format'
import { dayOf } from './time-buckets'

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
  row: number | null
}
type WaterfallPart = Pick<WaterfallStep, 'label' | 'other' | 'incomplete' | 'row'> & {
  value: number
  year: string | null
}

const PARTS_MAX = 24

const waterfallParts = (model: ChartModel, now: Series, before: Series | undefined): WaterfallPart[] =>
  model.categories.flatMap((category, at) => {
    const value = now.points[at]?.value ?? null
    const earlier = before?.points[at]?.value ?? null
    if (value === null && earlier === null) return []
    const { label, other, incomplete } = category
    const day = typeof category.value === 'string' ? dayOf(category.value) : null
    const row = now.points[at]?.row ?? null
    return [{ label, other, incomplete, row, value: (value ?? 0) - (earlier ?? 0), year: day?.slice(0, 4) ?? null }]
  })

/** The largest parts; the small ones together. Time keeps all of its buckets. */
function limitParts(parts: WaterfallPart[], time: boolean): { parts: WaterfallPart[]; notes: string[] } {
  if (time || parts.length <= PARTS_MAX) return { parts, notes: [] }
  const bySize = [...parts].sort((a, b) => Number(a.other) - Number(b.other) || Math.abs(b.value) - Math.abs(a.value))
  const kept = new Set(bySize.slice(0, PARTS_MAX - 1))
  const rest = parts.filter((part) => !kept.has(part))
  const value = rest.reduce((sum, part) => sum + part.value, 0)
  const others: WaterfallPart = {
    label: `${rest.length} others`,
    other: true,
    incomplete: false,
    row: null,
    value,
    year: null,
  }
  const note = `The ${kept.size} largest of ${parts.length} parts are drawn apart, the others together.`
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

const levelStep = (label: string, value: number): WaterfallStep => ({
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
    const { label, other, incomplete, row, value } = part
    const waterfallStep: WaterfallStep = {
      label,
      kind: 'part',
      from: reached,
      to: reached + value,
      other,
      incomplete,
      row,
    }
    reached += value
    const name = parts.length > 2 ? subtotalLabel(part, parts[at + 1], time) : null
    return name === null ? [waterfallStep] : [waterfallStep, levelStep(name, reached)]
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
  const rest: WaterfallPart = { label: 'Not shown', other: true, incomplete: false, row: null, value: left, year: null }
  const parts = isNegligible(left, end) ? few.parts : [...few.parts, rest]
  const ordered = model.time ? parts : [...parts].sort(byContribution)
  const first = before ? [levelStep(result.period?.compare?.label ?? 'Before', start)] : []
  const last = levelStep(before ? (result.period?.label ?? 'Now') : 'Total', end)
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
