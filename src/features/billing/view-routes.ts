import { Hono } from 'hono'
import { invoicesOf, upcomingOf } from './invoices'
import { billingStore } from './store'
import type { BillingRow } from './store'
import { syncAccount } from './sync'
import { subscriptionView } from './view'
import type { Viewing } from './view'
import { membershipOf, scopeOf } from '../../http/context'
import type { AppContext, AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { takeTries } from '../../http/rate-limit'
import { noBody, query } from '../../http/validate'
import { listQuerySchema } from '../../shared/names'

const viewing = (c: AppContext): Viewing => ({ scope: scopeOf(c), settings: membershipOf(c).settings })
/** The row for a question to Stripe: so many of a workspace. Of whom Stripe knows nothing, it is not asked. */
async function rowToAsk(c: AppContext): Promise<BillingRow> {
  const row = await billingStore(c.get('deps').db, scopeOf(c)).get()
  if (row.customerId !== null) await takeTries(c, [{ rate: 'askBilling', of: row.workspaceId }])
  return row
}

/** What is known of the subscription, and what Stripe says of its invoices. */
export const subscriptionViews = new Hono<AppEnv>()
  .get('/', may('view:subscription'), async (c) => c.json(await subscriptionView(c.get('deps'), viewing(c)), 200))
  .get('/upcoming', may('view:subscription'), async (c) =>
    c.json(await upcomingOf(c.get('deps'), await rowToAsk(c)), 200),
  )
  .get('/invoices', may('view:subscription'), query(listQuerySchema), async (c) =>
    c.json(await invoicesOf(c.get('deps'), await rowToAsk(c), c.req.valid('query')), 200),
  )
  .post('/refresh', may('edit:subscription'), noBody(), async (c) => {
    const deps = c.get('deps')
    const row = await syncAccount(deps, await rowToAsk(c))
    return c.json(await subscriptionView(deps, viewing(c), row), 200)
  })
