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
const rowOf = (c: AppContext): Promise<BillingRow> => billingStore(c.get('deps').db, scopeOf(c)).get()

/** What is known of the subscription, and what Stripe says of its invoices. */
export const subscriptionViews = new Hono<AppEnv>()
  .get('/', may('view:subscription'), async (c) => c.json(await subscriptionView(c.get('deps'), viewing(c)), 200))
  .get('/upcoming', may('view:subscription'), async (c) => c.json(await upcomingOf(c.get('deps'), await rowOf(c)), 200))
  .get('/invoices', may('view:subscription'), query(listQuerySchema), async (c) =>
    c.json(await invoicesOf(c.get('deps'), await rowOf(c), c.req.valid('query')), 200),
  )
  .post('/refresh', may('edit:subscription'), noBody(), async (c) => {
    const deps = c.get('deps')
    await takeTries(c, [{ rate: 'askBilling', of: scopeOf(c).workspaceId }])
    const row = await syncAccount(deps, await rowOf(c))
    return c.json(await subscriptionView(deps, viewing(c), row), 200)
  })
