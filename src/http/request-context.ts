import type { MiddlewareHandler } from 'hono'
import { createDeps } from '../deps'
import type { Deps } from '../deps'
import { readSettings } from '../env'
import { countingDeps, serverTimingHeader } from './costs'
import { backgroundTasksOf } from './context'
import type { AppEnv } from './context'
import { log } from '../lib/log'
import { ProductError } from '../shared/errors'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Request id and dependencies for everything after it. Refuses to serve with a missing or weak setting. */
export function initializeRequest(overrides: Partial<Deps>): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    c.set('requestId', crypto.randomUUID())
    c.set('actor', null)
    c.set('sessionHash', null)
    c.set('csrfToken', '')
    c.set('earlierReply', null)
    c.set('idempotency', null)
    c.header('X-Request-Id', c.get('requestId'))
    const parsed = readSettings(c.env)
    if (!parsed.ok) {
      log('error', 'misconfigured', { problem: parsed.problem })
      throw new ProductError('misconfigured')
    }
    const { settings } = parsed
    if (settings.LOCAL_MODE && !LOOPBACK.has(new URL(c.req.url).hostname)) {
      log('error', 'misconfigured', { problem: 'LOCAL_MODE is on and the host is not loopback' })
      throw new ProductError('misconfigured')
    }
    const deps = createDeps(c.env, settings, backgroundTasksOf(c), overrides)
    if (!settings.LOCAL_MODE) {
      c.set('deps', deps)
      return next()
    }
    const costs = { d1: 0, rowsWritten: 0, objects: 0 }
    c.set('deps', countingDeps(deps, costs))
    await next()
    c.header('Server-Timing', serverTimingHeader(costs))
  }
}
