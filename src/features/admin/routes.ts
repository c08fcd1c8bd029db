import { Hono } from 'hono'
import { listWorkspaces } from './service'
import { staffOf } from '../../http/context'
import type { AppEnv } from '../../http/context'
import { staff } from '../../http/guard'
import { query } from '../../http/validate'
import { listAdminWorkspacesSchema } from '../../shared/admin'

/** The operator's own side. To everybody else it does not exist. */
export const admin = new Hono<AppEnv>().get('/workspaces', staff(), query(listAdminWorkspacesSchema), async (c) =>
  c.json(await listWorkspaces(c.get('deps'), staffOf(c), c.req.valid('query')), 200),
)
