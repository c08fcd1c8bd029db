import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CHECKOUT_PAGE, offerFor, type CurrentPlan, type PlanNeed } from './upgrade-offer'
import { checkoutSchema } from '../../../src/shared/billing/subscription'
import { ADD_ON_IDS, GATE_NAMES, LIMIT_NAMES, SELLABLE_PLAN_IDS } from '../../../src/shared/billing/plans'
import type { GateName, LimitName, PlanFeatures, PlanId } from '../../../src/shared/billing/plans'
import { featuresOf, isDowngrade, type AddOnQuantities } from '../../../src/shared/billing/entitlements'

const held = (
  planId: PlanId | null,
  addOns: AddOnQuantities = {},
  override: Partial<PlanFeatures> | null = null,
): CurrentPlan => ({ planId, addOns, features: featuresOf({ planId, addOns, override, tier: null }) })

const limit = (name: LimitName, count?: number): PlanNeed => ({
  kind: 'limit',
  limit: name,
  ...(count === undefined ? {} : { count }),
})
const gate = (name: GateName): PlanNeed => ({ kind: 'gate', gate: name })

const euro = (amount: number, from = false) => ({ amount: { minor: amount * 100, currency: 'eur' }, from })

/** As the facts have it: what is held, what is missing → what is chosen, and what it costs a month. */
const WAYS: [string, CurrentPlan, PlanNeed, { plan: PlanId; addOns?: string; costs: number; action: string }][] = [
  [
    'Personal, a second user',
    held('personal'),
    limit('users'),
    { plan: 'personal', addOns: 'user_pack_10:1', costs: 20, action: 'Add 10 users' },
  ],
  [
    'Personal, twelve users',
    held('personal'),
    limit('users', 12),
    { plan: 'personal', addOns: 'user_pack_10:2', costs: 40, action: 'Add 20 users' },
  ],
  [
    'Personal, a second analyst',
    held('personal'),
    limit('analysts'),
    { plan: 'personal', addOns: 'extra_analyst:1', costs: 20, action: 'Add an extra analyst' },
  ],
  [
    'Personal, a second source',
    held('personal'),
    limit('dataSources'),
    { plan: 'personal', addOns: 'extra_source:1', costs: 20, action: 'Add an extra data source' },
  ],
  [
    'Personal, fourteen sources',
    held('personal'),
    limit('dataSources', 14),
    { plan: 'personal', addOns: 'extra_source:13', costs: 260, action: 'Add 13 extra data sources' },
  ],
  [
    'Personal, an 11th insight',
    held('personal'),
    limit('customInsights'),
    { plan: 'standard', costs: 450, action: 'Change to Standard' },
  ],
  [
    'Personal, more messages',
    held('personal'),
    limit('aiMessages'),
    { plan: 'standard', costs: 450, action: 'Change to Standard' },
  ],
  [
    'Personal, user groups',
    held('personal'),
    gate('userGrouping'),
    { plan: 'standard', costs: 450, action: 'Change to Standard' },
  ],
  [
    'Personal, file analysis',
    held('personal'),
    gate('fileAnalysis'),
    { plan: 'professional', costs: 895, action: 'Change to Professional' },
  ],
  [
    'Personal of five sources, user groups',
    held('personal', { extra_source: 4 }),
    gate('userGrouping'),
    { plan: 'standard', addOns: 'extra_source:2', costs: 490, action: 'Change to Standard' },
  ],
  [
    'Personal, hourly, user groups',
    held('personal', { frequent_sync: 1 }),
    gate('clientPortal'),
    { plan: 'standard', addOns: 'frequent_sync:1', costs: 470, action: 'Change to Standard' },
  ],
  [
    'Standard, a fourth source',
    held('standard'),
    limit('dataSources'),
    { plan: 'standard', addOns: 'extra_source:1', costs: 20, action: 'Add an extra data source' },
  ],
  [
    'Standard with an extra source, a fifth',
    held('standard', { extra_source: 1, frequent_sync: 1 }),
    limit('dataSources'),
    {
      plan: 'standard',
      addOns: 'extra_source:2,frequent_sync:1',
      costs: 20,
      action: 'Add an extra data source',
    },
  ],
  [
    'Standard, a 21st insight',
    held('standard'),
    limit('customInsights'),
    { plan: 'professional', costs: 895, action: 'Change to Professional' },
  ],
  [
    'Standard, several currencies',
    held('standard'),
    gate('multiCurrency'),
    { plan: 'professional', costs: 895, action: 'Change to Professional' },
  ],
  [
    'Professional, an 11th analyst',
    held('professional'),
    limit('analysts'),
    { plan: 'professional', addOns: 'extra_analyst:1', costs: 20, action: 'Add an extra analyst' },
  ],
  [
    'Standard with 50 sources given, one more',
    held('standard', {}, { dataSources: 50 }),
    limit('dataSources'),
    { plan: 'standard', addOns: 'extra_source:1', costs: 20, action: 'Add an extra data source' },
  ],
  [
    'trial, an 11th source',
    held(null),
    limit('dataSources'),
    { plan: 'professional', addOns: 'extra_source:1', costs: 915, action: 'Choose Professional' },
  ],
]

describe('the way out of a limit or gate', () => {
  it.each(WAYS)('%s', (_, has, need, { plan, addOns = '', costs, action }) => {
    const often = has.planId === null ? { interval: 'monthly' } : {}
    const target = { to: CHECKOUT_PAGE, search: { plan, ...often, addOns } }
    expect(offerFor(need, has, 'live')).toMatchObject({ action, costs: euro(costs), target })
  })

  it('says what comes of it', () => {
    expect(offerFor(limit('users'), held('personal'), 'live')?.gives).toBe('11 users instead of 1.')
    expect(offerFor(limit('customInsights'), held('standard'), 'test')?.gives).toBe(
      'Unlimited custom insights instead of 20.',
    )
    expect(offerFor(limit('dataSources', 5), held('standard'), 'live')).toMatchObject({
      title: '2 × Extra data source',
      gives: '5 data sources instead of 3.',
    })
  })

  it('is a question where nothing on sale helps, or where an agreement decides', () => {
    expect(offerFor(limit('groupings'), held('professional'), 'live')).toMatchObject({
      costs: null,
      action: 'Ask about Enterprise',
    })
    expect(offerFor(gate('fileAnalysis'), held('legacy', {}, { fileAnalysis: false }), 'live')?.costs).toBeNull()
  })

  it('is nothing to buy where billing is off', () => {
    expect(offerFor(limit('users'), held('personal'), 'off')).toBeNull()
    expect(offerFor({ kind: 'write', reason: 'trial_expired' }, held(null), 'off')).toBeNull()
  })

  it('from a read-only workspace leads to plans with the lowest price, from a restricted one to the invoice', () => {
    for (const reason of ['trial_expired', 'awaiting_checkout', 'canceled'] as const)
      expect(offerFor({ kind: 'write', reason }, held(null), 'live')?.costs).toEqual(euro(195, true))
    expect(offerFor({ kind: 'write', reason: 'restricted' }, held('standard'), 'live')).toMatchObject({
      action: 'Pay invoice',
      costs: null,
    })
  })

  it('can be bought as it stands, meets the need and takes nothing away, whatever is held', () => {
    const anyHeld = fc
      .record({
        planId: fc.constantFrom(...SELLABLE_PLAN_IDS),
        addOns: fc.record({
          extra_analyst: fc.nat(5),
          user_pack_10: fc.nat(3),
          extra_source: fc.nat(12),
          frequent_sync: fc.nat(1),
        }),
      })
      .map(({ planId, addOns }) =>
        held(planId, Object.fromEntries(Object.entries(addOns).filter(([, count]) => count > 0))),
      )
    const anyNeed = fc.oneof(
      fc.constantFrom(...GATE_NAMES).map(gate),
      fc
        .tuple(fc.constantFrom(...LIMIT_NAMES), fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }))
        .map(([name, count]) => limit(name, count)),
    )
    fc.assert(
      fc.property(anyHeld, anyNeed, (has, need) => {
        const missing =
          need.kind === 'gate' ? !has.features[need.gate] : need.kind === 'limit' && has.features[need.limit] !== null
        fc.pre(missing)
        const offer = offerFor(need, has, 'live')
        expect(offer).not.toBeNull()
        if (!offer || !('search' in offer.target)) {
          expect(offer?.action).toBe('Ask about Enterprise')
          return
        }
        const { plan, addOns } = offer.target.search
        const list = addOns === '' ? [] : addOns.split(',').map((one) => one.split(':'))
        const { addOns: bought } = checkoutSchema.parse({
          planId: plan,
          interval: 'monthly',
          method: 'card',
          addOns: list.map(([id, qty]) => ({ id, qty: Number(qty) })),
        })
        const quantities: AddOnQuantities = Object.fromEntries(bought.map(({ id, qty }) => [id, qty]))
        expect(Object.keys(quantities).every((id) => ADD_ON_IDS.some((known) => known === id))).toBe(true)
        const features = featuresOf({ planId: plan, addOns: quantities, override: null, tier: null })
        expect(isDowngrade(has.features, features)).toBe(false)
        if (need.kind === 'gate') expect(features[need.gate]).toBe(true)
        if (need.kind === 'limit')
          expect(features[need.limit] ?? Infinity).toBeGreaterThanOrEqual(
            Math.max(need.count ?? 0, (has.features[need.limit] ?? 0) + 1),
          )
      }),
    )
  })
})
