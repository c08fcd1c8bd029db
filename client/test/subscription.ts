import type { InvoiceView, LimitUsage, SubscriptionView, UpcomingInvoices } from '../../src/shared/billing/subscription'

const usageMeter = (limit: LimitUsage['limit'], used: number, max: number | null): LimitUsage => ({
  limit,
  used,
  max,
  resetsAt: limit === 'aiMessages' ? '2026-12-01T00:00:00.000Z' : null,
})

/** A subscription as the server tells it: Standard, paid monthly by card. */
export const subscriptionFixture = (over: Partial<SubscriptionView> = {}): SubscriptionView => ({
  state: 'active',
  planId: 'standard',
  tier: null,
  interval: 'monthly',
  addOns: {},
  method: 'card',
  trialEndsAt: null,
  periodEndsAt: '2026-12-20T09:00:00.000Z',
  cancelAt: null,
  graceEndsAt: null,
  invoiceDueAt: null,
  scheduled: null,
  details: { companyName: 'Nordträ AB', billingEmail: '', taxId: '', poReference: '' },
  meters: [
    usageMeter('users', 12, 30),
    usageMeter('analysts', 3, 3),
    usageMeter('dataSources', 5, 3),
    usageMeter('customInsights', 17, 20),
    usageMeter('aiMessages', 40, null),
    usageMeter('feeds', 0, 0),
  ],
  frozen: null,
  mayChoose: false,
  custom: false,
  version: 4,
  ...over,
})

/** Nothing was bought yet. */
export const trialFixture = (over: Partial<SubscriptionView> = {}): SubscriptionView =>
  subscriptionFixture({
    state: 'trialing',
    planId: null,
    interval: null,
    method: null,
    periodEndsAt: null,
    trialEndsAt: '2026-11-26T10:00:00.000Z',
    ...over,
  })

export const invoiceFixture = (over: Partial<InvoiceView> = {}): InvoiceView => ({
  id: 'in_1',
  number: 'INS-0001',
  state: 'paid',
  overdue: false,
  total: { minor: 45_000, currency: 'eur' },
  due: { minor: 0, currency: 'eur' },
  issuedAt: '2026-11-20T09:00:00.000Z',
  dueAt: null,
  paidAt: '2026-11-20T09:01:00.000Z',
  reverseCharge: null,
  url: 'https://pay.example.com/in_1',
  pdf: 'https://pay.example.com/in_1.pdf',
  ...over,
})

export const openInvoiceFixture = (over: Partial<InvoiceView> = {}): InvoiceView =>
  invoiceFixture({
    id: 'in_2',
    number: 'INS-0002',
    state: 'open',
    due: { minor: 45_000, currency: 'eur' },
    dueAt: '2026-12-20T09:00:00.000Z',
    paidAt: null,
    url: 'https://pay.example.com/in_2',
    ...over,
  })

export const upcomingFixture: UpcomingInvoices = {
  beside: null,
  at: '2026-12-20T09:00:00.000Z',
  total: { minor: 47_000, currency: 'eur' },
  lines: [
    { text: '1 × Standard', amount: { minor: 45_000, currency: 'eur' } },
    { text: '1 × Extra analyst', amount: { minor: 2_000, currency: 'eur' } },
  ],
}
