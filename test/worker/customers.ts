import { env } from 'cloudflare:test'
import type Stripe from 'stripe'
import type { BillingFixture } from './billing-fixture'
import { signedIn } from './factories'
import type { SignedIn, SignedInOptions } from './factories'
import { createDeps } from '../../src/deps'
import type { Deps } from '../../src/deps'
import { findAccountByCustomer } from '../../src/features/billing/store'
import type { BillingAccount } from '../../src/features/billing/billing-account'

export interface TestCustomer extends SignedIn {
  customerId: string
  /** A subscription made at Stripe behind our back: nothing is delivered before `emulator.tick()`. */
  buys(keys: string[], options?: PurchaseOptions): Promise<Stripe.Subscription>
  row(): Promise<BillingAccount>
}
export interface PurchaseOptions extends Partial<Stripe.SubscriptionCreateParams> {
  /** By an invoice that is due 30 days later; else by a card that works. */
  invoice?: boolean
}

/** Dependencies of rounds and services that talk to the stand-in. */
export const billingDeps = ({ settings, overrides }: Pick<BillingFixture, 'settings' | 'overrides'>): Deps =>
  createDeps(env, settings, { waitUntil: () => undefined }, overrides)

/** The owner of a workspace that is known to Stripe. */
export async function createCustomer(fixture: BillingFixture, options: SignedInOptions = {}): Promise<TestCustomer> {
  const { stripe, app } = fixture
  const me = await signedIn({ app, createdAt: fixture.clock.now(), ...options })
  const { id: customerId } = await stripe.customers.create({ name: 'Test', email: 'billing@example.com' })
  await env.DB.prepare('UPDATE subscriptions SET customer_id = ? WHERE workspace_id = ?')
    .bind(customerId, me.workspaceId)
    .run()
  return {
    ...me,
    customerId,
    buys: (keys, given = {}) => buy(stripe, { customer: customerId, keys, ...given }),
    async row() {
      const row = await findAccountByCustomer(billingDeps(fixture).db, customerId)
      if (!row) throw new Error('no such customer')
      return row
    },
  }
}

async function buy(
  stripe: Stripe,
  { customer, keys, invoice = false, ...more }: PurchaseOptions & { customer: string; keys: string[] },
): Promise<Stripe.Subscription> {
  const { data } = await stripe.prices.list({ lookup_keys: keys, limit: 100 })
  const items = keys.map((key) => {
    const price = data.find(({ lookup_key: known }) => known === key)
    if (!price) throw new Error(`no price ${key}`)
    return { price: price.id }
  })
  if (invoice)
    return stripe.subscriptions.create({
      ...{ customer, items, collection_method: 'send_invoice', days_until_due: 30 },
      ...more,
    })
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer })
  return stripe.subscriptions.create({ customer, items, default_payment_method: card.id, ...more })
}
