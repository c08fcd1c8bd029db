import type { z } from 'zod'
import { Hono } from 'hono'
import { deletedStore } from './store'
import type { DeletedItemRow } from './store'
import type { Scope } from '../../identity/scope'
import type { Deps } from '../../deps'
import { encodeCursor, decodeCursor } from '../../http/pagination'
import type { DeletedItem } from '../../shared/deleted'
import { DELETED_RETENTION_MS } from '../../shared/limits'
import { listQuerySchema } from '../../shared/field-schemas'
import type { ListPage } from '../../shared/field-schemas'
import { scopeOf } from '../../http/context'
import type { AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { queryString } from '../../http/validate'

const toIso = (at: number): string => new Date(at).toISOString()
const toDeletedItem = ({ deletedAt, ...row }: DeletedItemRow): DeletedItem => ({
  ...row,
  deletedAt: toIso(deletedAt),
  until: toIso(deletedAt + DELETED_RETENTION_MS),
})

/** What can still be brought back, the newest first. */
export async function listDeleted(
  deps: Deps,
  scope: Scope,
  query: z.output<typeof listQuerySchema>,
): Promise<ListPage<DeletedItem>> {
  const since = deps.clock.now() - DELETED_RETENTION_MS
  const rows = await deletedStore(deps.db, scope).list({
    since,
    after: decodeCursor(query.cursor, 'source', 'insight', 'group', 'grouping'),
    limit: query.limit + 1,
  })
  const shown = rows.slice(0, query.limit)
  const last = rows.length > query.limit ? shown.at(-1) : undefined
  return {
    items: shown.map(toDeletedItem),
    nextCursor: last ? encodeCursor({ at: last.deletedAt, id: last.id }) : null,
  }
}

/** What stays 30 days after it was deleted. Each kind has its own call that brings it back. */
export const deleted = new Hono<AppEnv>().get('/', may('delete:source'), queryString(listQuerySchema), async (c) =>
  c.json(await listDeleted(c.get('deps'), scopeOf(c), c.req.valid('query')), 200),
)
