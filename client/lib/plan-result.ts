import { queryOptions } from '@tanstack/react-query'
import type { QueryPlan } from '../../src/shared/query/plan'
import type { QueryResult } from '../../src/shared/query/result'
import { readJson, api } from './api'

/** The answer to a plan. An answer that nobody waits for any more is cancelled on its way. */
export const planResultQuery = (plan: QueryPlan) =>
  queryOptions({
    queryKey: ['figures', plan],
    queryFn: ({ signal }) => readJson<QueryResult>(api.api.query.$post({ json: { plan } }, { init: { signal } })),
  })
