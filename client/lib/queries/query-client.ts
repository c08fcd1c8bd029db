import {
  QueryClient,
  useMutation,
  useQueryClient,
  type InvalidateOptions,
  type InvalidateQueryFilters,
} from '@tanstack/react-query'
import { ApiError } from '../api'
import { retryAfterSeconds } from '../describe-error'
import { RETRY_AFTER_MAX_S } from '../../../src/shared/limits'

/** How often a read is tried again. */
const RETRIES_MAX = 3

/** Refusals that pass by themselves soon, and say when. */
const isBusy = (error: Error): boolean =>
  error instanceof ApiError &&
  (error.body.code === 'busy' || error.body.code === 'rate_limited') &&
  retryAfterSeconds(error) > 0 &&
  retryAfterSeconds(error) <= RETRY_AFTER_MAX_S

/** Whether a read is tried again that is asked anew as somebody edits: a busy server only. */
export const retryWhenBusy = (count: number, error: Error): boolean => isBusy(error) && count < RETRIES_MAX
/** Whether any read is: silence twice, a busy server a few times, other refusals never. */
export const shouldRetry = (count: number, error: Error): boolean =>
  error instanceof ApiError ? retryWhenBusy(count, error) : count < 2

/** Ms until the next try: not before the server says, longer each time, and not all pages at once. */
export function readRetryDelayMs(count: number, error: Error, random = Math.random): number {
  const backoff = Math.min(1000 * 2 ** count, RETRY_AFTER_MAX_S * 1000)
  return isBusy(error) ? retryAfterSeconds(error) * 1000 * (1 + random() / 2) + (backoff - 1000) : backoff
}

/** Reads as a query does, outside of one: again where silence or a busy server may pass. */
export async function readAgain<T>(read: () => Promise<T>): Promise<T> {
  for (let count = 0; ; count++) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof Error) || !shouldRetry(count, error)) throw error
      await new Promise((passed) => setTimeout(passed, readRetryDelayMs(count, error)))
    }
  }
}

/**
 * Asks a first answer again that was under way when its query became stale. It may be from before the write, and the
 * library keeps it as a fresh one: only a query that has data already is asked again while it is being asked.
 */
export class ReadAfterWriteClient extends QueryClient {
  override async invalidateQueries(filters: InvalidateQueryFilters = {}, options?: InvalidateOptions): Promise<void> {
    if (filters.refetchType !== 'none') await this.cancelFirstFetches(filters)
    await super.invalidateQueries(filters, options)
  }

  private cancelFirstFetches({ predicate, ...filters }: InvalidateQueryFilters): Promise<void> {
    return this.cancelQueries({
      ...filters,
      type: 'active',
      fetchStatus: 'fetching',
      predicate: (query) => query.state.data === undefined && (predicate?.(query) ?? true),
    })
  }
}

/** Data is stale after 5 seconds; focus never refetches; of refusals only a busy server is asked again. */
export const queryClient = new ReadAfterWriteClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: false,
      retry: shouldRetry,
      retryDelay: (count, error) => readRetryDelayMs(count, error),
    },
    // Without a connection a write fails at once and says so; waiting for one would leave its button turning.
    mutations: { retry: false, networkMode: 'always' },
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
