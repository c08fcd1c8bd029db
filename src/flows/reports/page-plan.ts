import { ProductError } from '../../shared/errors'
import { timeFieldOf } from '../../shared/monitored-metric'
import { needsVersion3 } from '../../shared/query/plan-fields'
import type { Field } from '../../shared/query/field'
import type { FieldFilter, QueryPlan } from '../../shared/query/plan'
import type { ReportPeriod } from '../../shared/reports/reports'
import type { TileContext } from '../../shared/reports/tiles'
import { checkPlan, type PlanAnalysis, type PlanSchema } from '../../warehouse/query/plan/check-plan'

/** A filter of a page, by its place among those of the request. */
export interface PageFilter {
  index: number
  filter: FieldFilter
}
/** What a page asks of each of its questions. */
export interface PageView {
  period: ReportPeriod
  filters: readonly PageFilter[]
  /** Indexes of those that must be followed. */
  required: ReadonlySet<number>
  /** Which columns rows reach; null where there is no filter to ask it for. */
  schema: PlanSchema | null
}
export interface PagePlan {
  plan: QueryPlan
  context: TileContext
}

/**
 * A question over the period of a page, and of rows that pass its filters as far as they reach their columns.
 * @param meant the same plan with the definitions of its metrics in their place
 * @param time the column that a period is laid on, where the plan itself names none
 * @throws ProductError `not_found` where rows do not reach the column of a filter that must be followed
 */
export function planOnPage(plan: QueryPlan, meant: QueryPlan, view: PageView, time: Field | null = null): PagePlan {
  const dated = withPeriod(plan, view.period, time)
  const filtered = withFilters(dated.plan, { ...meant, period: dated.plan.period }, view)
  if (filtered.unfiltered.some((index) => view.required.has(index))) throw new ProductError('not_found')
  return { plan: filtered.plan, context: { period: dated.follows, unfiltered: filtered.unfiltered } }
}

/** The plan over another period; its own where the page has none. */
function withPeriod(
  plan: QueryPlan,
  { range, compare }: ReportPeriod,
  time: Field | null,
): { plan: QueryPlan; follows: boolean } {
  if (range) {
    const field = timeFieldOf(plan) ?? time
    if (!field) return { plan, follows: false }
    return { plan: { ...plan, period: { field, range, compare, completeOnly: false } }, follows: true }
  }
  if (compare === 'none') return { plan, follows: true }
  if (!plan.period) return { plan, follows: false }
  return { plan: { ...plan, period: { ...plan.period, compare } }, follows: true }
}

function withFilters(
  plan: QueryPlan,
  meant: QueryPlan,
  { filters, schema }: PageView,
): { plan: QueryPlan; unfiltered: number[] } {
  const all = filters.map(({ index }) => index)
  const own = schema && filters.length > 0 ? analysisOf(meant, schema) : null
  // What cannot be answered anyway says so itself, once it is asked.
  if (!schema || !own) return { plan, unfiltered: all }
  // Whose rows are meant is said before a filter names other tables.
  const based = { ...meant, dataset: own.home }
  const found = filters.map(({ index, filter }) => ({ index, filter: reaching(based, filter, schema) }))
  const added = found.flatMap(({ filter }) => (filter ? [filter] : []))
  const unfiltered = found.flatMap(({ index, filter }) => (filter ? [] : [index]))
  if (added.length === 0) return { plan, unfiltered }
  const next: QueryPlan = { ...plan, dataset: own.home, filters: [...plan.filters, ...added] }
  return { plan: { ...next, v: needsVersion3(next) ? 3 : plan.v }, unfiltered }
}

/** The filter as it can be asked of a plan's rows, all its tables alike; null where they do not reach its column in one way. */
function reaching(plan: QueryPlan, filter: FieldFilter, schema: PlanSchema): FieldFilter | null {
  const { via, ...field } = filter.field
  const ways = via ? [filter, { ...filter, field }] : [filter]
  return ways.find((way) => analysisOf({ ...plan, filters: [...plan.filters, way] }, schema) !== null) ?? null
}

function analysisOf(plan: QueryPlan, schema: PlanSchema): PlanAnalysis | null {
  try {
    return checkPlan(plan, schema)
  } catch (error) {
    if (error instanceof ProductError) return null
    throw error
  }
}
