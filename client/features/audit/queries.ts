import { workspaceId } from '../../lib/session'
import { pagesQuery, itemsQuery } from '../../lib/queries/query-options'
import { api, apiFetch } from '../../lib/api'
import type { AuditItem } from '../../../src/shared/audit'
import type { Member } from '../../../src/shared/members'

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
  pagesQuery<AuditItem>(['audit', workspaceId(), filter], (cursor, options) => {
    const query = { ...filter, limit: PAGE_SIZE, cursor }
    return api.api.audit.$get({ query }, options)
  })

/** Who may have done something: people of the workspace, by name. */
export const actorsQuery = () =>
  itemsQuery<Member>(['members', 'for-audit', workspaceId()], (options) =>
    api.api.members.$get({ query: { limit: '100' } }, options),
  )

/** The filtered log as a file, with its name. */
export async function downloadAuditFile(filter: AuditFilter): Promise<{ file: Blob; name: string }> {
  const search = new URLSearchParams(Object.entries(filter)).toString()
  const response = await apiFetch(`/files/audit${search === '' ? '' : `?${search}`}`)
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return { file: await response.blob(), name: encoded === undefined ? 'audit log.csv' : decodeURIComponent(encoded) }
}
