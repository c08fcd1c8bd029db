import { Hono } from 'hono'
import {
  acknowledgeAlert,
  alertEvents,
  createAlert,
  deleteAlert,
  getAlert,
  listAlerts,
  muteAlert,
  updateAlert,
  runAlertTest,
} from './service'
import { withCalendar } from '../../semantic/calendar'
import { contextOf } from '../../http/request-context'
import { actorOf, type AppContext, type AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { enforceRateLimits } from '../../http/rate-limit'
import { jsonBody, noBody, pathId, queryString } from '../../http/validate'
import {
  alertEventsSchema,
  alertRulesSchema,
  createAlertSchema,
  deleteAlertSchema,
  listAlertsSchema,
  muteAlertSchema,
  updateAlertSchema,
} from '../../shared/alerts'

const idOf = (c: AppContext): string => pathId('alert', c.req.param('id') ?? '')
/** Each may send mails to those who are to hear of it. */
const limitSaves = (c: AppContext) => enforceRateLimits(c, [{ rate: 'saveAlert', key: actorOf(c).userId }])
const limitTests = (c: AppContext) => enforceRateLimits(c, [{ rate: 'testAlert', key: actorOf(c).userId }])
/** What people are told of when it happens. */
const alerts = new Hono<AppEnv>()
  .get('/', may('view:insight'), queryString(listAlertsSchema), async (c) =>
    c.json(await listAlerts(contextOf(c), c.req.valid('query')), 200),
  )
  .post('/', may('edit:alert'), jsonBody(createAlertSchema), async (c) => {
    await limitSaves(c)
    return c.json(await createAlert(contextOf(c, 201), c.req.valid('json')), 201)
  })
  // It asks, and changes nothing.
  .post('/test', may('edit:alert'), jsonBody(alertRulesSchema), async (c) => {
    await limitTests(c)
    return c.json(await runAlertTest(withCalendar(contextOf(c)), c.req.valid('json')), 200)
  })
  .get('/:id', may('view:insight'), async (c) => c.json(await getAlert(contextOf(c), idOf(c)), 200))
  .put('/:id', may('edit:alert'), jsonBody(updateAlertSchema), async (c) => {
    await limitSaves(c)
    const { version, ...content } = c.req.valid('json')
    return c.json(await updateAlert(contextOf(c), { id: idOf(c), content, version }), 200)
  })
  .delete('/:id', may('edit:alert'), queryString(deleteAlertSchema), async (c) =>
    c.json(await deleteAlert(contextOf(c), { id: idOf(c), ...c.req.valid('query') }), 200),
  )
  .post('/:id/acknowledge', may('edit:alert'), noBody(), async (c) =>
    c.json(await acknowledgeAlert(contextOf(c), idOf(c)), 200),
  )
  .post('/:id/mute', may('edit:alert'), jsonBody(muteAlertSchema), async (c) => {
    await limitSaves(c)
    return c.json(await muteAlert(contextOf(c), { id: idOf(c), ...c.req.valid('json') }), 200)
  })
  .post('/:id/test', may('edit:alert'), noBody(), async (c) => {
    await limitTests(c)
    const { subject, condition, grain, on, by, hold } = await getAlert(contextOf(c), idOf(c))
    return c.json(await runAlertTest(withCalendar(contextOf(c)), { subject, condition, grain, on, by, hold }), 200)
  })
  .get('/:id/events', may('view:insight'), queryString(alertEventsSchema), async (c) =>
    c.json(await alertEvents(contextOf(c), { id: idOf(c), ...c.req.valid('query') }), 200),
  )

export const alertRoutes = new Hono<AppEnv>().route('/api/alerts', alerts)
