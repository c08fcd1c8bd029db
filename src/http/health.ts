import { Hono } from 'hono'
import type { AppContext, AppEnv } from './context'
import { latestMigration } from '../db/database'
import { log } from '../lib/log'
import type { Env } from '../bindings'

const BINDINGS = [
  'ASSETS',
  'DB',
  'SESSIONS',
  'FILES',
  'WAREHOUSE',
  'RATE_LIMITER',
  'WORKSPACE_HUB',
  'PUSH_INBOX',
  'LOAD_FILE',
  'LOAD_SAMPLE',
  'FOLLOW_UP',
  'FORECAST_RUN',
  'SYNC_SOURCE',
] as const satisfies (keyof Env)[]

/** `/health`: what an operator's probe reads. 503 while a binding is absent or the database has no migrations. */
export const healthRoutes = new Hono<AppEnv>().get('/', async (c) => {
  const missing = BINDINGS.filter((name) => c.env[name] === undefined)
  const migration = await checkMigration(c)
  const ok = missing.length === 0 && migration !== null
  const { RELEASE, ENVIRONMENT } = c.get('deps').settings
  c.header('Cache-Control', 'no-store')
  return c.json({ ok, release: RELEASE, environment: ENVIRONMENT, migration, missing }, ok ? 200 : 503)
})

/** The latest migration, or null when there is none or no answer. */
async function checkMigration(c: AppContext): Promise<string | null> {
  try {
    return await latestMigration(c.get('deps').db)
  } catch (error) {
    log('error', 'health', { requestId: c.get('requestId'), error: String(error) })
    return null
  }
}
