import Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import { stripeIdOf } from './stripe-subscriptions'
import { createEmulator } from '../../../emulators/stripe/emulator.ts'
import { stripeClientFor } from '../../../test/worker/billing-fixture'
import { createStripeFixture, DAY_MS, seconds, WEBHOOK_SECRET } from '../../../test/worker/stripe-fixture'
import type { StripeFixture } from '../../../test/worker/stripe-fixture'

const START = '2026-04-01T00:00:00Z'
const checkout = async (fixture: StripeFixture, more: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
  fixture.stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: await fixture.customer(),
    line_items: [{ price: await fixture.price('standard_monthly'), quantity: 1 }],
    success_url: 'http://localhost:8787/done?session={CHECKOUT_SESSION_ID}',
    ...more,
  })

describe('checkout', () => {
  it('gives nothing for a card that is refused, and a subscription for one that works', async () => {
    const shop = await createStripeFixture(START)
    const session = await checkout(shop, { subscription_data: { metadata: { workspace_id: 'w1' } } })
    expect(session).toMatchObject({ status: 'open', url: `http://localhost:4242/checkout/${session.id}` })
    expect(shop.emulator.desk.payCheckout(session.id, 'declined')).toMatchObject({ ok: false })
    expect((await shop.stripe.subscriptions.list({ status: 'all' })).data).toEqual([])
    shop.emulator.fail('decline', 1)
    expect(shop.emulator.desk.payCheckout(session.id, 'works')).toMatchObject({ ok: false })
    expect(shop.emulator.desk.payCheckout(session.id, 'works')).toEqual({ ok: true })
    expect(shop.emulator.desk.payCheckout(session.id, 'works')).toMatchObject({ ok: false })
    const done = await shop.stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription.latest_invoice'] })
    expect(done).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      url: null,
      subscription: { status: 'active', metadata: { workspace_id: 'w1' }, latest_invoice: { amount_paid: 45_000 } },
    })
  })

  it('takes a trial of two days at least, and charges nothing before it ends', async () => {
    const shop = await createStripeFixture(START)
    const with_ = (trial_end: number) => checkout(shop, { subscription_data: { trial_end } })
    await expect(with_(seconds('2026-04-02T23:59:59Z'))).rejects.toThrow(/at least 2 days/)
    const session = await with_(seconds('2026-04-03T00:00:00Z'))
    expect(shop.emulator.desk.checkout(session.id)).toMatchObject({ dueNow: 0, later: { amount: 45_000 } })
    shop.emulator.desk.payCheckout(session.id, 'works')
    const [made] = (await shop.stripe.subscriptions.list({})).data
    expect(made).toMatchObject({ status: 'trialing', trial_end: seconds('2026-04-03T00:00:00Z') })
  })

  it('is over when it was expired, or after a day', async () => {
    const shop = await createStripeFixture(START)
    const [one, two] = [await checkout(shop), await checkout(shop)]
    await shop.stripe.checkout.sessions.expire(one.id)
    await expect(shop.stripe.checkout.sessions.expire(one.id)).rejects.toThrow(/open/)
    expect(shop.emulator.desk.payCheckout(one.id, 'works')).toMatchObject({ ok: false })
    await shop.goTo('2026-04-02T00:00:00Z')
    expect((await shop.stripe.checkout.sessions.retrieve(two.id)).status).toBe('expired')
  })
})

describe('calls', () => {
  it('answers a key of idempotency once, and refuses it with other parameters', async () => {
    const { stripe } = await createStripeFixture(START)
    const same = { idempotencyKey: 'k1' }
    const together = Array.from({ length: 20 }, () => stripe.customers.create({ name: 'Alfa' }, same))
    expect(new Set((await Promise.all(together)).map(({ id }) => id)).size).toBe(1)
    await expect(stripe.customers.create({ name: 'Beta' }, same)).rejects.toMatchObject({
      type: 'StripeIdempotencyError',
      statusCode: 400,
    })
    // What was refused before anything was done may be put right under the same key.
    const key = { idempotencyKey: 'k2' }
    await expect(stripe.subscriptions.create({ customer: 'cus_none', items: [] }, key)).rejects.toMatchObject({
      code: 'resource_missing',
    })
    expect((await stripe.customers.list({})).data).toHaveLength(1)
  })

  it('refuses a wrong key, and says what is not there', async () => {
    const { stripe, emulator } = await createStripeFixture(START)
    await expect(stripeClientFor(emulator, 'sk_test_other').customers.list()).rejects.toMatchObject({
      type: 'StripeAuthenticationError',
      statusCode: 401,
    })
    await expect(stripe.customers.retrieve('cus_none')).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      statusCode: 404,
      code: 'resource_missing',
    })
    await expect(stripe.coupons.list()).rejects.toMatchObject({ statusCode: 404 })
  })

  it('fails as ordered, for so many calls, and does what it lost the answer of', async () => {
    const { stripe, emulator } = await createStripeFixture(START)
    const types: string[] = []
    for (const mode of ['500', '503', '429', 'down', 'lost'] as const) {
      emulator.fail(mode, 1)
      await stripe.customers.create({ name: mode }).catch((error: Error) => types.push(error.constructor.name))
    }
    expect(types).toEqual([
      ...['StripeAPIError', 'StripeAPIError', 'StripeRateLimitError', 'StripeConnectionError', 'StripeConnectionError'],
    ])
    emulator.fail('slow', 1, 20)
    const asked = performance.now()
    await stripe.customers.create({ name: 'slow' })
    expect(performance.now() - asked).toBeGreaterThanOrEqual(15)
    expect((await stripe.customers.list()).data.map(({ name }) => name)).toEqual(['slow', 'lost'])
  })

  it('pages through lists, newest first', async () => {
    const { stripe } = await createStripeFixture(START)
    const made: string[] = []
    for (let count = 0; count < 7; count++) made.push((await stripe.customers.create({})).id)
    const all = await stripe.customers.list({ limit: 3 }).autoPagingToArray({ limit: 100 })
    expect(all.map(({ id }) => id)).toEqual(made.toReversed())
    const middle = await stripe.customers.list({ limit: 3, ending_before: made[1] ?? '' })
    expect([middle.has_more, middle.data.map(({ id }) => id)]).toEqual([true, [made[4], made[3], made[2]]])
  })

  it('goes on from what was saved', async () => {
    let saved = ''
    const options = {
      origin: 'http://localhost:4242',
      secretKey: 'sk_test_shop',
      webhook: null,
      now: () => Date.parse(START),
    }
    const first = await createStripeFixture(START, { save: (json) => (saved = json) })
    const made = await first.subscribe({ standard_monthly: 1 })
    const again = createEmulator({ ...options, saved })
    again.advance(31 * DAY_MS)
    const renewed = await stripeClientFor(again, 'sk_test_shop').invoices.list({ subscription: made.id })
    expect(renewed.data.map(({ billing_reason }) => billing_reason)).toEqual([
      'subscription_cycle',
      'subscription_create',
    ])
  })

  it('tells everything from today when its clock is ahead', async () => {
    const shop = await createStripeFixture(START)
    const made = await shop.subscribe(
      { standard_monthly: 1 },
      { collection_method: 'send_invoice', days_until_due: 30 },
    )
    shop.emulator.advance(3 * DAY_MS)
    const [open] = (await shop.stripe.invoices.list({ subscription: made.id })).data
    expect(open?.created).toBe(seconds('2026-03-29T00:00:00Z'))
    const ahead = await shop.stripe.subscriptions.retrieve(made.id)
    expect(ahead.items.data[0]?.current_period_end).toBe(seconds('2026-04-28T00:00:00Z'))
    const trial_end = seconds('2026-05-05T00:00:00Z')
    const later = await shop.stripe.subscriptions.update(made.id, { trial_end, proration_behavior: 'none' })
    expect([later.trial_end, later.items.data[0]?.current_period_end]).toEqual([trial_end, trial_end])
    shop.emulator.advance(30 * DAY_MS)
    expect((await shop.stripe.invoices.retrieve(open?.id ?? '')).due_date).toBeLessThan(seconds(START))
  })

  it('words days and sums as Stripe does, on its pages as in its answers, and tells days from today', async () => {
    const shop = await createStripeFixture(START)
    const made = await shop.subscribe({ standard_yearly: 1 })
    await shop.stripe.customers.createTaxId(stripeIdOf(made.customer) ?? '', {
      type: 'eu_vat',
      value: 'SE556677889901',
    })
    shop.emulator.advance(10 * DAY_MS)
    const items = [{ price: await shop.price('extra_source_yearly') }]
    const { latest_invoice: latest } = await shop.stripe.subscriptions.update(made.id, {
      ...{ items, proration_behavior: 'always_invoice' },
    })
    const [first] = (await shop.stripe.invoices.list({ subscription: made.id })).data.slice(-1)
    expect(await shop.lines(first ?? null)).toEqual([['1 × Standard (at €5,400.00 / year)', 540_000]])
    const shown = shop.emulator.desk.invoice(stripeIdOf(latest) ?? '')
    expect(shown?.lines.map(({ text }) => text)).toEqual(['Remaining time on Extra data source after 1 Apr 2026'])
    expect((await shop.lines(latest)).map(([text]) => text)).toEqual(shown?.lines.map(({ text }) => text))
    expect(shown?.notes).toEqual([{ name: 'VAT number', value: 'SE556677889901' }])
  })
})

describe('events', () => {
  async function listening(answer: (id: string) => number = () => 200) {
    const heard: string[] = []
    const fixture: StripeFixture = await createStripeFixture(START, {
      webhook: {
        url: 'http://localhost:8787/api/stripe/webhook',
        secret: WEBHOOK_SECRET,
        send: async (request) => {
          const event = await fixture.stripe.webhooks.constructEventAsync(
            await request.text(),
            request.headers.get('stripe-signature') ?? '',
            WEBHOOK_SECRET,
            300,
            Stripe.createSubtleCryptoProvider(),
            Date.parse(START),
          )
          const status = answer(event.id)
          if (status === 200) heard.push(event.type)
          return new Response(null, { status })
        },
      },
    })
    return { shop: fixture, heard }
  }

  it('are signed so that the library accepts them, in order, each once', async () => {
    const { shop, heard } = await listening()
    await shop.subscribe({ standard_monthly: 1 })
    await shop.emulator.tick()
    await shop.emulator.tick()
    expect(heard).toContain('customer.subscription.created')
    expect(heard.indexOf('invoice.finalized')).toBeLessThan(heard.indexOf('invoice.paid'))
    expect(heard.filter((type) => type === 'invoice.paid')).toHaveLength(1)
  })

  it('come twice or out of order when that is asked for, and wait when they are held', async () => {
    const { shop, heard } = await listening()
    shop.emulator.webhooks('hold')
    await shop.subscribe({ standard_monthly: 1 })
    await shop.emulator.tick()
    expect(heard).toEqual([])
    shop.emulator.webhooks('duplicates')
    await shop.emulator.tick()
    expect(heard.filter((type) => type === 'invoice.paid')).toHaveLength(2)
    shop.emulator.webhooks('disorder')
    const once = heard.length
    await shop.subscribe({ standard_monthly: 1 })
    await shop.emulator.tick()
    expect(heard.slice(once).toSorted()).toEqual(
      heard
        .slice(0, once)
        .filter((_, at) => at % 2 === 0)
        .toSorted(),
    )
  })

  it('are told again, later and later, until they are heard', async () => {
    let down = true
    const { shop, heard } = await listening(() => (down ? 503 : 200))
    await shop.stripe.customers.create({ name: 'Alfa' })
    await shop.emulator.tick()
    down = false
    await shop.emulator.tick()
    expect(heard).toEqual([])
    shop.emulator.advance(5_000)
    await shop.emulator.tick()
    expect(heard).toEqual(['customer.created'])
  })

  it('carry the object as it was then, and what of it changed', async () => {
    const { shop } = await listening()
    const made = await shop.subscribe({ standard_monthly: 1 })
    await shop.stripe.subscriptions.update(made.id, { metadata: { po: '42' } })
    await shop.stripe.subscriptions.update(made.id, { metadata: { po: '43' } })
    const updated = shop.emulator.events().filter(({ type }) => type === 'customer.subscription.updated')
    expect(updated.slice(-2).map(({ data }) => data)).toMatchObject([
      { object: { metadata: { po: '42' } }, previous_attributes: { metadata: {} } },
      { object: { metadata: { po: '43' } }, previous_attributes: { metadata: { po: '42' } } },
    ])
  })
})
