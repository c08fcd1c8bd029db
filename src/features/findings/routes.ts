import { Hono } from 'hono'
import { driversOf } from './drivers'
import { hideFinding, insightFindings, listFindings, pinFinding, rateFinding, refreshFindings } from './service'
import type { Ask } from './service'
import { calendarOf } from '../../access/calendar'
import { asking } from '../../http/asking'
import { actorOf, membershipOf, scopeOf } from '../../http/context'
import type { AppContext, AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { takeTries } from '../../http/rate-limit'
import { body, pathId, query } from '../../http/validate'
import {
  driversSchema,
  insightFindingsSchema,
  listFindingsSchema,
  markFindingSchema,
  rateFindingSchema,
  refreshFindingsSchema,
} from '../../shared/finding-feed'

const askOf = (c: AppContext): Ask => ({
  ...asking(c, 200),
  deps: c.get('deps'),
  calendar: calendarOf(membershipOf(c), c.get('deps').clock),
})
const idOf = (c: AppContext): string => pathId('finding', c.req.param('id') ?? '')

/** What figures say by themselves. Pins, hides and ratings are the asker's own. */
export const findings = new Hono<AppEnv>()
  .get('/', may('view:insight'), query(listFindingsSchema), async (c) =>
    c.json(await listFindings(askOf(c), c.req.valid('query')), 200),
  )
  .post('/refresh', may('view:insight'), body(refreshFindingsSchema), async (c) => {
    await takeTries(c, [{ rate: 'refreshFindings', of: scopeOf(c).workspaceId }])
    return c.json(await refreshFindings(askOf(c), c.req.valid('json')), 200)
  })
  // A question is a POST because a plan is too long for an address; it changes nothing.
  .post('/drivers', may('view:data'), body(driversSchema), async (c) => {
    await takeTries(c, [{ rate: 'askDrivers', of: actorOf(c).userId }])
    return c.json(await driversOf(askOf(c), c.req.valid('json')), 200)
  })
  .post('/:id/pin', may('view:insight'), body(markFindingSchema), async (c) =>
    c.json(await pinFinding(askOf(c), idOf(c), c.req.valid('json').on), 200),
  )
  .post('/:id/hide', may('view:insight'), body(markFindingSchema), async (c) =>
    c.json(await hideFinding(askOf(c), idOf(c), c.req.valid('json').on), 200),
  )
  .post('/:id/rate', may('view:insight'), body(rateFindingSchema), async (c) =>
    c.json(await rateFinding(askOf(c), idOf(c), c.req.valid('json').rating), 200),
  )

/** Those of one insight's figure. */
export const findingsOfInsight = new Hono<AppEnv>().get(
  '/:id/findings',
  may('view:insight'),
  query(insightFindingsSchema),
  async (c) => {
    const id = pathId('insight', c.req.param('id'))
    return c.json(await insightFindings(askOf(c), id, c.req.valid('query')), 200)
  },
)
