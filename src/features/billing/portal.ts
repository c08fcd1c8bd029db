import { subscriptionAuditEntry } from './customer'
import type { PurchaseContext } from './customer'
import { billingStore } from './store'
import { callStripe, stripeClient } from './stripe'
import type { Stripe } from './stripe'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'

/** Which of an account's portals is ours: made once, and found again by this. */
const PORTAL_METADATA = { insikt_portal: '1' }
const PORTAL_FEATURES: Stripe.BillingPortal.ConfigurationCreateParams.Features = {
  customer_update: { enabled: true, allowed_updates: ['address', 'email', 'name', 'tax_id'] },
  invoice_history: { enabled: true },
  payment_method_update: { enabled: true },
  subscription_cancel: { enabled: true, mode: 'at_period_end' },
}

/**
 * Stripe's page for cards, invoices and cancelling. Plans are changed on ours, where it is said what that costs and freezes.
 * @throws ProductError `not_found` where nothing has been bought yet, `billing_unavailable`
 */
export async function openPortal(deps: Deps, purchaseContext: PurchaseContext): Promise<{ url: string }> {
  const { customerId, workspaceId } = await billingStore(deps.db, purchaseContext.scope).get()
  if (customerId === null) throw new ProductError('not_found', {}, 'Nothing has been bought here yet.')
  const stripe = stripeClient(deps)
  const { url } = await callStripe(
    stripe.billingPortal.sessions.create({
      customer: customerId,
      configuration: await ensurePortalConfiguration(stripe),
      locale: 'en',
      return_url: new URL(`/settings/workspace/subscription?w=${workspaceId}`, deps.settings.BASE_URL).href,
    }),
  )
  // Whoever holds the address is let in for a few minutes: it is kept nowhere, and the same call again gets a new one.
  await commit(deps, { change: [], audit: [subscriptionAuditEntry(purchaseContext, 'subscription.portal')] })
  return { url }
}

async function ensurePortalConfiguration(stripe: Stripe): Promise<string> {
  const { data } = await callStripe(stripe.billingPortal.configurations.list({ active: true, limit: 100 }))
  const existing = data.find(({ metadata }) => metadata?.['insikt_portal'] === PORTAL_METADATA.insikt_portal)
  if (existing) return existing.id
  const created = await callStripe(
    stripe.billingPortal.configurations.create(
      { features: PORTAL_FEATURES, metadata: PORTAL_METADATA },
      { idempotencyKey: 'insikt:portal:1' },
    ),
  )
  return created.id
}
