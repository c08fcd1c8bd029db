import { Hono } from 'hono'
import { exportAnswer } from './export'
import { calendarOf, withCalendar } from '../../semantic/calendar'
import { queryService } from '../../semantic/query-service'
import { actorOf, membershipOf, scopeOf, type AppEnv } from '../../http/context'
import { contextOf } from '../../http/request-context'
import { sendDownload } from '../../http/files/table-download'
import { enforceRateLimits } from '../../http/rate-limit'
import { may } from '../../http/guard'
import { jsonBody } from '../../http/validate'
import { exportAnswerSchema } from '../../shared/query/export-answer'
import { runQuerySchema } from '../../shared/query/plan'

/** The one way to figures. A question is a POST because a plan is too long for an address; it changes nothing. */
const query = new Hono<AppEnv>().post('/', may('view:data'), jsonBody(runQuerySchema), async (c) => {
  const deps = c.get('deps')
  const calendar = calendarOf(membershipOf(c), deps.clock)
  return c.json(await queryService(deps, { scope: scopeOf(c), calendar }).answer(c.req.valid('json').plan), 200)
})

/** The same as a file. A POST too: it changes nothing. */
const queryExport = new Hono<AppEnv>().post('/', may('export:data'), jsonBody(exportAnswerSchema), async (c) => {
  await enforceRateLimits(c, [{ rate: 'exportAnswer', key: actorOf(c).userId }])
  return sendDownload(c, await exportAnswer(withCalendar(contextOf(c)), c.req.valid('json')))
})

export const queryRoutes = new Hono<AppEnv>().route('/api/query', query).route('/api/query/export', queryExport)
