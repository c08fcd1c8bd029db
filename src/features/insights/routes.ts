import { Hono } from 'hono'
import { exportInsight } from './export'
import { createInsight, deleteInsight, getInsight, listInsights, restoreInsight, updateInsight } from './service'
import { saveStarter, suggestInsights } from './starter-insights'
import { withCalendar } from '../../semantic/calendar'
import { sendDownload } from '../../http/files/table-download'
import { actorOf, type AppContext, type AppEnv } from '../../http/context'
import { may, within, requireWritable } from '../../http/guard'
import { contextOf } from '../../http/request-context'
import { enforceRateLimits } from '../../http/rate-limit'
import { jsonBody, noBody, pathId, queryString } from '../../http/validate'
import {
  createInsightSchema,
  deleteInsightSchema,
  exportSchema,
  saveStarterSchema,
  listInsightsSchema,
  updateInsightSchema,
  insightSettingsSchema,
  restoreVersionSchema,
  verifyInsightSchema,
} from '../../shared/insights'
import {
  duplicateInsight,
  followInsight,
  updateInsightSettings,
  unfollowInsight,
  unverifyInsight,
  verifyInsight,
  listVersions,
  restoreVersion,
} from './curation'
import { ProductError } from '../../shared/errors'

const idOf = (c: AppContext): string => pathId('insight', c.req.param('id') ?? '')

/** Saved questions and how they are drawn. */
export const insights = new Hono<AppEnv>()
  .get('/', may('view:insight'), queryString(listInsightsSchema), async (c) =>
    c.json(await listInsights(contextOf(c), c.req.valid('query')), 200),
  )
  .post('/', may('create:insight'), within('customInsights'), jsonBody(createInsightSchema), async (c) =>
    c.json(await createInsight(contextOf(c, 201), c.req.valid('json')), 201),
  )
  .get('/:id', may('view:insight'), async (c) => c.json(await getInsight(contextOf(c), idOf(c)), 200))
  .put('/:id', may('edit:insight'), jsonBody(updateInsightSchema), async (c) => {
    const change = { id: idOf(c), input: c.req.valid('json') }
    return c.json(await updateInsight(contextOf(c), change), 200)
  })
  .delete('/:id', may('delete:insight'), queryString(deleteInsightSchema), async (c) => {
    const { version } = c.req.valid('query')
    return c.json(await deleteInsight(contextOf(c), { id: idOf(c), version }), 200)
  })
  .post('/:id/restore', may('delete:insight'), noBody(), async (c) =>
    c.json(await restoreInsight(contextOf(c), idOf(c)), 200),
  )

/** First questions of a person's own data: suggested, and kept as insights. */
export const starters = new Hono<AppEnv>()
  .get('/', may('view:data'), async (c) =>
    c.json({ items: await suggestInsights(withCalendar(contextOf(c))), nextCursor: null }, 200),
  )
  .post('/', may('create:insight'), jsonBody(saveStarterSchema), async (c) =>
    c.json(await saveStarter(withCalendar(contextOf(c, 201)), c.req.valid('json').key), 201),
  )

/** `/files/insights`: figures to take along. */
export const insightFiles = new Hono<AppEnv>().get(
  '/:id/export',
  may('export:data'),
  queryString(exportSchema),
  async (c) => {
    await enforceRateLimits(c, [{ rate: 'exportInsight', key: actorOf(c).userId }])
    const context = withCalendar(contextOf(c))
    const insight = await getInsight(context, idOf(c))
    const file = await exportInsight({ ...context, insight, by: context.actor.name }, c.req.valid('query'))
    return sendDownload(c, file)
  },
)

/** A version from a path: what is no number is unknown. */
function versionParam(c: AppContext): number {
  const text = c.req.param('version') ?? ''
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new ProductError('not_found')
  return Number(text)
}

/** `/api/insights/:id/…`: what people do with an insight beside reading and saving it. */
export const insightCuration = new Hono<AppEnv>()
  .post('/:id/verify', may('verify:insight'), jsonBody(verifyInsightSchema), async (c) =>
    c.json(await verifyInsight(contextOf(c), { id: idOf(c), ...c.req.valid('json') }), 200),
  )
  .delete('/:id/verify', may('verify:insight'), noBody(), async (c) =>
    c.json(await unverifyInsight(contextOf(c), idOf(c)), 200),
  )
  .post('/:id/follow', may('view:insight'), noBody(), async (c) => {
    requireWritable(c)
    return c.json(await followInsight(contextOf(c), idOf(c)), 200)
  })
  .delete('/:id/follow', may('view:insight'), noBody(), async (c) =>
    c.json(await unfollowInsight(contextOf(c), idOf(c)), 200),
  )
  .put('/:id/settings', may('edit:insight'), jsonBody(insightSettingsSchema), async (c) =>
    c.json(await updateInsightSettings(contextOf(c), { id: idOf(c), input: c.req.valid('json') }), 200),
  )
  .post('/:id/duplicate', may('create:insight'), within('customInsights'), noBody(), async (c) =>
    c.json(await duplicateInsight(contextOf(c, 201), idOf(c)), 201),
  )
  .get('/:id/versions', may('view:insight'), async (c) =>
    c.json({ items: await listVersions(contextOf(c), idOf(c)), nextCursor: null }, 200),
  )
  .post('/:id/versions/:version/restore', may('edit:insight'), jsonBody(restoreVersionSchema), async (c) => {
    const at = { id: idOf(c), version: versionParam(c), input: c.req.valid('json') }
    return c.json(await restoreVersion(contextOf(c), at), 200)
  })
