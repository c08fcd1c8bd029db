import fc from 'fast-check'
import { expect, it } from 'vitest'
import { computeEntitlements, NO_SUBSCRIPTION, SUBSCRIPTION_STATES, type Subscription } from '../billing/entitlements'
import { nextSyncAt } from './sync-schedule'

const HOUR = 3_600_000
const held = (given: Partial<Subscription>) =>
  computeEntitlements({ ...NO_SUBSCRIPTION, state: 'active', trialEndsAt: 1e12, ...given }, 0)
const next = (given: Partial<Subscription>, by: 'schedule' | 'person', startedAt: number | null = 0) =>
  nextSyncAt({ entitlements: held(given), frozen: false, startedAt, by })

it.each([
  ['the trial', { state: 'trialing' }, 6],
  ['Personal', { planId: 'personal' }, 24],
  ['Standard', { planId: 'standard' }, 12],
  ['Professional', { planId: 'professional' }, 6],
  ['Personal with Frequent sync', { planId: 'personal', addOns: { frequent_sync: 1 } }, 1],
  ['an older tier with Premium sync', { planId: 'legacy', tier: 3, addOns: { premium_sync_3: 1 } }, 1],
  ['an agreement of its own', { planId: 'enterprise', override: { syncFrequencyHours: 2 } }, 2],
] as const)('%s is synced as often as the facts say', (_what, given, hours) => {
  expect([next(given, 'schedule'), next(given, 'person')]).toEqual([hours * HOUR, HOUR / 4])
})

it.each(SUBSCRIPTION_STATES)(
  'while %s, syncs go on exactly where rows may be written, and never into a frozen source',
  (state) => {
    const { readOnly } = held({ state })
    for (const by of ['schedule', 'person'] as const) {
      expect(next({ state }, by, null)).toBe(readOnly === null ? 0 : null)
      expect(nextSyncAt({ entitlements: held({ state }), frozen: true, startedAt: null, by })).toBeNull()
    }
  },
)

it('gives a day no more syncs than the pace allows, whoever asks how often', () => {
  fc.assert(
    fc.property(fc.constantFrom('personal', 'standard', 'professional'), fc.nat(30 * 60_000), (planId, asksEvery) => {
      let startedAt: number | null = null
      let syncs = 0
      for (let now = 0; now < 24 * HOUR; now += asksEvery + 60_000) {
        const at = next({ planId }, 'schedule', startedAt)
        if (at === null || at > now) continue
        startedAt = now
        syncs++
      }
      expect(syncs).toBeGreaterThanOrEqual(1)
      expect(syncs).toBeLessThanOrEqual(24 / held({ planId }).features.syncFrequencyHours)
    }),
  )
})
