import { useQuery } from '@tanstack/react-query'
import { planResultQuery } from '../../lib/plan-result'
import type { QueryPlan } from '../../../src/shared/query/plan'
import type { QueryResult } from '../../../src/shared/query/result'

/** The figures of an answer, by the reader's rights and of the newest rows. */
export function useQueryFigures(plan: QueryPlan): {
  result: QueryResult | null
  error: Error | null
  refetch: () => void
} {
  const query = useQuery({ ...planResultQuery(plan), staleTime: 60_000 })
  return { result: query.data ?? null, error: query.error, refetch: () => void query.refetch() }
}
