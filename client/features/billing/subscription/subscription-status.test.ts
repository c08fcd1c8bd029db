import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { usageLevel, describeUsageLevel } from './usage-card'
import { firstPayableInvoice } from './invoices'
import { invoiceFixture, openInvoiceFixture, subscriptionFixture, trialFixture } from '../../../test/subscription'
import { daysLeft, isResumable, subscriptionStatus } from './subscription-status'
import { createFormatter } from '../../../../src/shared/figures/formatter'
import { SUBSCRIPTION_STATES } from '../../../../src/shared/billing/entitlements'
import type { SubscriptionView } from '../../../../src/shared/billing/subscription'

const format = createFormatter({ numberLocale: 'sv-SE', currency: 'SEK', timeZone: 'Europe/Stockholm' })
const NOW = Date.parse('2026-11-21T10:00:00.000Z')
const of = (view: SubscriptionView, isBillingOff = false) =>
  subscriptionStatus({ view, format, now: NOW, isBillingOff })

describe('where a subscription stands', () => {
  it.each([
    [
      'a trial',
      trialFixture(),
      'Trial',
      '5 days left',
      'choose',
      /until 26 Nov 2026, 11:00, then read-only without a plan/,
    ],
    [
      'an ended trial',
      trialFixture({ state: 'trial_expired' }),
      'Trial ended',
      'Read-only',
      'choose',
      /view and export/,
    ],
    [
      'a workspace without a plan',
      trialFixture({ state: 'awaiting_checkout' }),
      'No plan yet',
      'Read-only',
      'choose',
      /Choose/,
    ],
    ['a paid plan', subscriptionFixture(), 'Standard, billed monthly', 'Active', null, /Renews 20 Dec 2026 by card/],
    [
      'a plan that another one follows',
      subscriptionFixture({
        scheduled: { planId: 'personal', interval: 'monthly', addOns: {}, at: '2026-12-20T09:00:00.000Z' },
      }),
      ...(['Standard, billed monthly', 'Active', null, /^Active until 20 Dec 2026\.$/] as const),
    ],
    [
      'a plan bought in the trial',
      subscriptionFixture({ trialEndsAt: '2026-11-26T10:00:00.000Z', periodEndsAt: '2026-11-26T10:00:00.000Z' }),
      ...(['Standard, billed monthly', 'Active', null, /First card charge 26 Nov 2026/] as const),
    ],
    [
      'an open invoice',
      subscriptionFixture({ state: 'invoice_pending', method: 'invoice', invoiceDueAt: '2026-12-20T09:00:00.000Z' }),
      ...(['Standard, billed monthly', 'Invoice due', 'pay', /Invoice due 20 Dec 2026/] as const),
    ],
    [
      'a card that failed',
      subscriptionFixture({ state: 'past_due', graceEndsAt: '2026-12-04T09:00:00.000Z' }),
      ...(['Standard, billed monthly', 'Payment overdue', 'card', /after 4 Dec 2026.*read-only/] as const),
    ],
    [
      'an invoice overdue too long',
      subscriptionFixture({ state: 'restricted', method: 'invoice', cancelAt: '2026-12-20T09:00:00.000Z' }),
      ...(['Standard, billed monthly', 'Read-only', 'pay', /Pay the invoice.*ends 20 Dec 2026/] as const),
    ],
    [
      'a cancelled plan',
      subscriptionFixture({ cancelAt: '2026-12-20T09:00:00.000Z' }),
      ...(['Standard, billed monthly', 'Ends 20 Dec 2026', 'resume', /Cancelled\. Works until 20 Dec 2026/] as const),
    ],
    [
      'an ended one',
      subscriptionFixture({ state: 'canceled' }),
      'Subscription ended',
      'Read-only',
      'choose',
      /Choose a plan/,
    ],
    [
      'an agreement',
      subscriptionFixture({ custom: true, planId: 'enterprise', method: null, interval: null }),
      ...(['Enterprise', 'Custom agreement', 'contact', /as agreed/] as const),
    ],
    [
      'an older tier',
      subscriptionFixture({ planId: 'legacy', tier: 5, interval: 'yearly' }),
      ...(['5 data sources (older tier), billed yearly', 'Active', null, /Renews/] as const),
    ],
  ] as const)('says of %s what holds, until when, and what to do', (_, view, title, word, action, sentence) => {
    expect(of(view)).toMatchObject({ title, word, action })
    expect(of(view).sentence).toMatch(sentence)
  })

  it.each(['invoice_pending', 'past_due'] as const)(
    'names the end of a subscription that was cancelled while %s, which can be taken back',
    (state) => {
      const view = subscriptionFixture({ state, method: 'invoice', cancelAt: '2026-12-20T09:00:00.000Z' })
      expect(isResumable(view)).toBe(true)
      expect(of(view)).toMatchObject({ action: 'pay', sentence: expect.stringMatching(/^Ends 20 Dec 2026/) })
    },
  )

  it('offers nothing to buy or pay where billing is off, in any state', () => {
    for (const state of SUBSCRIPTION_STATES) {
      expect(of(subscriptionFixture({ state }), true).action).toBeNull()
      expect(of(trialFixture({ state }), true).sentence).not.toMatch(/[Cc]hoose|charged|Subscribe/)
    }
  })

  it('never says “null”, “undefined” or a missing day, whatever is not known', () => {
    const bare = { interval: null, method: null, trialEndsAt: null, periodEndsAt: null, cancelAt: null } as const
    for (const state of SUBSCRIPTION_STATES) {
      const { title, word, sentence } = of(subscriptionFixture({ state, planId: null, ...bare }))
      expect(`${title} ${word} ${sentence}`).not.toMatch(/null|undefined|–|NaN/)
    }
  })
})

it('counts the days that are left up to the last one', () => {
  const at = (hours: number) => daysLeft(new Date(NOW + hours * 3_600_000).toISOString(), NOW)
  expect([168, 25, 24, 1].map(at)).toEqual(['7 days left', '2 days left', 'Last day', 'Last day'])
})

describe('a meter', () => {
  it('calls every use at or over its limit by a word, and none below four fifths', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.integer({ min: 1, max: 100 }), (used, max) => {
        const words = describeUsageLevel({ used, max })
        if (used > max) expect(words).toBe(`${used - max} over limit`)
        else if (used === max) expect(words).toBe('Limit reached')
        else expect(words === null).toBe(used / max < 0.8)
      }),
    )
  })
  it('tells apart what is unlimited from what the plan has none of', () => {
    expect([
      usageLevel({ used: 9, max: null }),
      usageLevel({ used: 0, max: 0 }),
      usageLevel({ used: 2, max: 0 }),
    ]).toEqual(['unlimited', 'none', 'over'])
  })
})

it('pays the overdue invoice first, then the one due first, and never one without a page or an amount', () => {
  const late = openInvoiceFixture({ id: 'late', overdue: true, dueAt: '2026-11-30T00:00:00.000Z' })
  const soon = openInvoiceFixture({ id: 'soon', dueAt: '2026-11-25T00:00:00.000Z' })
  const nothing = openInvoiceFixture({ id: 'nothing', due: { minor: 0, currency: 'eur' } })
  expect(firstPayableInvoice([invoiceFixture(), nothing, openInvoiceFixture(), soon, late])?.id).toBe('late')
  expect(firstPayableInvoice([openInvoiceFixture(), soon])?.id).toBe('soon')
  expect(firstPayableInvoice([invoiceFixture(), nothing, openInvoiceFixture({ url: null })])).toBeUndefined()
})
