import { workspaceId } from '../../lib/session'
import { pagesQuery } from '../../lib/queries/query-options'
import { readJson, api, withIdempotencyKey } from '../../lib/api'
import { queryClient } from '../../lib/queries/query-client'
import type { DeletedItem, DeletedKind } from '../../../src/shared/deleted'

/** What can still be brought back, the newest first. */
export const deletedQuery = () =>
  pagesQuery<DeletedItem>(['deleted', workspaceId()], (cursor, options) => {
    const query = { limit: '50', cursor }
    return api.api.deleted.$get({ query }, options)
  })

const RESTORE_CALLS = {
  source: (id: string) =>
    readJson<unknown>(api.api['data-sources'][':id'].restore.$post({ param: { id } }, withIdempotencyKey())),
  insight: (id: string) =>
    readJson<unknown>(api.api.insights[':id'].restore.$post({ param: { id } }, withIdempotencyKey())),
  grouping: (id: string) =>
    readJson<unknown>(api.api.groupings[':id'].restore.$post({ param: { id } }, withIdempotencyKey())),
  group: (id: string) =>
    readJson<unknown>(api.api.groups[':id'].restore.$post({ param: { id } }, withIdempotencyKey())),
  report: (id: string) =>
    readJson<unknown>(api.api.reports[':id'].restore.$post({ param: { id } }, withIdempotencyKey())),
} as const satisfies Record<DeletedKind, (id: string) => Promise<unknown>>

/** Where the thing is shown again, by the first word of its queries. */
const QUERY_NOUNS = {
  source: 'sources',
  insight: 'insights',
  group: 'groups',
  grouping: 'groupings',
  report: 'reports',
} as const satisfies Record<DeletedKind, string>

export async function restoreItem({ kind, id }: Pick<DeletedItem, 'kind' | 'id'>): Promise<void> {
  await RESTORE_CALLS[kind](id)
  const nouns: unknown[] = ['deleted', QUERY_NOUNS[kind]]
  await queryClient.invalidateQueries({ predicate: ({ queryKey: [noun] }) => nouns.includes(noun) })
}
