import { Hono } from 'hono'
import { listWorkspaces } from './service'
import { setTerms, termsOf } from './terms'
import { staffOf } from '../../http/context'
import type { AppEnv } from '../../http/context'
import { staff } from '../../http/guard'
import { body, query } from '../../http/validate'
import { listAdminWorkspacesSchema, workspaceTermsSchema } from '../../shared/admin'

/** The operator's own side. To everybody else it does not exist. */
export const admin = new Hono<AppEnv>()
  .get('/workspaces', staff(), query(listAdminWorkspacesSchema), async (c) =>
    c.json(await listWorkspaces(c.get('deps'), staffOf(c), c.req.valid('query')), 200),
  )
  .get('/workspaces/:id/terms', staff(), async (c) =>
    c.json(await termsOf(c.get('deps'), staffOf(c), c.req.param('id')), 200),
  )
  .put('/workspaces/:id/terms', staff(), body(workspaceTermsSchema), async (c) =>
    c.json(await setTerms(c.get('deps'), staffOf(c), { id: c.req.param('id'), terms: c.req.valid('json') }), 200),
  )
