import type { z } from 'zod'
import { Hono } from 'hono'
import { deletedStore } from './store'
import { toIso } from '../../lib/iso'
import { encodeCursor, decodeCursor, toPage } from '../../http/pagination'
import { contextOf } from '../../http/request-context'
import type { DeletedItem } from '../../shared/deleted'
import { DELETED_RETENTION_MS } from '../../shared/limits'
import { listQuerySchema } from '../../shared/field-schemas'
import type { ListPage } from '../../shared/field-schemas'
import type { AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { queryString } from '../../http/validate'
import type { ReadContext } from '../../deps'

/** What can still be brought back, the newest first. */
async function listDeleted(
  { deps, scope }: ReadContext,
  query: z.output<typeof listQuerySchema>,
): Promise<ListPage<DeletedItem>> {
  const since = deps.clock.now() - DELETED_RETENTION_MS
  const rows = await deletedStore(deps.db, scope).list({
    since,
    after: decodeCursor(query.cursor, 'source', 'insight', 'group', 'grouping', 'report'),
    limit: query.limit + 1,
  })
  return toPage(rows, {
    limit: query.limit,
    item: ({ deletedAt, ...row }) => ({
      ...row,
      deletedAt: toIso(deletedAt),
      until: toIso(deletedAt + DELETED_RETENTION_MS),
    }),
    cursor: ({ deletedAt, id }) => encodeCursor({ at: deletedAt, id }),
  })
}

/** What stays 30 days after it was deleted. Each kind has its own call that brings it back. */
const deleted = new Hono<AppEnv>().get('/', may('delete:source'), queryString(listQuerySchema), async (c) =>
  c.json(await listDeleted(contextOf(c), c.req.valid('query')), 200),
)

/** The calls of this feature. */
export const deletedRoutes = new Hono<AppEnv>().route('/api/deleted', deleted)
