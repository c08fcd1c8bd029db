import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { selectionFromSearch, compatibleAddOns, toCheckoutInput, parseAddOns, toSearch } from './plan-selection'
import { paidSubscriptionFixture, subscriptionViewFixture } from './checkout.fixture'
import { serializeAddOns } from '../plan-prices'
import { ADD_ON_IDS, PREMIUM_SYNC_IDS, SELLABLE_PLAN_IDS } from '../../../../src/shared/billing/plans'
import { BILLING_INTERVALS } from '../../../../src/shared/billing/prices'
import { checkoutSchema, PAYMENT_METHODS } from '../../../../src/shared/billing/subscription'

const legacy = paidSubscriptionFixture({ planId: 'legacy', tier: 3, addOns: { premium_sync_3: 1 } })

describe('the choice in the address', () => {
  it('is always one that the server takes, whatever stands there', () => {
    const part = fc.tuple(
      fc.constantFrom(...ADD_ON_IDS, ...PREMIUM_SYNC_IDS, 'nothing', ''),
      fc.oneof(fc.integer(), fc.string()).map(String),
    )
    const search = fc.record({
      plan: fc.option(fc.constantFrom(...SELLABLE_PLAN_IDS, 'legacy' as const), { nil: undefined }),
      interval: fc.option(fc.constantFrom(...BILLING_INTERVALS), { nil: undefined }),
      method: fc.option(fc.constantFrom(...PAYMENT_METHODS), { nil: undefined }),
      addOns: fc.option(
        fc.array(part.map((both) => both.join(':'))).map((list) => list.join(',')),
        { nil: undefined },
      ),
    })
    fc.assert(
      fc.property(
        search,
        fc.constantFrom(subscriptionViewFixture(), paidSubscriptionFixture(), legacy),
        (said, view) => {
          const choice = selectionFromSearch(said, view)
          expect(checkoutSchema.safeParse(toCheckoutInput(choice)).error).toBeUndefined()
          expect(selectionFromSearch(toSearch(choice), view)).toEqual(choice)
        },
      ),
    )
  })

  it('keeps what it reads', () => {
    const quantities = fc.dictionary(
      fc.constantFrom('extra_analyst', 'extra_source'),
      fc.integer({ min: 1, max: 100 }),
      {
        noNullPrototype: true,
      },
    )
    fc.assert(
      fc.property(quantities, (held) => {
        expect(parseAddOns(serializeAddOns(held))).toEqual(held)
      }),
    )
  })

  it('begins with what is held, or with what most people take', () => {
    expect(selectionFromSearch({}, subscriptionViewFixture())).toEqual({
      planId: 'standard',
      interval: 'monthly',
      addOns: {},
      method: 'card',
    })
    const held = paidSubscriptionFixture({
      planId: 'personal',
      interval: 'yearly',
      addOns: { extra_source: 2 },
      method: 'invoice',
    })
    const own = { planId: 'personal', interval: 'yearly', addOns: { extra_source: 2 }, method: 'invoice' }
    expect(selectionFromSearch({}, held)).toEqual(own)
    expect(selectionFromSearch({ plan: 'professional' }, held)).toEqual({ ...own, planId: 'professional' })
    expect(selectionFromSearch({ addOns: '' }, held).addOns).toEqual({})
  })

  it('offers an older tier to nobody who has none', () => {
    expect(selectionFromSearch({ plan: 'legacy' }, subscriptionViewFixture()).planId).toBe('standard')
    expect(selectionFromSearch({}, legacy)).toMatchObject({ planId: 'legacy', addOns: { premium_sync_3: 1 } })
    expect(selectionFromSearch({ plan: 'personal' }, legacy)).toMatchObject({ planId: 'legacy' })
    expect(selectionFromSearch({}, { ...legacy, state: 'canceled' })).toMatchObject({ planId: 'standard', addOns: {} })
  })

  it('drops what does not go with the plan', () => {
    const mixed = { extra_source: 2, premium_sync_1: 1, premium_sync_3: 1 }
    expect(compatibleAddOns('legacy', mixed)).toEqual({ premium_sync_1: 1 })
    expect(compatibleAddOns('personal', mixed)).toEqual({ extra_source: 2 })
  })
})
