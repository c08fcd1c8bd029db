import { Hono } from 'hono'
import { listDeleted } from './service'
import { scopeOf } from '../../http/context'
import type { AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { queryString } from '../../http/validate'
import { listQuerySchema } from '../../shared/names'

/** What stays 30 days after it was deleted. Each kind has its own call that brings it back. */
export const deleted = new Hono<AppEnv>().get('/', may('delete:source'), queryString(listQuerySchema), async (c) =>
  c.json(await listDeleted(c.get('deps'), scopeOf(c), c.req.valid('query')), 200),
)
