import { beforeEach, describe, expect, it } from 'vitest'
import { createBillingFixture, type BillingFixture } from '../../../test/worker/billing-fixture'
import { createCustomer, billingDeps, type TestCustomer } from '../../../test/worker/customers'
import { countingDatabase } from '../../../test/worker/test-database'
import { signedIn } from '../../../test/worker/factories'
import { reverseChargeOf } from './invoices'
import { createApp } from '../../app'
import { sha256Hex } from '../../lib/hash'
import type { ListPage } from '../../shared/field-schemas'
import type { InvoiceView, SubscriptionView, UpcomingInvoices } from '../../shared/billing/subscription'

const DAY_MS = 24 * 60 * 60 * 1000

let billing: BillingFixture
let me: TestCustomer
beforeEach(async () => {
  billing = await createBillingFixture()
  me = await createCustomer(billing)
})
const get = async <T>(path = '', status = 200): Promise<T> => {
  const answer = await me.fetch(`/api/subscription${path}`)
  expect([path, answer.status]).toEqual([path, status])
  return answer.json()
}
const refresh = async (): Promise<SubscriptionView> =>
  (await me.fetch('/api/subscription/refresh', { method: 'POST' })).json()

/** Another owner, who signs in when time has passed. */
const later = () => {
  const { app, clock } = billing
  return signedIn({ app, workspaceId: me.workspaceId, session: { createdAt: clock.now() } })
}

describe('the subscription', () => {
  it('is shown as it is known, by few reads and without a question to Stripe (BIL-6)', async () => {
    await me.buys(['standard_monthly', 'extra_source_monthly'])
    await billing.emulator.tick()
    const { db, trips } = countingDatabase()
    const asked: string[] = []
    const operatorFetcher = (request: Request): Promise<Response> => {
      asked.push(request.url)
      return Promise.reject(new Error('down'))
    }
    const app = createApp({ ...billing.overrides, db, operatorFetcher })
    const { workspaceId } = me
    const admin = await signedIn({ app, workspaceId, role: 'admin' })
    const answer = await admin.fetch('/api/subscription')
    expect([answer.status, asked, trips()]).toEqual([200, [], 4])
    expect(await answer.json()).toMatchObject({
      ...{ state: 'active', planId: 'standard', interval: 'monthly', addOns: { extra_source: 1 }, method: 'card' },
      ...{ cancelAt: null, scheduled: null, custom: false, mayChoose: false, frozen: null },
      details: { companyName: '', billingEmail: '', taxId: '', poReference: '' },
      meters: expect.arrayContaining([{ limit: 'dataSources', used: 0, max: 4, resetsAt: null }]),
    })
    for (const path of ['/upcoming', '/invoices']) {
      const away = await admin.fetch(`/api/subscription${path}`)
      expect([path, away.status, await away.json()]).toMatchObject([path, 503, { code: 'billing_unavailable' }])
    }
  })

  it('shows a trial, a plan of the operator, and what nobody has bought', async () => {
    expect(await get('')).toMatchObject({ state: 'trialing', planId: null, mayChoose: true, custom: false })
    expect([await get('/upcoming'), await get('/invoices')]).toEqual([null, { items: [], nextCursor: null }])
    const app = billing.app
    const custom = await signedIn({ app, subscription: { state: 'active', planId: 'enterprise', trialEndsAt: null } })
    expect(await (await custom.fetch('/api/subscription')).json()).toMatchObject({ planId: 'enterprise', custom: true })
    expect(await (await custom.fetch('/api/subscription/upcoming')).json()).toBeNull()
  })

  it('is asked for anew when somebody comes back from paying, before an event says so', async () => {
    billing.emulator.webhooks('hold')
    const { data } = await billing.stripe.prices.list({ lookup_keys: ['standard_yearly'] })
    const { id } = await billing.stripe.checkout.sessions.create({
      ...{ mode: 'subscription', customer: me.customerId, success_url: 'http://localhost/' },
      line_items: [{ price: data[0]?.id ?? '', quantity: 1 }],
    })
    expect(await refresh(), 'opened, not paid (BIL-8)').toMatchObject({ state: 'trialing', planId: null })
    expect(billing.emulator.desk.payCheckout(id, 'works')).toEqual({ ok: true })
    expect(await refresh()).toMatchObject({ state: 'active', planId: 'standard', interval: 'yearly' })
    billing.emulator.fail('500')
    const away = await me.fetch('/api/subscription/refresh', { method: 'POST' })
    expect([away.status, (await get<SubscriptionView>()).planId]).toEqual([503, 'standard'])
  })
})

describe('invoices', () => {
  it('are asked for so many times an hour, with whatever else is asked of Stripe by reading (RATE-1)', async () => {
    const { rateLimiter } = billingDeps(billing)
    const taken = rateLimiter.getByName(await sha256Hex(`askBilling ${me.workspaceId}`))
    await taken.take(billing.clock.now(), 600, 60 * 60 * 1000, 598)
    const paths = ['/invoices', '/upcoming', '/invoices', '/upcoming']
    const statuses: number[] = []
    for (const path of paths) statuses.push((await me.fetch(`/api/subscription${path}`)).status)
    expect(statuses).toEqual([200, 200, 429, 429])
  })

  it('say when the customer pays the VAT, with the numbers as they were when the invoice was written', async () => {
    const { stripe } = billing
    await stripe.taxIds.create({ type: 'eu_vat', value: 'SE556677889901' })
    await stripe.customers.update(me.customerId, { tax_exempt: 'reverse' })
    await stripe.customers.createTaxId(me.customerId, { type: 'eu_vat', value: 'DE123456789' })
    await me.buys(['standard_monthly'])
    await stripe.customers.update(me.customerId, { tax_exempt: 'none' })
    const [taxId] = (await stripe.customers.listTaxIds(me.customerId)).data
    await stripe.customers.deleteTaxId(me.customerId, taxId?.id ?? '')
    billing.clock.move(32 * DAY_MS)
    await billing.emulator.tick()
    billing.clock.move(DAY_MS)
    await billing.emulator.tick()
    me = { ...me, ...(await later()) }
    const { items } = await get<ListPage<InvoiceView>>('/invoices')
    expect(items.map(({ reverseCharge }) => reverseCharge)).toEqual([
      null,
      { sellerVatNumber: 'SE556677889901', customerVatNumber: 'DE123456789' },
    ])
  })

  it('say so too when Stripe worked the tax out, and leave out a number that is not given', () => {
    const tax = {
      amount: 0,
      tax_behavior: 'exclusive',
      tax_rate_details: null,
      taxable_amount: 450,
      type: 'tax_rate_details' as const,
    }
    const invoice = (reason: string) => ({
      ...{ account_tax_ids: null, customer_tax_exempt: 'none', customer_tax_ids: [{ type: 'us_ein', value: '12' }] },
      total_taxes: [{ ...tax, taxability_reason: reason }],
    })
    expect(reverseChargeOf(invoice('standard_rated'))).toBeNull()
    expect(reverseChargeOf(invoice('reverse_charge'))).toEqual({ sellerVatNumber: null, customerVatNumber: null })
  })

  it('come newest first, a page at a time, with the very amounts that are charged (BIL-7)', async () => {
    await me.buys(['older_3_monthly'])
    for (let month = 0; month < 2; month++) {
      billing.clock.move(32 * DAY_MS)
      await billing.emulator.tick()
    }
    const { customerId } = me
    me = { ...me, ...(await later()) }
    const first = await get<ListPage<InvoiceView>>('/invoices?limit=2')
    const rest = await get<ListPage<InvoiceView>>(`/invoices?limit=2&cursor=${first.nextCursor}`)
    const all = [...first.items, ...rest.items]
    expect([first.items.length, rest.nextCursor]).toEqual([2, null])
    const { data } = await billing.stripe.invoices.list({ customer: customerId })
    expect(all.map(({ id }) => id)).toEqual(data.map(({ id }) => id))
    expect(all.at(-1)).toMatchObject({
      ...{
        state: 'paid',
        overdue: false,
        total: { minor: 99_500, currency: 'sek' },
        due: { minor: 0, currency: 'sek' },
      },
      ...{ number: expect.any(String), url: expect.stringMatching(/^http/), pdf: expect.stringMatching(/^http/) },
    })
    for (const cursor of ['in_1%20or', 'cus_1', '../x', 'in_none']) await get(`/invoices?cursor=${cursor}`, 422)
  })

  it('says which is open, and which is overdue', async () => {
    await me.buys(['standard_yearly'], { invoice: true })
    billing.clock.move(DAY_MS / 12)
    await billing.emulator.tick()
    const { items } = await get<ListPage<InvoiceView>>('/invoices')
    expect(items).toMatchObject([
      { state: 'open', overdue: false, paidAt: null, due: { minor: 540_000, currency: 'eur' } },
    ])
    billing.clock.move(30 * DAY_MS)
    me = { ...me, ...(await later()) }
    expect((await get<ListPage<InvoiceView>>('/invoices')).items).toMatchObject([{ state: 'open', overdue: true }])
  })
})

describe('what comes next', () => {
  it('is what the next period costs, a smaller plan that waits for it included', async () => {
    const { id } = await me.buys(['professional_monthly'])
    const view = await refresh()
    expect(await get<UpcomingInvoices>('/upcoming')).toMatchObject({
      at: view.periodEndsAt,
      total: { minor: 89_500, currency: 'eur' },
      lines: [{ amount: { minor: 89_500, currency: 'eur' } }],
    })
    const { stripe } = billing
    const { data } = await stripe.prices.list({ lookup_keys: ['personal_monthly'] })
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id })
    const [now] = schedule.phases
    await stripe.subscriptionSchedules.update(schedule.id, {
      end_behavior: 'release',
      phases: [
        {
          ...{ start_date: now?.start_date ?? 0, end_date: now?.end_date ?? 0 },
          items: (now?.items ?? []).map(({ price }) => ({
            price: typeof price === 'string' ? price : price.id,
            quantity: 1,
          })),
        },
        { items: [{ price: data[0]?.id ?? '', quantity: 1 }], duration: { interval: 'month', interval_count: 1 } },
      ],
    })
    expect(await refresh()).toMatchObject({
      ...{ planId: 'professional', mayChoose: true },
      scheduled: { planId: 'personal', interval: 'monthly', addOns: {}, at: view.periodEndsAt },
    })
    expect((await get<UpcomingInvoices>('/upcoming')).total).toEqual({ minor: 19_500, currency: 'eur' })
  })

  it('is nothing after a cancellation', async () => {
    const { id } = await me.buys(['standard_monthly'])
    await billing.stripe.subscriptions.update(id, { cancel_at_period_end: true })
    expect((await refresh()).cancelAt).not.toBeNull()
    expect(await get('/upcoming')).toBeNull()
  })
})
