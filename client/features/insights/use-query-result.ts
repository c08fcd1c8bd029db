import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { QueryPlan } from '../../../src/shared/query/plan'
import type { QueryResult } from '../../../src/shared/query/result'
import { planResultQuery } from '../../lib/plan-result'

const PREVIEW_DELAY_MS = 400

export interface LiveQueryResult {
  /** The newest good answer; while another is on its way, the one before it. */
  result: QueryResult | null
  /** The answer on screen is not (yet) that of the plan asked for. */
  stale: boolean
  loading: boolean
  /** Newer rows stand, and their figures are on the way; those on screen are the ones before. */
  outdated: boolean
  error: Error | null
  refetch: () => void
}

const EMPTY_PLAN: QueryPlan = { v: 1, kind: 'aggregate', measures: [], dimensions: [], filters: [] }

/** The answer to a plan, keeping the last good one on screen while loading and after a refusal. */
export function useQueryResult(plan: QueryPlan | null): LiveQueryResult {
  const options = planResultQuery(plan ?? EMPTY_PLAN)
  const query = useQuery({ ...options, enabled: plan !== null })
  const client = useQueryClient()
  const [lastGood, setLastGood] = useState<QueryResult | null>(null)
  if (query.data && query.data !== lastGood) setLastGood(query.data)
  const outdated = query.isRefetching && client.getQueryState(options.queryKey)?.isInvalidated === true
  return {
    result: query.data ?? lastGood,
    stale: outdated || (query.data === undefined && lastGood !== null),
    loading: query.isFetching,
    outdated,
    error: query.error,
    refetch: () => void query.refetch(),
  }
}

/** A live preview: asks once typing rests, and drops answers that come too late (their call is cancelled). */
export function usePreviewResult(plan: QueryPlan | null): LiveQueryResult {
  const key = plan === null ? null : JSON.stringify(plan)
  const [settled] = useDebouncedValue(key, PREVIEW_DELAY_MS)
  const [requested, setRequested] = useState({ key, plan })
  // The plan is taken over only when its text has rested.
  if (settled === key && requested.key !== key) setRequested({ key, plan })
  const figures = useQueryResult(requested.plan)
  return { ...figures, stale: figures.stale || requested.key !== key }
}
