import { Hono } from 'hono'
import { listInvoices, getUpcomingInvoices } from './invoices'
import { billingStore } from './store'
import type { BillingAccount } from './store'
import { syncAccount } from './sync'
import { subscriptionView } from './view'
import type { SubscriptionContext } from './view'
import { membershipOf, scopeOf } from '../../http/context'
import type { AppContext, AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { enforceRateLimits } from '../../http/rate-limit'
import { noBody, queryString } from '../../http/validate'
import { listQuerySchema } from '../../shared/names'

const subscriptionContextOf = (c: AppContext): SubscriptionContext => ({
  scope: scopeOf(c),
  settings: membershipOf(c).settings,
})
/** The row for a question to Stripe: so many of a workspace. Of whom Stripe knows nothing, it is not asked. */
async function limitedAccount(c: AppContext): Promise<BillingAccount> {
  const row = await billingStore(c.get('deps').db, scopeOf(c)).get()
  if (row.customerId !== null) await enforceRateLimits(c, [{ rate: 'askBilling', key: row.workspaceId }])
  return row
}

/** What is known of the subscription, and what Stripe says of its invoices. */
export const subscriptionViews = new Hono<AppEnv>()
  .get('/', may('view:subscription'), async (c) =>
    c.json(await subscriptionView(c.get('deps'), subscriptionContextOf(c)), 200),
  )
  .get('/upcoming', may('view:subscription'), async (c) =>
    c.json(await getUpcomingInvoices(c.get('deps'), await limitedAccount(c)), 200),
  )
  .get('/invoices', may('view:subscription'), queryString(listQuerySchema), async (c) =>
    c.json(await listInvoices(c.get('deps'), await limitedAccount(c), c.req.valid('query')), 200),
  )
  .post('/refresh', may('edit:subscription'), noBody(), async (c) => {
    const deps = c.get('deps')
    const row = await syncAccount(deps, await limitedAccount(c))
    return c.json(await subscriptionView(deps, subscriptionContextOf(c), row), 200)
  })
