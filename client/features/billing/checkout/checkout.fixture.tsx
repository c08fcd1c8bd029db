import { screen } from '@testing-library/react'
import { useState } from 'react'
import { vi, type Mock } from 'vitest'
import type { ChangePreview, OverLimitSummary, SubscriptionView } from '../../../../src/shared/billing/subscription'
import { CheckoutScreen } from './checkout-screen'
import type { CheckoutSearch } from './plan-selection'
import { memberPageData } from '../../../test/page-data'
import { renderWithProviders } from '../../../test/render'
import { jsonResponse, mockServer, type MockReply } from '../../../test/mock-server'
import type { Role } from '../../../../src/shared/permissions'

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

/** Anna in a workspace that writes numbers as Britons do. */
export function pageDataFor(role: Role = 'owner') {
  const page = memberPageData(role)
  const { workspace } = page
  return workspace
    ? { ...page, workspace: { ...workspace, settings: { ...workspace.settings, numberLocale: 'en-GB' } } }
    : page
}
export const PREVIEW = 'POST /api/subscription/preview'
export const CHECKOUT = 'POST /api/stripe/checkout'
export const CHANGE = 'PUT /api/subscription'
export const RETAIN = 'PUT /api/subscription/keep'
export const DETAILS = 'PUT /api/subscription/details'

export const serveCheckout = (
  view: SubscriptionView,
  preview: Partial<ChangePreview>,
  over: Record<string, MockReply | MockReply[]> = {},
) =>
  mockServer({
    'GET /api/subscription': () => jsonResponse(view),
    'GET /api/session': () => jsonResponse(pageDataFor()),
    [PREVIEW]: () => jsonResponse(changePreviewFixture(preview)),
    ...over,
  })
export const bodies = (calls: ReturnType<typeof mockServer>, key: string) =>
  calls.filter(({ method, path }) => `${method} ${path}` === key).map(({ body }) => body)

function Screen({ search, onChanged }: { search: CheckoutSearch; onChanged: () => void }) {
  const [now, setNow] = useState(search)
  return (
    <>
      <CheckoutScreen search={now} onSearch={setNow} onChanged={onChanged} />
      <output data-testid="address">{new URLSearchParams(Object.entries(now)).toString()}</output>
    </>
  )
}
export const onChanged: Mock<() => void> = vi.fn<() => void>()
export const renderCheckout = (search: CheckoutSearch = {}) =>
  renderWithProviders(<Screen search={search} onChanged={onChanged} />)
export const address = () => decodeURIComponent(screen.getByTestId('address').textContent ?? '')
export const button = (name: string | RegExp) => screen.findByRole('button', { name })
export const assign: Mock<(url: string | URL) => void> = vi.fn<(url: string | URL) => void>()
