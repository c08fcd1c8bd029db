import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { answer, api, send } from '../../lib/api'
import { session } from '../../lib/session'
import type { AuditItem } from '../../../src/shared/audit'
import type { Member } from '../../../src/shared/members'
import type { Page } from '../../../src/shared/names'

const here = (): string | undefined => session().workspace?.id
const PAGE = '50'

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
    queryKey: ['audit', here(), filter],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filter, limit: PAGE, ...(pageParam === '' ? {} : { cursor: pageParam }) }
      return answer<Page<AuditItem>>(api.api.audit.$get({ query }, { init: { signal } }))
    },
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

/** Who may have done something: people of the workspace, by name. */
export const actorsQuery = () =>
  queryOptions({
    queryKey: ['members', 'for-audit', here()],
    queryFn: async ({ signal }) =>
      (await answer<Page<Member>>(api.api.members.$get({ query: { limit: '100' } }, { init: { signal } }))).items,
  })

/** The filtered log as a file, with its name. */
export async function readAuditFile(filter: AuditFilter): Promise<{ file: Blob; name: string }> {
  const search = new URLSearchParams(Object.entries(filter)).toString()
  const response = await send(`/files/audit${search === '' ? '' : `?${search}`}`)
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return { file: await response.blob(), name: encoded === undefined ? 'audit log.csv' : decodeURIComponent(encoded) }
}
