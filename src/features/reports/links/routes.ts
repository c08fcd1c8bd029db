import { Hono } from 'hono'
import { confirmLink, createLink, listLinks, revokeLink } from './service'
import { actorOf, type AppContext, type AppEnv } from '../../../http/context'
import { may, needs } from '../../../http/guard'
import { enforceRateLimits } from '../../../http/rate-limit'
import { contextOf } from '../../../http/request-context'
import { jsonBody, noBody, pathId } from '../../../http/validate'
import { createLinkSchema } from '../../../shared/reports/links'

const reportOf = (c: AppContext): string => pathId('report', c.req.param('id') ?? '')

/** Links by which people outside see a report. They are listed and revoked also where the plan has none any more. */
const links = new Hono<AppEnv>()
  .get('/:id/links', may('share:report'), async (c) =>
    c.json({ items: await listLinks(contextOf(c), reportOf(c)), nextCursor: null }, 200),
  )
  .post(
    '/:id/links',
    may('share:report'),
    needs('reporting'),
    needs('reportSharing'),
    jsonBody(createLinkSchema),
    async (c) => {
      await enforceRateLimits(c, [{ rate: 'shareReport', key: actorOf(c).userId }])
      return c.json(await createLink(contextOf(c, 201), { report: reportOf(c), input: c.req.valid('json') }), 201)
    },
  )
  .put(
    '/:id/links/:linkId/content',
    may('share:report'),
    needs('reporting'),
    needs('reportSharing'),
    noBody(),
    async (c) => {
      const id = pathId('shareLink', c.req.param('linkId'))
      return c.json(await confirmLink(contextOf(c), { report: reportOf(c), id }), 200)
    },
  )
  .delete('/:id/links/:linkId', may('revoke:link'), noBody(), async (c) => {
    const id = pathId('shareLink', c.req.param('linkId'))
    return c.json(await revokeLink(contextOf(c), { report: reportOf(c), id }), 200)
  })

/** Every link of the workspace: what leaves it. */
const all = new Hono<AppEnv>().get('/', may('view:access'), async (c) =>
  c.json({ items: await listLinks(contextOf(c), null), nextCursor: null }, 200),
)

export const reportLinkRoutes = new Hono<AppEnv>().route('/api/reports', links).route('/api/report-links', all)
