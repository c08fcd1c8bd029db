import { Hono } from 'hono'
import { listPilot, pilotOverview, saveFeedback, savePilot, setPilotSwitch } from './service'
import { contextOf } from '../../http/request-context'
import { actorOf, staffOf, type AppContext, type AppEnv } from '../../http/context'
import { may, needs, requireWritable, staffOnly } from '../../http/guard'
import { enforceRateLimits } from '../../http/rate-limit'
import { jsonBody } from '../../http/validate'
import { pilotFeedbackSchema, pilotSwitchSchema, savePilotSchema } from '../../shared/pilot/pilot'

const keyOf = (c: AppContext): string => c.req.param('key') ?? ''

/** Features that are not for everybody yet. */
const pilot = new Hono<AppEnv>()
  .get('/', may('view:insight'), needs('aiAssistant'), async (c) => c.json(await listPilot(contextOf(c)), 200))
  .put('/:key', may('view:insight'), needs('aiAssistant'), jsonBody(savePilotSchema), async (c) => {
    requireWritable(c)
    return c.json(await savePilot(contextOf(c), keyOf(c), c.req.valid('json')), 200)
  })
  .post('/:key/feedback', may('view:insight'), needs('aiAssistant'), jsonBody(pilotFeedbackSchema), async (c) => {
    requireWritable(c)
    await enforceRateLimits(c, [{ rate: 'writeNote', key: actorOf(c).userId }])
    return c.json(await saveFeedback(contextOf(c), keyOf(c), c.req.valid('json')), 200)
  })

/** The operator's kill switches, and what people say. */
const pilotAdmin = new Hono<AppEnv>()
  .get('/', staffOnly(), async (c) => c.json(await pilotOverview(c.get('deps'), staffOf(c)), 200))
  .put('/:key', staffOnly(), jsonBody(pilotSwitchSchema), async (c) =>
    c.json(await setPilotSwitch(c.get('deps'), staffOf(c), { key: keyOf(c), ...c.req.valid('json') }), 200),
  )

export const pilotRoutes = new Hono<AppEnv>().route('/api/pilot', pilot).route('/api/admin/pilot', pilotAdmin)
