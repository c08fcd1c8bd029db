import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { readJson, api, idempotencyKey } from '../../lib/api'
import type { Insight, SuggestedInsight } from '../../../src/shared/insights'
import type { ListPage } from '../../../src/shared/names'

/** Questions worth asking of the workspace's own data. */
export const suggestionsQuery = () =>
  queryOptions({
    queryKey: ['insights', 'suggestions'],
    queryFn: ({ signal }) => readJson<ListPage<SuggestedInsight>>(api.api.starters.$get({}, { init: { signal } })),
  })

export function useKeepSuggestion() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (key: string) =>
      readJson<Insight>(
        api.api.starters.$post({ json: { key } }, { headers: { 'idempotency-key': idempotencyKey() } }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ['insights'] }),
  })
}
