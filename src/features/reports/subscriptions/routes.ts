import { Hono } from 'hono'
import { listBlockSubscriptions, saveBlockSubscription } from './service'
import type { AppEnv } from '../../../http/context'
import { may, requireWritable } from '../../../http/guard'
import { contextOf } from '../../../http/request-context'
import { jsonBody, pathId } from '../../../http/validate'
import { saveBlockSubscriptionSchema } from '../../../shared/reports/block-subscriptions'

/** One's own: nobody else sees them. */
const ownSubscriptions = new Hono<AppEnv>().get('/', may('view:report'), async (c) =>
  c.json({ items: await listBlockSubscriptions(contextOf(c)), nextCursor: null }, 200),
)

const reportSubscriptions = new Hono<AppEnv>().put(
  '/:id/subscriptions',
  may('view:report'),
  jsonBody(saveBlockSubscriptionSchema),
  async (c) => {
    requireWritable(c)
    const report = pathId('report', c.req.param('id'))
    return c.json(await saveBlockSubscription(contextOf(c), { report, input: c.req.valid('json') }), 200)
  },
)

export const blockSubscriptionRoutes = new Hono<AppEnv>()
  .route('/api/block-subscriptions', ownSubscriptions)
  .route('/api/reports', reportSubscriptions)
