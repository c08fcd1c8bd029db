import { definitionFingerprint, type MetricDefinitions } from './metric-definitions'
import { canonicalJson, sha256HexSync } from '../lib/hash'
import type { QueryPlan } from '../shared/query/plan'

/**
 * What somebody vouches for: the question, and what the metrics that it names mean. Another name or chart, or another
 * order of keys, changes nothing.
 */
export const verificationHash = (plan: QueryPlan, definitions: MetricDefinitions): string =>
  sha256HexSync(
    canonicalJson({
      plan,
      meaning: plan.measures.map((measure) => definitionFingerprint({ measure, filters: [] }, definitions)),
    }),
  )
