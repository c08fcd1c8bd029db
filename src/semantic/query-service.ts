import { expandMetrics, type MetricDefinitions } from './metric-definitions'
import { withGroupings, assertGroupingsExist } from './groupings'
import { withExchangeRates, applyMetricCurrencyModes } from './currency/conversion'
import { withSourceLogins } from './source-logins'
import type { Scope } from '../scope'
import type { Deps } from '../deps'
import type { QueryPlan } from '../shared/query/plan'
import type { QueryResult } from '../shared/query/result'
import type { GroupingDefinition } from '../warehouse/contract'
import { datasetIdsOf, planFieldsOf, metricIdsOf } from '../shared/query/plan-fields'
import { checkPlan } from '../warehouse/query/plan/check-plan'
import { graphOfRelations } from '../warehouse/query/plan/relation-graph'
import { keyEndsOf } from '../shared/query/relation-paths'
import type { Calendar } from '../shared/dates'
import { readMetricDefinitions } from './metric-definition-store'

/** By whose rights and calendar figures are asked for. */
export interface QueryContext {
  deps: Pick<Deps, 'warehouse' | 'db' | 'clock' | 'settings'>
  scope: Scope
  calendar: Calendar
}

/**
 * The plan with the definitions of its metrics in their place.
 * @throws ProductError as {@link expandMetrics}
 */
async function expandPlanMetrics(
  deps: Pick<Deps, 'db'>,
  { scope, plan, known }: { scope: Scope; plan: QueryPlan; known?: MetricDefinitions | undefined },
): Promise<QueryPlan> {
  if (metricIdsOf(plan.measures).length === 0) return plan
  return withDefinitions(plan, known ?? (await readMetricDefinitions(deps, scope, plan.measures)))
}

/**
 * The plan with the definitions of its metrics in their place.
 * @throws ProductError as {@link expandMetrics}
 */
export const withDefinitions = (plan: QueryPlan, definitions: MetricDefinitions): QueryPlan => ({
  ...plan,
  measures: plan.measures.map((measure) => expandMetrics(measure, definitions)),
})

/** The one way to figures on the server: what a plan names is looked up before the warehouse is asked. */
export interface QueryService {
  /** @throws ProductError what the plan or a definition that it names is refused for */
  answer(plan: QueryPlan): Promise<QueryResult>
  /** The plan with the definitions of its metrics in their place: what it measures, and whose rows. */
  resolve(plan: QueryPlan): Promise<QueryPlan>
}

interface QueryServiceOptions {
  scope: Scope
  calendar: Calendar
  /** Groupings that are not stored, which plans name by their ids. */
  drafts?: readonly GroupingDefinition[]
  /** Many questions that nobody looks at one by one: they come after those of people. */
  background?: boolean
  /** The questions of one page, asked at once. */
  ofPage?: boolean
  /** What metrics mean, where that was read already for all questions of one moment. */
  definitions?: MetricDefinitions | undefined
}

export const queryService = (
  deps: Pick<Deps, 'warehouse' | 'db' | 'clock' | 'settings'>,
  { scope, calendar, drafts = [], background, ofPage, definitions: known }: QueryServiceOptions,
): QueryService => ({
  resolve: (plan) => expandPlanMetrics(deps, { scope, plan, known }),
  answer: async (given) => {
    const expanded = await expandPlanMetrics(deps, { scope, plan: given, known })
    const plan = await applyMetricCurrencyModes(deps, scope, expanded)
    return withGroupings({ deps, scope, drafts }, plan, (groupings) =>
      withExchangeRates(deps, { scope, plan }, (convertedPlan, rates) =>
        withSourceLogins(deps, scope, (logins) =>
          deps.warehouse(scope).query({ plan: convertedPlan, calendar, rates, groupings, logins, background, ofPage }),
        ),
      ),
    )
  },
})

/** A column that a plan reads without naming it. */
interface ColumnReference {
  dataset: string
  key: string
}
/** A plan that can be answered: its metrics replaced, and the ends of the relations it goes along. */
export interface ValidatedPlan {
  plan: QueryPlan
  joinColumns: ColumnReference[]
}

/** `[dataset, column]` of all that a plan reads, for "used by"; of a dataset whose rows are counted the column ''. */
export const usedColumns = ({ plan, joinColumns }: ValidatedPlan): [string, string][] => [
  ...joinColumns.map(({ dataset, key }): [string, string] => [dataset, key]),
  ...datasetIdsOf(plan).map((dataset): [string, string] => [dataset, '']),
  ...planFieldsOf(plan).map(({ dataset, column }): [string, string] => [dataset, column]),
]

/**
 * That a plan which is to be stored can be answered: its metrics, groupings and datasets are this workspace's (else 404), its columns
 * exist (else 422), and everything fits.
 */
export async function validatePlan(
  deps: Pick<Deps, 'db' | 'warehouse'>,
  scope: Scope,
  given: QueryPlan,
): Promise<ValidatedPlan> {
  const plan = await expandPlanMetrics(deps, { scope, plan: given })
  await assertGroupingsExist({ deps, scope }, plan)
  const warehouse = deps.warehouse(scope)
  const [relations, ...datasets] = await Promise.all([
    warehouse.relations({}),
    ...datasetIdsOf(plan).map((id) => warehouse.dataset(id)),
  ])
  const find = (id: string) => datasets.find((dataset) => dataset.id === id) ?? null
  const graph = graphOfRelations(relations, find)
  const used = new Set(checkPlan(plan, { find, graph }).relations)
  return { plan, joinColumns: graph.edges.filter(({ id }) => used.has(id)).flatMap(keyEndsOf) }
}
