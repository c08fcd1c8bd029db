import { Hono } from 'hono'
import {
  duplicateInsight,
  followInsight,
  updateInsightSettings,
  unfollowInsight,
  unverifyInsight,
  verifyInsight,
} from './care'
import { listVersions, restoreVersion } from './history'
import { contextOf } from './routes'
import { ProductError } from '../../shared/errors'
import type { AppContext, AppEnv } from '../../http/context'
import { may, requireWritable, within } from '../../http/guard'
import { jsonBody, noBody, pathId } from '../../http/validate'
import { insightSettingsSchema, restoreVersionSchema, verifyInsightSchema } from '../../shared/insight-care'

const idOf = (c: AppContext): string => pathId('insight', c.req.param('id') ?? '')
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
