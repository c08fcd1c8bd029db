import { Hono } from 'hono'
import { addSample, getSample, removeSample } from './service'
import { writeContext } from '../../http/idempotency'
import { scopeOf, type AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { enforceRateLimits } from '../../http/rate-limit'
import { noBody, queryString } from '../../http/validate'
import { removeSampleSchema } from '../../shared/sample'

/** A made-up company to look around in. */
const sample = new Hono<AppEnv>()
  .get('/', may('view:source'), async (c) => c.json(await getSample(c.get('deps'), scopeOf(c)), 200))
  .post('/', may('create:source'), noBody(), async (c) => {
    await enforceRateLimits(c, [{ rate: 'addSample', key: scopeOf(c).workspaceId }])
    return c.json(await addSample(c.get('deps'), writeContext(c, 202)), 202)
  })
  .delete('/', may('delete:source'), queryString(removeSampleSchema), async (c) => {
    const command = { ...writeContext(c, 200), force: c.req.valid('query').force === '1' }
    return c.json(await removeSample(c.get('deps'), command), 200)
  })

export const sampleRoutes = new Hono<AppEnv>().route('/api/sample', sample)
