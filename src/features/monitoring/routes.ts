import { Hono } from 'hono'
import type { AppEnv } from '../../http/context'
import { open } from '../../http/guard'
import { monitoringOf } from '../../monitoring/dsn'
import { forwardEnvelope } from './tunnel'

/**
 * `POST /monitoring?o=<organisation>&p=<project>`: reports of the browser, from our own address, to the one project
 * this installation is configured for. Answers plain statuses; the rate-limit headers of the answer are passed on.
 */
export const monitoring = new Hono<AppEnv>()
  .post('/', open('reports of the browser; only the configured project is reached'), async (c) => {
    const dsn = monitoringOf(c.get('deps').settings)
    if (!dsn) return c.body(null, 403)
    if (c.req.query('o') !== dsn.orgId || c.req.query('p') !== dsn.projectId) return c.body(null, 403)
    return forwardEnvelope(c.req.raw, dsn, c.get('deps').operatorFetcher)
  })
  .all('/', open('refuses every other method'), (c) => c.body(null, 405, { Allow: 'POST' }))
