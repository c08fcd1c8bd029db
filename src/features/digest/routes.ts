import { Hono } from 'hono'
import { getDigest, saveDigest } from './service'
import { writeContext } from '../../http/idempotency'
import type { AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { jsonBody } from '../../http/validate'
import { saveDigestSchema } from '../../shared/digest'

/** How often one hears of what one follows here. */
export const digest = new Hono<AppEnv>()
  .get('/', may('view:insight'), async (c) =>
    c.json(await getDigest({ ...writeContext(c, 200), deps: c.get('deps') }), 200),
  )
  .put('/', may('view:insight'), jsonBody(saveDigestSchema), async (c) =>
    c.json(await saveDigest({ ...writeContext(c, 200), deps: c.get('deps') }, c.req.valid('json').cadence), 200),
  )
