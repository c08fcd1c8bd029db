import { Hono } from 'hono'
import { changePlan } from './change'
import { openCheckout } from './checkout'
import { askForPlan } from './contact'
import type { Buying } from './customer'
import { updateDetails } from './details'
import { cancelSubscription, resumeSubscription } from './ending'
import { orderByInvoice } from './invoice-sale'
import { openPortal } from './portal'
import { previewOf } from './preview'
import { actorOf, membershipOf, scopeOf } from '../../http/context'
import type { AppContext, AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { replyFor } from '../../http/idempotency'
import { takeTries } from '../../http/rate-limit'
import type { RateName } from '../../http/rate-limit'
import { body, noBody } from '../../http/validate'
import {
  billingDetailsSchema,
  changePlanSchema,
  checkoutSchema,
  contactSchema,
  previewSchema,
  versionOnlySchema,
} from '../../shared/subscription'

const buying = (c: AppContext, status = 200): Buying => ({
  scope: scopeOf(c),
  settings: membershipOf(c).settings,
  person: actorOf(c),
  reply: (answer) => replyFor(c, status, answer),
})

/** Each of these asks Stripe, or a person of the operator: so many per workspace. */
const taking = (c: AppContext, rate: RateName) => takeTries(c, [{ rate, of: scopeOf(c).workspaceId }])

/** Pages at Stripe: the first payment, and the portal. */
export const stripePages = new Hono<AppEnv>()
  .post('/checkout', may('edit:subscription'), body(checkoutSchema), async (c) => {
    await taking(c, 'openCheckout')
    const input = c.req.valid('json')
    const sell = input.method === 'invoice' ? orderByInvoice : openCheckout
    return c.json(await sell(c.get('deps'), buying(c), input), 200)
  })
  .post('/portal', may('edit:subscription'), noBody(), async (c) => {
    await taking(c, 'openPortal')
    return c.json(await openPortal(c.get('deps'), buying(c)), 200)
  })

/** What is changed of a subscription. */
export const purchases = new Hono<AppEnv>()
  .post('/preview', may('edit:subscription'), body(previewSchema), async (c) => {
    await taking(c, 'previewChange')
    return c.json(await previewOf(c.get('deps'), buying(c), c.req.valid('json')), 200)
  })
  .put('/', may('edit:subscription'), body(changePlanSchema), async (c) => {
    await taking(c, 'changeSubscription')
    return c.json(await changePlan(c.get('deps'), buying(c), c.req.valid('json')), 200)
  })
  .post('/cancel', may('edit:subscription'), body(versionOnlySchema), async (c) => {
    await taking(c, 'changeSubscription')
    return c.json(await cancelSubscription(c.get('deps'), buying(c), c.req.valid('json').version), 200)
  })
  .post('/resume', may('edit:subscription'), body(versionOnlySchema), async (c) => {
    await taking(c, 'changeSubscription')
    return c.json(await resumeSubscription(c.get('deps'), buying(c), c.req.valid('json').version), 200)
  })
  .put('/details', may('edit:subscription'), body(billingDetailsSchema), async (c) => {
    await taking(c, 'changeSubscription')
    return c.json(await updateDetails(c.get('deps'), buying(c), c.req.valid('json')), 200)
  })
  .post('/contact', may('edit:subscription'), body(contactSchema), async (c) => {
    // A person may make many workspaces, and whoever sells has one mailbox.
    await takeTries(
      c,
      [scopeOf(c).workspaceId, actorOf(c).userId].map((of) => ({ rate: 'askForPlan', of })),
    )
    return c.json(await askForPlan(c.get('deps'), buying(c, 202), c.req.valid('json')), 202)
  })
