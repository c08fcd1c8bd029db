import { withRates } from './rates/answer'
import type { Scope } from './scope'
import type { Deps } from '../deps'
import type { QueryPlan } from '../shared/query'
import type { QueryResult } from '../shared/query-result'
import type { Calendar } from '../warehouse/contract'

/** The one way to figures on the server: what a plan names is looked up before the warehouse is asked. */
export interface Figures {
  /** @throws ProductError what the plan or a definition that it names is refused for */
  answer(plan: QueryPlan): Promise<QueryResult>
}

export const figuresFor = (
  deps: Pick<Deps, 'warehouse' | 'db' | 'clock'>,
  { scope, calendar }: { scope: Scope; calendar: Calendar },
): Figures => ({
  answer: (plan) => withRates(deps, { scope, plan }, (rates) => deps.warehouse(scope).query({ plan, calendar, rates })),
})
