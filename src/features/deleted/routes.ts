import type { z } from 'zod'
import { Hono } from 'hono'
import { deletedStore, type DeletedItemRow } from './store'
import { toIso } from '../../lib/iso'
import { encodeCursor, decodeCursor, toPage } from '../../http/pagination'
import { contextOf, type RequestContext } from '../../http/request-context'
import { ProductError } from '../../shared/errors'
import { roleMay } from '../../shared/permissions'
import type { DeletedItem } from '../../shared/deleted'
import { DELETED_RETENTION_MS } from '../../shared/limits'
import { listQuerySchema } from '../../shared/field-schemas'
import type { ListPage } from '../../shared/field-schemas'
import type { AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { queryString } from '../../http/validate'
import type { ReadContext } from '../../deps'

const toDeletedItem = ({ deletedAt, ...row }: DeletedItemRow): DeletedItem => ({
  ...row,
  deletedAt: toIso(deletedAt),
  until: toIso(deletedAt + DELETED_RETENTION_MS),
})

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
    item: toDeletedItem,
    cursor: ({ deletedAt, id }) => encodeCursor({ at: deletedAt, id }),
  })
}

/** What an address of something deleted once led to: those who could see it are told. Of groups only who lists them. */
async function getDeleted({ deps, scope, membership }: RequestContext, id: string): Promise<DeletedItem> {
  const editor = roleMay(membership.role, 'edit:report')
  const since = deps.clock.now() - DELETED_RETENTION_MS
  const row = await deletedStore(deps.db, scope).find(id, { since, drafts: editor })
  if (!row || (row.kind === 'group' && !editor)) throw new ProductError('not_found')
  return toDeletedItem(row)
}

/** What stays 30 days after it was deleted. Each kind has its own call that brings it back. */
const deleted = new Hono<AppEnv>()
  .get('/', may('delete:source'), queryString(listQuerySchema), async (c) =>
    c.json(await listDeleted(contextOf(c), c.req.valid('query')), 200),
  )
  .get('/:id', may('view:workspace'), async (c) => c.json(await getDeleted(contextOf(c), c.req.param('id')), 200))

/** The calls of this feature. */
export const deletedRoutes = new Hono<AppEnv>().route('/api/deleted', deleted)
