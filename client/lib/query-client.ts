import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api'

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

/** A write to a source, its dataset or its loads makes all that is seen of them stale, figures included. */
export const invalidateSources = (client: QueryClient): Promise<unknown> =>
  Promise.all(SOURCE_QUERY_KEYS.map((noun) => client.invalidateQueries({ queryKey: [noun] })))
