import { adminStore, toAdminWorkspace } from './store'
import type { AdminWorkspaceRow } from './store'
import type { Staff } from '../../access/actor'
import { auditStatement } from '../../db/commit'
import type { Deps } from '../../deps'
import { encodeCursor, decodeCursor } from '../../http/cursor'
import type { AdminWorkspace, ListAdminWorkspaces } from '../../shared/admin'
import type { ListPage } from '../../shared/names'

/** Workspaces of everybody, newest first. Each look is written to the audit log, in the same batch as the read. */
export async function listWorkspaces(
  deps: Deps,
  staff: Staff,
  query: ListAdminWorkspaces,
): Promise<ListPage<AdminWorkspace>> {
  const auditEntry = {
    workspaceId: null,
    actorId: staff.userId,
    action: 'admin.workspaces.list',
    entity: 'workspaces',
    entityId: '*',
    after: query,
  }
  const after = decodeCursor(query.cursor, 'workspace')
  const [result] = await deps.db.d1.batch<AdminWorkspaceRow>([
    adminStore(deps.db, staff).list({ q: query.q, limit: query.limit + 1, after }),
    await auditStatement(deps, auditEntry, deps.clock.now()),
  ])
  const rows = result?.results ?? []
  const shown = rows.slice(0, query.limit)
  const last = rows.length > query.limit ? shown.at(-1) : undefined
  return {
    items: shown.map(toAdminWorkspace),
    nextCursor: last ? encodeCursor({ at: last.created_at, id: last.id }) : null,
  }
}
