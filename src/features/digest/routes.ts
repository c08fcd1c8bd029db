import { Hono } from 'hono'
import { getDigest, saveDigest } from './service'
import { contextOf } from '../../http/request-context'
import type { AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { jsonBody } from '../../http/validate'
import { saveDigestSchema } from '../../shared/digest'

/** How often one hears of what one follows here. */
const digest = new Hono<AppEnv>()
  .get('/', may('view:insight'), async (c) => c.json(await getDigest(contextOf(c)), 200))
  .put('/', may('view:insight'), jsonBody(saveDigestSchema), async (c) =>
    c.json(await saveDigest(contextOf(c), c.req.valid('json').cadence), 200),
  )

export const digestRoutes = new Hono<AppEnv>().route('/api/digest', digest)
