import { meaningHash } from '../../../access/metric-definitions'
import type { Definitions } from '../../../access/metric-definitions'
import type { QueryPlan } from '../../../shared/query'
import { canonical, sha256 } from '../../../warehouse/query/hash'

/**
 * What somebody vouches for: the question, and what the metrics that it names mean. Another name or chart of the insight,
 * or another order of keys, changes nothing.
 */
export const questionHash = (plan: QueryPlan, definitions: Definitions): string =>
  sha256(
    canonical({ plan, meaning: plan.measures.map((measure) => meaningHash({ measure, filters: [] }, definitions)) }),
  )
