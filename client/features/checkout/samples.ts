import type { ChangePreview, OverLimitSummary, SubscriptionView } from '../../../src/shared/subscription'

/** A workspace on its third day of trial; `over` replaces. */
export const subscriptionViewFixture = (over: Partial<SubscriptionView> = {}): SubscriptionView => ({
  state: 'trialing',
  planId: null,
  tier: null,
  interval: null,
  addOns: {},
  method: null,
  trialEndsAt: '2026-11-25T09:00:00.000Z',
  periodEndsAt: null,
  cancelAt: null,
  graceEndsAt: null,
  invoiceDueAt: null,
  scheduled: null,
  details: { companyName: '', billingEmail: '', taxId: '', poReference: '' },
  meters: [],
  frozen: null,
  mayChoose: true,
  custom: false,
  version: 4,
  ...over,
})

/** Standard by card, paid for until the first of December. */
export const paidSubscriptionFixture = (over: Partial<SubscriptionView> = {}): SubscriptionView =>
  subscriptionViewFixture({
    state: 'active',
    planId: 'standard',
    interval: 'monthly',
    method: 'card',
    trialEndsAt: null,
    periodEndsAt: '2026-12-01T09:00:00.000Z',
    mayChoose: false,
    ...over,
  })

const eur = (minor: number) => ({ minor, currency: 'eur' })

/** What the server says to a first purchase of Personal by card, once the trial has ended. */
export const changePreviewFixture = (over: Partial<ChangePreview> = {}): ChangePreview => ({
  when: 'checkout',
  at: '2026-11-21T09:00:00.000Z',
  dueNow: eur(19_500),
  lines: [{ text: 'Personal, monthly', amount: eur(19_500) }],
  recurring: eur(19_500),
  recurringFrom: '2026-12-21T09:00:00.000Z',
  prorationAt: null,
  freezes: null,
  ...over,
})

/** Two sources where one stays. */
export const overLimitFixture = (over: Partial<OverLimitSummary> = {}): OverLimitSummary => ({
  sources: {
    max: 1,
    items: [
      { id: 'src_old', name: 'Ledger', createdAt: '2026-05-02T08:00:00.000Z', stays: true },
      { id: 'src_new', name: 'Orders', createdAt: '2026-06-01T08:00:00.000Z', stays: false },
    ],
  },
  analysts: null,
  users: null,
  insights: null,
  groupings: null,
  forecasts: null,
  gates: ['clientPortal'],
  ...over,
})
