import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { levelOf, levelWords } from './meter-words'
import { payableOf } from './invoice-words'
import { invoice, openInvoice, subscription, trial } from './samples'
import { daysLeft, standingOf } from './standing'
import { formatter } from '../../lib/format'
import { SUBSCRIPTION_STATES } from '../../../src/shared/entitlements'
import type { SubscriptionView } from '../../../src/shared/subscription'

const format = formatter({ numberLocale: 'sv-SE', currency: 'SEK', timeZone: 'Europe/Stockholm' })
const NOW = Date.parse('2026-11-21T10:00:00.000Z')
const of = (view: SubscriptionView, off = false) => standingOf({ view, format, now: NOW, off })

describe('where a subscription stands', () => {
  it.each([
    ['a trial', trial(), 'Trial', '5 days left', 'choose', /Until 26 Nov 2026, 11:00 .*Nothing is charged/],
    ['an ended trial', trial({ state: 'trial_expired' }), 'The trial has ended', 'Read-only', 'choose', /readable/],
    [
      'a workspace without a plan',
      trial({ state: 'awaiting_checkout' }),
      'No plan yet',
      'Read-only',
      'choose',
      /Choose/,
    ],
    ['a paid plan', subscription(), 'Standard, paid monthly', 'Active', null, /until 20 Dec 2026 .* by card/],
    [
      'a plan that another one follows',
      subscription({
        scheduled: { planId: 'personal', interval: 'monthly', addOns: {}, at: '2026-12-20T09:00:00.000Z' },
      }),
      ...(['Standard, paid monthly', 'Active', null, /^Active until 20 Dec 2026\.$/] as const),
    ],
    [
      'a plan bought in the trial',
      subscription({ trialEndsAt: '2026-11-26T10:00:00.000Z', periodEndsAt: '2026-11-26T10:00:00.000Z' }),
      ...(['Standard, paid monthly', 'Active', null, /charged for the first time on 26 Nov 2026/] as const),
    ],
    [
      'an open invoice',
      subscription({ state: 'invoice_pending', method: 'invoice', invoiceDueAt: '2026-12-20T09:00:00.000Z' }),
      ...(['Standard, paid monthly', 'Invoice open', 'pay', /pay it by 20 Dec 2026/] as const),
    ],
    [
      'a card that failed',
      subscription({ state: 'past_due', graceEndsAt: '2026-12-04T09:00:00.000Z' }),
      ...(['Standard, paid monthly', 'Payment missing', 'card', /works until 4 Dec 2026.*read-only/] as const),
    ],
    [
      'an invoice overdue too long',
      subscription({ state: 'restricted', method: 'invoice', cancelAt: '2026-12-20T09:00:00.000Z' }),
      ...(['Standard, paid monthly', 'Read-only', 'pay', /As soon as it is paid.*ends on 20 Dec 2026/] as const),
    ],
    [
      'a cancelled plan',
      subscription({ cancelAt: '2026-12-20T09:00:00.000Z' }),
      ...(['Standard, paid monthly', 'Ends 20 Dec 2026', 'resume', /Nothing is deleted/] as const),
    ],
    ['an ended one', subscription({ state: 'canceled' }), 'The subscription has ended', 'Read-only', 'choose', /again/],
    [
      'an agreement',
      subscription({ custom: true, planId: 'enterprise', method: null, interval: null }),
      ...(['Enterprise', 'Own agreement', 'contact', /as agreed/] as const),
    ],
    [
      'an older tier',
      subscription({ planId: 'legacy', tier: 5, interval: 'yearly' }),
      ...(['5 data sources (older tier), paid yearly', 'Active', null, /renewed/] as const),
    ],
  ] as const)('says of %s what holds, until when, and what to do', (_, view, title, word, action, sentence) => {
    expect(of(view)).toMatchObject({ title, word, action })
    expect(of(view).sentence).toMatch(sentence)
  })

  it('offers nothing to buy or pay where billing is off, in any state', () => {
    for (const state of SUBSCRIPTION_STATES) {
      expect(of(subscription({ state }), true).action).toBeNull()
      expect(of(trial({ state }), true).sentence).not.toMatch(/[Cc]hoose|charged|Subscribe/)
    }
  })

  it('never says “null”, “undefined” or a missing day, whatever is not known', () => {
    const bare = { interval: null, method: null, trialEndsAt: null, periodEndsAt: null, cancelAt: null } as const
    for (const state of SUBSCRIPTION_STATES) {
      const { title, word, sentence } = of(subscription({ state, planId: null, ...bare }))
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
        const words = levelWords({ used, max })
        if (used > max) expect(words).toBe(`${used - max} over the limit`)
        else if (used === max) expect(words).toBe('All used')
        else expect(words === null).toBe(used / max < 0.8)
      }),
    )
  })
  it('tells apart what is unlimited from what the plan has none of', () => {
    expect([levelOf({ used: 9, max: null }), levelOf({ used: 0, max: 0 }), levelOf({ used: 2, max: 0 })]).toEqual([
      'unlimited',
      'none',
      'over',
    ])
  })
})

it('pays the overdue invoice first, then the one due first, and never one without a page or an amount', () => {
  const late = openInvoice({ id: 'late', overdue: true, dueAt: '2026-11-30T00:00:00.000Z' })
  const soon = openInvoice({ id: 'soon', dueAt: '2026-11-25T00:00:00.000Z' })
  const nothing = openInvoice({ id: 'nothing', due: { minor: 0, currency: 'eur' } })
  expect(payableOf([invoice(), nothing, openInvoice(), soon, late])?.id).toBe('late')
  expect(payableOf([openInvoice(), soon])?.id).toBe('soon')
  expect(payableOf([invoice(), nothing, openInvoice({ url: null })])).toBeUndefined()
})
