import { queryService, type QueryContext } from '../../semantic/query-service'
import type { BotIntent, BotReading, PlanChip } from '../../shared/bot/interpretation'
import { chartProblem, suggestChart, type Viz } from '../../shared/insights'
import { datasetIdsOf, measuredDataset } from '../../shared/query/plan-fields'
import type { QueryPlan } from '../../shared/query/plan'
import { capitalize } from '../../shared/text'
import { graphOfRelations } from '../../warehouse/query/plan/relation-graph'
import { describePlanParts, planNaming, type PlanNaming } from '../../warehouse/query/plan/describe-plan'

/** A plan in words and with a chip for each of its parts: one that somebody changed by hand, or that nothing is told of. */
export async function describePlanReading(
  context: QueryContext,
  { plan, before, viz }: { plan: QueryPlan; before: BotReading; viz?: Viz },
): Promise<BotReading> {
  const { deps, scope, calendar } = context
  const resolved = await queryService(deps, context).resolve(plan)
  const warehouse = deps.warehouse(scope)
  const [relations, ...datasets] = await Promise.all([
    warehouse.relations({}),
    ...datasetIdsOf(resolved).map((id) => warehouse.dataset(id)),
  ])
  const find = (id: string) => datasets.find((dataset) => dataset.id === id) ?? null
  const graph = graphOfRelations(relations, find)
  const home = measuredDataset(resolved) ?? null
  const naming = planNaming(graph, { home, find, locale: calendar.numberLocale })
  const chips = planChips(resolved, naming)
  const shown = viz ?? before.viz
  // A table is what is left where nobody chose a picture.
  const fits = chartProblem(shown.chart, plan) === null && (shown.chart !== 'table' || viz !== undefined)
  const words = before.words !== '' && before.plan === plan ? before.words : ''
  return {
    ...{ plan, chips, intent: intentOf(plan), score: before.score, assumptions: before.assumptions },
    ...(before.shown && before.plan === plan ? { shown: before.shown } : {}),
    words: words || capitalize(chips.map(({ label }) => label).join(', ')),
    viz: fits ? shown : { ...shown, chart: suggestChart(plan) },
  }
}

/** What a plan asks for, by its shape. */
function intentOf({ kind, measures, dimensions, sort = [], limit, period }: QueryPlan): BotIntent {
  if (kind === 'rows') return 'records'
  if (measures.length === 0) return 'list'
  if (dimensions.some(({ grain }) => grain !== undefined)) return 'trend'
  if (dimensions.length === 0) return period && period.compare !== 'none' ? 'compare' : 'value'
  const isRanked = limit !== undefined || dimensions.some(({ topN }) => topN !== undefined)
  if (!isRanked) return 'breakdown'
  return sort[0]?.dir === 'asc' ? 'bottom' : 'top'
}

const NOTHING: QueryPlan = { v: 3, kind: 'aggregate', measures: [], dimensions: [], filters: [] }

/** One chip for each part of a plan, as the plan is described part by part. */
export function planChips(plan: QueryPlan, naming: PlanNaming): PlanChip[] {
  const chip = (kind: PlanChip['kind'], index: number, label: string): PlanChip[] =>
    label === '' ? [] : [{ kind, index, label: capitalize(label) }]
  const part = (some: Partial<QueryPlan>) => describePlanParts({ ...NOTHING, ...some }, naming)
  const { measures, dimensions, filters, period, sort = [], limit } = plan
  return [
    ...measures.flatMap((measure, at) => chip('measure', at, part({ measures: [measure] }).measures)),
    ...dimensions.flatMap((split, at) => chip('split', at, `by ${part({ dimensions: [split] }).splits}`)),
    ...(period ? chip('period', 0, part({ period: { ...period, compare: 'none' } }).period) : []),
    ...(period && period.compare !== 'none'
      ? chip('compare', 0, period.compare === 'year' ? 'vs previous year' : 'vs previous period')
      : []),
    ...filters.flatMap((filter, at) => chip('filter', at, part({ filters: [filter] }).filters)),
    ...(sort.length > 0 ? chip('sort', 0, sort[0]?.dir === 'asc' ? 'smallest first' : 'largest first') : []),
    ...(limit === undefined ? [] : chip('limit', 0, `${limit} rows`)),
  ]
}
