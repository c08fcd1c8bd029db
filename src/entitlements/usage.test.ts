import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { quotaPeriodAt, readUsage, type QuotaHolder } from './usage'
import { Scope } from '../scope'
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
    // Nor of one whose day the month that just ended does not have.
    ['2026-12-30T09:00:00.000Z', '2027-02-28T09:00:00.000Z', '2027-03-30T09:00:00.000Z'],
    ['2026-12-31T09:00:00.000Z', '2027-02-28T08:59:59.999Z', '2027-02-28T09:00:00.000Z'],
  ])('count per month of billing: paid until %s, at %s begin anew at %s', (until, at, resets) => {
    const subscription = { state: 'active', planId: 'standard', periodEndsAt: Date.parse(until) } as const
    const { period, resetsAt } = quotaPeriodAt(
      counted('Europe/Stockholm', subscription, Date.parse(at)),
      Date.parse(at),
    )
    expect([period, new Date(resetsAt ?? 0).toISOString()]).toEqual([resets.slice(0, 10), resets])
  })

  it('count over the whole trial, and anew with the plan that follows and with each month', async () => {
    const { id: workspaceId } = await aWorkspace()
    const scope = Scope.forJob({ workspaceId, userId: '', epoch: 'test' })
    const use = (period: string, used: number): Promise<unknown> =>
      env.DB.prepare("INSERT INTO allowances (workspace_id, name, period, used) VALUES (?, 'aiMessages', ?, ?)")
        .bind(workspaceId, period, used)
        .run()
    const limits = { override: { aiMessages: 2 } }
    const meter = async (subscription: Partial<Subscription>, at: string) => {
      const now = Date.parse(at)
      const all = await readUsage(db, scope, { ...counted('UTC', { ...subscription, ...limits }, now), now })
      return all.find(({ limit }) => limit === 'aiMessages')
    }
    const trial: Partial<Subscription> = { state: 'trialing', trialEndsAt: Date.parse('2026-11-06T12:00:00Z') }
    const paid: Partial<Subscription> = { state: 'active', planId: 'personal' }
    await use('trial', 2)
    expect(await meter(trial, '2026-11-02T12:00:00Z')).toMatchObject({ used: 2, max: 2, resetsAt: null })
    expect(await meter(paid, '2026-11-02T12:00:00Z')).toMatchObject({ used: 0, resetsAt: '2026-12-01T00:00:00.000Z' })
    await use('2026-11', 1)
    expect(await meter(paid, '2026-11-30T23:59:59Z')).toMatchObject({ used: 1, max: 2 })
    expect(await meter(paid, '2026-12-01T00:00:00Z')).toMatchObject({ used: 0, resetsAt: '2027-01-01T00:00:00.000Z' })
  })
})
