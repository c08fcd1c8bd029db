import { Hono } from 'hono'
import { keep } from './keep'
import { membershipOf, scopeOf } from '../../http/context'
import type { AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { takeTries } from '../../http/rate-limit'
import { body } from '../../http/validate'
import { keepSchema } from '../../shared/subscription'

/** Three lists of a thousand ids as JSON writes them. */
const KEEP_MAX_BYTES = 192 * 1024

/** What stays when the plan becomes smaller. Saying the same again is harmless, so no answer is kept. */
export const keeping = new Hono<AppEnv>().put(
  '/keep',
  may('edit:subscription'),
  body(keepSchema, KEEP_MAX_BYTES),
  async (c) => {
    await takeTries(c, [{ rate: 'changeSubscription', of: scopeOf(c).workspaceId }])
    const viewing = { scope: scopeOf(c), settings: membershipOf(c).settings }
    return c.json(await keep(c.get('deps'), viewing, c.req.valid('json')), 200)
  },
)
