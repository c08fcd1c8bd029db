import { Hono } from 'hono'
import { findDrivers } from './drivers'
import { hideFinding, insightFindings, listFindings, pinFinding, rateFinding, refreshFindings } from './service'
import { withCalendar } from '../../semantic/calendar'
import { contextOf } from '../../http/request-context'
import { actorOf, scopeOf, type AppContext, type AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { enforceRateLimits } from '../../http/rate-limit'
import { jsonBody, pathId, queryString } from '../../http/validate'
import {
  driversSchema,
  insightFindingsSchema,
  listFindingsSchema,
  markFindingSchema,
  rateFindingSchema,
  refreshFindingsSchema,
} from '../../shared/findings'

const calendarContextOf = (c: AppContext) => withCalendar(contextOf(c))
const idOf = (c: AppContext): string => pathId('finding', c.req.param('id') ?? '')

/** What figures say by themselves. Pins, hides and ratings are the asker's own. */
const findings = new Hono<AppEnv>()
  .get('/', may('view:insight'), queryString(listFindingsSchema), async (c) =>
    c.json(await listFindings(calendarContextOf(c), c.req.valid('query')), 200),
  )
  .post('/refresh', may('view:insight'), jsonBody(refreshFindingsSchema), async (c) => {
    await enforceRateLimits(c, [{ rate: 'refreshFindings', key: scopeOf(c).workspaceId }])
    return c.json(await refreshFindings(calendarContextOf(c), c.req.valid('json')), 200)
  })
  // A question is a POST because a plan is too long for an address; it changes nothing.
  .post('/drivers', may('view:data'), jsonBody(driversSchema), async (c) => {
    await enforceRateLimits(c, [{ rate: 'askDrivers', key: actorOf(c).userId }])
    return c.json(await findDrivers(calendarContextOf(c), c.req.valid('json')), 200)
  })
  .post('/:id/pin', may('view:insight'), jsonBody(markFindingSchema), async (c) =>
    c.json(await pinFinding(calendarContextOf(c), idOf(c), c.req.valid('json').on), 200),
  )
  .post('/:id/hide', may('view:insight'), jsonBody(markFindingSchema), async (c) =>
    c.json(await hideFinding(calendarContextOf(c), idOf(c), c.req.valid('json').on), 200),
  )
  .post('/:id/rate', may('view:insight'), jsonBody(rateFindingSchema), async (c) =>
    c.json(await rateFinding(calendarContextOf(c), idOf(c), c.req.valid('json').rating), 200),
  )

/** Those of one insight's figure. */
const insightFindingsRoutes = new Hono<AppEnv>().get(
  '/:id/findings',
  may('view:insight'),
  queryString(insightFindingsSchema),
  async (c) => {
    const id = pathId('insight', c.req.param('id'))
    return c.json(await insightFindings(calendarContextOf(c), id, c.req.valid('query')), 200)
  },
)

export const findingRoutes = new Hono<AppEnv>()
  .route('/api/insights', insightFindingsRoutes)
  .route('/api/findings', findings)
