import { Hono } from 'hono'
import { monitoring } from './features/monitoring/routes'
import { requestContext } from './http/request-context'
import { onError, notFoundJson } from './http/errors'
import type { AppEnv } from './http/context'
import type { Deps } from './deps'
import { health } from './http/health'
import { page } from './http/page'

/** The table of contents: middleware, one `.route()` per feature, the page. */
export function createApp(overrides: Partial<Deps> = {}) {
  return new Hono<AppEnv>()
    .use(requestContext(overrides))
    .onError(onError)
    .route('/health', health)
    .route('/monitoring', monitoring)
    .all('/api/*', notFoundJson)
    .all('/files/*', notFoundJson)
    .all('/assets/*', notFoundJson)
    .route('/', page)
}

export type AppType = ReturnType<typeof createApp>
