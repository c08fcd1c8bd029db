import { Hono } from 'hono'
import { exportAudit, listAudit } from './service'
import { attachmentHeader } from '../../http/download'
import { scopeOf, type AppEnv } from '../../http/context'
import { contextOf } from '../../http/request-context'
import { may } from '../../http/guard'
import { enforceRateLimits } from '../../http/rate-limit'
import { queryString } from '../../http/validate'
import { exportAuditSchema, listAuditSchema } from '../../shared/audit'

/** Who did what in the workspace. */
const audit = new Hono<AppEnv>().get('/', may('view:audit'), queryString(listAuditSchema), async (c) =>
  c.json(await listAudit(contextOf(c), c.req.valid('query')), 200),
)

/** The log to take along. */
const auditFiles = new Hono<AppEnv>().get('/', may('view:audit'), queryString(exportAuditSchema), async (c) => {
  await enforceRateLimits(c, [{ rate: 'exportAudit', key: scopeOf(c).workspaceId }])
  const file = await exportAudit(contextOf(c), c.req.valid('query'))
  c.header('Content-Type', 'text/csv; charset=utf-8')
  c.header('Content-Disposition', attachmentHeader(file.fileName))
  c.header('X-Content-Type-Options', 'nosniff')
  return c.body(file.body, 200)
})

/** The calls of this feature. */
export const auditRoutes = new Hono<AppEnv>().route('/api/audit', audit).route('/files/audit', auditFiles)
