import { Hono } from 'hono'
import { listInvoices, getUpcomingInvoices } from './invoices'
import { getAccount } from './store'
import { syncAccount } from './sync'
import { subscriptionView } from './subscription-view'
import { scopeOf, actorOf } from '../../http/context'
import type { AppContext, AppEnv } from '../../http/context'
import { may, publicAccess } from '../../http/guard'
import { enforceRateLimits } from '../../http/rate-limit'
import type { RateLimitName } from '../../http/rate-limit'
import { noBody, queryString, jsonBody, readBodyBytes, signedBody } from '../../http/validate'
import { listQuerySchema } from '../../shared/field-schemas'
import { changePlan, updateBillingDetails, cancelSubscription, resumeSubscription } from './subscription-change'
import { openCheckout, orderByInvoice } from './checkout'
import { sendPlanInquiry } from './sales-inquiry'
import { openPortal } from './customer'
import { previewChange } from './preview'
import { contextOf } from '../../http/request-context'
import {
  billingDetailsSchema,
  changePlanSchema,
  checkoutSchema,
  contactSalesSchema,
  previewChangeSchema,
  versionOnlySchema,
  retainSchema,
} from '../../shared/billing/subscription'
import { setRetainedItems } from './retained-items'
import { verifyWebhookEvent } from './stripe'
import { handleEvent } from './webhook'
import { ProductError } from '../../shared/errors'
import { WEBHOOK_BODY_MAX_BYTES } from '../../shared/limits'
import type { BillingAccount } from './billing-account'

/** The row for a question to Stripe: so many of a workspace. Of whom Stripe knows nothing, it is not asked. */
async function limitedAccount(c: AppContext): Promise<BillingAccount> {
  const row = await getAccount(c.get('deps').db, scopeOf(c))
  if (row.customerId !== null) await enforceRateLimits(c, [{ rate: 'askBilling', key: row.workspaceId }])
  return row
}

/** What is known of the subscription, and what Stripe says of its invoices. */
const subscriptionViews = new Hono<AppEnv>()
  .get('/', may('view:subscription'), async (c) => c.json(await subscriptionView(contextOf(c)), 200))
  .get('/upcoming', may('view:subscription'), async (c) =>
    c.json(await getUpcomingInvoices(c.get('deps'), await limitedAccount(c)), 200),
  )
  .get('/invoices', may('view:subscription'), queryString(listQuerySchema), async (c) =>
    c.json(await listInvoices(c.get('deps'), await limitedAccount(c), c.req.valid('query')), 200),
  )
  .post('/refresh', may('edit:subscription'), noBody(), async (c) => {
    const row = await syncAccount(c.get('deps'), await limitedAccount(c))
    return c.json(await subscriptionView(contextOf(c), row), 200)
  })

/** Each of these asks Stripe, or a person of the operator: so many per workspace. */
const limitRate = (c: AppContext, rate: RateLimitName) => enforceRateLimits(c, [{ rate, key: scopeOf(c).workspaceId }])

/** Pages at Stripe: the first payment, and the portal. */
const stripeRedirects = new Hono<AppEnv>()
  .post('/checkout', may('edit:subscription'), jsonBody(checkoutSchema), async (c) => {
    await limitRate(c, 'openCheckout')
    const input = c.req.valid('json')
    const order = input.method === 'invoice' ? orderByInvoice : openCheckout
    return c.json(await order(contextOf(c), input), 200)
  })
  .post('/portal', may('edit:subscription'), noBody(), async (c) => {
    await limitRate(c, 'openPortal')
    return c.json(await openPortal(contextOf(c)), 200)
  })

/** What is changed of a subscription. */
const subscriptionChanges = new Hono<AppEnv>()
  .post('/preview', may('edit:subscription'), jsonBody(previewChangeSchema), async (c) => {
    await limitRate(c, 'previewChange')
    return c.json(await previewChange(contextOf(c), c.req.valid('json')), 200)
  })
  .put('/', may('edit:subscription'), jsonBody(changePlanSchema), async (c) => {
    await limitRate(c, 'changeSubscription')
    return c.json(await changePlan(contextOf(c), c.req.valid('json')), 200)
  })
  .post('/cancel', may('edit:subscription'), jsonBody(versionOnlySchema), async (c) => {
    await limitRate(c, 'changeSubscription')
    return c.json(await cancelSubscription(contextOf(c), c.req.valid('json').version), 200)
  })
  .post('/resume', may('edit:subscription'), jsonBody(versionOnlySchema), async (c) => {
    await limitRate(c, 'changeSubscription')
    return c.json(await resumeSubscription(contextOf(c), c.req.valid('json').version), 200)
  })
  .put('/details', may('edit:subscription'), jsonBody(billingDetailsSchema), async (c) => {
    await limitRate(c, 'changeSubscription')
    return c.json(await updateBillingDetails(contextOf(c), c.req.valid('json')), 200)
  })
  .post('/contact', may('edit:subscription'), jsonBody(contactSalesSchema), async (c) => {
    // A person may make many workspaces, and whoever sells has one mailbox.
    await enforceRateLimits(
      c,
      [scopeOf(c).workspaceId, actorOf(c).userId].map((key) => ({ rate: 'askForPlan' as const, key })),
    )
    return c.json(await sendPlanInquiry(contextOf(c, 202), c.req.valid('json')), 202)
  })

/** Three lists of a thousand ids as JSON writes them. */
const RETAINED_ITEMS_MAX_BYTES = 192 * 1024

/** What stays when the plan becomes smaller. Saying the same again is harmless, so no answer is kept. */
const retainedItems = new Hono<AppEnv>().put(
  '/keep',
  may('edit:subscription'),
  jsonBody(retainSchema, RETAINED_ITEMS_MAX_BYTES),
  async (c) => {
    await limitRate(c, 'changeSubscription')
    return c.json(await setRetainedItems(contextOf(c), c.req.valid('json')), 200)
  },
)

/** The signature is over bytes: nothing may be left out or replaced in reading them. */
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
function decodeBody(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes)
  } catch (cause) {
    throw new ProductError('bad_signature', {}, undefined, { cause })
  }
}

/** What Stripe tells us. Its signature is the only key: no session, no token of ours. */
const stripeWebhook = new Hono<AppEnv>().post(
  '/webhook',
  publicAccess('events of billing; their signature is the key'),
  signedBody(),
  async (c) => {
    const refundAttempt = await enforceRateLimits(c, [{ rate: 'webhookFromAddress' }])
    const bytes = await readBodyBytes(c.req.raw, { maxBytes: WEBHOOK_BODY_MAX_BYTES, what: 'body' })
    const event = await verifyWebhookEvent(c.get('deps'), decodeBody(bytes), c.req.header('stripe-signature') ?? '')
    await refundAttempt()
    await handleEvent(c.get('deps'), event)
    return c.json({ received: true }, 200)
  },
)

/** The calls of this feature. */
export const billingRoutes = new Hono<AppEnv>()
  .route('/api/subscription', subscriptionViews)
  .route('/api/subscription', subscriptionChanges)
  .route('/api/stripe', stripeRedirects)
  .route('/api/subscription', retainedItems)
  .route('/api/stripe', stripeWebhook)
