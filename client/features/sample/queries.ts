import { jsonQuery } from '../../lib/queries/query-options'
import { queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { readJson, api, withIdempotencyKey } from '../../lib/api'
import { invalidateSources } from '../../lib/queries/query-client'
import type { Sample } from '../../../src/shared/sample'

const POLL_INTERVAL_MS = 700
const SAMPLE_KEY = ['sample'] as const

/** Whether the sample company is here. Asked again while it is on its way. */
export const sampleQuery = () =>
  queryOptions({
    ...jsonQuery<Sample>(SAMPLE_KEY, (options) => api.api.sample.$get({}, options)),
    refetchInterval: ({ state }) => (state.data?.state === 'loading' ? POLL_INTERVAL_MS : false),
  })

/** Its sources and insights have come or gone. */
export const invalidateSample = (client: QueryClient): Promise<unknown> =>
  Promise.all([
    invalidateSources(client),
    client.invalidateQueries({ queryKey: ['insights'] }),
    client.invalidateQueries({ queryKey: ['relations'] }),
  ])

export function useAddSample() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => readJson<Sample>(api.api.sample.$post({}, withIdempotencyKey())),
    onSuccess: (sample) => {
      client.setQueryData(sampleQuery().queryKey, sample)
      return invalidateSample(client)
    },
  })
}

export function useRemoveSample() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ force }: { force: boolean }) =>
      readJson<Sample>(api.api.sample.$delete({ query: { force: force ? '1' : '0' } }, withIdempotencyKey())),
    onSuccess: (sample) => {
      client.setQueryData(sampleQuery().queryKey, sample)
      return invalidateSample(client)
    },
  })
}
