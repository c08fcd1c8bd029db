import { Hono } from 'hono'
import { listWorkspaces, setTerms, getTerms } from './service'
import { staffOf, type AppEnv } from '../../http/context'
import { staffOnly } from '../../http/guard'
import { jsonBody, queryString } from '../../http/validate'
import { listAdminWorkspacesSchema, workspaceTermsSchema } from '../../shared/admin'

/** The operator's own side. To everybody else it does not exist. */
const admin = new Hono<AppEnv>()
  .get('/workspaces', staffOnly(), queryString(listAdminWorkspacesSchema), async (c) =>
    c.json(await listWorkspaces(c.get('deps'), staffOf(c), c.req.valid('query')), 200),
  )
  .get('/workspaces/:id/terms', staffOnly(), async (c) =>
    c.json(await getTerms(c.get('deps'), staffOf(c), c.req.param('id')), 200),
  )
  .put('/workspaces/:id/terms', staffOnly(), jsonBody(workspaceTermsSchema), async (c) =>
    c.json(await setTerms(c.get('deps'), staffOf(c), { id: c.req.param('id'), terms: c.req.valid('json') }), 200),
  )

/** The calls of this feature. */
export const adminRoutes = new Hono<AppEnv>().route('/api/admin', admin)
