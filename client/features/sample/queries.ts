import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { answer, api, idempotencyKey } from '../../lib/api'
import { sourcesChanged } from '../../lib/query-client'
import type { Sample } from '../../../src/shared/sample'

const LOOK_AGAIN_MS = 700
const KEY = ['sample'] as const

/** Whether the sample company is here. Asked again while it is on its way. */
export const sampleQuery = () =>
  queryOptions({
    queryKey: KEY,
    queryFn: ({ signal }) => answer<Sample>(api.api.sample.$get({}, { init: { signal } })),
    refetchInterval: ({ state }) => (state.data?.state === 'loading' ? LOOK_AGAIN_MS : false),
  })

const once = () => ({ headers: { 'idempotency-key': idempotencyKey() } })

/** Its sources and insights have come or gone. */
export const sampleChanged = (client: QueryClient): Promise<unknown> =>
  Promise.all([
    sourcesChanged(client),
    client.invalidateQueries({ queryKey: ['insights'] }),
    client.invalidateQueries({ queryKey: ['relations'] }),
  ])

export function useAddSample() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => answer<Sample>(api.api.sample.$post({}, once())),
    onSuccess: (sample) => {
      client.setQueryData(sampleQuery().queryKey, sample)
      return sampleChanged(client)
    },
  })
}

export function useRemoveSample() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ force }: { force: boolean }) =>
      answer<Sample>(api.api.sample.$delete({ query: { force: force ? '1' : '0' } }, once())),
    onSuccess: (sample) => {
      client.setQueryData(sampleQuery().queryKey, sample)
      return sampleChanged(client)
    },
  })
}
