import { infiniteQueryOptions, queryOptions, type QueryKey } from '@tanstack/react-query'
import type { ClientResponse } from 'hono/client'
import type { JSONParsed } from 'hono/utils/types'
import type { ListPage } from '../../../src/shared/field-schemas'
import { readJson } from '../api'
import { inQuestionQueue } from './question-queue'

interface CallOptions {
  init: { signal: AbortSignal }
}
type JsonResponse<T> = Promise<ClientResponse<JSONParsed<T>, number, 'json'>>

/** The JSON of one call. */
export const jsonQuery = <T>(queryKey: QueryKey, call: (options: CallOptions) => JsonResponse<T>) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => readJson<T>(call({ init: { signal } })) })

/** The same for figures: the warehouse works for each, so that a few are on their way at a time. */
export const questionQuery = <T>(queryKey: QueryKey, call: (options: CallOptions) => JsonResponse<T>) =>
  queryOptions({
    queryKey,
    queryFn: ({ signal }) => inQuestionQueue(signal, () => readJson<T>(call({ init: { signal } }))),
  })

/** The items of a list that is read in one call. */
export const itemsQuery = <T>(queryKey: QueryKey, call: (options: CallOptions) => JsonResponse<ListPage<T>>) =>
  queryOptions({
    queryKey,
    queryFn: async ({ signal }) => (await readJson<ListPage<T>>(call({ init: { signal } }))).items,
  })

/** A list that is read page by page; the first page has no cursor. */
export const pagesQuery = <T, Page extends ListPage<T> = ListPage<T>>(
  queryKey: QueryKey,
  call: (cursor: string | undefined, options: CallOptions) => JsonResponse<Page>,
) =>
  infiniteQueryOptions({
    queryKey,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => readJson<Page>(call(pageParam || undefined, { init: { signal } })),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
