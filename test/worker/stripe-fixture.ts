import type Stripe from 'stripe'
import { createEmulator, type EmulatorOptions, type StripeEmulator } from '../../emulators/stripe/emulator.ts'
import { syncPriceList } from '../../src/features/billing/price-list'
import { stripeClientFor } from './billing-fixture'

export const DAY_MS = 86_400_000
export const WEBHOOK_SECRET = 'whsec_shop'
export const seconds = (iso: string): number => Date.parse(iso) / 1000
export const iso = (at: number | null | undefined): string | null =>
  at === null || at === undefined ? null : new Date(at * 1000).toISOString()

export interface StripeFixture {
  stripe: Stripe
  emulator: StripeEmulator
  /** Moves the clock of both to an instant, and lets happen what is due until then. */
  goTo: (at: string | number) => Promise<void>
  /** Id of the price under a key of the catalogue. */
  price: (key: string) => Promise<string>
  /** A customer with a card that works, or that is refused. */
  customer: (card?: 'pm_card_visa' | 'pm_card_chargeCustomerFail') => Promise<string>
  /** A subscription of a new customer's, paid by card. */
  subscribe: (
    keys: Record<string, number>,
    more?: Partial<Stripe.SubscriptionCreateParams>,
  ) => Promise<Stripe.Subscription>
  lines: (invoice: Stripe.Invoice | string | null) => Promise<[string | null, number][]>
}

/** The emulator with the catalogue, a clock that stands at an instant, and the real library. */
export async function createStripeFixture(
  at = '2026-01-31T10:00:00Z',
  options: Partial<EmulatorOptions> = {},
): Promise<StripeFixture> {
  let now = Date.parse(at)
  const emulator = createEmulator({
    origin: 'http://localhost:4242',
    secretKey: 'sk_test_shop',
    webhook: null,
    now: () => now,
    ...options,
  })
  const stripe = stripeClientFor(emulator, 'sk_test_shop')
  await syncPriceList(stripe)
  const price = async (key: string): Promise<string> => {
    const [found] = (await stripe.prices.list({ lookup_keys: [key] })).data
    if (found === undefined) throw new Error(`no price ${key}`)
    return found.id
  }
  const customer: StripeFixture['customer'] = async (card = 'pm_card_visa') => {
    const { id } = await stripe.customers.create({ name: 'Alfa AB', email: 'alfa@example.com' })
    const method = await stripe.paymentMethods.attach(card, { customer: id })
    await stripe.customers.update(id, { invoice_settings: { default_payment_method: method.id } })
    return id
  }
  return {
    stripe,
    emulator,
    price,
    customer,
    goTo: async (when) => {
      now = typeof when === 'string' ? Date.parse(when) : when * 1000
      await emulator.tick()
    },
    subscribe: async (keys, more = {}) =>
      stripe.subscriptions.create({
        customer: more.customer ?? (await customer()),
        items: await Promise.all(
          Object.entries(keys).map(async ([key, quantity]) => ({ price: await price(key), quantity })),
        ),
        ...more,
      }),
    lines: async (invoice) => {
      const whole = typeof invoice === 'string' ? await stripe.invoices.retrieve(invoice) : invoice
      return whole?.lines.data.map(({ description, amount }): [string | null, number] => [description, amount]) ?? []
    },
  }
}
