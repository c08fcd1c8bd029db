import { throughGroupings } from './groupings'
import { planWithoutMetrics } from './metric-definitions'
import { withRates } from './rates/answer'
import { inMetricsWay } from './rates/currency-of'
import type { Scope } from './scope'
import type { Deps } from '../deps'
import type { QueryPlan } from '../shared/query'
import type { QueryResult } from '../shared/query-result'
import type { Calendar, GroupingDefinition } from '../warehouse/contract'

/** The one way to figures on the server: what a plan names is looked up before the warehouse is asked. */
export interface Figures {
  /** @throws ProductError what the plan or a definition that it names is refused for */
  answer(plan: QueryPlan): Promise<QueryResult>
  /** The plan with the definitions of its metrics in their place: what it measures, and whose rows. */
  resolved(plan: QueryPlan): Promise<QueryPlan>
}

/** `drafts`: groupings that are not stored, which plans name by their ids. */
export const figuresFor = (
  deps: Pick<Deps, 'warehouse' | 'db' | 'clock'>,
  { scope, calendar, drafts = [] }: { scope: Scope; calendar: Calendar; drafts?: readonly GroupingDefinition[] },
): Figures => ({
  resolved: (plan) => planWithoutMetrics(deps, scope, plan),
  answer: async (given) => {
    const plan = await inMetricsWay(deps, scope, await planWithoutMetrics(deps, scope, given))
    return throughGroupings({ deps, scope, drafts }, plan, (groupings) =>
      withRates(deps, { scope, plan }, (asked, rates) =>
        deps.warehouse(scope).query({ plan: asked, calendar, rates, groupings }),
      ),
    )
  },
})
