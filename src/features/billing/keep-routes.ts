import { Hono } from 'hono'
import { setRetainedItems } from './keep'
import { membershipOf, scopeOf } from '../../http/context'
import type { AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { enforceRateLimits } from '../../http/rate-limit'
import { jsonBody } from '../../http/validate'
import { retainSchema } from '../../shared/subscription'

/** Three lists of a thousand ids as JSON writes them. */
const RETAINED_ITEMS_MAX_BYTES = 192 * 1024

/** What stays when the plan becomes smaller. Saying the same again is harmless, so no answer is kept. */
export const retainedItems = new Hono<AppEnv>().put(
  '/keep',
  may('edit:subscription'),
  jsonBody(retainSchema, RETAINED_ITEMS_MAX_BYTES),
  async (c) => {
    await enforceRateLimits(c, [{ rate: 'changeSubscription', key: scopeOf(c).workspaceId }])
    const context = { scope: scopeOf(c), settings: membershipOf(c).settings }
    return c.json(await setRetainedItems(c.get('deps'), context, c.req.valid('json')), 200)
  },
)
