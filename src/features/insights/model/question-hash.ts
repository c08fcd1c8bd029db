import { definitionFingerprint } from '../../../access/metric-definitions'
import type { MetricDefinitions } from '../../../access/metric-definitions'
import type { QueryPlan } from '../../../shared/query'
import { canonicalJson, sha256HexSync } from '../../../warehouse/query/hash'

/**
 * What somebody vouches for: the question, and what the metrics that it names mean. Another name or chart of the insight,
 * or another order of keys, changes nothing.
 */
export const verificationHash = (plan: QueryPlan, metricDefinitions: MetricDefinitions): string =>
  sha256HexSync(
    canonicalJson({
      plan,
      meaning: plan.measures.map((measure) => definitionFingerprint({ measure, filters: [] }, metricDefinitions)),
    }),
  )
