import { expressionMicros, filtersMicros } from './filter-cost'
import { resolvePeriod, type AbsolutePeriod } from '../query/time/resolve-period'
import { operandSize, type PlanAnalysis } from '../query/plan/check-plan'
import type { LiveDataset } from '../physical-layout'
import { ProductError } from '../../shared/errors'
import { DAY_MS, type Calendar } from '../../shared/dates'
import { QUERY_ROWS_MAX } from '../../shared/limits'
import { asksTotals, groupedMeasuresOf, isLeafMeasure, leafMeasuresOf } from '../../shared/query/plan-fields'
import type { Dimension, Measure, QueryPlan } from '../../shared/query/plan'
import type { Aggregate } from '../../shared/query/functions'
import type { DatePart, Grain } from '../../shared/query/date-range'

/**
 * Microseconds per row: twice the processor time that was measured over 20 million order lines of eleven columns, as
 * others take the cores, too. Medians were not measured there.
 */
const ROW_MICROS = { read: 0.03, measure: 0.03, join: 0.15, dimension: 0.05, distinct: 0.05, edge: 0.2, median: 0.8 }
/** What rows cost to put into so many groups: [groups at most, microseconds per row]. */
const GROUPING_MICROS: [number, number][] = [
  [1, 0],
  [1_000, 0.03],
  [20_000, 0.06],
  [Infinity, 0.3],
]
/** Medians are sorted within groups: many make it dearer. */
const MANY_GROUPS_MEDIAN_FACTOR = 1.3
/** Per group and term of a figure that is worked out from others. */
const TERM_MICROS = 0.2
/** A question that is expected to take less is short, ms. */
const SHORT_MS = 250
/** What an answer may take, by estimate and in fact, ms. */
export const ANSWER_MAX_MS = 45_000

export interface CostContext {
  plan: QueryPlan
  calendar: Calendar
  /** The last day with rows by the column of the period, where it is known. */
  dataTo?: number | null
  analysis: Pick<PlanAnalysis, 'facts' | 'datasets' | 'home'>
  find: (datasetId: string) => LiveDataset | null
}

/** What the parts of an answer take, ms. */
interface CostModel {
  /** All but the measures, the edges of bins and totals. */
  baseMs: number
  measureMs: number[]
  binMs: number
  /** Reading the rows once, with what they are filtered by. */
  readMs: number
}

export interface QueryCost {
  totalMs: number
  /** Of what is read anew for each share of the groups: all but totals and the edges of bins. */
  readingMs: number
  isShort: boolean
}

/** Estimated work of a plan, from row counts and how many groups its dimensions make. */
export function estimateCost(context: CostContext): QueryCost {
  const { baseMs, measureMs, binMs, readMs } = costModel(context)
  const measures = sumOf(measureMs)
  const totals = asksTotals(context.plan) ? measures + readMs : 0
  const readingMs = baseMs + measures
  const totalMs = readingMs + binMs + totals
  return { totalMs, readingMs, isShort: totalMs <= SHORT_MS }
}

/** @throws ProductError `query_too_complex` (`what: 'time'`, `max` in seconds) when it takes longer than an answer may */
export function assertAffordable({ totalMs }: Pick<QueryCost, 'totalMs'>): void {
  if (totalMs > ANSWER_MAX_MS) throw queryTooLong(ANSWER_MAX_MS)
}

/** The refusal of what takes longer than so many ms, by estimate or in fact. */
export const queryTooLong = (maxMs: number): ProductError =>
  new ProductError('query_too_complex', { what: 'time', max: Math.round(maxMs / 1000) }, 'Query timed out.')

function costModel(context: CostContext): CostModel {
  const { plan, analysis, find } = context
  const facts = analysis.facts.flatMap((id) => find(id) ?? [])
  const stored = sumOf(facts.map(({ rowCount }) => rowCount))
  const period = resolvePeriod(plan, context.calendar, context.dataTo ?? null)
  const rows = stored * (plan.kind === 'rows' ? 1 : readShare(context, period))
  const groups = plan.dimensions.reduce((product, each) => product * valuesOf(context, each, period), 1)
  const many = Math.max(1, Math.min(groups, stored))
  const joined = Math.max(0, analysis.datasets.length - analysis.facts.length)
  const grouping = groupingMicros(many)
  const measureMs = plan.measures.map((measure) => {
    const own = measureMicrosOf(measure, { find, rows, groups: many })
    return (own + groupedMicrosOf(context, measure, { rows, groups: many, period })) / 1000
  })
  // Rows are filtered before the period is looked at, once for each of the periods that are compared.
  const filtered = stored * (period?.compare ? 2 : 1)
  const readMs = (rows * ROW_MICROS.read + filtersMicros(plan.filters, { find, rows: filtered })) / 1000
  const tops = plan.dimensions.filter(({ topN }) => topN !== undefined).length
  // What keys are called is looked up in rows read once more.
  const named = plan.dimensions.filter(({ label }) => label).length
  const dimensions = plan.dimensions.length + named
  const splitMicros = joined * ROW_MICROS.join + dimensions * ROW_MICROS.dimension + named * ROW_MICROS.read + grouping
  const topMs = readMs + (rows * grouping) / 1000 + (measureMs[0] ?? 0)
  // Least and most of the numbers that are put into so many bins are looked for first.
  const counted = plan.dimensions.filter(({ bins }) => bins && 'count' in bins).length
  const binMs = counted * (readMs + (2 * rows * ROW_MICROS.measure) / 1000)
  return { baseMs: readMs + (rows * splitMicros) / 1000 + tops * topMs, measureMs, binMs, readMs }
}

const groupingMicros = (groups: number): number => GROUPING_MICROS.find(([max]) => groups <= max)?.[1] ?? 0

/** Microseconds that figures over groups take beside their parts: the rows are read again for each, and put into its groups. */
function groupedMicrosOf(
  context: CostContext,
  measure: Measure,
  on: { rows: number; groups: number; period: AbsolutePeriod | null },
): number {
  return sumOf(
    groupedMeasuresOf(measure).map(({ by, of }) => {
      const values = by.reduce((product, key) => product * valuesOf(context, key, on.period), on.groups)
      const groups = Math.max(1, Math.min(values, on.rows))
      const perRow = ROW_MICROS.read + by.length * ROW_MICROS.dimension + groupingMicros(groups)
      return on.rows * perRow + groups * operandSize(of) * TERM_MICROS
    }),
  )
}

function measureMicrosOf(measure: Measure, on: { find: CostContext['find']; rows: number; groups: number }): number {
  const factor = on.groups > QUERY_ROWS_MAX ? MANY_GROUPS_MEDIAN_FACTOR : 1
  const terms = isLeafMeasure(measure) ? 0 : on.groups * operandSize(measure) * TERM_MICROS
  const leaves = sumOf(
    leafMeasuresOf(measure).map((leaf) => {
      const calculated = leaf.kind === 'expression' ? expressionMicros(leaf.row) : 0
      return on.rows * (aggregateMicros(leaf.agg, factor) + calculated) + filtersMicros(leaf.filter ?? [], on)
    }),
  )
  return terms + leaves
}

function aggregateMicros(agg: Aggregate, medianFactor: number): number {
  if (agg === 'median') return ROW_MICROS.median * medianFactor
  if (agg === 'first' || agg === 'last') return ROW_MICROS.edge
  return agg === 'countDistinct' ? ROW_MICROS.distinct : ROW_MICROS.measure
}

/** The share of the rows that lies in the period and in what it is compared with, were they spread evenly. */
function readShare({ plan, find }: CostContext, period: AbsolutePeriod | null): number {
  const days = plan.period ? boundsInDays(find, plan.period.field) : null
  if (!period?.range || !days) return 1
  const inside = ({ from, to }: { from: number; to: number }): number =>
    Math.max(0, Math.min(to, days.to) - Math.max(from, days.from) + 1) / (days.to - days.from + 1)
  const share = inside(period.range) + (period.compare ? inside(period.compare) : 0)
  // Rows outside are read all the same, and left out.
  return Math.max(0.1, share)
}

function boundsInDays(find: CostContext['find'], { dataset: id, column: key }: Dimension['field']) {
  const dataset = find(id)
  const column = dataset?.columns.find((each) => each.key === key)
  const { min, max } = dataset?.bounds[key] ?? { min: null, max: null }
  if (!column || min === null || max === null) return null
  const unit = column.type === 'date' ? 1 : DAY_MS
  return { from: Math.floor(min / unit), to: Math.floor(max / unit) }
}

const DAYS_PER_GRAIN: Record<Grain, number> = {
  ...{ hour: 1 / 24, day: 1, week: 7, month: 30, quarter: 91, year: 365 },
  ...{ fiscalQuarter: 91, fiscalYear: 365 },
}

const PARTS: Record<DatePart, number> = { hourOfDay: 24, weekday: 7, dayOfMonth: 31, monthOfYear: 12, weekOfYear: 53 }

/** How many values a dimension has at most; of a text nothing is known, so that every row may have its own. */
function valuesOf(context: CostContext, dimension: Dimension, period: AbsolutePeriod | null): number {
  const { field, grain, part, grouping, topN } = dimension
  if (topN !== undefined) return topN + 1
  if (grouping) return GROUPS_ASSUMED
  if (part) return PARTS[part] + 1
  const dataset = context.find(field.dataset)
  const column = dataset?.columns.find(({ key }) => key === field.column)
  if (!dataset || !column) return 1
  if (column.type === 'boolean') return 3
  if (column.type === 'date' || column.type === 'datetime') {
    const own = boundsInDays(context.find, field)
    const days = own ? own.to - own.from + 1 : dataset.rowCount
    const asked = period?.range ? Math.min(days, period.range.to - period.range.from + 1) : days
    return Math.max(1, Math.ceil(asked / DAYS_PER_GRAIN[grain ?? 'day']))
  }
  if (dimension.bins && 'count' in dimension.bins) return 2 * dimension.bins.count
  const { min, max } = dataset.bounds[field.column] ?? { min: null, max: null }
  const values = column.type === 'integer' && min !== null && max !== null ? max - min + 1 : dataset.rowCount
  return Math.max(1, Math.min(values, dataset.rowCount))
}
/** Groups of a grouping, all levels of it. */
const GROUPS_ASSUMED = 200

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0)
