import { jsonQuery } from '../../lib/queries/query-options'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { SaveTargetsInput, TargetProgress, TargetTable } from '../../../src/shared/targets/targets'
import type { MonitoredMetric } from '../../../src/shared/monitored-metric'
import { readJson, api, withIdempotencyKey } from '../../lib/api'

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
  jsonQuery<TargetTable>(['targets', 'table', of.id], (options) =>
    apiOf(of).targets.$get({ param: { id: of.id } }, options),
  )

export const progressQuery = (of: TargetSubjectRef) =>
  queryOptions({
    ...jsonQuery<{ progress: TargetProgress | null }>(['targets', 'progress', of.id], (options) =>
      apiOf(of).progress.$get({ param: { id: of.id } }, options),
    ),
    select: ({ progress }) => progress,
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
