import { Hono } from 'hono'
import { createOwnRate, ratesOverview, rateDays, removeOwnRate, saveSettings, updateOwnRate } from './service'
import { contextOf } from '../../http/request-context'
import type { AppContext, AppEnv } from '../../http/context'
import { may, needs } from '../../http/guard'
import { jsonBody, pathId, queryString } from '../../http/validate'
import {
  createOwnRateSchema,
  currencySettingsSchema,
  listRateDaysSchema,
  removeOwnRateSchema,
  updateOwnRateSchema,
} from '../../shared/currencies'

const idOf = (c: AppContext): string => pathId('rate', c.req.param('id') ?? '')

/** Rates between currencies: published ones, and those that the workspace sets itself. */
const currencies = new Hono<AppEnv>()
  .get('/', may('view:insight'), needs('multiCurrency'), async (c) => c.json(await ratesOverview(contextOf(c)), 200))
  .get('/days', may('view:insight'), needs('multiCurrency'), queryString(listRateDaysSchema), async (c) =>
    c.json(await rateDays(contextOf(c), c.req.valid('query')), 200),
  )
  .put('/settings', may('edit:rates'), needs('multiCurrency'), jsonBody(currencySettingsSchema), async (c) =>
    c.json(await saveSettings(contextOf(c), c.req.valid('json')), 200),
  )
  .post('/rates', may('edit:rates'), needs('multiCurrency'), jsonBody(createOwnRateSchema), async (c) =>
    c.json(await createOwnRate(contextOf(c, 201), c.req.valid('json')), 201),
  )
  .put('/rates/:id', may('edit:rates'), needs('multiCurrency'), jsonBody(updateOwnRateSchema), async (c) =>
    c.json(await updateOwnRate(contextOf(c), { id: idOf(c), input: c.req.valid('json') }), 200),
  )
  .delete('/rates/:id', may('edit:rates'), needs('multiCurrency'), queryString(removeOwnRateSchema), async (c) =>
    c.json(await removeOwnRate(contextOf(c), { id: idOf(c), ...c.req.valid('query') }), 200),
  )

export const currencyRoutes = new Hono<AppEnv>().route('/api/currencies', currencies)
