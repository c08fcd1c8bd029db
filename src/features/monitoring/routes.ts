import { Hono } from 'hono'
import type { AppContext, AppEnv } from '../../http/context'
import { publicAccess } from '../../http/guard'
import { enforceRateLimits } from '../../http/rate-limit'
import { monitoringDsn } from '../../monitoring/dsn'
import { ProductError } from '../../shared/errors'
import { forwardEnvelope } from './envelope'

/**
 * `POST /monitoring?o=<organisation>&p=<project>`: reports of the browser, from our own address, to the one project
 * this installation is configured for. Answers plain statuses; the rate-limit headers of the answer are passed on.
 */
export const monitoring = new Hono<AppEnv>()
  .post('/', publicAccess('reports of the browser; only the configured project is reached'), async (c) => {
    const dsn = monitoringDsn(c.get('deps').settings)
    if (!dsn) return c.body(null, 403)
    if (c.req.query('o') !== dsn.orgId || c.req.query('p') !== dsn.projectId) return c.body(null, 403)
    const retryAfter = await retryAfterSeconds(c)
    if (retryAfter !== null) return c.body(null, 429, { 'Retry-After': String(retryAfter) })
    return forwardEnvelope(c.req.raw, dsn, c.get('deps').operatorFetcher)
  })
  .all('/', publicAccess('refuses every other method'), (c) => c.body(null, 405, { Allow: 'POST' }))

/** Seconds to wait when this address has sent too many reports; here the refusal is a plain status. */
async function retryAfterSeconds(c: AppContext): Promise<number | null> {
  try {
    await enforceRateLimits(c, [{ rate: 'reportFromAddress' }])
    return null
  } catch (error) {
    if (error instanceof ProductError && error.code === 'rate_limited') return Number(error.details['retryAfter'])
    throw error
  }
}

/** The calls of this feature. */
export const monitoringRoutes = new Hono<AppEnv>().route('/monitoring', monitoring)
