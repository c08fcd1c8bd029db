import { adminStore, viewOf } from './store'
import type { AdminRow } from './store'
import type { Staff } from '../../access/actor'
import { auditStatement } from '../../db/commit'
import type { Deps } from '../../deps'
import { cursorOf, positionOf } from '../../http/cursor'
import type { AdminWorkspace, ListAdminWorkspaces } from '../../shared/admin'
import type { Page } from '../../shared/names'

/** Workspaces of everybody, newest first. Each look is written to the audit log, in the same batch as the read. */
export async function listWorkspaces(
  deps: Deps,
  staff: Staff,
  ask: ListAdminWorkspaces,
): Promise<Page<AdminWorkspace>> {
  const look = {
    workspaceId: null,
    actorId: staff.userId,
    action: 'admin.workspaces.list',
    entity: 'workspaces',
    entityId: '*',
    after: ask,
  }
  const after = positionOf(ask.cursor, 'workspace')
  const [listed] = await deps.db.d1.batch<AdminRow>([
    adminStore(deps.db, staff).list({ q: ask.q, limit: ask.limit + 1, after }),
    await auditStatement(deps, look, deps.clock.now()),
  ])
  const rows = listed?.results ?? []
  const shown = rows.slice(0, ask.limit)
  const last = rows.length > ask.limit ? shown.at(-1) : undefined
  return { items: shown.map(viewOf), nextCursor: last ? cursorOf({ at: last.created_at, id: last.id }) : null }
}
