import { Hono } from 'hono'
import { calendarOf } from '../../semantic/calendar'
import { queryService } from '../../semantic/query-service'
import { membershipOf, scopeOf, type AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { jsonBody } from '../../http/validate'
import { runQuerySchema } from '../../shared/query/plan'

/** The one way to figures. A question is a POST because a plan is too long for an address; it changes nothing. */
const query = new Hono<AppEnv>().post('/', may('view:data'), jsonBody(runQuerySchema), async (c) => {
  const deps = c.get('deps')
  const calendar = calendarOf(membershipOf(c), deps.clock)
  return c.json(await queryService(deps, { scope: scopeOf(c), calendar }).answer(c.req.valid('json').plan), 200)
})

export const queryRoutes = new Hono<AppEnv>().route('/api/query', query)
