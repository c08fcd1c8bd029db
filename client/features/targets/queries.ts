import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Insight } from '../../../src/shared/insights'
import type { QueryPlan } from '../../../src/shared/query'
import type { QueryResult } from '../../../src/shared/query-result'
import type { Dataset } from '../../../src/shared/sources'
import type { SaveTargetsInput, TargetProgress, TargetTable } from '../../../src/shared/targets'
import type { Tracked } from '../../../src/shared/tracked'
import { answer, api, idempotencyKey } from '../../lib/api'

export const insightQuery = (id: string) =>
  queryOptions({
    queryKey: ['insights', 'one', id],
    queryFn: ({ signal }) => answer<Insight>(api.api.insights[':id'].$get({ param: { id } }, { init: { signal } })),
  })

/** What targets are set for; `tracked` is null without a date to follow it over. */
export interface TargetOf {
  kind: 'insight' | 'metric'
  id: string
  name: string
  tracked: Tracked | null
}
type Which = Pick<TargetOf, 'kind' | 'id'>
/** Both have the same calls, under the address of each. */
const callsOf = ({ kind }: Which) => (kind === 'insight' ? api.api.insights[':id'] : api.api.metrics[':id'])

export const targetsQuery = (of: Which) =>
  queryOptions({
    queryKey: ['targets', 'table', of.id],
    queryFn: ({ signal }) =>
      answer<TargetTable>(callsOf(of).targets.$get({ param: { id: of.id } }, { init: { signal } })),
  })

export const progressQuery = (of: Which) =>
  queryOptions({
    queryKey: ['targets', 'progress', of.id],
    queryFn: async ({ signal }) =>
      (
        await answer<{ progress: TargetProgress | null }>(
          callsOf(of).progress.$get({ param: { id: of.id } }, { init: { signal } }),
        )
      ).progress,
  })

/** Figures of last year, to spread a target by. */
export const shapeQuery = (plan: QueryPlan) =>
  queryOptions({
    queryKey: ['figures', plan],
    queryFn: ({ signal }) => answer<QueryResult>(api.api.query.$post({ json: { plan } }, { init: { signal } })),
  })

export const datasetQuery = (id: string) =>
  queryOptions({
    queryKey: ['sources', 'dataset', id],
    queryFn: ({ signal }) => answer<Dataset>(api.api.datasets[':id'].$get({ param: { id } }, { init: { signal } })),
  })

export function useSaveTargets(of: Which) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (json: SaveTargetsInput) =>
      answer<TargetTable>(
        callsOf(of).targets.$put({ param: { id: of.id }, json }, { headers: { 'idempotency-key': idempotencyKey() } }),
      ),
    onSuccess: (saved) => {
      client.setQueryData(targetsQuery(of).queryKey, saved)
      return client.invalidateQueries({ queryKey: ['targets'] })
    },
  })
}
