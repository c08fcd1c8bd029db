import type { DeletedItem, DeletedKind } from '../../../src/shared/deleted'
import type { Permission } from '../../../src/shared/permissions'
import { api, ApiError, readJson, withIdempotencyKey } from '../api'
import { queryClient } from '../queries/query-client'
import { jsonQuery } from '../queries/query-options'
import { workspaceId } from '../session'

export const DELETED_KIND_LABELS: Record<DeletedKind, string> = {
  source: 'Data source',
  insight: 'Insight',
  group: 'User group',
  grouping: 'Grouping',
  report: 'Report',
}
/** Who may bring a kind back. */
export const RESTORE_PERMISSIONS: Record<DeletedKind, Permission> = {
  source: 'delete:source',
  insight: 'delete:insight',
  group: 'edit:group',
  grouping: 'edit:grouping',
  report: 'edit:report',
}

/** What was deleted, by its id; refused as not found where it is not, or is no more. */
export const deletedItemQuery = (id: string) =>
  jsonQuery<DeletedItem>(['deleted', workspaceId(), 'one', id], (options) =>
    api.api.deleted[':id'].$get({ param: { id } }, options),
  )

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

/** Why a thing could not come back and what to do about it; null when the refusal needs no words of its own. */
export function restoreErrorText(error: unknown, { name, kind }: Pick<DeletedItem, 'name' | 'kind'>): string | null {
  if (!(error instanceof ApiError)) return null
  const { code } = error.body
  const noun = DELETED_KIND_LABELS[kind].toLowerCase()
  if (code === 'name_taken') return `Another ${noun} is named “${name}”. Rename it, then restore this one.`
  if (code === 'limit_reached') return `Limit reached. Delete another ${noun}, then restore this one.`
  if (code === 'not_found') return `“${name}” was permanently deleted or already restored.`
  return null
}
