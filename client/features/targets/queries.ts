import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Insight } from '../../../src/shared/insights'
import type { SaveTargetsInput, TargetProgress, TargetTable } from '../../../src/shared/targets/targets'
import type { MonitoredMetric } from '../../../src/shared/monitored-metric'
import { readJson, api, withIdempotencyKey } from '../../lib/api'

export const insightQuery = (id: string) =>
  queryOptions({
    queryKey: ['insights', 'one', id],
    queryFn: ({ signal }) => readJson<Insight>(api.api.insights[':id'].$get({ param: { id } }, { init: { signal } })),
  })

/** What targets are set for; `tracked` is null without a date to follow it over. */
export interface TargetSubject {
  kind: 'insight' | 'metric'
  id: string
  name: string
  monitoredMetric: MonitoredMetric | null
}
type TargetSubjectRef = Pick<TargetSubject, 'kind' | 'id'>
/** Both have the same calls, under the address of each. */
const apiOf = ({ kind }: TargetSubjectRef) => (kind === 'insight' ? api.api.insights[':id'] : api.api.metrics[':id'])

export const targetsQuery = (of: TargetSubjectRef) =>
  queryOptions({
    queryKey: ['targets', 'table', of.id],
    queryFn: ({ signal }) =>
      readJson<TargetTable>(apiOf(of).targets.$get({ param: { id: of.id } }, { init: { signal } })),
  })

export const progressQuery = (of: TargetSubjectRef) =>
  queryOptions({
    queryKey: ['targets', 'progress', of.id],
    queryFn: async ({ signal }) =>
      (
        await readJson<{ progress: TargetProgress | null }>(
          apiOf(of).progress.$get({ param: { id: of.id } }, { init: { signal } }),
        )
      ).progress,
  })

export function useSaveTargets(of: TargetSubjectRef) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (json: SaveTargetsInput) =>
      readJson<TargetTable>(apiOf(of).targets.$put({ param: { id: of.id }, json }, withIdempotencyKey())),
    onSuccess: (saved) => {
      client.setQueryData(targetsQuery(of).queryKey, saved)
      return client.invalidateQueries({ queryKey: ['targets'] })
    },
  })
}
