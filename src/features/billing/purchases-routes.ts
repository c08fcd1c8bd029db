import { Hono } from 'hono'
import { changePlan } from './change'
import { openCheckout } from './checkout'
import { sendPlanInquiry } from './contact'
import type { PurchaseContext } from './customer'
import { updateBillingDetails } from './details'
import { cancelSubscription, resumeSubscription } from './ending'
import { orderByInvoice } from './invoice-sale'
import { openPortal } from './portal'
import { previewChange } from './preview'
import { actorOf, membershipOf, scopeOf } from '../../http/context'
import type { AppContext, AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { toStoredReply } from '../../http/idempotency'
import { enforceRateLimits } from '../../http/rate-limit'
import type { RateLimitName } from '../../http/rate-limit'
import { jsonBody, noBody } from '../../http/validate'
import {
  billingDetailsSchema,
  changePlanSchema,
  checkoutSchema,
  contactSalesSchema,
  previewChangeSchema,
  versionOnlySchema,
} from '../../shared/subscription'

const purchaseContextOf = (c: AppContext, status = 200): PurchaseContext => ({
  scope: scopeOf(c),
  settings: membershipOf(c).settings,
  person: actorOf(c),
  reply: (answer) => toStoredReply(c, status, answer),
})

/** Each of these asks Stripe, or a person of the operator: so many per workspace. */
const limitRate = (c: AppContext, rate: RateLimitName) => enforceRateLimits(c, [{ rate, key: scopeOf(c).workspaceId }])

/** Pages at Stripe: the first payment, and the portal. */
export const stripeRedirects = new Hono<AppEnv>()
  .post('/checkout', may('edit:subscription'), jsonBody(checkoutSchema), async (c) => {
    await limitRate(c, 'openCheckout')
    const input = c.req.valid('json')
    const order = input.method === 'invoice' ? orderByInvoice : openCheckout
    return c.json(await order(c.get('deps'), purchaseContextOf(c), input), 200)
  })
  .post('/portal', may('edit:subscription'), noBody(), async (c) => {
    await limitRate(c, 'openPortal')
    return c.json(await openPortal(c.get('deps'), purchaseContextOf(c)), 200)
  })

/** What is changed of a subscription. */
export const subscriptionChanges = new Hono<AppEnv>()
  .post('/preview', may('edit:subscription'), jsonBody(previewChangeSchema), async (c) => {
    await limitRate(c, 'previewChange')
    return c.json(await previewChange(c.get('deps'), purchaseContextOf(c), c.req.valid('json')), 200)
  })
  .put('/', may('edit:subscription'), jsonBody(changePlanSchema), async (c) => {
    await limitRate(c, 'changeSubscription')
    return c.json(await changePlan(c.get('deps'), purchaseContextOf(c), c.req.valid('json')), 200)
  })
  .post('/cancel', may('edit:subscription'), jsonBody(versionOnlySchema), async (c) => {
    await limitRate(c, 'changeSubscription')
    return c.json(await cancelSubscription(c.get('deps'), purchaseContextOf(c), c.req.valid('json').version), 200)
  })
  .post('/resume', may('edit:subscription'), jsonBody(versionOnlySchema), async (c) => {
    await limitRate(c, 'changeSubscription')
    return c.json(await resumeSubscription(c.get('deps'), purchaseContextOf(c), c.req.valid('json').version), 200)
  })
  .put('/details', may('edit:subscription'), jsonBody(billingDetailsSchema), async (c) => {
    await limitRate(c, 'changeSubscription')
    return c.json(await updateBillingDetails(c.get('deps'), purchaseContextOf(c), c.req.valid('json')), 200)
  })
  .post('/contact', may('edit:subscription'), jsonBody(contactSalesSchema), async (c) => {
    // A person may make many workspaces, and whoever sells has one mailbox.
    await enforceRateLimits(
      c,
      [scopeOf(c).workspaceId, actorOf(c).userId].map((of) => ({ rate: 'askForPlan', of })),
    )
    return c.json(await sendPlanInquiry(c.get('deps'), purchaseContextOf(c, 202), c.req.valid('json')), 202)
  })
