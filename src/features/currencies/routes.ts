import { Hono } from 'hono'
import { createOwn, overview, rateDays, removeOwn, saveSettings, updateOwn } from './service'
import type { Ask } from './service'
import { asking } from '../../http/asking'
import { membershipOf } from '../../http/context'
import type { AppContext, AppEnv } from '../../http/context'
import { may, needs } from '../../http/guard'
import { body, pathId, query } from '../../http/validate'
import {
  createOwnRateSchema,
  currencySettingsSchema,
  listRateDaysSchema,
  removeOwnRateSchema,
  updateOwnRateSchema,
} from '../../shared/currencies'

const askOf = (c: AppContext, status = 200): Ask => ({
  ...asking(c, status),
  deps: c.get('deps'),
  membership: membershipOf(c),
})
const idOf = (c: AppContext): string => pathId('rate', c.req.param('id') ?? '')

/** Rates between currencies: published ones, and those that the workspace sets itself. */
export const currencies = new Hono<AppEnv>()
  .get('/', may('view:insight'), needs('multiCurrency'), async (c) => c.json(await overview(askOf(c)), 200))
  .get('/days', may('view:insight'), needs('multiCurrency'), query(listRateDaysSchema), async (c) =>
    c.json(await rateDays(askOf(c), c.req.valid('query')), 200),
  )
  .put('/settings', may('edit:rates'), needs('multiCurrency'), body(currencySettingsSchema), async (c) =>
    c.json(await saveSettings(askOf(c), c.req.valid('json')), 200),
  )
  .post('/rates', may('edit:rates'), needs('multiCurrency'), body(createOwnRateSchema), async (c) =>
    c.json(await createOwn(askOf(c, 201), c.req.valid('json')), 201),
  )
  .put('/rates/:id', may('edit:rates'), needs('multiCurrency'), body(updateOwnRateSchema), async (c) =>
    c.json(await updateOwn(askOf(c), { id: idOf(c), input: c.req.valid('json') }), 200),
  )
  .delete('/rates/:id', may('edit:rates'), needs('multiCurrency'), query(removeOwnRateSchema), async (c) =>
    c.json(await removeOwn(askOf(c), { id: idOf(c), ...c.req.valid('query') }), 200),
  )
