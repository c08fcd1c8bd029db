import { withGroupings } from './groupings'
import { expandPlanMetrics } from './metric-definitions'
import { withExchangeRates } from './rates/answer'
import { applyMetricCurrencyModes } from './rates/currency-of'
import type { Scope } from './scope'
import type { Deps } from '../deps'
import type { QueryPlan } from '../shared/query'
import type { QueryResult } from '../shared/query-result'
import type { Calendar, GroupingDefinition } from '../warehouse/contract'

/** The one way to figures on the server: what a plan names is looked up before the warehouse is asked. */
export interface QueryService {
  /** @throws ProductError what the plan or a definition that it names is refused for */
  answer(plan: QueryPlan): Promise<QueryResult>
  /** The plan with the definitions of its metrics in their place: what it measures, and whose rows. */
  resolve(plan: QueryPlan): Promise<QueryPlan>
}

/** `drafts`: groupings that are not stored, which plans name by their ids. */
export const queryService = (
  deps: Pick<Deps, 'warehouse' | 'db' | 'clock'>,
  { scope, calendar, drafts = [] }: { scope: Scope; calendar: Calendar; drafts?: readonly GroupingDefinition[] },
): QueryService => ({
  resolve: (plan) => expandPlanMetrics(deps, scope, plan),
  answer: async (given) => {
    const plan = await applyMetricCurrencyModes(deps, scope, await expandPlanMetrics(deps, scope, given))
    return withGroupings({ deps, scope, drafts }, plan, (groupings) =>
      withExchangeRates(deps, { scope, plan }, (convertedPlan, rates) =>
        deps.warehouse(scope).query({ plan: convertedPlan, calendar, rates, groupings }),
      ),
    )
  },
})
