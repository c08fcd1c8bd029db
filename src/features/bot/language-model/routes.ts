import { Hono } from 'hono'
import { getModelSettings, saveModelSettings } from './settings'
import { actorOf, type AppEnv } from '../../../http/context'
import { may, needs } from '../../../http/guard'
import { enforceRateLimits } from '../../../http/rate-limit'
import { contextOf } from '../../../http/request-context'
import { jsonBody } from '../../../http/validate'
import { modelSettingsSchema } from '../../../shared/bot/language-model'

/** Whether a language model may read questions of the workspace, and what of it. */
const settings = new Hono<AppEnv>()
  .get('/', may('edit:workspace'), async (c) => c.json(await getModelSettings(contextOf(c)), 200))
  .put('/', may('edit:workspace'), needs('aiAssistant'), jsonBody(modelSettingsSchema), async (c) => {
    const input = c.req.valid('json')
    // An endpoint that somebody named is asked before it is stored.
    if (input.own) await enforceRateLimits(c, [{ rate: 'askSource', key: actorOf(c).userId }])
    return c.json(await saveModelSettings(contextOf(c), input), 200)
  })

export const languageModelRoutes: Hono<AppEnv> = new Hono<AppEnv>().route('/api/bot/model', settings)
