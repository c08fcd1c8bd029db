import { Hono } from 'hono'
import { getModelSettings, saveModelSettings } from './settings'
import type { AppEnv } from '../../../http/context'
import { may, needs } from '../../../http/guard'
import { contextOf } from '../../../http/request-context'
import { jsonBody } from '../../../http/validate'
import { modelSettingsSchema } from '../../../shared/bot/language-model'

/** Whether a language model may read questions of the workspace, and what of it. */
const settings = new Hono<AppEnv>()
  .get('/', may('edit:workspace'), async (c) => c.json(await getModelSettings(contextOf(c)), 200))
  .put('/', may('edit:workspace'), needs('aiAssistant'), jsonBody(modelSettingsSchema), async (c) =>
    c.json(await saveModelSettings(contextOf(c), c.req.valid('json')), 200),
  )

export const languageModelRoutes: Hono<AppEnv> = new Hono<AppEnv>().route('/api/bot/model', settings)
