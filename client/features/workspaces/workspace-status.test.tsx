import { screen } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ReducedRoleBanner, PaymentOverdueBanner } from './subscription-banners'
import { NoSeatScreen } from './no-seat-screen'
import { TrialNote } from './trial-note'
import { setSession } from '../../lib/session'
import { pageDataOnPlan } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, mockServer } from '../../test/mock-server'
import { ReadOnlyBanner } from '../../ui/read-only-banner'
import { PERMISSIONS } from '../../../src/shared/permissions'

const OWNERS = { 'GET /api/members': () => jsonResponse({ items: [{ name: 'Bo Ek' }], nextCursor: null }) }
const DAY_MS = 86_400_000

afterEach(() => vi.unstubAllGlobals())

describe('a read-only workspace', () => {
  it.each([
    ['trial_expired', 'Trial ended', 'Choose a plan'],
    ['awaiting_checkout', 'No subscription yet', 'Choose a plan'],
    ['canceled', 'Subscription ended', 'Choose a plan'],
    ['restricted', 'Payment overdue', 'Pay invoice'],
  ] as const)('that is %s says so, with the way out', async (reason, title, action) => {
    setSession(pageDataOnPlan('admin', 'standard'))
    const { container } = await renderWithProviders(<ReadOnlyBanner reason={reason} />)
    expect(screen.getByText(title)).toBeVisible()
    expect(screen.getByRole('link', { name: action })).toHaveAttribute('href', '/settings/workspace/subscription')
    expect((await axe.run(container)).violations).toEqual([])
  })

  it('names who can help to whoever cannot buy, and sells nothing where nothing is sold', async () => {
    mockServer(OWNERS)
    setSession(pageDataOnPlan('viewer', 'standard'))
    const { unmount } = await renderWithProviders(<ReadOnlyBanner reason="canceled" />)
    expect(await screen.findByText(/Bo Ek can choose a plan\./)).toBeVisible()
    expect(screen.queryByRole('link')).toBeNull()
    unmount()
    const data = pageDataOnPlan('owner', 'standard')
    setSession({ ...data, config: { ...data.config, billing: 'off' } })
    await renderWithProviders(<ReadOnlyBanner reason="canceled" />)
    expect(screen.queryByRole('link')).toBeNull()
    expect(screen.getByText(/Ask your operator/)).toBeVisible()
  })
})

describe('an overdue payment', () => {
  it('is said with the instant from which nothing can be changed', async () => {
    setSession(
      pageDataOnPlan('owner', 'standard', { state: 'past_due', graceEndsAt: Date.parse('2026-12-05T09:30:00Z') }),
    )
    await renderWithProviders(<PaymentOverdueBanner />)
    expect(screen.getByRole('status')).toHaveTextContent(/Pay by 5 Dec 2026, 10:30.*Pay invoice/)
  })
  it.each(['active', 'invoice_pending', 'trialing'] as const)('is not said while %s', async (state) => {
    setSession(pageDataOnPlan('owner', 'standard', { state }))
    await renderWithProviders(<PaymentOverdueBanner />)
    expect(screen.queryByRole('status')).toBeNull()
  })
})

describe('the trial', () => {
  const trial = (days: number) => ({ state: 'trialing' as const, trialEndsAt: Date.now() + days * DAY_MS })
  it('leads whoever may buy to the plans, and stands out in its last days', async () => {
    setSession(pageDataOnPlan('owner', 'standard', trial(4.5)))
    const { unmount } = await renderWithProviders(<TrialNote collapsed={false} />)
    expect(screen.getByRole('link', { name: /5 days left/ })).not.toHaveAttribute('data-soon')
    unmount()
    setSession(pageDataOnPlan('owner', 'standard', trial(1.5)))
    await renderWithProviders(<TrialNote collapsed={false} />)
    expect(screen.getByRole('link', { name: /2 days left/ })).toHaveAttribute('data-soon')
  })
  it('is told to everybody else without a way', async () => {
    setSession(pageDataOnPlan('viewer', 'standard', trial(4.5)))
    await renderWithProviders(<TrialNote collapsed={false} />)
    expect(screen.getByText('Trial: 5 days left')).toBeVisible()
    expect(screen.queryByRole('link')).toBeNull()
  })
})

describe('somebody the plan has no room for', () => {
  it('is told why, who can help, and how to go on', async () => {
    const data = pageDataOnPlan('viewer', 'standard')
    if (!data.workspace) throw new Error('no workspace')
    setSession({ ...data, workspace: { ...data.workspace, seat: 'none', permissions: [] } })
    const calls = mockServer({})
    const { container } = await renderWithProviders(<NoSeatScreen />)
    expect(screen.getByText('No seat for you right now')).toBeVisible()
    expect(screen.getByText(/plan includes 30 users/)).toBeVisible()
    expect(screen.getByText(/Ask an owner of Nordträ/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Sign out' })).toBeVisible()
    expect(screen.getByRole('button', { name: /Switch workspace/ })).toBeVisible()
    expect(calls).toEqual([])
    expect((await axe.run(container)).violations).toEqual([])
  })
  it('as an analyst reads on, and is told why', async () => {
    mockServer(OWNERS)
    const data = pageDataOnPlan('analyst', 'standard')
    if (!data.workspace) throw new Error('no workspace')
    setSession({ ...data, workspace: { ...data.workspace, role: 'viewer', permissions: PERMISSIONS.viewer } })
    await renderWithProviders(<ReducedRoleBanner />)
    expect(screen.getByText('You’re acting as a viewer')).toBeVisible()
    expect(await screen.findByText(/Bo Ek can add an extra analyst/)).toBeVisible()
  })
})
