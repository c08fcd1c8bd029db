import { Hono } from 'hono'
import { exportStatement } from './export'
import { getStatement } from './service'
import { withCalendar } from '../../semantic/calendar'
import { actorOf, type AppEnv } from '../../http/context'
import { sendDownload } from '../../http/files/table-download'
import { may } from '../../http/guard'
import { enforceRateLimits } from '../../http/rate-limit'
import { contextOf } from '../../http/request-context'
import { pathId, queryString } from '../../http/validate'
import { statementFileSchema, statementQuerySchema } from '../../shared/statements/statements'

/** Statements of the ledger that a source holds: whoever sees its rows sees them. */
const statements = new Hono<AppEnv>().get('/:id', may('view:data'), queryString(statementQuerySchema), async (c) => {
  const id = pathId('source', c.req.param('id'))
  return c.json(await getStatement(withCalendar(contextOf(c)), { id, query: c.req.valid('query') }), 200)
})

/** The same as workbooks. */
const files = new Hono<AppEnv>().get('/:id', may('export:data'), queryString(statementFileSchema), async (c) => {
  await enforceRateLimits(c, [{ rate: 'exportAnswer', key: actorOf(c).userId }])
  const id = pathId('source', c.req.param('id'))
  return sendDownload(c, await exportStatement(withCalendar(contextOf(c)), { id, query: c.req.valid('query') }))
})

export const statementRoutes = new Hono<AppEnv>().route('/api/statements', statements).route('/files/statements', files)
