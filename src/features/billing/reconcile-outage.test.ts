import { env } from 'cloudflare:test'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { reconcileSubscriptions } from './reconcile'
import { createBillingFixture } from '../../../test/worker/billing-fixture'
import { createCustomer, billingDeps, type TestCustomer } from '../../../test/worker/customers'
import { callApp } from '../../../test/worker/factories'
import { createApp } from '../../app'
import { hmacSha256Hex } from '../../lib/hash'
import { SUBSCRIPTION_STATES, type Subscription, type SubscriptionState } from '../../shared/billing/entitlements'
import type { PageData } from '../../shared/session'

const DAY_MS = 24 * 60 * 60 * 1000
/** Days since billing was last heard of. */
const DAYS = [0, 7, 30, 400] as const
const always = (state: SubscriptionState) => DAYS.map(() => state)
const WRITABLE: SubscriptionState[] = ['trialing', 'active', 'invoice_pending', 'past_due']

/** What is stored when billing goes away (days count from then), and what that makes of it on each of {@link DAYS}. */
const ROWS: { what: string; row: Partial<Subscription>; becomes: SubscriptionState[] }[] = [
  {
    what: 'a trial of seven days, which is ours alone',
    row: { state: 'trialing', trialEndsAt: 7 },
    becomes: ['trialing', 'trial_expired', 'trial_expired', 'trial_expired'],
  },
  { what: 'a trial that is over', row: { state: 'trial_expired', trialEndsAt: -1 }, becomes: always('trial_expired') },
  { what: 'nothing paid yet', row: { state: 'awaiting_checkout' }, becomes: always('awaiting_checkout') },
  { what: 'paid by card', row: { state: 'active', planId: 'standard' }, becomes: always('active') },
  {
    what: 'an open invoice',
    row: { state: 'invoice_pending', planId: 'standard', invoiceDueAt: 30 },
    becomes: ['invoice_pending', 'invoice_pending', 'past_due', 'past_due'],
  },
  {
    what: 'an invoice that is overdue since today',
    row: { state: 'past_due', planId: 'standard', pastDueSince: 0 },
    becomes: always('past_due'),
  },
  {
    what: 'an invoice of which billing knew after the grace that it is unpaid',
    row: { state: 'past_due', planId: 'standard', pastDueSince: -14 },
    becomes: always('restricted'),
  },
  {
    what: 'unpaid',
    row: { state: 'restricted', planId: 'standard', pastDueSince: -20 },
    becomes: always('restricted'),
  },
  { what: 'ended', row: { state: 'canceled', trialEndsAt: -30 }, becomes: always('canceled') },
]

let logged: ReturnType<typeof vi.spyOn>[]
beforeEach(async () => {
  logged = (['info', 'warn'] as const).map((level) => vi.spyOn(console, level).mockImplementation(() => undefined))
  // One clock over the tests of a worker: what is due of others is not due here.
  await env.DB.prepare('UPDATE subscriptions SET customer_id = NULL').run()
})
afterEach(() => logged.forEach((one) => one.mockRestore()))

/** Sessions end by the clock as well. */
const renewed =
  'UPDATE sessions SET created_at = ?1, last_seen_at = ?1 WHERE user_id IN (SELECT value FROM json_each(?2))'
const stored = ({ workspaceId }: TestCustomer) =>
  env.DB.prepare('SELECT * FROM subscriptions WHERE workspace_id = ?').bind(workspaceId).first()

it('covers every state', () => {
  expect([...new Set(ROWS.flatMap(({ becomes }) => becomes))].toSorted()).toEqual([...SUBSCRIPTION_STATES].toSorted())
})

it('locks nobody out and grants nothing while billing is away, in any state, for however long (BIL-6, BIL-8, TIME-3)', async () => {
  const billing = await createBillingFixture()
  const { clock, emulator } = billing
  let isAway = true
  // No second try is asked for, so that nobody waits for it here.
  const init = { status: 500, headers: { 'stripe-should-retry': 'false' } }
  const operatorFetcher = async (request: Request): Promise<Response> =>
    isAway ? Response.json({ error: { type: 'api_error' } }, init) : emulator.fetch(request)
  const app = createApp({ ...billing.overrides, operatorFetcher })
  const deps = { ...billingDeps(billing), operatorFetcher }
  const start = clock.now()
  const at = (day: number | null | undefined) => (typeof day === 'number' ? start + day * DAY_MS : null)

  emulator.webhooks('hold')
  const people = await Promise.all(
    ROWS.map(async ({ row }) => {
      const { trialEndsAt, invoiceDueAt, pastDueSince, ...rest } = row
      const dates = { trialEndsAt: at(trialEndsAt), invoiceDueAt: at(invoiceDueAt), pastDueSince: at(pastDueSince) }
      const who = await createCustomer({ ...billing, app }, { subscription: { ...rest, ...dates, fetchedAt: start } })
      // Each has paid for the largest plan there by now, and nobody can tell us.
      await who.buys(['professional_yearly'])
      return who
    }),
  )
  const before = await Promise.all(people.map(stored))
  for (const who of people) await who.fetch(`/settings/workspace/subscription?checkout=done&w=${who.workspaceId}`)

  const tries = async (who: TestCustomer): Promise<number[]> => {
    const post = (path: string, json?: object) => who.fetch(path, { method: 'POST', ...(json ? { json } : {}) })
    const object = { object: 'subscription', customer: who.customerId }
    const event = { id: `evt_${who.customerId}`, type: 'customer.subscription.updated', livemode: false, created: 1 }
    const body = JSON.stringify({ ...event, object: 'event', data: { object } })
    const t = Math.floor(clock.now() / 1000)
    const signature = `t=${t},v1=${await hmacSha256Hex('whsec_standin', `${t}.${body}`)}`
    const told = await callApp(app, '/api/stripe/webhook', {
      ...{ method: 'POST', body, headers: { 'stripe-signature': signature } },
    })
    const refreshed = await post('/api/subscription/refresh')
    return [told.status, refreshed.status]
  }
  const seen = async (who: TestCustomer) => {
    const { workspace } = await (await who.fetch('/api/session')).json<PageData>()
    const reads = await Promise.all(['/api/insights', '/api/subscription'].map((path) => who.fetch(path)))
    const write = await who.fetch('/api/groups', { method: 'POST', json: { name: `G ${clock.now()}` } })
    const { reason } = await write.json<{ reason?: string }>()
    const { state, planId } = workspace?.entitlements ?? {}
    return [state, planId, ...reads.map(({ status }) => status), write.status, reason]
  }

  for (const [n, day] of DAYS.entries()) {
    clock.move(start + day * DAY_MS - clock.now())
    await env.DB.prepare(renewed)
      .bind(clock.now(), JSON.stringify(people.map(({ userId }) => userId)))
      .run()
    await reconcileSubscriptions(deps)
    for (const outcome of await Promise.all(people.map(tries))) expect(outcome).toEqual([503, 503])
    const wanted = ROWS.map(({ row, becomes }) => {
      const state = becomes[n] ?? 'canceled'
      const write = WRITABLE.includes(state) ? [201, undefined] : [402, state]
      return [state, row.planId ?? null, 200, 200, ...write]
    })
    expect([day, ...(await Promise.all(people.map(seen)))]).toEqual([day, ...wanted])
  }
  const after = await Promise.all(people.map(stored))
  expect(after.map((row) => ({ ...row, tried_at: 0, told: null }))).toEqual(
    before.map((row) => ({ ...row, tried_at: 0, told: null })),
  )

  isAway = false
  expect(await Promise.all(people.map(tries))).toEqual(people.map(() => [200, 200]))
  for (const who of people) expect((await who.row()).planId).toBe('professional')
})
