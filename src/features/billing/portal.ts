import { audited } from './customer'
import type { Buying } from './customer'
import { billingStore } from './store'
import { asking, stripeOf } from './stripe'
import type { Stripe } from './stripe'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'

/** Which of an account's portals is ours: made once, and found again by this. */
const OURS = { insikt_portal: '1' }
const FEATURES: Stripe.BillingPortal.ConfigurationCreateParams.Features = {
  customer_update: { enabled: true, allowed_updates: ['address', 'email', 'name', 'tax_id'] },
  invoice_history: { enabled: true },
  payment_method_update: { enabled: true },
  subscription_cancel: { enabled: true, mode: 'at_period_end' },
}

/**
 * Stripe's page for cards, invoices and cancelling. Plans are changed on ours, where it is said what that costs and freezes.
 * @throws ProductError `not_found` where nothing has been bought yet, `billing_unavailable`
 */
export async function openPortal(deps: Deps, buying: Buying): Promise<{ url: string }> {
  const { customerId, workspaceId } = await billingStore(deps.db, buying.scope).get()
  if (customerId === null) throw new ProductError('not_found', {}, 'Nothing has been bought here yet.')
  const stripe = stripeOf(deps)
  const { url } = await asking(
    stripe.billingPortal.sessions.create({
      customer: customerId,
      configuration: await configurationOf(stripe),
      locale: 'en',
      return_url: new URL(`/settings/workspace/subscription?w=${workspaceId}`, deps.settings.BASE_URL).href,
    }),
  )
  // Whoever holds the address is let in for a few minutes: it is kept nowhere, and the same call again gets a new one.
  await commit(deps, { change: [], audit: [audited(buying, 'subscription.portal')] })
  return { url }
}

async function configurationOf(stripe: Stripe): Promise<string> {
  const { data } = await asking(stripe.billingPortal.configurations.list({ active: true, limit: 100 }))
  const ours = data.find(({ metadata }) => metadata?.['insikt_portal'] === OURS.insikt_portal)
  if (ours) return ours.id
  const made = await asking(
    stripe.billingPortal.configurations.create(
      { features: FEATURES, metadata: OURS },
      { idempotencyKey: 'insikt:portal:1' },
    ),
  )
  return made.id
}
