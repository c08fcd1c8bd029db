import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LEGACY_TIERS, PREMIUM_SYNC_IDS, GATE_NAMES, TRIAL_FEATURES } from './plans'
import type { GateName, PlanLimit, PlanId } from './plans'
import { computeEntitlements, featuresOf, NO_SUBSCRIPTION, SUBSCRIPTION_STATES } from './entitlements'
import type { AddOnQuantities, Subscription } from './entitlements'

/** Copied from the facts of the product: the code is held against these words, not against itself. */
const PLAN_TABLE = `
| Personal | 195 / 2340 | 1 | 1 | 1 | 10 | every 24 h | 100 | – |
| Standard | 450 / 5400 | 3 | 30 | 3 | 20 | every 12 h | 1000 | 2 |
| Professional | 895 / 10740 | 10 | 100 | 10 | unlimited | every 6 h | unlimited | 5 |`
const PROFESSIONAL_ONLY: GateName[] = ['dataAccessManagement', 'fileAnalysis', 'multiCurrency']
const STANDARD_AND_UP: GateName[] = ['userGrouping', 'clientPortal', 'externalBI']
/** Ours: reports are shared from Standard on. What no fact locks is open. */
const OURS_STANDARD_AND_UP: GateName[] = ['reportSharing']

interface Row {
  planId: PlanId
  analysts: PlanLimit
  users: PlanLimit
  sources: PlanLimit
  insights: PlanLimit
  hours: number
  messages: PlanLimit
  consulting: number
}
const numberIn = (text = ''): number => Number(/\d+/.exec(text)?.[0] ?? 0)
const limitIn = (text = ''): PlanLimit => (text === 'unlimited' ? null : numberIn(text))
const ROWS: Row[] = PLAN_TABLE.trim()
  .split('\n')
  .map((line) => {
    const [name = '', , analysts, users, sources, insights, hours, messages, consulting] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    const planId = (['personal', 'standard', 'professional'] as const).find((id) => id === name.toLowerCase())
    if (!planId) throw new Error(`No such plan: ${name}`)
    const limits = { analysts: limitIn(analysts), users: limitIn(users), sources: limitIn(sources) }
    const rest = { insights: limitIn(insights), hours: numberIn(hours), messages: limitIn(messages) }
    return { planId, ...limits, ...rest, consulting: numberIn(consulting) }
  })

const RANK: Partial<Record<PlanId, number>> = { personal: 0, standard: 1, professional: 2 }
const opens = (planId: PlanId, gate: GateName): boolean => {
  const rank = RANK[planId] ?? 0
  if (PROFESSIONAL_ONLY.includes(gate)) return rank === 2
  return [...STANDARD_AND_UP, ...OURS_STANDARD_AND_UP].includes(gate) ? rank >= 1 : true
}

const held = (given: Partial<Subscription>): Subscription => ({ ...NO_SUBSCRIPTION, state: 'active', ...given })
/** 0 to 3 of each, and Frequent sync or not. */
const COUNTS = [0, 1, 3]
const BOUGHT: AddOnQuantities[] = COUNTS.flatMap((extra_analyst) =>
  COUNTS.flatMap((user_pack_10) =>
    COUNTS.flatMap((extra_source) =>
      [0, 1].map((frequent_sync) => ({ extra_analyst, user_pack_10, extra_source, frequent_sync })),
    ),
  ),
)

describe('entitlements equal the facts (BIL-5)', () => {
  it('has a row for every plan that is sold', () => {
    expect(ROWS.map(({ planId }) => planId)).toEqual(['personal', 'standard', 'professional'])
  })

  it.each(ROWS)('$planId with every set of add-ons', (row) => {
    for (const addOns of BOUGHT) {
      const { extra_analyst = 0, user_pack_10 = 0, extra_source = 0, frequent_sync = 0 } = addOns
      const { features } = computeEntitlements(held({ planId: row.planId, addOns }), 0)
      expect(features, JSON.stringify(addOns)).toMatchObject({
        analysts: Number(row.analysts) + extra_analyst,
        // Whoever analyses is a user, too.
        users: Number(row.users) + extra_analyst + 10 * user_pack_10,
        dataSources: Number(row.sources) + extra_source,
        customInsights: row.insights,
        syncFrequencyHours: frequent_sync > 0 ? 1 : row.hours,
        aiMessages: row.messages,
        consultingHours: row.consulting,
      })
      for (const gate of GATE_NAMES) expect(features[gate], gate).toBe(opens(row.planId, gate))
    }
  })

  it.each([1, 3, 5, 10, 50])('the older tier of %i sources, without and with each Premium sync', (tier) => {
    expect(LEGACY_TIERS.find(({ sources }) => sources === tier)?.hidden).toBe(tier === 50)
    for (const premium of [null, ...PREMIUM_SYNC_IDS]) {
      const addOns = premium === null ? {} : { [premium]: 1 }
      const { features } = computeEntitlements(held({ planId: 'legacy', tier, addOns }), 0)
      expect(features.dataSources).toBe(tier)
      const { syncPace } = computeEntitlements(held({ planId: 'legacy', tier, addOns }), 0)
      // Hourly for as many sources as it names; the others as without it.
      const sources = premium === null ? null : numberIn(premium)
      expect(syncPace).toEqual({ hours: premium === null ? 6 : 1, sources, otherHours: 6 })
      expect(features.syncFrequencyHours).toBe(syncPace.hours)
    }
  })

  it('syncs every source hourly with Frequent sync, and as often as an agreement says', () => {
    const pace = (given: Partial<Subscription>) => computeEntitlements(held({ state: 'active', ...given }), 0).syncPace
    const all = (hours: number) => ({ hours, sources: null, otherHours: hours })
    expect(pace({ planId: 'personal', addOns: { frequent_sync: 1 } })).toEqual(all(1))
    expect(pace({ planId: 'enterprise', override: { syncFrequencyHours: 2 } })).toEqual(all(2))
    expect(pace({ planId: 'legacy', override: { syncFrequencyHours: 1 }, addOns: { premium_sync_1: 1 } })).toEqual(
      all(1),
    )
  })

  it('gives the seven days of trial what Professional has, with 100 messages in all', () => {
    const { features } = computeEntitlements(held({ state: 'trialing', trialEndsAt: 10 }), 0)
    const professional = ROWS[2]
    expect(features).toMatchObject({ analysts: professional?.analysts, users: professional?.users, aiMessages: 100 })
    for (const gate of GATE_NAMES) expect(features[gate], gate).toBe(opens('professional', gate))
  })

  it("puts an administrator's limits in place of a plan's, and what is paid for on top", () => {
    fc.assert(
      fc.property(
        fc.constantFrom<PlanId>('enterprise', 'legacy', 'personal', 'standard', 'professional'),
        fc.record({ analysts: fc.option(fc.nat(500)), users: fc.option(fc.nat(500)), fileAnalysis: fc.boolean() }),
        fc.nat(5),
        (planId, override, extra) => {
          const features = featuresOf({ planId, override, tier: null, addOns: { extra_analyst: extra } })
          expect(features.analysts).toBe(override.analysts === null ? null : override.analysts + extra)
          expect(features.users).toBe(override.users === null ? null : override.users + extra)
          expect(features.fileAnalysis).toBe(override.fileAnalysis)
          expect(features.reporting).toBe(true)
        },
      ),
    )
  })
})

describe('the state at an instant (BIL-3)', () => {
  const DAY = 24 * 60 * 60 * 1000
  const READ_ONLY: string[] = ['trial_expired', 'awaiting_checkout', 'restricted', 'canceled']

  it.each(SUBSCRIPTION_STATES)('%s is read-only exactly where the facts say so', (state) => {
    const at = { trialEndsAt: 100 * DAY, invoiceDueAt: 100 * DAY, pastDueSince: 0, fetchedAt: 0 }
    const { state: now, readOnly } = computeEntitlements(held({ state, ...at }), DAY)
    expect([now, readOnly]).toEqual([state, READ_ONLY.includes(state) ? state : null])
  })

  it('ends a trial at its very millisecond (TIME-3)', () => {
    const at = (now: number) => computeEntitlements(held({ state: 'trialing', trialEndsAt: 7 * DAY }), now)
    expect(at(7 * DAY - 1)).toMatchObject({ state: 'trialing', readOnly: null, features: TRIAL_FEATURES })
    expect(at(7 * DAY)).toMatchObject({ state: 'trial_expired', readOnly: 'trial_expired' })
  })

  it('keeps an unpaid workspace open for 14 days, and longer while nobody could ask', () => {
    const at = (now: number, fetchedAt: number) =>
      computeEntitlements(held({ state: 'past_due', pastDueSince: DAY, fetchedAt }), now)
    expect(at(15 * DAY - 1, 15 * DAY - 1)).toMatchObject({ state: 'past_due', readOnly: null, graceEndsAt: 15 * DAY })
    expect(at(15 * DAY, 15 * DAY - 1)).toMatchObject({ state: 'past_due', readOnly: null })
    expect(at(15 * DAY, 15 * DAY)).toMatchObject({ state: 'restricted', readOnly: 'restricted' })
  })

  it('makes an invoice that nobody paid in 30 days overdue, not unpaid for good', () => {
    const at = (now: number) => computeEntitlements(held({ state: 'invoice_pending', invoiceDueAt: 30 * DAY }), now)
    expect(at(30 * DAY - 1)).toMatchObject({ state: 'invoice_pending', readOnly: null, graceEndsAt: null })
    expect(at(30 * DAY)).toMatchObject({ state: 'past_due', readOnly: null, graceEndsAt: 44 * DAY })
  })
})
