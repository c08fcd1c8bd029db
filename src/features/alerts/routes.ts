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
} from './service'
import type { Ask } from './service'
import { testRun } from './test-run'
import { calendarOf } from '../../access/calendar'
import { asking } from '../../http/asking'
import { actorOf, membershipOf } from '../../http/context'
import type { AppContext, AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { takeTries } from '../../http/rate-limit'
import { body, noBody, pathId, query } from '../../http/validate'
import {
  alertEventsSchema,
  alertRulesSchema,
  createAlertSchema,
  deleteAlertSchema,
  listAlertsSchema,
  muteAlertSchema,
  updateAlertSchema,
} from '../../shared/alerts'

const askOf = (c: AppContext, status = 200): Ask => ({
  ...asking(c, status),
  deps: c.get('deps'),
  actor: actorOf(c),
})
const idOf = (c: AppContext): string => pathId('alert', c.req.param('id') ?? '')
/** Each may send mails to those who are to hear of it. */
const paced = (c: AppContext) => takeTries(c, [{ rate: 'saveAlert', of: actorOf(c).userId }])
const tried = (c: AppContext) => takeTries(c, [{ rate: 'testAlert', of: actorOf(c).userId }])
const seriesOf = (c: AppContext) => ({ ...askOf(c), calendar: calendarOf(membershipOf(c), c.get('deps').clock) })

/** What people are told of when it happens. */
export const alerts = new Hono<AppEnv>()
  .get('/', may('view:insight'), query(listAlertsSchema), async (c) =>
    c.json(await listAlerts(askOf(c), c.req.valid('query')), 200),
  )
  .post('/', may('edit:alert'), body(createAlertSchema), async (c) => {
    await paced(c)
    return c.json(await createAlert(askOf(c, 201), c.req.valid('json')), 201)
  })
  // It asks, and changes nothing.
  .post('/test', may('edit:alert'), body(alertRulesSchema), async (c) => {
    await tried(c)
    return c.json(await testRun(seriesOf(c), c.req.valid('json')), 200)
  })
  .get('/:id', may('view:insight'), async (c) => c.json(await getAlert(askOf(c), idOf(c)), 200))
  .put('/:id', may('edit:alert'), body(updateAlertSchema), async (c) => {
    await paced(c)
    const { version, ...content } = c.req.valid('json')
    return c.json(await updateAlert(askOf(c), { id: idOf(c), content, version }), 200)
  })
  .delete('/:id', may('edit:alert'), query(deleteAlertSchema), async (c) =>
    c.json(await deleteAlert(askOf(c), { id: idOf(c), ...c.req.valid('query') }), 200),
  )
  .post('/:id/acknowledge', may('edit:alert'), noBody(), async (c) =>
    c.json(await acknowledgeAlert(askOf(c), idOf(c)), 200),
  )
  .post('/:id/mute', may('edit:alert'), body(muteAlertSchema), async (c) => {
    await paced(c)
    return c.json(await muteAlert(askOf(c), { id: idOf(c), ...c.req.valid('json') }), 200)
  })
  .post('/:id/test', may('edit:alert'), noBody(), async (c) => {
    await tried(c)
    const { subject, condition, grain, on, by, hold } = await getAlert(askOf(c), idOf(c))
    return c.json(await testRun(seriesOf(c), { subject, condition, grain, on, by, hold }), 200)
  })
  .get('/:id/events', may('view:insight'), query(alertEventsSchema), async (c) =>
    c.json(await alertEvents(askOf(c), { id: idOf(c), ...c.req.valid('query') }), 200),
  )
