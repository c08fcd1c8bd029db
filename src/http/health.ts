import { Hono } from 'hono'
import type { AppContext, AppEnv } from './context'
import { databaseState, latestMigration } from '../db/database'
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

/**
 * `/health`: what an operator's probe reads. 503 while a binding is absent, or while the database lacks migrations that this
 * release needs. One with newer migrations serves: they come before the code, and take nothing away that is in use.
 */
export const healthRoutes = new Hono<AppEnv>().get('/', async (c) => {
  const missing = BINDINGS.filter((name) => c.env[name] === undefined)
  const migration = await checkMigration(c)
  const database = databaseState(migration, NEWEST_MIGRATION)
  const ok = missing.length === 0 && (database === 'current' || database === 'newer')
  const { RELEASE, ENVIRONMENT } = c.get('deps').settings
  c.header('Cache-Control', 'no-store')
  const told = { release: RELEASE, environment: ENVIRONMENT, migration, needs: NEWEST_MIGRATION, database, missing }
  return c.json({ ok, ...told }, ok ? 200 : 503)
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
