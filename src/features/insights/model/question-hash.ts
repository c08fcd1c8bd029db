import type { QueryPlan } from '../../../shared/query'
import { canonical, sha256 } from '../../../warehouse/query/hash'

/** What somebody vouches for: the question and what it names. Another name, chart or order of keys changes nothing. */
export const questionHash = (plan: QueryPlan, definitions: Readonly<Record<string, string>> = {}): string =>
  sha256(canonical({ plan, definitions }))
