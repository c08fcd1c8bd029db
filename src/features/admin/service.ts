import { adminStore, viewOf } from './store'
import type { AdminRow, Position } from './store'
import type { Staff } from '../../access/actor'
import { auditStatement } from '../../db/commit'
import type { Deps } from '../../deps'
import type { AdminWorkspace, ListAdminWorkspaces } from '../../shared/admin'
import { ProductError } from '../../shared/errors'
import { isId } from '../../shared/ids'
import type { Page } from '../../shared/names'

const cursorOf = ({ created_at, id }: AdminRow): string => `${created_at}.${id}`

/** @throws ProductError `invalid_input` for anything we did not write ourselves */
function positionOf(cursor: string | undefined): Position | null {
  if (cursor === undefined) return null
  const [at = '', id = '', ...more] = cursor.split('.')
  if (more.length > 0 || !/^\d{1,15}$/.test(at) || !isId('workspace', id))
    throw new ProductError('invalid_input', { fields: { cursor: 'Start from the first page.' } })
  return { at: Number(at), id }
}

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
  const after = positionOf(ask.cursor)
  const [listed] = await deps.db.d1.batch<AdminRow>([
    adminStore(deps.db, staff).list({ q: ask.q, limit: ask.limit + 1, after }),
    await auditStatement(deps, look, deps.clock.now()),
  ])
  const rows = listed?.results ?? []
  const shown = rows.slice(0, ask.limit)
  const last = rows.length > ask.limit ? shown.at(-1) : undefined
  return { items: shown.map(viewOf), nextCursor: last ? cursorOf(last) : null }
}
