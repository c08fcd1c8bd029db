import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { readJson, api, apiFetch } from '../../lib/api'
import { session } from '../../lib/session'
import type { AuditItem } from '../../../src/shared/audit'
import type { Member } from '../../../src/shared/members'
import type { ListPage } from '../../../src/shared/field-schemas'

const currentWorkspaceId = (): string | undefined => session().workspace?.id
const PAGE_SIZE = '50'

/** What is asked for; absent = everything. Days are those of the workspace. */
export interface AuditFilter {
  actor?: string
  action?: string
  entityId?: string
  from?: string
  to?: string
}

export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', currentWorkspaceId(), filter],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filter, limit: PAGE_SIZE, ...(pageParam === '' ? {} : { cursor: pageParam }) }
      return readJson<ListPage<AuditItem>>(api.api.audit.$get({ query }, { init: { signal } }))
    },
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

/** Who may have done something: people of the workspace, by name. */
export const actorsQuery = () =>
  queryOptions({
    queryKey: ['members', 'for-audit', currentWorkspaceId()],
    queryFn: async ({ signal }) =>
      (await readJson<ListPage<Member>>(api.api.members.$get({ query: { limit: '100' } }, { init: { signal } }))).items,
  })

/** The filtered log as a file, with its name. */
export async function downloadAuditFile(filter: AuditFilter): Promise<{ file: Blob; name: string }> {
  const search = new URLSearchParams(Object.entries(filter)).toString()
  const response = await apiFetch(`/files/audit${search === '' ? '' : `?${search}`}`)
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return { file: await response.blob(), name: encoded === undefined ? 'audit log.csv' : decodeURIComponent(encoded) }
}
