import { env } from 'cloudflare:test'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { reconcileSubscriptions } from './reconcile'
import { createBillingFixture, type BillingFixture } from '../../../test/worker/billing-fixture'
import { billingDeps } from '../../../test/worker/customers'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { createApp } from '../../app'
import type { ChangePreview, InvoiceView, SubscriptionView, UpcomingInvoices } from '../../shared/billing/subscription'

const DAY_MS = 24 * 60 * 60 * 1000
const REST_MS = 5 * DAY_MS
const ORDER = { planId: 'standard', interval: 'monthly', addOns: [], method: 'invoice' }

let billing: BillingFixture
let me: SignedIn
let logged: ReturnType<typeof vi.spyOn>
beforeEach(async () => {
  logged = vi.spyOn(console, 'info').mockImplementation(() => undefined)
  // One clock over the tests of this file: what is due of theirs is not due here.
  await env.DB.prepare('UPDATE subscriptions SET customer_id = NULL').run()
  billing = await createBillingFixture()
  me = await signedIn({ app: billing.app, subscription: { trialEndsAt: billing.clock.now() + REST_MS } })
})
afterEach(() => logged.mockRestore())

const say = async <T>(path: string, method: string, json?: object): Promise<T> => {
  // Sessions end by the clock as well: the row of each is renewed.
  await env.DB.prepare('UPDATE sessions SET created_at = ?1, last_seen_at = ?1').bind(billing.clock.now()).run()
  const answer = await me.fetch(path, json === undefined ? { method } : { method, json })
  expect([path, answer.status]).toEqual([path, 200])
  return answer.json()
}
const view = () => say<SubscriptionView>('/api/subscription', 'GET')
const preview = (planId: string) => say<ChangePreview>('/api/subscription/preview', 'POST', { ...ORDER, planId })
async function changeTo(planId: string): Promise<ChangePreview> {
  const shown = await preview(planId)
  const { prorationAt } = shown
  const { version } = await view()
  const { interval, addOns } = ORDER
  await say('/api/subscription', 'PUT', { planId, interval, addOns, version, prorationAt })
  await billing.emulator.tick()
  return shown
}
async function order(): Promise<SubscriptionView> {
  await say('/api/stripe/checkout', 'POST', ORDER)
  await billing.emulator.tick()
  return view()
}
const subscription = async () => {
  const { data } = await billing.stripe.subscriptions.list({ status: 'all', limit: 2 })
  const [one, other] = data
  if (one === undefined || other !== undefined) throw new Error(`${data.length} subscriptions`)
  const end = (one.items.data[0]?.current_period_end ?? 0) * 1000
  return { ...one, end }
}
/** What was invoiced, the oldest first; nothing is none. */
const invoiced = async (): Promise<number[]> => {
  const { data } = await billing.stripe.invoices.list({ limit: 100 })
  return data.flatMap(({ total }) => (total === 0 ? [] : [total])).toReversed()
}
const round = () => reconcileSubscriptions(billingDeps(billing))
/** Time passes until that instant; the scheduled round runs twice then. */
async function passUntil(at: number): Promise<void> {
  billing.clock.move(at - billing.clock.now())
  await billing.emulator.tick()
  await round()
  await round()
  await billing.emulator.tick()
}

it('is shown as part of the first period, in which Stripe charges a larger plan as on every other day (BIL-7)', async () => {
  const ordered = await order()
  const one = await subscription()
  expect(one).toMatchObject({ status: 'active', trial_end: null })
  expect(Date.parse(ordered.periodEndsAt ?? '') - one.end).toBe(REST_MS)
  expect(await preview('standard')).toMatchObject({ when: 'none', recurringFrom: ordered.periodEndsAt })
  expect(await say<UpcomingInvoices>('/api/subscription/upcoming', 'GET')).toMatchObject({
    at: ordered.periodEndsAt,
    total: { minor: 45_000 },
  })
  billing.clock.move(10 * DAY_MS)
  const shown = await changeTo('professional')
  expect(shown.dueNow.minor).toBeGreaterThan(20_000)
  expect(shown.recurringFrom).toBe(ordered.periodEndsAt)
  expect(await invoiced()).toEqual([45_000, shown.dueNow.minor])
  const { items } = await say<{ items: InvoiceView[] }>('/api/subscription/invoices', 'GET')
  expect(items.map(({ total }) => total.minor)).toEqual([shown.dueNow.minor, 45_000])
  expect((await view()).periodEndsAt).toBe(ordered.periodEndsAt)
})

it('is given shortly before the period ends, once, and nothing is charged before it has been used (TIME-3)', async () => {
  const { periodEndsAt } = await order()
  const { end } = await subscription()
  await passUntil(end - 3 * DAY_MS - 1000)
  expect((await subscription()).status).toBe('active')
  await passUntil(end - 2 * DAY_MS)
  const given = await subscription()
  expect(given).toMatchObject({ status: 'trialing', trial_end: (end + REST_MS) / 1000, end: end + REST_MS })
  expect(given.metadata).not.toHaveProperty('insikt_trial_rest')
  expect((await view()).periodEndsAt).toBe(periodEndsAt)
  await passUntil(end + REST_MS - DAY_MS)
  expect(await invoiced()).toEqual([45_000])
  await passUntil(end + REST_MS + DAY_MS)
  expect(await invoiced()).toEqual([45_000, 45_000])
  expect(await subscription()).toMatchObject({ status: 'active' })
  const next = await subscription()
  await passUntil(next.end - DAY_MS)
  expect((await subscription()).end).toBe(next.end)
})

it('is given once though the answer of Stripe is lost', async () => {
  const { periodEndsAt } = await order()
  const { end } = await subscription()
  billing.clock.move(end - DAY_MS - billing.clock.now())
  const operatorFetcher = async (request: Request): Promise<Response> => {
    const answer = await billing.emulator.fetch(request)
    if (request.method !== 'POST') return answer
    return Response.json({ error: {} }, { status: 500, headers: { 'stripe-should-retry': 'false' } })
  }
  await reconcileSubscriptions({ ...billingDeps(billing), operatorFetcher })
  expect((await subscription()).status).toBe('trialing')
  await passUntil(billing.clock.now() + DAY_MS / 24)
  expect((await subscription()).end).toBe(end + REST_MS)
  expect((await view()).periodEndsAt).toBe(periodEndsAt)
})

it('prolongs what was cancelled too', async () => {
  const { version, periodEndsAt } = await order()
  const { end } = await subscription()
  expect(await say('/api/subscription/cancel', 'POST', { version })).toMatchObject({ cancelAt: periodEndsAt })
  await passUntil(end - DAY_MS)
  expect(await subscription()).toMatchObject({ cancel_at_period_end: true, cancel_at: (end + REST_MS) / 1000 })
  expect((await view()).cancelAt).toBe(periodEndsAt)
  await passUntil(end + REST_MS - DAY_MS)
  expect((await subscription()).status).toBe('trialing')
  await passUntil(end + REST_MS + DAY_MS)
  expect((await subscription()).status).toBe('canceled')
  expect(await invoiced()).toEqual([45_000])
})

it('waits behind a smaller plan, and prolongs the first period of that', async () => {
  await order()
  const { end } = await subscription()
  const shown = await changeTo('personal')
  const at = new Date(end).toISOString()
  expect(shown).toMatchObject({ when: 'periodEnd', at, recurringFrom: at })
  expect(await view()).toMatchObject({ periodEndsAt: at, scheduled: { planId: 'personal', at } })
  await passUntil(end - DAY_MS)
  expect((await subscription()).status).toBe('active')
  await passUntil(end + DAY_MS)
  const next = await subscription()
  expect(Date.parse((await view()).periodEndsAt ?? '')).toBe(next.end + REST_MS)
  await passUntil(next.end - DAY_MS)
  expect(await subscription()).toMatchObject({ status: 'trialing', end: next.end + REST_MS, schedule: null })
  await passUntil(next.end + REST_MS + DAY_MS)
  expect(await invoiced()).toEqual([45_000, 19_500, 19_500])
})

it('leads who repeats an order to the invoice of that order, whatever Stripe has written since', async () => {
  let left = 1
  const operatorFetcher = async (request: Request): Promise<Response> => {
    const answer = await billing.emulator.fetch(request)
    const isCreate = request.method === 'POST' && new URL(request.url).pathname === '/v1/subscriptions'
    if (!isCreate || left-- <= 0) return answer
    return Response.json({ error: {} }, { status: 500, headers: { 'stripe-should-retry': 'false' } })
  }
  const { workspaceId } = me
  me = await signedIn({ app: createApp({ ...billing.overrides, operatorFetcher }), workspaceId, role: 'admin' })
  expect((await me.fetch('/api/stripe/checkout', { method: 'POST', json: ORDER })).status).toBe(503)
  const { id, latest_invoice: first } = await subscription()
  const soon = Math.ceil(billing.clock.now() / 1000) + 60 * 24 * 60 * 60
  await billing.stripe.subscriptions.update(id, { trial_end: soon, proration_behavior: 'none' })
  expect((await subscription()).latest_invoice).not.toBe(first)
  const { url } = await say<{ url: string }>('/api/stripe/checkout', 'POST', ORDER)
  const invoice = await billing.stripe.invoices.retrieve(typeof first === 'string' ? first : '')
  expect(invoice).toMatchObject({ status: 'open', amount_due: 45_000, hosted_invoice_url: url })
})
