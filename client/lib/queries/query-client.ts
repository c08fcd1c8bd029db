import { QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../api'

/** Data is stale after 5 seconds; focus never refetches; refusals are not repeated. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: false,
      retry: (count, error) => !(error instanceof ApiError) && count < 2,
    },
    mutations: { retry: false },
  },
})

const SOURCE_QUERY_KEYS = ['sources', 'datasets', 'runs', 'relations', 'figures']

/** Marks as stale what is kept under these first words of query keys. */
const invalidateNouns = (client: QueryClient, nouns: readonly string[]): Promise<unknown> =>
  Promise.all(nouns.map((noun) => client.invalidateQueries({ queryKey: [noun] })))

/** A write after which these are asked for anew; also after a refusal, which says that something changed. */
export function useInvalidatingMutation<In, Out>(mutationFn: (input: In) => Promise<Out>, nouns: readonly string[]) {
  const client = useQueryClient()
  return useMutation({ mutationFn, onSettled: () => invalidateNouns(client, nouns) })
}

/** A write to a source, its dataset or its loads makes all that is seen of them stale, figures included. */
export const invalidateSources = (client: QueryClient): Promise<unknown> => invalidateNouns(client, SOURCE_QUERY_KEYS)
