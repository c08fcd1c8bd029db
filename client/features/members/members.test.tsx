import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MembersScreen } from './members-screen'
import { BO_ID, memberFixture } from './members.fixture'
import { setSession } from '../../lib/session'
import { memberPageData as pageOf, pageDataOnPlan } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, errorResponse, mockServer, type MockReply } from '../../test/mock-server'
import type { Member, OwnershipOffer, SeatUsage } from '../../../src/shared/members'

const SEATS: SeatUsage = { users: { used: 4, max: 30 }, analysts: { used: 2, max: 3 } }
const NONE = { sources: 0, insights: 0, metrics: 0, groupings: 0, alerts: 0, forecasts: 0 }
const HEIRS = [
  { userId: 'usr_00000000000000000003', name: 'Cia Dahl' },
  { userId: 'usr_anna', name: 'Anna Lindqvist' },
]
const anna = memberFixture({
  userId: 'usr_anna',
  name: 'Anna Lindqvist',
  email: 'anna@example.com',
  role: 'owner',
  self: true,
})
const ONE = `/api/members/${BO_ID}`
const SIGN_INS = { password: true, accounts: [], offered: [] }

/** A server that knows these people; `over` replaces or adds answers. */
const peopled = (members: Member[], over: Record<string, MockReply | MockReply[]> = {}) =>
  mockServer({
    'GET /api/members': () => jsonResponse({ items: members, nextCursor: null }),
    'GET /api/members/seats': () => jsonResponse(SEATS),
    'GET /api/groups': () => jsonResponse([]),
    'GET /api/workspace/ownership': () => jsonResponse(null),
    'GET /api/account/sign-ins': () => jsonResponse(SIGN_INS),
    [`GET ${ONE}/belongings`]: () => jsonResponse({ ...NONE, sources: 3, insights: 5, heirs: HEIRS }),
    ...over,
  })
const screenOf = () => renderWithProviders(<MembersScreen groups={<p>Groups here</p>} />)
const row = () => screen.findByRole('row', { name: /Bo Ek/ })
const choose = async (item: string) => {
  await userEvent.click(within(await row()).getByRole('button', { name: 'Actions for Bo Ek' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: item }))
  return screen.findByRole('dialog')
}

beforeEach(() => setSession(pageOf()))
afterEach(() => vi.unstubAllGlobals())

describe('the list of members', () => {
  it('shows seats, people with address, role, groups and when they were seen, without offence', async () => {
    const groups = [{ id: 'grp_1', name: 'Sales', color: 'blue' }]
    peopled([anna, memberFixture({ groups })])
    const { container } = await screenOf()
    expect(await row()).toHaveTextContent(/Bo Ek.*bo@example\.com.*Analyst.*Sales.*2 May 2026/)
    expect(await screen.findByText('4 of 30 users, 2 of 3 analysts')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Invite people' })).toBeVisible()
    expect((await axe.run(container)).violations).toEqual([])
  })

  it.each([
    [null, 1],
    ['restricted', 0],
  ] as const)('with every seat taken offers more only where changes are taken (%s)', async (readOnly, offers) => {
    setSession(pageDataOnPlan('owner', 'standard', { readOnly }))
    const full = { users: { used: 30, max: 30 }, analysts: { used: 2, max: 3 } }
    peopled([anna, memberFixture()], {
      'GET /api/members/seats': () => jsonResponse(full),
      'GET /api/subscription': () => jsonResponse({ frozen: null }),
    })
    await screenOf()
    expect(await screen.findByText(/30 of 30 users, 2 of 3 analysts/)).toBeVisible()
    expect(screen.queryAllByRole('link', { name: 'Add 10 users' })).toHaveLength(offers)
    expect(screen.queryAllByText(/revoke an invitation/)).toHaveLength(offers)
    expect(screen.queryAllByRole('link', { name: 'Invite people' })).toHaveLength(offers)
  })

  it('says who has no seat and who acts as a viewer, and what brings them back', async () => {
    setSession(pageDataOnPlan('owner', 'standard'))
    const cia = memberFixture({ userId: 'usr_00000000000000000003', name: 'Cia Dahl' })
    const of = (who: Member, stays: boolean) => ({ id: who.userId, name: who.name, createdAt: '', stays })
    const users = { max: 2, items: [of(anna, true), of(cia, true), of(memberFixture(), false)] }
    const analysts = { max: 1, items: [of(anna, true), of(cia, false), of(memberFixture(), false)] }
    const frozen = { users, analysts, sources: null, insights: null, gates: [] }
    peopled([anna, memberFixture(), cia], { 'GET /api/subscription': () => jsonResponse({ frozen }) })
    const { container } = await screenOf()
    expect(await screen.findByText('1 person without a seat')).toBeVisible()
    expect(screen.getByText('1 person acting as viewer')).toBeVisible()
    expect(await row()).toHaveTextContent(/Bo Ek.*No seat/)
    expect(await row()).not.toHaveTextContent('Acting as viewer')
    expect(screen.getByRole('row', { name: /Cia Dahl/ })).toHaveTextContent(/Analyst\s*Acting as viewer/)
    expect(screen.getByRole('link', { name: 'Add 10 users' })).toBeVisible()
    expect((await axe.run(container)).violations).toEqual([])
  })

  it('shows viewers names and roles only, and a way to leave', async () => {
    setSession(pageOf('viewer'))
    const quiet = { email: null, joinedAt: null, lastSeenAt: null }
    peopled([{ ...anna, ...quiet, role: 'viewer' }, memberFixture({ ...quiet, role: 'owner' })])
    await screenOf()
    const list = await screen.findByRole('list', { name: 'Members' })
    expect(within(list).getAllByRole('listitem')).toHaveLength(2)
    expect(screen.queryByRole('table')).toBeNull()
    expect(screen.queryByText('Invite people')).toBeNull()
    expect(screen.queryByRole('tab', { name: 'Invitations' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Leave workspace' })).toBeVisible()
  })

  it('dates joining on the workspace’s clock, not in UTC', async () => {
    peopled([anna, memberFixture({ joinedAt: '2026-05-02T22:30:00.000Z' })])
    await screenOf()
    expect(await row()).toHaveTextContent('3 May 2026')
  })

  it('says to the only owner why Leave is off', async () => {
    peopled([{ ...anna, soleOwner: true }, memberFixture()])
    await screenOf()
    await row()
    await userEvent.click(screen.getByRole('button', { name: 'Actions for Anna Lindqvist' }))
    const leave = await screen.findByRole('menuitem', { name: /Leave workspace/ })
    expect(leave).toBeDisabled()
    expect(leave).toHaveTextContent('You’re the only owner. Transfer ownership first.')
  })

  it('asks whether a person who restored their account is reactivated', async () => {
    const back = memberFixture({ status: 'suspended', restored: true })
    const calls = peopled([anna, back], { [`PUT ${ONE}`]: () => jsonResponse(memberFixture()) })
    await screenOf()
    expect(await screen.findByText('Bo Ek restored their account. Reactivate?')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Reactivate Bo Ek' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'Reactivate member' }))
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({ role: 'analyst', status: 'active' }),
    )
  })

  it('teaches and offers to invite when one is alone', async () => {
    peopled([anna])
    await screenOf()
    expect(await screen.findByText('Just you so far')).toBeVisible()
    expect(screen.queryByRole('textbox', { name: 'Search members' })).toBeNull()
  })
})

describe('ending a membership', () => {
  it('says what ends, names who takes over, and sends the heir', async () => {
    const calls = peopled([anna, memberFixture()], { [`DELETE ${ONE}`]: () => jsonResponse(memberFixture()) })
    await screenOf()
    const dialog = await choose('Remove from workspace')
    expect(dialog).toHaveTextContent(/loses access at once/)
    const heirs = await within(dialog).findByRole('combobox', { name: 'Transfer 3 data sources and 5 insights to' })
    expect(heirs).toHaveValue('Anna Lindqvist')
    expect((await axe.run(dialog)).violations).toEqual([])
    await userEvent.click(heirs)
    await userEvent.click(await screen.findByRole('option', { name: 'Cia Dahl' }))
    const sent = vi.spyOn(globalThis, 'fetch')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Remove member' }))
    await waitFor(() => expect(calls.some(({ method }) => method === 'DELETE')).toBe(true))
    const address = sent.mock.calls.map(([input]) => (input instanceof Request ? input.url : input.toString()))
    expect(address.find((url) => url.includes('heir='))).toContain('heir=usr_00000000000000000003')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('asks for nobody when there is nothing to take over', async () => {
    const calls = peopled([anna, memberFixture()], {
      [`GET ${ONE}/belongings`]: () => jsonResponse({ ...NONE, heirs: HEIRS }),
      [`PUT ${ONE}`]: () => jsonResponse(memberFixture({ status: 'suspended' })),
    })
    await screenOf()
    const dialog = await choose('Suspend')
    expect(await within(dialog).findByText(/Nothing to transfer/)).toBeVisible()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Suspend member' }))
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
        role: 'analyst',
        status: 'suspended',
        version: 3,
      }),
    )
  })

  it('is not possible while nobody could take over', async () => {
    peopled([anna, memberFixture()], {
      [`GET ${ONE}/belongings`]: () => jsonResponse({ ...NONE, sources: 1, heirs: [] }),
    })
    await screenOf()
    const dialog = await choose('Remove from workspace')
    expect(await within(dialog).findByRole('alert')).toHaveTextContent(/No one can take over/)
    expect(within(dialog).getByRole('button', { name: 'Remove member' })).toBeDisabled()
  })
})

describe('changing a role', () => {
  it('explains each role, asks for an heir only when the right to load is lost, and says why it was refused', async () => {
    const calls = peopled([anna, memberFixture()], {
      [`PUT ${ONE}`]: [() => errorResponse('version_conflict'), () => jsonResponse(memberFixture({ role: 'viewer' }))],
    })
    await screenOf()
    const dialog = await choose('Change role')
    expect(within(dialog).getByRole('radio', { name: /^Viewer/ })).toBeVisible()
    expect(dialog).toHaveTextContent(/Can view and export/)
    await userEvent.click(within(dialog).getByRole('radio', { name: /^Admin/ }))
    expect(within(dialog).queryByRole('combobox')).toBeNull()
    await userEvent.click(within(dialog).getByRole('radio', { name: /^Viewer/ }))
    await within(dialog).findByRole('combobox', { name: /3 data sources and 5 insights/ })
    await userEvent.click(within(dialog).getByRole('button', { name: 'Change role' }))
    expect(await within(dialog).findByRole('alert')).toHaveTextContent(/Someone else changed Bo Ek/)
    const reads = calls.filter(({ path }) => path === '/api/members').length
    expect(reads).toBeGreaterThan(1)
    await userEvent.click(within(dialog).getByRole('button', { name: 'Change role' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(calls.findLast(({ method }) => method === 'PUT')?.body).toEqual({
      ...{ role: 'viewer', status: 'active', version: 3 },
      heir: 'usr_anna',
    })
  })
})

describe('ownership', () => {
  const offer: OwnershipOffer = {
    from: { userId: 'usr_anna', name: 'Anna Lindqvist' },
    to: { userId: BO_ID, name: 'Bo Ek' },
    expiresAt: '2026-11-27T08:00:00.000Z',
    mine: false,
  }
  it('is offered with a password, and a wrong one is said beside its field', async () => {
    const calls = peopled([anna, memberFixture()], {
      'PUT /api/workspace/ownership': [() => errorResponse('invalid_credentials'), () => jsonResponse(offer)],
    })
    await screenOf()
    const dialog = await choose('Transfer ownership')
    await userEvent.type(await within(dialog).findByLabelText('Your password'), 'a long enough sentence')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Offer ownership' }))
    expect(await within(dialog).findByText('Incorrect password')).toBeVisible()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Offer ownership' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(calls.findLast(({ method }) => method === 'PUT')?.body).toEqual({
      userId: BO_ID,
      password: 'a long enough sentence',
    })
  })

  it('asks people without a password for none, and says what stands for it', async () => {
    const accounts = [
      { id: 'acc_1', provider: 'google', email: null, connectedAt: offer.expiresAt, lastUsedAt: offer.expiresAt },
    ]
    peopled([anna, memberFixture()], {
      'GET /api/account/sign-ins': () => jsonResponse({ password: false, accounts, offered: ['google'] }),
    })
    await screenOf()
    const dialog = await choose('Transfer ownership')
    expect(await within(dialog).findByText(/signed in with Google in the last 10 minutes/)).toBeVisible()
    expect(within(dialog).queryByLabelText('Your password')).toBeNull()
  })

  it('can be taken back by who offered it', async () => {
    const calls = peopled([anna, memberFixture()], {
      'GET /api/workspace/ownership': () => jsonResponse(offer),
      'DELETE /api/workspace/ownership': () => jsonResponse({}),
    })
    await screenOf()
    expect(await screen.findByText('Ownership offered to Bo Ek')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Withdraw offer' }))
    await waitFor(() => expect(calls.some(({ method }) => method === 'DELETE')).toBe(true))
  })

  it('is accepted with proof by who it is offered to, whose rights change at once', async () => {
    setSession(pageOf('admin'))
    const calls = peopled([anna], {
      'GET /api/workspace/ownership': () =>
        jsonResponse({ ...offer, from: { userId: BO_ID, name: 'Bo Ek' }, to: offer.from, mine: true }),
      'POST /api/workspace/ownership/accept': () => jsonResponse({}),
      'GET /api/session': () => jsonResponse(pageOf('owner')),
    })
    await screenOf()
    await userEvent.click(await screen.findByRole('button', { name: 'Accept ownership' }))
    const dialog = await screen.findByRole('dialog')
    await userEvent.type(await within(dialog).findByLabelText('Your password'), 'a long enough sentence')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Accept ownership' }))
    await waitFor(() => expect(calls.some(({ path }) => path === '/api/session')).toBe(true))
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ password: 'a long enough sentence' })
  })
})
