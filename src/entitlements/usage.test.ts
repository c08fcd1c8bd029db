import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { quotaPeriodAt, consumeAiMessage, readUsage, type QuotaHolder } from './usage'
import { Scope } from '../identity/scope'
import { openDatabase } from '../db/database'
import { aWorkspace } from '../../test/worker/factories'
import { computeEntitlements, NO_SUBSCRIPTION, type Subscription } from '../shared/billing/entitlements'

const db = openDatabase(env.DB)
const counted = (timeZone: string, subscription: Partial<Subscription>, now: number): QuotaHolder => ({
  entitlements: computeEntitlements({ ...NO_SUBSCRIPTION, ...subscription }, now),
  settings: {
    ...{ country: 'SE', currency: 'SEK', numberLocale: 'sv-SE', timeZone, fiscalYearStart: 1, weekStart: 'monday' },
  },
})

describe('messages of the bot', () => {
  it.each([
    ['Europe/Stockholm', '2026-10-31T22:59:59.999Z', '2026-10', '2026-10-31T23:00:00.000Z'],
    ['Europe/Stockholm', '2026-10-31T23:00:00.000Z', '2026-11', '2026-11-30T23:00:00.000Z'],
    ['Pacific/Auckland', '2026-12-31T10:59:59.999Z', '2026-12', '2026-12-31T11:00:00.000Z'],
    ['Pacific/Auckland', '2026-12-31T11:00:00.000Z', '2027-01', '2027-01-31T11:00:00.000Z'],
  ])('count per calendar month of the workspace where nothing is billed: %s at %s', (zone, at, period, resets) => {
    const now = Date.parse(at)
    const { resetsAt, ...rest } = quotaPeriodAt(counted(zone, { state: 'active', planId: 'personal' }, now), now)
    expect([rest, new Date(resetsAt ?? 0).toISOString()]).toEqual([{ period }, resets])
  })

  it.each([
    ['2026-12-20T09:00:00.000Z', '2026-12-20T08:59:59.999Z', '2026-12-20T09:00:00.000Z'],
    ['2026-12-20T09:00:00.000Z', '2026-11-20T09:00:00.000Z', '2026-12-20T09:00:00.000Z'],
    // A year paid at once.
    ['2027-10-31T09:00:00.000Z', '2026-11-01T00:00:00.000Z', '2026-11-30T09:00:00.000Z'],
    ['2027-10-31T09:00:00.000Z', '2027-02-28T09:00:00.000Z', '2027-03-31T09:00:00.000Z'],
    // The renewal was not heard of yet.
    ['2026-12-20T09:00:00.000Z', '2026-12-20T09:00:00.000Z', '2027-01-20T09:00:00.000Z'],
    ['2026-12-20T09:00:00.000Z', '2027-03-01T00:00:00.000Z', '2027-03-20T09:00:00.000Z'],
  ])('count per month of billing: paid until %s, at %s begin anew at %s', (until, at, resets) => {
    const subscription = { state: 'active', planId: 'standard', periodEndsAt: Date.parse(until) } as const
    const { period, resetsAt } = quotaPeriodAt(
      counted('Europe/Stockholm', subscription, Date.parse(at)),
      Date.parse(at),
    )
    expect([period, new Date(resetsAt ?? 0).toISOString()]).toEqual([resets.slice(0, 10), resets])
  })

  it('count over the whole trial, and anew with the plan that follows; the meter says the same as the refusal', async () => {
    const { id: workspaceId } = await aWorkspace()
    const scope = Scope.forJob({ workspaceId, userId: '', epoch: 'test' })
    let now = Date.parse('2026-10-30T12:00:00Z')
    const trial: Partial<Subscription> = { state: 'trialing', trialEndsAt: now + 7 * 24 * 3_600_000 }
    const limits = { override: { aiMessages: 2 } }
    const take = (subscription: Partial<Subscription>) =>
      consumeAiMessage({ db, clock: { now: () => now } }, scope, counted('UTC', { ...subscription, ...limits }, now))
    const meter = async (subscription: Partial<Subscription>) =>
      (await readUsage(db, scope, { ...counted('UTC', { ...subscription, ...limits }, now), now })).find(
        ({ limit }) => limit === 'aiMessages',
      )
    await take(trial)
    now = Date.parse('2026-11-02T12:00:00Z')
    await take(trial)
    await expect(take(trial)).rejects.toMatchObject({
      ...{ code: 'limit_reached', details: { limit: 'aiMessages', used: 2, max: 2, resetsAt: null } },
    })
    expect(await meter(trial)).toMatchObject({ used: 2, max: 2, resetsAt: null })
    const paid: Partial<Subscription> = { state: 'active', planId: 'personal' }
    await take(paid)
    await take(paid)
    await expect(take(paid)).rejects.toMatchObject({ details: { used: 2, resetsAt: '2026-12-01T00:00:00.000Z' } })
    now = Date.parse('2026-12-01T00:00:00Z')
    expect(await meter(paid)).toMatchObject({ used: 0, max: 2, resetsAt: '2027-01-01T00:00:00.000Z' })
    await take(paid)
  })

  it('are none where the plan has none, and any number where it is unlimited', async () => {
    const { id: workspaceId } = await aWorkspace()
    const scope = Scope.forJob({ workspaceId, userId: '', epoch: 'test' })
    const deps = { db, clock: { now: () => 0 } }
    const none = counted('UTC', { state: 'active', planId: 'enterprise', override: { aiMessages: 0 } }, 0)
    await expect(consumeAiMessage(deps, scope, none)).rejects.toMatchObject({ details: { used: 0, max: 0 } })
    const unlimited = counted('UTC', { state: 'active', planId: 'professional' }, 0)
    for (let n = 0; n < 3; n++) await consumeAiMessage(deps, scope, unlimited)
  })
})
