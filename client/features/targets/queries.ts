import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Insight } from '../../../src/shared/insights'
import type { QueryPlan } from '../../../src/shared/query'
import type { QueryResult } from '../../../src/shared/query-result'
import type { Dataset } from '../../../src/shared/sources'
import type { SaveTargetsInput, TargetProgress, TargetTable } from '../../../src/shared/targets'
import { answer, api, idempotencyKey } from '../../lib/api'

export const insightQuery = (id: string) =>
  queryOptions({
    queryKey: ['insights', 'one', id],
    queryFn: ({ signal }) => answer<Insight>(api.api.insights[':id'].$get({ param: { id } }, { init: { signal } })),
  })

export const targetsQuery = (id: string) =>
  queryOptions({
    queryKey: ['targets', 'table', id],
    queryFn: ({ signal }) =>
      answer<TargetTable>(api.api.insights[':id'].targets.$get({ param: { id } }, { init: { signal } })),
  })

export const progressQuery = (id: string) =>
  queryOptions({
    queryKey: ['targets', 'progress', id],
    queryFn: async ({ signal }) =>
      (
        await answer<{ progress: TargetProgress | null }>(
          api.api.insights[':id'].progress.$get({ param: { id } }, { init: { signal } }),
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

export function useSaveTargets(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (json: SaveTargetsInput) =>
      answer<TargetTable>(
        api.api.insights[':id'].targets.$put(
          { param: { id }, json },
          { headers: { 'idempotency-key': idempotencyKey() } },
        ),
      ),
    onSuccess: (saved) => {
      client.setQueryData(targetsQuery(id).queryKey, saved)
      return client.invalidateQueries({ queryKey: ['targets'] })
    },
  })
}
