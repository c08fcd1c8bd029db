import { Hono } from 'hono'
import { exportAudit, listAudit } from './service'
import type { Ask } from './service'
import { attachment } from '../../http/attachment'
import { membershipOf, scopeOf } from '../../http/context'
import type { AppContext, AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { takeTries } from '../../http/rate-limit'
import { query } from '../../http/validate'
import { exportAuditSchema, listAuditSchema } from '../../shared/audit'

const askOf = (c: AppContext): Ask => ({ deps: c.get('deps'), scope: scopeOf(c), membership: membershipOf(c) })

/** Who did what in the workspace. */
export const audit = new Hono<AppEnv>().get('/', may('view:audit'), query(listAuditSchema), async (c) =>
  c.json(await listAudit(askOf(c), c.req.valid('query')), 200),
)

/** `/files/audit`: the log to take along. */
export const auditFiles = new Hono<AppEnv>().get('/', may('view:audit'), query(exportAuditSchema), async (c) => {
  await takeTries(c, [{ rate: 'exportAudit', of: scopeOf(c).workspaceId }])
  const file = await exportAudit(askOf(c), c.req.valid('query'))
  c.header('Content-Type', 'text/csv; charset=utf-8')
  c.header('Content-Disposition', attachment(file.fileName))
  c.header('X-Content-Type-Options', 'nosniff')
  return c.body(file.body, 200)
})
