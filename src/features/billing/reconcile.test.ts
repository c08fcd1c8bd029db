import { env } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { cancelAllSubscriptions, reconcileSubscriptions } from './reconcile'
import { createBillingFixture, type BillingFixture } from '../../../test/worker/billing-fixture'
import { createCustomer, billingDeps, type TestCustomer } from '../../../test/worker/customers'
import { purgeWorkspaces } from '../../flows/purge-workspace'
import { DELETED_RETENTION_MS } from '../../shared/limits'
import type { SubscriptionView } from '../../shared/billing/subscription'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

let billing: BillingFixture
let me: TestCustomer
beforeEach(async () => {
  // One clock over the tests of this file: what is due of theirs is not due here.
  await env.DB.prepare('UPDATE subscriptions SET customer_id = NULL').run()
  billing = await createBillingFixture()
  me = await createCustomer(billing)
})

const round = () => reconcileSubscriptions(billingDeps(billing))
/** Time passes for everybody; what Stripe does by itself is done, and its events come when they are `told`. */
async function pass(ms: number, told = true): Promise<void> {
  billing.clock.move(ms)
  if (!told) billing.emulator.webhooks('hold')
  await billing.emulator.tick()
}
const view = async (): Promise<SubscriptionView> => {
  // Sessions end by the clock as well: the row of each is renewed.
  await env.DB.prepare('UPDATE sessions SET created_at = ?1, last_seen_at = ?1').bind(billing.clock.now()).run()
  const answer = await me.fetch('/api/subscription')
  expect(answer.status).toBe(200)
  return answer.json()
}
const writes = async (): Promise<number> => {
  await view()
  return (await me.fetch('/api/groups', { method: 'POST', json: { name: `G ${billing.clock.now()}` } })).status
}
const atStripe = (id: string) => billing.stripe.subscriptions.retrieve(id)

describe('the scheduled round', () => {
  it('hears within a day of what an event that was lost would have said, and not before', async () => {
    billing.emulator.webhooks('hold')
    const { id } = await me.buys(['standard_monthly'])
    await me.fetch('/api/subscription/refresh', { method: 'POST' })
    await billing.stripe.subscriptions.update(id, { cancel_at_period_end: true })
    await pass(DAY_MS - HOUR_MS, false)
    await round()
    expect((await view()).cancelAt).toBeNull()
    await pass(HOUR_MS, false)
    await round()
    expect((await view()).cancelAt).not.toBeNull()
  })

  it('stops at the first question that billing does not answer, and goes on in a later round', async () => {
    const others = [await createCustomer(billing), await createCustomer(billing)]
    for (const one of [me, ...others]) await one.buys(['standard_monthly'])
    await billing.emulator.tick()
    await pass(DAY_MS, false)
    const asked = vi.fn(billing.emulator.fetch)
    billing.emulator.fail('500')
    const deps = { ...billingDeps(billing), operatorFetcher: asked }
    await reconcileSubscriptions(deps)
    const before = asked.mock.calls.length
    // Two questions at once about one customer, each tried once more.
    expect(before).toBeLessThanOrEqual(4)
    await reconcileSubscriptions(deps)
    expect(asked.mock.calls.length, 'not in every round').toBe(before)
    billing.emulator.fail('none')
    await pass(HOUR_MS, false)
    await reconcileSubscriptions(deps)
    for (const one of [me, ...others]) expect((await one.row()).fetchedAt).toBe(billing.clock.now())
  })

  it('finds what was paid on a page that nobody came back from', async () => {
    billing.emulator.webhooks('hold')
    await me.buys(['standard_monthly'])
    const open = { id: 'cs_1', url: 'http://localhost/', hash: 'x', expiresAt: billing.clock.now() + HOUR_MS }
    await env.DB.prepare('UPDATE subscriptions SET checkout = ? WHERE workspace_id = ?')
      .bind(JSON.stringify(open), me.workspaceId)
      .run()
    await pass(HOUR_MS, false)
    await round()
    expect(await me.row()).toMatchObject({ state: 'active', planId: 'standard' })
    const { fetchedAt } = await me.row()
    await pass(HOUR_MS, false)
    await round()
    expect((await me.row()).fetchedAt).toBe(fetchedAt)
  })
})

describe('an invoice that is not paid (TIME-3)', () => {
  it('is pending for 30 days, overdue for 14, then restricts, and lets the subscription end with its period', async () => {
    const { id } = await me.buys(['standard_yearly'], { invoice: true })
    await pass(2 * HOUR_MS)
    expect([(await view()).state, await writes()]).toEqual(['invoice_pending', 201])
    await pass(30 * DAY_MS)
    await round()
    const overdue = await view()
    expect([overdue.state, await writes()]).toEqual(['past_due', 201])
    billing.clock.move(Date.parse(overdue.graceEndsAt ?? '') - billing.clock.now() - 1)
    await round()
    expect([(await view()).state, await writes()]).toEqual(['past_due', 201])
    billing.clock.move(HOUR_MS)
    await round()
    await billing.emulator.tick()
    const restricted = await view()
    expect([restricted.state, await writes()]).toEqual(['restricted', 402])
    expect(restricted.cancelAt).toBe(restricted.periodEndsAt)
    expect(await atStripe(id)).toMatchObject({ cancel_at_period_end: true, metadata: { insikt_cancel: 'unpaid' } })

    const { data } = await billing.stripe.invoices.list({ customer: me.customerId, status: 'open' })
    billing.emulator.desk.transfer(data[0]?.id ?? '')
    await billing.emulator.tick()
    expect(await view()).toMatchObject({ state: 'active', cancelAt: null })
    expect(await atStripe(id)).toMatchObject({ cancel_at_period_end: false, metadata: {} })
    expect(await writes()).toBe(201)
  })

  it('locks nobody out while billing is away for days, whatever the clock says', async () => {
    await me.buys(['standard_yearly'], { invoice: true })
    await pass(2 * HOUR_MS)
    billing.emulator.fail('500')
    for (let day = 0; day < 60; day += 30) {
      billing.clock.move(30 * DAY_MS)
      await round()
      expect([day, await writes()]).toEqual([day, 201])
    }
    expect((await view()).state).toBe('past_due')
    billing.emulator.fail('none')
    billing.clock.move(HOUR_MS)
    await round()
    expect((await view()).state).toBe('restricted')
  })

  it('changes nothing for a card while billing is away at the renewal', async () => {
    await me.buys(['standard_monthly'])
    await billing.emulator.tick()
    billing.emulator.fail('500')
    billing.clock.move(90 * DAY_MS)
    await round()
    expect([(await view()).state, await writes()]).toEqual(['active', 201])
  })
})

describe('a workspace that is deleted', () => {
  const setDeleted = (at: number | null) =>
    env.DB.prepare('UPDATE workspaces SET deleted_at = ? WHERE id = ?').bind(at, me.workspaceId).run()

  it('pays for no further period; brought back, it goes on', async () => {
    const { id } = await me.buys(['standard_monthly'])
    await billing.emulator.tick()
    await setDeleted(billing.clock.now())
    await round()
    expect(await atStripe(id)).toMatchObject({ cancel_at_period_end: true, metadata: { insikt_cancel: 'deleted' } })
    await setDeleted(null)
    await pass(HOUR_MS)
    await round()
    expect(await atStripe(id)).toMatchObject({ cancel_at_period_end: false, metadata: {} })
    expect((await view()).cancelAt).toBeNull()
  })

  it('leaves as it is what a person cancelled', async () => {
    const { id } = await me.buys(['standard_monthly'])
    await billing.stripe.subscriptions.update(id, { cancel_at_period_end: true })
    await billing.emulator.tick()
    await setDeleted(billing.clock.now())
    await round()
    await setDeleted(null)
    await pass(HOUR_MS)
    await round()
    expect(await atStripe(id)).toMatchObject({ cancel_at_period_end: true, metadata: {} })
  })

  it('is charged no more once it is removed for good, and its customer is known until then', async () => {
    const { id } = await me.buys(['standard_yearly', 'extra_source_yearly'])
    await billing.emulator.tick()
    await setDeleted(billing.clock.now() - DELETED_RETENTION_MS)
    billing.emulator.fail('500')
    await purgeWorkspaces(billingDeps(billing))
    expect((await me.row()).deletedAt).toBe(0)
    expect(await cancelAllSubscriptions(billingDeps(billing), me.workspaceId)).toBe(false)
    billing.emulator.fail('none')
    expect((await atStripe(id)).status).toBe('active')
    await purgeWorkspaces(billingDeps(billing))
    await expect(me.row()).rejects.toThrow('no such customer')
    expect((await atStripe(id)).status).toBe('canceled')
  })
})
