import { Hono } from 'hono'
import { exportInsight } from './export'
import { createInsight, deleteInsight, getInsight, listInsights, restoreInsight, updateInsight } from './service'
import type { RequestContext } from './service'
import { saveStarter, suggestInsights } from './starters'
import { calendarOf } from '../../access/calendar'
import { attachmentHeader } from '../../http/attachment'
import { actorOf, membershipOf, scopeOf } from '../../http/context'
import type { AppContext, AppEnv } from '../../http/context'
import { may, within } from '../../http/guard'
import { toStoredReply } from '../../http/idempotency'
import { enforceRateLimits } from '../../http/rate-limit'
import { jsonBody, noBody, pathId, queryString } from '../../http/validate'
import {
  createInsightSchema,
  deleteInsightSchema,
  exportSchema,
  saveStarterSchema,
  listInsightsSchema,
  updateInsightSchema,
} from '../../shared/insights'

export const contextOf = (c: AppContext, status = 200): RequestContext => ({
  deps: c.get('deps'),
  scope: scopeOf(c),
  actor: actorOf(c),
  membership: membershipOf(c),
  reply: (answer) => toStoredReply(c, status, answer),
})

/** Saved questions and how they are drawn. */
export const insights = new Hono<AppEnv>()
  .get('/', may('view:insight'), queryString(listInsightsSchema), async (c) =>
    c.json(await listInsights(contextOf(c), c.req.valid('query')), 200),
  )
  .post('/', may('create:insight'), within('customInsights'), jsonBody(createInsightSchema), async (c) =>
    c.json(await createInsight(contextOf(c, 201), c.req.valid('json')), 201),
  )
  .get('/:id', may('view:insight'), async (c) =>
    c.json(await getInsight(contextOf(c), pathId('insight', c.req.param('id'))), 200),
  )
  .put('/:id', may('edit:insight'), jsonBody(updateInsightSchema), async (c) => {
    const change = { id: pathId('insight', c.req.param('id')), input: c.req.valid('json') }
    return c.json(await updateInsight(contextOf(c), change), 200)
  })
  .delete('/:id', may('delete:insight'), queryString(deleteInsightSchema), async (c) => {
    const { version } = c.req.valid('query')
    return c.json(await deleteInsight(contextOf(c), { id: pathId('insight', c.req.param('id')), version }), 200)
  })
  .post('/:id/restore', may('delete:insight'), noBody(), async (c) =>
    c.json(await restoreInsight(contextOf(c), pathId('insight', c.req.param('id'))), 200),
  )

/** First questions of a person's own data: suggested, and kept as insights. */
export const starters = new Hono<AppEnv>()
  .get('/', may('view:data'), async (c) => {
    const ask = { ...contextOf(c), calendar: calendarOf(membershipOf(c), c.get('deps').clock) }
    return c.json({ items: await suggestInsights(ask), nextCursor: null }, 200)
  })
  .post('/', may('create:insight'), jsonBody(saveStarterSchema), async (c) => {
    const ask = { ...contextOf(c, 201), calendar: calendarOf(membershipOf(c), c.get('deps').clock) }
    return c.json(await saveStarter(ask, c.req.valid('json').key), 201)
  })

/** `/files/insights`: figures to take along. */
export const insightFiles = new Hono<AppEnv>().get(
  '/:id/export',
  may('export:data'),
  queryString(exportSchema),
  async (c) => {
    await enforceRateLimits(c, [{ rate: 'exportInsight', key: actorOf(c).userId }])
    const { deps, scope, membership } = contextOf(c)
    const insight = await getInsight({ deps, scope, membership }, pathId('insight', c.req.param('id')))
    const calendar = calendarOf(membershipOf(c), deps.clock)
    const ask = { deps, scope, calendar, insight, by: actorOf(c).name }
    const file = await exportInsight(ask, c.req.valid('query'))
    c.header('Content-Type', file.contentType)
    c.header('Content-Disposition', attachmentHeader(file.fileName))
    c.header('X-Content-Type-Options', 'nosniff')
    return c.body(file.body, 200)
  },
)
