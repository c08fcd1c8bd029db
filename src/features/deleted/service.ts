import { deletedStore } from './store'
import type { DeletedRow } from './store'
import type { z } from 'zod'
import type { Scope } from '../../access/scope'
import type { Deps } from '../../deps'
import { cursorOf, positionOf } from '../../http/cursor'
import type { DeletedItem } from '../../shared/deleted'
import { DELETED_KEPT_MS } from '../../shared/limits'
import type { listQuerySchema, Page } from '../../shared/names'

const iso = (at: number): string => new Date(at).toISOString()
const view = ({ deletedAt, ...row }: DeletedRow): DeletedItem => ({
  ...row,
  deletedAt: iso(deletedAt),
  until: iso(deletedAt + DELETED_KEPT_MS),
})

/** What can still be brought back, the newest first. */
export async function listDeleted(
  deps: Deps,
  scope: Scope,
  ask: z.output<typeof listQuerySchema>,
): Promise<Page<DeletedItem>> {
  const since = deps.clock.now() - DELETED_KEPT_MS
  const rows = await deletedStore(deps.db, scope).list({
    since,
    after: positionOf(ask.cursor, 'source', 'insight', 'group', 'grouping'),
    limit: ask.limit + 1,
  })
  const shown = rows.slice(0, ask.limit)
  const last = rows.length > ask.limit ? shown.at(-1) : undefined
  return { items: shown.map(view), nextCursor: last ? cursorOf({ at: last.deletedAt, id: last.id }) : null }
}
