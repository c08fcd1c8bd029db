import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { InviteScreen } from './invite-screen'
import { InvitesTab } from './invites-tab'
import { setSession } from '../../lib/session'
import { memberPageData as pageOf, pageDataOnPlan } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, errorResponse, mockServer, type MockReply } from '../../test/mock-server'
import type { Invite, InviteResult } from '../../../src/shared/invites'

const group = { id: 'grp_00000000000000000001', name: 'Sales', color: 'blue' }
const invite = (over: Partial<Invite> = {}): Invite => ({
  id: 'inv_00000000000000000001',
  email: 'cia@example.com',
  role: 'viewer',
  groups: [],
  landing: '/insights',
  state: 'pending',
  invitedBy: 'Anna Lindqvist',
  sentAt: new Date(Date.now() - 3_600_000).toISOString(),
  expiresAt: new Date(Date.now() + 6.2 * 86_400_000).toISOString(),
  ...over,
})
const line = (typed: string, outcome: InviteResult['outcome']): InviteResult => ({ typed, outcome, invite: null })

const serving = (over: Record<string, MockReply | MockReply[]> = {}) =>
  mockServer({
    'GET /api/members/seats': () => jsonResponse({ users: { used: 4, max: 30 }, analysts: { used: 2, max: 3 } }),
    'GET /api/groups': () => jsonResponse([group]),
    'GET /api/insights': () =>
      jsonResponse({ items: [{ id: 'ins_00000000000000000001', name: 'Sales' }], nextCursor: null }),
    'GET /api/data-sources': () => jsonResponse({ items: [], nextCursor: null }),
    ...over,
  })
const field = () => screen.findByRole('textbox', { name: 'Email addresses' })
const paste = async (text: string) => {
  await userEvent.click(await field())
  await userEvent.paste(text)
}

beforeEach(() => {
  localStorage.clear()
  setSession(pageDataOnPlan('owner', 'standard'))
})
afterEach(() => vi.unstubAllGlobals())

describe('inviting', () => {
  it('waits until the own address is proven, and says so in place of the form', async () => {
    const page = pageDataOnPlan('owner', 'standard')
    setSession({ ...page, user: page.user && { ...page.user, emailProven: false } })
    const calls = serving()
    await renderWithProviders(<InviteScreen />)
    expect(await screen.findByRole('heading', { name: 'Confirm your email first' })).toBeVisible()
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(screen.getByRole('button', { name: 'Send again' })).toBeVisible()
    expect(calls).toEqual([])
  })

  it('keeps addresses that were not sent, as after a reload', async () => {
    serving()
    const page = await renderWithProviders(<InviteScreen />)
    await paste('cia@example.com')
    await waitFor(() => expect(JSON.stringify(localStorage)).toContain('cia@example.com'))
    page.unmount()
    await renderWithProviders(<InviteScreen />)
    expect(await screen.findByDisplayValue('cia@example.com')).toBeVisible()
  })

  it('counts while typing, says which seats it takes, and sends addresses, role, groups and first page', async () => {
    const calls = serving({ 'POST /api/invites': () => jsonResponse({ lines: [line('cia@example.com', 'sent')] }) })
    const { container } = await renderWithProviders(<InviteScreen />)
    await paste('Cia Dahl <cia@example.com>; dan@example.com; cia@example.com')
    expect(screen.getByText('2 addresses, 1 duplicate.')).toBeVisible()
    expect(await screen.findByText('Uses 2 of 26 free seats')).toBeVisible()
    await userEvent.click(screen.getByRole('radio', { name: /^Analyst/ }))
    expect(await screen.findByText('1 free analyst seat. Only the first 1 will be sent.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Add an extra analyst' })).toBeVisible()
    await userEvent.click(await screen.findByRole('combobox', { name: 'Groups' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Sales' }))
    expect((await axe.run(container)).violations).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: 'Send 2 invitations' }))
    await waitFor(() => expect(calls.some(({ method }) => method === 'POST')).toBe(true))
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      emails: ['cia@example.com', 'dan@example.com'],
      role: 'analyst',
      groupIds: [group.id],
      landing: '/insights',
    })
  })

  it('leaves what is typed meanwhile in the field, and whoever types it at their place', async () => {
    const sent = Promise.withResolvers<Response>()
    serving({ 'POST /api/invites': () => sent.promise })
    await renderWithProviders(<InviteScreen />)
    await paste('cia@example.com, nonsense@x')
    await userEvent.click(screen.getByRole('button', { name: /^Send/ }))
    await userEvent.type(await field(), '{Enter}dan@example.com')
    sent.resolve(jsonResponse({ lines: [line('cia@example.com', 'sent'), line('nonsense@x', 'invalid')] }))
    await screen.findByRole('region', { name: 'Results' })
    expect(await field()).toHaveValue('nonsense@x\ndan@example.com')
    expect(await field()).toHaveFocus()
  })

  it('answers line by line and leaves what failed in the field', async () => {
    serving({
      'POST /api/invites': () =>
        jsonResponse({
          lines: [
            line('a@x.se', 'sent'),
            line('b@x.se', 'renewed'),
            line('c@x.se', 'member'),
            line('d@elsewhere.se', 'wrong_domain'),
            line('nonsense', 'invalid'),
            line('e@x.se', 'no_seat'),
          ],
        }),
    })
    await renderWithProviders(<InviteScreen />)
    await paste('a@x.se b@x.se c@x.se d@elsewhere.se e@x.se, nonsense')
    await userEvent.click(screen.getByRole('button', { name: 'Send 5 invitations' }))
    const head = await screen.findByRole('heading', { name: '2 people invited, 3 addresses to check' })
    expect(head).toHaveFocus()
    const lines = within(screen.getByRole('region', { name: 'Results' })).getAllByRole('listitem')
    expect(lines.map(({ textContent }) => textContent)).toEqual([
      'a@x.seInvited',
      expect.stringMatching(/^b@x\.seResent/),
      'c@x.seAlready a member',
      expect.stringMatching(/^d@elsewhere\.seDomain not allowed/),
      expect.stringMatching(/^nonsenseEnter an address/),
      'e@x.seNo seats left',
    ])
    expect(await field()).toHaveValue('d@elsewhere.se\nnonsense\ne@x.se')
  })

  it('repeats a send that was cut off under the same key, and takes a new one for other addresses', async () => {
    const calls = serving({ 'POST /api/invites': () => errorResponse('busy') })
    await renderWithProviders(<InviteScreen />)
    const send = () => userEvent.click(screen.getByRole('button', { name: 'Send invitation' }))
    await paste('cia@example.com')
    await send()
    await screen.findByRole('alert')
    await send()
    await paste('x')
    await send()
    await waitFor(() => expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(3))
    const keys = calls.flatMap(({ method, headers }) => (method === 'POST' ? [headers.get('idempotency-key')] : []))
    expect(keys[0]).toBe(keys[1])
    expect(keys[2]).not.toBe(keys[0])
  })

  it('sends nothing without an address', async () => {
    const calls = serving()
    await renderWithProviders(<InviteScreen />)
    await userEvent.click(await screen.findByRole('button', { name: 'Send invitation' }))
    expect(await screen.findByText('Enter at least one address.')).toBeVisible()
    expect(calls.some(({ method }) => method === 'POST')).toBe(false)
  })

  it('says that there is no seat before anybody is typed, what one costs, and where to get it', async () => {
    setSession(pageDataOnPlan('owner', 'personal'))
    serving({
      'GET /api/members/seats': () => jsonResponse({ users: { used: 1, max: 1 }, analysts: { used: 1, max: 1 } }),
    })
    await renderWithProviders(<InviteScreen />)
    expect(await screen.findByText('No seats left')).toBeVisible()
    expect(screen.getByText(/20,00\s€ per month, excl\. VAT: 11 users instead of 1\./)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Add 10 users' })).toBeVisible()
  })

  it('is not offered while nothing may be changed; open invitations are listed, and nothing can be done to them', async () => {
    setSession(pageDataOnPlan('owner', 'standard', { readOnly: 'restricted' }))
    serving({ 'GET /api/invites': () => jsonResponse({ items: [invite()], nextCursor: null }) })
    const { unmount } = await renderWithProviders(<InviteScreen />)
    expect(screen.getByRole('heading', { name: 'Invitations are paused' })).toBeVisible()
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(screen.getByRole('link', { name: 'View members' })).toBeVisible()
    unmount()
    await renderWithProviders(<InvitesTab />)
    expect(within(await screen.findByRole('row', { name: /cia@example\.com/ })).queryByRole('button')).toBeNull()
  })

  it('is explained to people who may not', async () => {
    setSession(pageOf('analyst'))
    serving()
    await renderWithProviders(<InviteScreen />)
    expect(await screen.findByText(/Only owners and admins can invite/)).toBeVisible()
    expect(screen.queryByRole('textbox')).toBeNull()
  })
})

describe('invitations', () => {
  const listed = (...items: Invite[]) => ({ 'GET /api/invites': () => jsonResponse({ items, nextCursor: null }) })
  it('say who invited whom and when they end; open ones are sent again or revoked', async () => {
    const one = invite()
    const calls = serving({
      ...listed(one, invite({ id: 'inv_2', email: 'old@example.com', state: 'accepted' })),
      [`POST /api/invites/${one.id}/resend`]: () => jsonResponse(one),
    })
    const { container } = await renderWithProviders(<InvitesTab />)
    const row = await screen.findByRole('row', { name: /cia@example\.com/ })
    expect(row).toHaveTextContent(/Pending.*expires in 6 days.*Viewer.*Anna Lindqvist 1 hour ago/)
    const done = screen.getByRole('row', { name: /old@example\.com/ })
    expect(within(done).queryByRole('button')).toBeNull()
    expect((await axe.run(container)).violations).toEqual([])
    await userEvent.click(within(row).getByRole('button', { name: 'Resend cia@example.com' }))
    await waitFor(() => expect(calls.some(({ path }) => path.endsWith('/resend'))).toBe(true))
  })

  it('that have expired are renewed, and a missing seat is said', async () => {
    const one = invite({ state: 'expired', expiresAt: '2026-01-01T00:00:00.000Z' })
    serving({
      ...listed(one),
      [`POST /api/invites/${one.id}/resend`]: () => errorResponse('limit_reached', { limit: 'users' }),
    })
    await renderWithProviders(<InvitesTab />)
    await userEvent.click(await screen.findByRole('button', { name: 'Renew cia@example.com' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('No seats left')
  })

  it('teach what they are when there are none', async () => {
    serving(listed())
    await renderWithProviders(<InvitesTab />)
    expect(await screen.findByText('No invitations yet')).toBeVisible()
  })
})
