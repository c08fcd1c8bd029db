import { Hono } from 'hono'
import { saveAccountClasses } from './service'
import { contextOf } from '../../http/request-context'
import { scopeOf, type AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { jsonBody } from '../../http/validate'
import { accountClassesSchema } from '../../shared/account-classes'
import { readAccountClasses } from '../../semantic/account-class-store'

/** Several hundred ranges as JSON writes them. */
const BODY_MAX_BYTES = 64 * 1024

/** What the accounts of ledgers mean in statements. */
const accountClasses = new Hono<AppEnv>()
  .get('/', may('view:insight'), async (c) => c.json(await readAccountClasses(c.get('deps').db, scopeOf(c)), 200))
  .put('/', may('edit:metric'), jsonBody(accountClassesSchema, BODY_MAX_BYTES), async (c) =>
    c.json(await saveAccountClasses(contextOf(c), c.req.valid('json')), 200),
  )

export const accountClassRoutes = new Hono<AppEnv>().route('/api/account-classes', accountClasses)
