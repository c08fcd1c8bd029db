import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addIntervals, periodAround } from '../../../emulators/stripe/calendar.ts'
import type Stripe from 'stripe'
import { LONG } from '../../../test/long'
import { createStripeFixture, iso, seconds, type StripeFixture } from '../../../test/worker/stripe-fixture'

const itemOf = ({ items }: Stripe.Subscription, at = 0): Stripe.SubscriptionItem => {
  const item = items.data[at]
  if (item === undefined) throw new Error('no item')
  return item
}
const periodEnd = (subscription: Stripe.Subscription): string | null => iso(itemOf(subscription).current_period_end)
const latestOf = async ({ stripe }: StripeFixture, id: string): Promise<Stripe.Invoice> => {
  const { latest_invoice: latest } = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
  if (latest === null || typeof latest === 'string') throw new Error('no invoice')
  return latest
}

describe('periods of the stand-in (TIME-3)', () => {
  it.each([
    ['2026-01-31T10:00:00Z', 'monthly', ['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']],
    ['2027-12-30T23:59:59Z', 'monthly', ['2028-01-30', '2028-02-29', '2028-03-30']],
    ['2028-02-29T00:00:00Z', 'yearly', ['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']],
    ['2026-12-01T10:00:00Z', 'yearly', ['2027-12-01', '2028-12-01']],
  ])(
    'renews what began at %s %s on the anchor’s day, or on the last of a shorter month',
    async (at, interval, days) => {
      const shop = await createStripeFixture(at)
      const made = await shop.subscribe({ [`standard_${interval}`]: 1 })
      const renewed: (string | null)[] = [periodEnd(made)]
      for (const end of days.slice(0, -1)) {
        await shop.goTo(`${end}${at.slice(10)}`)
        renewed.push(periodEnd(await shop.stripe.subscriptions.retrieve(made.id)))
      }
      expect(renewed).toEqual(days.map((day) => `${day}${at.slice(10).replace('Z', '.000Z')}`))
      const { data } = await shop.stripe.invoices.list({ subscription: made.id })
      expect(data.map(({ billing_reason, total }) => [billing_reason, total])).toEqual(
        days.map((_, index) => [
          index === days.length - 1 ? 'subscription_create' : 'subscription_cycle',
          interval === 'monthly' ? 45_000 : 540_000,
        ]),
      )
    },
  )

  it('puts every instant in one period, which begins and ends on days of the anchor', () => {
    const instant = fc.integer({ min: seconds('2000-01-01T00:00:00Z'), max: seconds('2099-12-31T00:00:00Z') })
    fc.assert(
      fc.property(instant, instant, fc.constantFrom('month' as const, 'year' as const), (anchor, at, interval) => {
        const cadence = { interval, count: 1 }
        const { start, end } = periodAround(anchor, cadence, at)
        expect(start <= at && at < end).toBe(true)
        const day = new Date(anchor * 1000).getUTCDate()
        for (const edge of [start, end]) {
          const date = new Date(edge * 1000)
          const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
          expect(date.getUTCDate()).toBe(Math.min(day, last))
          expect(edge % 86_400).toBe(anchor % 86_400)
        }
        expect(addIntervals(anchor, cadence, 12) - addIntervals(anchor, cadence, 0)).toBeGreaterThan(0)
      }),
    )
  })
})

describe('changes in the middle of a period', () => {
  it('gives back the unused time and charges the rest, by the second', async () => {
    const shop = await createStripeFixture('2026-04-01T00:00:00Z')
    const made = await shop.subscribe({ standard_monthly: 1, extra_source_monthly: 2 })
    await shop.goTo('2026-04-11T00:00:00Z')
    const items = [
      { id: itemOf(made).id, price: await shop.price('professional_monthly') },
      { id: itemOf(made, 1).id, quantity: 3 },
      { price: await shop.price('user_pack_10_monthly') },
    ]
    await shop.stripe.subscriptions.update(made.id, { items, proration_behavior: 'always_invoice' })
    const invoice = await latestOf(shop, made.id)
    expect(await shop.lines(invoice)).toEqual([
      ['Unused time on Standard after 11 Apr 2026', -30_000],
      ['Unused time on 2 × Extra data source after 11 Apr 2026', -2_667],
      ['Remaining time on Professional after 11 Apr 2026', 59_667],
      ['Remaining time on 3 × Extra data source after 11 Apr 2026', 4_000],
      ['Remaining time on 10-user pack after 11 Apr 2026', 1_333],
    ])
    expect(invoice).toMatchObject({ status: 'paid', total: 32_333, billing_reason: 'subscription_update' })
    expect(periodEnd(await shop.stripe.subscriptions.retrieve(made.id))).toBe('2026-05-01T00:00:00.000Z')
  })

  it('charges exactly what the preview showed, whatever is changed and when (BIL-7)', async () => {
    const shop = await createStripeFixture('2026-01-31T10:00:00Z')
    const keys = ['personal_monthly', 'standard_monthly', 'professional_monthly', 'standard_yearly']
    const prices = await Promise.all(keys.map(shop.price))
    const price = fc.constantFrom(...prices)
    const quantity = fc.integer({ min: 1, max: 7 })
    const later = fc.integer({ min: 0, max: 27 * 86_400 })
    const behaviour = fc.constantFrom('always_invoice' as const, 'none' as const)
    await fc.assert(
      fc.asyncProperty(price, price, quantity, later, behaviour, async (from, to, many, after, proration) => {
        await shop.goTo('2026-01-31T10:00:00Z')
        const customer = await shop.customer()
        const made = await shop.stripe.subscriptions.create({ customer, items: [{ price: from, quantity: 2 }] })
        const at = seconds('2026-01-31T10:00:00Z') + after
        await shop.goTo(at)
        const details = {
          items: [{ id: itemOf(made).id, price: to, quantity: many }],
          proration_behavior: proration,
          proration_date: at,
        }
        const shown = await shop.stripe.invoices.createPreview({
          customer,
          subscription: made.id,
          subscription_details: details,
        })
        await shop.goTo(at + 40)
        await shop.stripe.subscriptions.update(made.id, details)
        const { data } = await shop.stripe.invoices.list({ subscription: made.id })
        const [charged] = data
        if (data.length === 1) {
          expect(proration === 'none' || (from === to && many === 2)).toBe(true)
          return
        }
        expect([shown.total, shown.amount_due, await shop.lines(shown)]).toEqual([
          charged?.total,
          charged?.amount_due,
          await shop.lines(charged ?? null),
        ])
        expect(Number.isInteger(charged?.total)).toBe(true)
      }),
      { numRuns: LONG ? 25 : 8 },
    )
  })

  it('begins a new period at once when it becomes longer, and keeps what is left as credit when it becomes cheaper', async () => {
    const shop = await createStripeFixture('2026-04-01T00:00:00Z')
    const made = await shop.subscribe({ standard_yearly: 1 })
    await shop.goTo('2026-04-11T00:00:00Z')
    const items = [{ id: itemOf(made).id, price: await shop.price('standard_monthly') }]
    const changed = await shop.stripe.subscriptions.update(made.id, { items })
    expect(periodEnd(changed)).toBe('2026-05-11T00:00:00.000Z')
    const invoice = await latestOf(shop, made.id)
    const credit = -Math.round((540_000 * 355) / 365)
    expect(invoice).toMatchObject({
      status: 'paid',
      amount_due: 0,
      total: credit + 45_000,
      ending_balance: credit + 45_000,
    })
    await shop.goTo('2026-05-11T02:00:00Z')
    const next = await latestOf(shop, made.id)
    expect(next).toMatchObject({ status: 'paid', amount_due: 0, ending_balance: credit + 90_000 })
  })

  it('lets prorations wait for the next invoice unless told otherwise, and shows them in what comes next', async () => {
    const shop = await createStripeFixture('2026-04-01T00:00:00Z')
    const made = await shop.subscribe({ standard_monthly: 1 })
    await shop.goTo('2026-04-16T00:00:00Z')
    await shop.stripe.subscriptions.update(made.id, { items: [{ id: itemOf(made).id, quantity: 2 }] })
    const upcoming = await shop.stripe.invoices.createPreview({ subscription: made.id })
    expect(upcoming.total).toBe(-22_500 + 45_000 + 90_000)
    await shop.goTo('2026-05-01T00:30:00Z')
    expect(await latestOf(shop, made.id)).toMatchObject({ status: 'draft', total: upcoming.total })
    await shop.goTo('2026-05-01T01:00:00Z')
    expect(await latestOf(shop, made.id)).toMatchObject({ status: 'paid', amount_paid: upcoming.total })
  })

  it('changes nothing when the card is refused and half a change is not wanted', async () => {
    const shop = await createStripeFixture('2026-04-01T00:00:00Z')
    const made = await shop.subscribe({ standard_monthly: 1 })
    shop.emulator.fail('decline', 1)
    const items = [{ id: itemOf(made).id, price: await shop.price('professional_monthly') }]
    const ask = { items, proration_behavior: 'always_invoice', payment_behavior: 'error_if_incomplete' } as const
    await expect(shop.stripe.subscriptions.update(made.id, ask)).rejects.toMatchObject({
      type: 'StripeCardError',
      statusCode: 402,
      code: 'card_declined',
    })
    expect(itemOf(await shop.stripe.subscriptions.retrieve(made.id)).price.lookup_key).toBe('standard_monthly')
    await shop.stripe.subscriptions.update(made.id, ask)
    expect(await latestOf(shop, made.id)).toMatchObject({ status: 'paid', total: 44_500 })
  })

  it('asks nothing for a change during a trial, and all of it when the trial ends', async () => {
    const shop = await createStripeFixture('2026-04-01T00:00:00Z')
    const trial_end = seconds('2026-04-06T12:00:00Z')
    const made = await shop.subscribe({ standard_monthly: 1 }, { trial_end })
    expect(made.status).toBe('trialing')
    expect(await latestOf(shop, made.id)).toMatchObject({ status: 'paid', total: 0 })
    const items = [{ id: itemOf(made).id, price: await shop.price('professional_monthly') }]
    await shop.stripe.subscriptions.update(made.id, { items, proration_behavior: 'always_invoice' })
    expect((await shop.stripe.invoices.list({ subscription: made.id })).data).toHaveLength(1)
    await shop.goTo('2026-04-06T13:00:00Z')
    const renewed = await shop.stripe.subscriptions.retrieve(made.id)
    expect([renewed.status, periodEnd(renewed)]).toEqual(['active', '2026-05-06T12:00:00.000Z'])
    expect(await latestOf(shop, made.id)).toMatchObject({ status: 'paid', total: 89_500 })
  })
})
