import type { QueryPlan } from '../../src/shared/query/plan'
import type { QueryResult } from '../../src/shared/query/result'
import { api } from './api'
import { questionQuery } from './queries/query-options'

/** The answer to a plan. An answer that nobody waits for any more is cancelled on its way. */
export const planResultQuery = (plan: QueryPlan) =>
  questionQuery<QueryResult>(['figures', plan], (options) => api.api.query.$post({ json: { plan } }, options))
