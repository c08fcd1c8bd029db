import { env } from 'cloudflare:test'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { cancelAllSubscriptions, reconcileSubscriptions } from './reconcile'
import { createBillingFixture, type BillingFixture } from '../../../test/worker/billing-fixture'
import { createCustomer, billingDeps, type TestCustomer } from '../../../test/worker/customers'
import type { ChangePreview, InvoiceView, SubscriptionView, UpcomingInvoices } from '../../shared/billing/subscription'

const DAY_MS = 24 * 60 * 60 * 1000
/** To a day that every month has, as has the next one: from the 28th on, months end two dates on one day. */
function untilSecondOfMonth(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 2) - now
}
const TIER = { planId: 'legacy', interval: 'monthly' }
const choice = (id?: string) => ({ ...TIER, addOns: id === undefined ? [] : [{ id, qty: 1 }] })

let billing: BillingFixture
let me: TestCustomer
let logged: ReturnType<typeof vi.spyOn>[]

beforeEach(async () => {
  logged = (['info', 'warn'] as const).map((level) => vi.spyOn(console, level).mockImplementation(() => undefined))
  // One clock over the tests of this file: what is due of theirs is not due here.
  await env.DB.prepare('UPDATE subscriptions SET customer_id = NULL').run()
  billing = await createBillingFixture()
})
afterEach(() => {
  logged.forEach((one) => one.mockRestore())
})

/** An older tier in kronor, paid for behind our back. */
async function anOlderTier(invoice = false): Promise<void> {
  me = await createCustomer(billing)
  await me.buys(['older_5_monthly'], { invoice })
  await billing.emulator.tick()
}
async function say<T>(path: string, method = 'GET', json?: object): Promise<T> {
  await env.DB.prepare('UPDATE sessions SET created_at = ?1, last_seen_at = ?1').bind(billing.clock.now()).run()
  const answer = await me.fetch(path, json === undefined ? { method } : { method, json })
  const body = await answer.json<T>()
  expect([path, answer.status, answer.status === 200 ? null : body]).toEqual([path, 200, null])
  return body
}
const refused = async (path: string, method: string, json: object): Promise<unknown> =>
  (await me.fetch(path, { method, json })).json()
const view = () => say<SubscriptionView>('/api/subscription')
const order = (method: 'card' | 'invoice', id = 'premium_sync_5') =>
  say<{ url: string }>('/api/stripe/checkout', 'POST', { ...choice(id), method })
async function buyPremium(): Promise<SubscriptionView> {
  const { url } = await order('card')
  expect(billing.emulator.desk.payCheckout(url.split('/').at(-1)?.split(/[?#]/)[0] ?? '', 'works')).toEqual({
    ok: true,
  })
  await billing.emulator.tick()
  return view()
}
const customers = async () => (await billing.stripe.customers.list({ limit: 100 })).data
const change = async (json: object): Promise<SubscriptionView> =>
  say('/api/subscription', 'PUT', { ...json, version: (await view()).version })

it('is sold beside an older tier to a customer of its own, on a page of its own, for what was shown (BIL-7)', async () => {
  await anOlderTier()
  const shown = await say<ChangePreview>('/api/subscription/preview', 'POST', choice('premium_sync_5'))
  expect(shown).toMatchObject({
    when: 'checkout',
    dueNow: { minor: 2600, currency: 'eur' },
    recurring: { minor: 2600 },
  })
  const [one, same] = await Promise.all([order('card'), order('card')])
  expect(one).toEqual(same)
  expect((await view()).addOns).toEqual({})
  expect(await buyPremium()).toMatchObject({
    planId: 'legacy',
    tier: 5,
    addOns: { premium_sync_5: 1 },
    state: 'active',
  })
  const { customerId, premiumCustomerId, premiumId } = await me.row()
  expect((await customers()).map(({ id }) => id).toSorted((a, b) => a.localeCompare(b))).toEqual(
    [customerId ?? '', premiumCustomerId ?? ''].toSorted((a, b) => a.localeCompare(b)),
  )
  expect(premiumCustomerId).not.toBeNull()
  expect(await billing.stripe.subscriptions.retrieve(premiumId ?? '')).toMatchObject({
    customer: premiumCustomerId,
    currency: 'eur',
  })
  expect(await refused('/api/stripe/checkout', 'POST', { ...choice('premium_sync_5'), method: 'card' })).toMatchObject({
    code: 'in_use',
  })
})

it('is given up with the period by those who have it', async () => {
  await anOlderTier()
  await buyPremium()
  expect(await change(choice('premium_sync_5'))).toMatchObject({ addOns: { premium_sync_5: 1 }, scheduled: null })
  expect(await change(choice())).toMatchObject({ addOns: { premium_sync_5: 1 }, scheduled: { addOns: {} } })
})

it('is one list of invoices with the tier, newest first on every page, and tells of both that come next', async () => {
  billing.clock.move(untilSecondOfMonth(billing.clock.now()))
  await anOlderTier()
  billing.clock.move(DAY_MS)
  await buyPremium()
  billing.clock.move(62 * DAY_MS)
  await billing.emulator.tick()
  billing.clock.move(DAY_MS)
  await billing.emulator.tick()
  const all = await say<{ items: InvoiceView[] }>('/api/subscription/invoices?limit=50')
  expect(new Set(all.items.map(({ total }) => total.currency))).toEqual(new Set(['sek', 'eur']))
  expect(all.items).toHaveLength(6)
  for (const limit of [1, 2, 4]) {
    const paged: InvoiceView[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query = `limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`
      const page: { items: InvoiceView[]; nextCursor: string | null } = await say(`/api/subscription/invoices?${query}`)
      expect(page.items.length).toBeLessThanOrEqual(limit)
      paged.push(...page.items)
      cursor = page.nextCursor
    }
    expect(paged).toEqual(all.items)
  }
  const issued = all.items.map(({ issuedAt }) => Date.parse(issuedAt))
  expect(issued).toEqual(issued.toSorted((a, b) => b - a))
  const next = await say<UpcomingInvoices>('/api/subscription/upcoming')
  expect(next).toMatchObject({ total: { currency: 'sek' }, beside: { total: { minor: 2600, currency: 'eur' } } })
  expect(Date.parse(next.beside?.at ?? '') - Date.parse(next.at)).toBe(DAY_MS)
  await say('/api/subscription/cancel', 'POST', { version: (await view()).version })
  expect(await say('/api/subscription/upcoming')).toBeNull()
})

it('is larger at once and smaller with the period, ends with it, and goes on with the tier', async () => {
  await anOlderTier()
  await buyPremium()
  const smaller = await change(choice('premium_sync_1'))
  expect(smaller).toMatchObject({ addOns: { premium_sync_5: 1 }, scheduled: { addOns: { premium_sync_1: 1 } } })
  const back = await say<SubscriptionView>('/api/subscription/resume', 'POST', { version: smaller.version })
  expect(back).toMatchObject({ addOns: { premium_sync_5: 1 }, scheduled: null })
  const larger = await change(choice('premium_sync_10'))
  expect(larger).toMatchObject({ addOns: { premium_sync_10: 1 } })
  const ending = await change(choice())
  expect(ending).toMatchObject({ addOns: { premium_sync_10: 1 }, cancelAt: null, scheduled: { addOns: {} } })
  const { premiumId } = await me.row()
  expect(await billing.stripe.subscriptions.retrieve(premiumId ?? '')).toMatchObject({ cancel_at_period_end: true })
  expect(await say('/api/subscription/upcoming')).toMatchObject({ beside: null })
})

it('by invoice is open at once, once, with the details of the workspace', async () => {
  await anOlderTier(true)
  const details = { companyName: 'Exempel AB', billingEmail: 'faktura@example.com', taxId: '', poReference: 'PO 17' }
  const { version } = await view()
  await say('/api/subscription/details', 'PUT', { ...details, version })
  const { url } = await order('invoice')
  const { premiumCustomerId: customer } = await me.row()
  const { data } = await billing.stripe.invoices.list({ customer: customer ?? '' })
  expect(data).toMatchObject([{ status: 'open', amount_due: 2600, currency: 'eur', hosted_invoice_url: url }])
  expect(await view()).toMatchObject({ addOns: { premium_sync_5: 1 }, state: 'invoice_pending' })
  await say('/api/subscription/details', 'PUT', {
    ...{ ...details, companyName: 'Annat AB' },
    version: (await view()).version,
  })
  expect((await customers()).map(({ name }) => name)).toEqual(['Annat AB', 'Annat AB'])
})

it('is not given by a change that nobody pays for, nor sold while something else is to be settled first', async () => {
  await anOlderTier()
  const { version } = await view()
  expect(await refused('/api/subscription', 'PUT', { ...choice('premium_sync_5'), version })).toMatchObject({
    code: 'invalid_input',
    fields: { addOns: expect.any(String) },
  })
  expect(await refused('/api/stripe/checkout', 'POST', { ...choice(), method: 'card' })).toMatchObject({
    code: 'in_use',
  })
  const yearly = { ...choice('premium_sync_5'), interval: 'yearly', method: 'card' }
  expect(await refused('/api/stripe/checkout', 'POST', yearly)).toMatchObject({ code: 'invalid_input' })
  // What is changed closes the page that was open: nobody pays there any more.
  const { url } = await order('card')
  await say('/api/subscription/cancel', 'POST', { version })
  expect(billing.emulator.desk.payCheckout(url.split('/').at(-1)?.split(/[?#]/)[0] ?? '', 'works')).toMatchObject({
    ok: false,
  })
  expect(await refused('/api/stripe/checkout', 'POST', { ...choice('premium_sync_5'), method: 'card' })).toMatchObject({
    code: 'in_use',
  })
  expect((await me.row()).premiumId).toBeNull()
})

it('is not charged again once the tier has ended without it', async () => {
  await anOlderTier()
  await buyPremium()
  const { subscriptionId, premiumId } = await me.row()
  await billing.stripe.subscriptions.cancel(subscriptionId ?? '')
  await billing.emulator.tick()
  expect(await me.row()).toMatchObject({ subscriptionId: null, premiumId })
  billing.clock.move(DAY_MS)
  await reconcileSubscriptions(billingDeps(billing))
  expect(await billing.stripe.subscriptions.retrieve(premiumId ?? '')).toMatchObject({ cancel_at_period_end: true })
  billing.clock.move(32 * DAY_MS)
  await billing.emulator.tick()
  expect((await billing.stripe.subscriptions.retrieve(premiumId ?? '')).status).toBe('canceled')
  const { premiumCustomerId } = await me.row()
  const { data } = await billing.stripe.invoices.list({ customer: premiumCustomerId ?? '' })
  expect(data).toHaveLength(1)
})

it('ends at once with the workspace that is removed', async () => {
  await anOlderTier()
  await buyPremium()
  expect(await cancelAllSubscriptions(billingDeps(billing), me.workspaceId)).toBe(true)
  const { data } = await billing.stripe.subscriptions.list({ status: 'all' })
  expect(data.map(({ status }) => status)).toEqual(['canceled', 'canceled'])
})

it('keeps nobody from a plan once its tier has ended, while it runs out by itself', async () => {
  await anOlderTier()
  await buyPremium()
  await billing.stripe.subscriptions.cancel((await me.row()).subscriptionId ?? '')
  await billing.emulator.tick()
  const plan = { planId: 'standard', interval: 'monthly', addOns: [] }
  const page = await say<{ url: string }>('/api/stripe/checkout', 'POST', { ...plan, method: 'card' })
  expect(page.url).toContain('/checkout/')
  await say('/api/stripe/checkout', 'POST', { ...plan, method: 'invoice' })
  expect(await view()).toMatchObject({ planId: 'standard', method: 'invoice' })
  // Beside a plan of today it gives nothing, and is not charged again. The plan goes on.
  billing.clock.move(2 * DAY_MS)
  await reconcileSubscriptions(billingDeps(billing))
  const { subscriptionId, premiumId } = await me.row()
  const isEnding = async (id: string | null): Promise<boolean> =>
    (await billing.stripe.subscriptions.retrieve(id ?? '')).cancel_at_period_end
  expect([await isEnding(premiumId), await isEnding(subscriptionId)]).toEqual([true, false])
})
