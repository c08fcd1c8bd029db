import { Hono } from 'hono'
import { duplicateInsight, followInsight, setInsight, unfollowInsight, unverifyInsight, verifyInsight } from './care'
import { insightVersions, restoreVersion } from './history'
import { askOf } from './routes'
import { ProductError } from '../../shared/errors'
import type { AppContext, AppEnv } from '../../http/context'
import { may, requireWritable, within } from '../../http/guard'
import { body, noBody, pathId } from '../../http/validate'
import { insightSettingsSchema, restoreVersionSchema, verifyInsightSchema } from '../../shared/insight-care'

const idOf = (c: AppContext): string => pathId('insight', c.req.param('id') ?? '')
/** A version from a path: what is no number is unknown. */
function versionOf(c: AppContext): number {
  const text = c.req.param('version') ?? ''
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new ProductError('not_found')
  return Number(text)
}

/** `/api/insights/:id/…`: what people do with an insight beside reading and saving it. */
export const insightCare = new Hono<AppEnv>()
  .post('/:id/verify', may('verify:insight'), body(verifyInsightSchema), async (c) =>
    c.json(await verifyInsight(askOf(c), { id: idOf(c), ...c.req.valid('json') }), 200),
  )
  .delete('/:id/verify', may('verify:insight'), noBody(), async (c) =>
    c.json(await unverifyInsight(askOf(c), idOf(c)), 200),
  )
  .post('/:id/follow', may('view:insight'), noBody(), async (c) => {
    requireWritable(c)
    return c.json(await followInsight(askOf(c), idOf(c)), 200)
  })
  .delete('/:id/follow', may('view:insight'), noBody(), async (c) =>
    c.json(await unfollowInsight(askOf(c), idOf(c)), 200),
  )
  .put('/:id/settings', may('edit:insight'), body(insightSettingsSchema), async (c) =>
    c.json(await setInsight(askOf(c), { id: idOf(c), input: c.req.valid('json') }), 200),
  )
  .post('/:id/duplicate', may('create:insight'), within('customInsights'), noBody(), async (c) =>
    c.json(await duplicateInsight(askOf(c, 201), idOf(c)), 201),
  )
  .get('/:id/versions', may('view:insight'), async (c) =>
    c.json({ items: await insightVersions(askOf(c), idOf(c)), nextCursor: null }, 200),
  )
  .post('/:id/versions/:version/restore', may('edit:insight'), body(restoreVersionSchema), async (c) => {
    const at = { id: idOf(c), version: versionOf(c), input: c.req.valid('json') }
    return c.json(await restoreVersion(askOf(c), at), 200)
  })
