import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  invoiceLineText,
  planLines,
  resolveChangeTiming,
  toPriceLines,
  totalAmountOf,
  atListPrice,
  diffItems,
} from './plan-change'
import type { SelectedPlan } from './plan-change'
import { addPeriod, firstChargeAt, remainingTrial } from './billing-period'
import { ADD_ON_IDS, PREMIUM_SYNC_IDS, GATE_NAMES, LIMIT_NAMES, SELLABLE_PLAN_IDS } from '../../../shared/billing/plans'
import { cataloguePriceOf } from '../../../shared/billing/price-catalogue'
import { featuresOf } from '../../../shared/billing/entitlements'
import { BILLING_INTERVALS } from '../../../shared/billing/prices'

const DAY_MS = 24 * 60 * 60 * 1000
const quantities = fc.dictionary(fc.constantFrom(...ADD_ON_IDS), fc.integer({ min: 1, max: 100 }), {
  noNullPrototype: true,
})
const sold: fc.Arbitrary<SelectedPlan> = fc.record({
  planId: fc.constantFrom(...SELLABLE_PLAN_IDS),
  interval: fc.constantFrom(...BILLING_INTERVALS),
  addOns: quantities,
  tier: fc.constant(null),
})
const older: fc.Arbitrary<SelectedPlan> = fc.record({
  planId: fc.constant('legacy' as const),
  interval: fc.constantFrom(...BILLING_INTERVALS),
  addOns: fc.option(fc.constantFrom(...PREMIUM_SYNC_IDS), { nil: null }).map((id) => (id === null ? {} : { [id]: 1 })),
  tier: fc.constantFrom(1, 3, 5, 10, 50),
})
const instant = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2040, 0, 1) })

describe('what is paid for', () => {
  it('is integers of one currency, twelve months a year for plans and add-ons of today (BIL-7)', () => {
    fc.assert(
      fc.property(sold, (chosen) => {
        const monthly = totalAmountOf(atListPrice(planLines({ ...chosen, interval: 'monthly' })))
        const yearly = totalAmountOf(atListPrice(planLines({ ...chosen, interval: 'yearly' })))
        expect([yearly.minor, yearly.currency]).toEqual([monthly.minor * 12, 'eur'])
        expect(Number.isSafeInteger(monthly.minor)).toBe(true)
      }),
    )
  })

  it('of an older tier is its own price in kronor, ten months a year (BIL-7)', () => {
    fc.assert(
      fc.property(older, (chosen) => {
        const [monthly, yearly] = BILLING_INTERVALS.map((interval) =>
          totalAmountOf(atListPrice(planLines({ ...chosen, interval }))),
        )
        expect(yearly).toEqual({ minor: (monthly?.minor ?? 0) * 10, currency: 'sek' })
      }),
    )
  })

  it('adds up to what is charged, whatever an invoice lists and whatever is in credit (BIL-7)', () => {
    const lines = fc.array(fc.record({ text: fc.string(), minor: fc.integer({ min: -1e7, max: 1e7 }) }), {
      maxLength: 12,
    })
    fc.assert(
      fc.property(lines, fc.integer({ min: -1e8, max: 1e8 }), fc.nat(1e8), (shown, total, due) => {
        const all = toPriceLines(shown, { total, amount_due: due, currency: 'eur' })
        expect(all.reduce((sum, { amount }) => sum + amount.minor, 0)).toBe(due)
      }),
    )
  })
})

describe('which way a change goes', () => {
  it('never takes anything away before the end of what is paid for', () => {
    fc.assert(
      fc.property(fc.oneof(fc.tuple(sold, sold), fc.tuple(older, older)), ([held, wanted]) => {
        const way = resolveChangeTiming(held, wanted.planId === 'legacy' ? { ...wanted, tier: held.tier } : wanted)
        if (way.when !== 'now') return
        const [before, after] = [held, wanted].map((one) => featuresOf({ ...one, tier: held.tier, override: null }))
        for (const name of LIMIT_NAMES) {
          const [had, has] = [before?.[name] ?? Infinity, after?.[name] ?? Infinity]
          expect(has).toBeGreaterThanOrEqual(had)
        }
        for (const gate of GATE_NAMES) expect(before?.[gate] && !after?.[gate]).toBeFalsy()
        expect(after?.syncFrequencyHours).toBeLessThanOrEqual(before?.syncFrequencyHours ?? 0)
        expect([held.interval, wanted.interval]).not.toEqual(['yearly', 'monthly'])
      }),
    )
  })

  it('leaves alone what stays as it is, and sells no older tier and none beside another currency', () => {
    fc.assert(
      fc.property(sold, older, (today, legacy) => {
        expect([resolveChangeTiming(today, today), resolveChangeTiming(legacy, legacy)]).toEqual([
          { when: 'none' },
          { when: 'none' },
        ])
        expect(resolveChangeTiming(today, legacy)).toMatchObject({ when: 'refused', field: 'planId' })
        expect(resolveChangeTiming(legacy, today)).toMatchObject({ when: 'refused', field: 'planId' })
      }),
    )
  })
})

describe('items of a subscription', () => {
  it('become exactly what is wanted, each held one kept, changed or gone, kept ones at their price', () => {
    fc.assert(
      fc.property(sold, sold, fc.nat(1e6), (from, to, minor) => {
        const held = planLines(from).map(({ entry, quantity }, at) => ({
          ...{ id: `si_${at}`, key: entry.lookupKey, priceId: `price_${at}`, minor, quantity },
        }))
        const { next, removedItemIds } = diffItems(held, planLines(to))
        expect(next.map(({ entry, quantity }) => ({ entry, quantity }))).toEqual(planLines(to))
        const used = next.flatMap(({ id }) => (id === null ? [] : [id]))
        expect([...used, ...removedItemIds].toSorted()).toEqual(held.map(({ id }) => id).toSorted())
        for (const item of next) {
          const same = held.find(({ key }) => key === item.entry.lookupKey)
          expect([item.priceId, item.minor]).toEqual(
            same ? [same.priceId, minor] : [null, cataloguePriceOf(item.entry.lookupKey)?.minor],
          )
        }
      }),
    )
  })
})

describe('periods', () => {
  it.each([
    ['2026-01-31T10:00:00.000Z', 'monthly', '2026-02-28T10:00:00.000Z'],
    ['2028-01-31T10:00:00.000Z', 'monthly', '2028-02-29T10:00:00.000Z'],
    ['2028-02-29T10:00:00.000Z', 'yearly', '2029-02-28T10:00:00.000Z'],
    ['2026-12-15T23:59:59.000Z', 'monthly', '2027-01-15T23:59:59.000Z'],
  ] as const)('of somebody who begins at %s, paid %s, end at %s (TIME-3)', (from, interval, to) => {
    expect(new Date(addPeriod(Date.parse(from), interval)).toISOString()).toBe(to)
  })

  it('begin no earlier than the trial ends, at most a day later, and as Stripe takes it (TIME-3)', () => {
    fc.assert(
      fc.property(instant, fc.integer({ min: -DAY_MS, max: 7 * DAY_MS }), (now, left) => {
        const rest = remainingTrial(now + left, now)
        expect(rest === null).toBe(left <= 0)
        if (left <= 0) return
        const from = firstChargeAt(rest, now)
        expect(from).toBeGreaterThanOrEqual(now + left)
        expect(from).toBeLessThan(now + left + DAY_MS)
        if (rest && 'endsAt' in rest) expect(rest.endsAt - now).toBeGreaterThan(2 * DAY_MS)
        else expect(rest?.days).toBeGreaterThanOrEqual(1)
      }),
    )
  })
})

it.each([
  ['1 × Standard (at €450.00 / month)', 'Standard'],
  ['2 × Extra analyst (at €20.00 / month)', '2 × Extra analyst'],
  [
    'Remaining time on 3 × Extra data source (at 20,00 € / month) after 01 Dec 2026',
    'Remaining time on 3 × Extra data source after 01 Dec 2026',
  ],
  ['Unused time on Standard (older) after 01 Dec 2026', 'Unused time on Standard (older) after 01 Dec 2026'],
  [null, ''],
])('the line %j of an invoice holds no amount in a notation of its own', (description, text) => {
  expect(invoiceLineText(description)).toBe(text)
})
