import type Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import { createStripeFixture, seconds, type StripeFixture } from '../../../test/worker/stripe-fixture'

const idOf = (named: string | { id: string }): string => (typeof named === 'string' ? named : named.id)
const START = '2026-04-01T00:00:00Z'
const statusOf = async ({ stripe }: StripeFixture, { id }: { id: string }): Promise<string> =>
  (await stripe.subscriptions.retrieve(id)).status
const invoicesOf = async ({ stripe }: StripeFixture, { id }: { id: string }): Promise<Stripe.Invoice[]> =>
  (await stripe.invoices.list({ subscription: id, limit: 100 })).data
const planOf = async ({ stripe }: StripeFixture, { id }: { id: string }): Promise<(string | null)[]> =>
  (await stripe.subscriptions.retrieve(id)).items.data.map(({ price }) => price.lookup_key)

const byTransfer: Partial<Stripe.SubscriptionCreateParams> = {
  collection_method: 'send_invoice',
  days_until_due: 30,
  payment_settings: {
    payment_method_types: ['customer_balance'],
    payment_method_options: {
      customer_balance: {
        funding_type: 'bank_transfer',
        bank_transfer: { type: 'eu_bank_transfer', eu_bank_transfer: { country: 'BE' } },
      },
    },
  },
}

describe('what is not paid', () => {
  it('makes a subscription past due when a renewal is refused, tries again, and is active once it is paid', async () => {
    const shop = await createStripeFixture(START)
    const made = await shop.subscribe({ standard_monthly: 1 })
    shop.emulator.fail('decline', 2)
    await shop.goTo('2026-05-01T01:00:00Z')
    expect(await statusOf(shop, made)).toBe('past_due')
    expect((await invoicesOf(shop, made))[0]).toMatchObject({
      status: 'open',
      attempted: true,
      attempt_count: 1,
      next_payment_attempt: seconds('2026-05-04T01:00:00Z'),
      parent: { subscription_details: { subscription: made.id } },
    })
    await shop.goTo('2026-05-04T01:00:00Z')
    expect(await statusOf(shop, made)).toBe('past_due')
    await shop.goTo('2026-05-09T01:00:00Z')
    expect(await statusOf(shop, made)).toBe('active')
    expect((await invoicesOf(shop, made))[0]).toMatchObject({ status: 'paid', attempt_count: 3 })
    expect(shop.emulator.events().filter(({ type }) => type === 'invoice.payment_failed')).toHaveLength(2)
  })

  it.each([
    ['past_due', 'past_due'],
    ['unpaid', 'unpaid'],
    ['canceled', 'canceled'],
  ] as const)(
    'leaves a subscription %s after the last attempt when the account says so',
    async (afterRetries, status) => {
      const shop = await createStripeFixture(START, { afterRetries })
      const made = await shop.subscribe({ standard_monthly: 1 })
      shop.emulator.fail('decline', 100)
      await shop.goTo('2026-05-20T00:00:00Z')
      expect(await statusOf(shop, made)).toBe(status)
    },
  )

  it('makes an invoice overdue after its days, and the transfer that comes then puts it right', async () => {
    const shop = await createStripeFixture(START)
    const made = await shop.subscribe({ standard_monthly: 1 }, byTransfer)
    expect(made.status).toBe('active')
    const [draft] = await invoicesOf(shop, made)
    const open = await shop.stripe.invoices.finalizeInvoice(draft?.id ?? '')
    expect(open).toMatchObject({ status: 'open', amount_due: 45_000, due_date: seconds('2026-05-01T00:00:00Z') })
    expect(open.hosted_invoice_url).toBe(`http://localhost:4242/invoices/${open.id}`)
    await shop.goTo('2026-05-01T00:00:00Z')
    expect(await statusOf(shop, made)).toBe('active')
    const transfer = (amount: number) =>
      shop.emulator.fetch(
        new Request('http://localhost:4242/_sim/bank-transfer', {
          method: 'POST',
          body: JSON.stringify({ invoice: open.id, amount }),
        }),
      )
    await shop.goTo('2026-05-01T00:00:01Z')
    expect(await statusOf(shop, made)).toBe('past_due')
    await transfer(5_000)
    expect(await shop.stripe.invoices.retrieve(open.id ?? '')).toMatchObject({
      amount_paid: 5_000,
      amount_remaining: 40_000,
    })
    expect(shop.emulator.desk.transfer(open.id ?? '')).toEqual({ ok: true })
    expect(await shop.stripe.invoices.retrieve(open.id ?? '')).toMatchObject({ status: 'paid', amount_remaining: 0 })
    expect(await statusOf(shop, made)).toBe('active')
  })

  it('refuses a country of bank transfers that the account does not offer', async () => {
    const shop = await createStripeFixture(START, { bankTransferCountries: ['DE'] })
    await expect(shop.subscribe({ standard_monthly: 1 }, byTransfer)).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      param: expect.stringContaining('country'),
    })
    const customer = await shop.customer()
    const ask = { currency: 'eur', funding_type: 'bank_transfer' } as const
    const told = await shop.stripe.customers.createFundingInstructions(customer, {
      ...ask,
      bank_transfer: { type: 'eu_bank_transfer', eu_bank_transfer: { country: 'DE' } },
    })
    expect(told.bank_transfer.financial_addresses[0]?.iban?.country).toBe('DE')
  })

  it('takes a card on the page of an invoice, and keeps none that is refused', async () => {
    const shop = await createStripeFixture(START)
    const made = await shop.subscribe({ standard_monthly: 1 }, byTransfer)
    await shop.goTo('2026-04-01T01:00:00Z')
    const [open] = await invoicesOf(shop, made)
    expect(shop.emulator.desk.payInvoice(open?.id ?? '', 'declined')).toMatchObject({ ok: false })
    expect((await invoicesOf(shop, made))[0]).toMatchObject({ status: 'open', attempted: true, amount_paid: 0 })
    expect(await statusOf(shop, made)).toBe('active')
    expect(shop.emulator.desk.payInvoice(open?.id ?? '', 'works')).toEqual({ ok: true })
    expect((await invoicesOf(shop, made))[0]).toMatchObject({ status: 'paid', amount_paid: 45_000 })
  })

  it('ends what was begun and never paid after a day', async () => {
    const shop = await createStripeFixture(START)
    const made = await shop.subscribe({ standard_monthly: 1 }, { payment_behavior: 'default_incomplete' })
    expect(made.status).toBe('incomplete')
    await shop.goTo('2026-04-02T00:00:00Z')
    expect(await statusOf(shop, made)).toBe('incomplete_expired')
    expect((await invoicesOf(shop, made)).map(({ status }) => status)).toEqual(['void'])
  })

  it('refuses two currencies for one customer, and the card of another, as Stripe does', async () => {
    const shop = await createStripeFixture(START)
    const { customer } = await shop.subscribe({ older_3_monthly: 1 })
    const cards = await shop.stripe.paymentMethods.list({ customer: idOf(customer) })
    const cardId = cards.data[0]?.id ?? ''
    const more = shop.subscribe({ premium_sync_3_monthly: 1 }, { customer: idOf(customer) })
    await expect(more).rejects.toThrow(/cannot combine currencies/)
    const params = { mode: 'subscription', success_url: 'http://localhost/', customer: idOf(customer) } as const
    const { data } = await shop.stripe.prices.list({ lookup_keys: ['premium_sync_3_monthly'] })
    const items = [{ price: data[0]?.id ?? '', quantity: 1 }]
    const page = shop.stripe.checkout.sessions.create({ ...params, line_items: items })
    await expect(page).rejects.toThrow(/cannot combine currencies/)
    const { id: other } = await shop.stripe.customers.create({ email: 'other@example.com' })
    const theirs = shop.stripe.subscriptions.create({ customer: other, items, default_payment_method: cardId })
    await expect(theirs).rejects.toThrow(/must be attached to the customer/)
    await expect(shop.stripe.paymentMethods.attach(cardId, { customer: other })).rejects.toThrow(
      /already been attached/,
    )
  })
})

describe('ends and schedules', () => {
  it('ends with the period when it was cancelled, unless that is taken back', async () => {
    const shop = await createStripeFixture(START)
    const made = await shop.subscribe({ standard_monthly: 1 })
    const cancelled = await shop.stripe.subscriptions.update(made.id, { cancel_at_period_end: true })
    expect(cancelled).toMatchObject({ status: 'active', cancel_at: seconds('2026-05-01T00:00:00Z') })
    await shop.stripe.subscriptions.update(made.id, { cancel_at_period_end: false })
    await shop.goTo('2026-05-01T01:00:00Z')
    expect(await statusOf(shop, made)).toBe('active')
    const portal = await shop.stripe.billingPortal.sessions.create({ customer: idOf(made.customer) })
    shop.emulator.desk.cancel(portal.id, made.id)
    // The portal tells the end by its date alone.
    expect(await shop.stripe.subscriptions.retrieve(made.id)).toMatchObject({
      cancel_at_period_end: false,
      cancel_at: seconds('2026-06-01T00:00:00Z'),
    })
    await shop.goTo('2026-06-01T00:00:00Z')
    expect(await shop.stripe.subscriptions.retrieve(made.id)).toMatchObject({
      status: 'canceled',
      ended_at: seconds('2026-06-01T00:00:00Z'),
    })
    expect(await invoicesOf(shop, made)).toHaveLength(2)
  })

  async function scheduled(
    fixture: StripeFixture,
    to: string,
  ): Promise<{ made: Stripe.Subscription; schedule: string }> {
    const made = await fixture.subscribe({ professional_monthly: 1, extra_source_monthly: 2 })
    const { id, phases } = await fixture.stripe.subscriptionSchedules.create({ from_subscription: made.id })
    const [now] = phases
    if (now === undefined) throw new Error('no phase')
    await fixture.stripe.subscriptionSchedules.update(id, {
      end_behavior: 'release',
      phases: [
        {
          start_date: now.start_date,
          end_date: now.end_date,
          items: now.items.map(({ price, quantity }) => ({ price: idOf(price), quantity: quantity ?? 1 })),
        },
        { items: [{ price: await fixture.price(to), quantity: 1 }], proration_behavior: 'none' },
      ],
    })
    return { made, schedule: id }
  }

  it('puts the next phase in force when the period ends, with nothing to settle, and lets go after it', async () => {
    const shop = await createStripeFixture(START)
    const { made, schedule } = await scheduled(shop, 'personal_monthly')
    const upcoming = await shop.stripe.invoices.createPreview({ customer: idOf(made.customer), schedule })
    expect(upcoming.total).toBe(19_500)
    await shop.goTo('2026-04-30T23:59:59Z')
    expect(await planOf(shop, made)).toEqual(['professional_monthly', 'extra_source_monthly'])
    await shop.goTo('2026-05-01T01:00:00Z')
    expect(await planOf(shop, made)).toEqual(['personal_monthly'])
    expect((await invoicesOf(shop, made))[0]).toMatchObject({ status: 'paid', total: 19_500 })
    await shop.goTo('2026-06-01T01:00:00Z')
    expect(await shop.stripe.subscriptionSchedules.retrieve(schedule)).toMatchObject({ status: 'released' })
    expect((await shop.stripe.subscriptions.retrieve(made.id)).schedule).toBeNull()
    expect(await planOf(shop, made)).toEqual(['personal_monthly'])
  })

  it('changes the interval at the end of the period, and renews by it from there', async () => {
    const shop = await createStripeFixture('2026-01-31T10:00:00Z')
    const { made } = await scheduled(shop, 'standard_yearly')
    await shop.goTo('2026-02-28T12:00:00Z')
    const { items } = await shop.stripe.subscriptions.retrieve(made.id)
    expect(items.data[0]?.current_period_end).toBe(seconds('2027-02-28T10:00:00Z'))
    expect((await invoicesOf(shop, made))[0]).toMatchObject({ status: 'paid', total: 540_000 })
  })

  it('forgets what was scheduled when it is released, and refuses to cancel beside it', async () => {
    const shop = await createStripeFixture(START)
    const { made, schedule } = await scheduled(shop, 'personal_monthly')
    const cancel = shop.stripe.subscriptions.update(made.id, { cancel_at_period_end: true })
    await expect(cancel).rejects.toThrow(/managed by the subscription schedule/)
    await shop.stripe.subscriptionSchedules.release(schedule)
    await shop.goTo('2026-05-01T01:00:00Z')
    expect(await planOf(shop, made)).toEqual(['professional_monthly', 'extra_source_monthly'])
  })
})
