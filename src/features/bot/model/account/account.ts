import type { Context } from '../plan/context'
import type { PlanFacts } from '../score/plan-facts'
import type { QueryPlan } from '../../../../shared/query/plan'

/** A plan beside the question it is to answer. */
export interface Account {
  context: Context
  plan: QueryPlan
  /** The question with marks for what is known, before any rule has read it. */
  source: string
  facts: PlanFacts
}
/** What does not hold, in words; nothing where all of it does. */
export type Check = (account: Account) => string[]
export const when = (isSo: boolean, why: string): string[] => (isSo ? [why] : [])
