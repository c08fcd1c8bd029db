import { infiniteQueryOptions } from '@tanstack/react-query'
import { answer, api, idempotencyKey } from '../../lib/api'
import { queryClient } from '../../lib/query-client'
import { session } from '../../lib/session'
import type { DeletedItem, DeletedKind } from '../../../src/shared/deleted'
import type { Page } from '../../../src/shared/names'

const once = () => ({ headers: { 'idempotency-key': idempotencyKey() } })

/** What can still be brought back, the newest first. */
export const deletedQuery = () =>
  infiniteQueryOptions({
    queryKey: ['deleted', session().workspace?.id],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: '50', ...(pageParam === '' ? {} : { cursor: pageParam }) }
      return answer<Page<DeletedItem>>(api.api.deleted.$get({ query }, { init: { signal } }))
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

const RESTORE = {
  source: (id: string) => answer<unknown>(api.api['data-sources'][':id'].restore.$post({ param: { id } }, once())),
  insight: (id: string) => answer<unknown>(api.api.insights[':id'].restore.$post({ param: { id } }, once())),
  grouping: (id: string) => answer<unknown>(api.api.groupings[':id'].restore.$post({ param: { id } }, once())),
  group: (id: string) => answer<unknown>(api.api.groups[':id'].restore.$post({ param: { id } }, once())),
} as const satisfies Record<DeletedKind, (id: string) => Promise<unknown>>

/** Where the thing is shown again, by the first word of its queries. */
const NOUN = {
  ...{ source: 'sources', insight: 'insights', group: 'groups', grouping: 'groupings' },
} as const satisfies Record<DeletedKind, string>

export async function restoreItem({ kind, id }: Pick<DeletedItem, 'kind' | 'id'>): Promise<void> {
  await RESTORE[kind](id)
  const nouns: unknown[] = ['deleted', NOUN[kind]]
  await queryClient.invalidateQueries({ predicate: ({ queryKey: [noun] }) => nouns.includes(noun) })
}
