import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { InvitationScreen } from './invitation-screen'
import { invitedEmailFor, readInvitation } from './pending-invitation'
import { setSession } from '../../lib/session'
import { memberPageData as pageOf, visitorPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, errorResponse, mockServer, type MockReply } from '../../test/mock-server'
import type { InvitePreview } from '../../../src/shared/invites'

const TOKEN = `inv_00000000000000000001.${'a'.repeat(64)}`
const LOOK = 'POST /api/invites/look'
const ACCEPT = 'POST /api/invites/accept'
const look =
  (standing: InvitePreview['standing']): MockReply =>
  () =>
    jsonResponse({
      workspace: { name: 'Skog AB', logo: null },
      invitedBy: 'Bo Ek',
      email: 'cia@example.com',
      role: 'viewer',
      expiresAt: '2026-11-27T00:00:00.000Z',
      standing,
    } satisfies InvitePreview)

const open = async (hash = `#${TOKEN}`) => {
  window.history.replaceState(null, '', `/invitation${hash}`)
  const onEnter = vi.fn()
  const { container } = await renderWithProviders(
    <InvitationScreen
      frame={({ title, below, children }) => (
        <main>
          <h1>{title}</h1>
          {children}
          {below}
        </main>
      )}
      onEnter={onEnter}
    />,
  )
  return { onEnter, container }
}

beforeEach(() => {
  sessionStorage.clear()
  setSession(visitorPageData())
})
afterEach(() => vi.unstubAllGlobals())

describe('an invitation', () => {
  it('leaves the address at once and stays in the tab for the way through sign-in', async () => {
    const calls = mockServer({ [LOOK]: look('signIn') })
    const { container } = await open()
    expect(await screen.findByRole('heading', { name: 'Join Skog AB' })).toBeVisible()
    expect(window.location.hash).toBe('')
    expect(calls[0]?.body).toEqual({ token: TOKEN })
    await waitFor(() => expect(readInvitation()).toEqual({ token: TOKEN, email: 'cia@example.com' }))
    expect(invitedEmailFor('/invitation')).toBe('cia@example.com')
    expect(invitedEmailFor('/insights')).toBeUndefined()
    expect((await axe.run(container)).violations).toEqual([])
  })

  it('asks a visitor to sign in or to create an account, and to come back', async () => {
    mockServer({ [LOOK]: look('signIn') })
    await open()
    const signIn = await screen.findByRole('link', { name: 'Sign in' })
    expect(signIn).toHaveAttribute('href', '/login?return=%2Finvitation')
    expect(screen.getByRole('link', { name: 'Create account' })).toHaveAttribute(
      'href',
      '/register?return=%2Finvitation',
    )
  })

  it('is read again from the tab when the address holds none', async () => {
    sessionStorage.setItem('invitation', JSON.stringify({ token: TOKEN, email: 'cia@example.com' }))
    const calls = mockServer({ [LOOK]: look('ready') })
    await open('')
    expect(await screen.findByRole('button', { name: 'Join Skog AB' })).toBeVisible()
    expect(calls[0]?.body).toEqual({ token: TOKEN })
  })

  it('is joined with one click: the tab enters the workspace and forgets the token', async () => {
    setSession(pageOf())
    const calls = mockServer({
      [LOOK]: look('ready'),
      [ACCEPT]: () => jsonResponse({ workspaceId: 'ws_two', landing: '/insights' }),
      'GET /api/session': () => jsonResponse(pageOf('viewer')),
    })
    const { onEnter } = await open()
    await userEvent.click(await screen.findByRole('button', { name: 'Join Skog AB' }))
    await waitFor(() => expect(onEnter).toHaveBeenCalledWith('ws_two', '/insights'))
    expect(calls.find(({ path }) => path === '/api/session')?.headers.get('x-workspace')).toBe('ws_two')
    expect(readInvitation()).toBeNull()
  })

  it('names both accounts when somebody else is signed in, and changes safely', async () => {
    setSession(pageOf())
    const calls = mockServer({
      [LOOK]: look('otherAccount'),
      'POST /api/session/sign-out': () => jsonResponse(visitorPageData()),
    })
    await open()
    expect(await screen.findByText('anna@example.com')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Sign out and continue as cia@example.com' }))
    await waitFor(() => expect(calls.some(({ path }) => path === '/api/session/sign-out')).toBe(true))
    expect(readInvitation()?.token).toBe(TOKEN)
    expect(calls.some(({ path }) => path.endsWith('/accept'))).toBe(false)
  })

  it('leads members into their workspace', async () => {
    setSession(pageOf())
    mockServer({
      [LOOK]: look('member'),
      [ACCEPT]: () => jsonResponse({ workspaceId: 'ws_two', landing: '/data-sources' }),
      'GET /api/session': () => jsonResponse(pageOf('viewer')),
    })
    const { onEnter } = await open()
    await userEvent.click(await screen.findByRole('button', { name: 'Open Skog AB' }))
    await waitFor(() => expect(onEnter).toHaveBeenCalledWith('ws_two', '/data-sources'))
  })

  it('lets whom it is for go on in the browser of a colleague who belongs to the workspace already', async () => {
    setSession(pageOf())
    mockServer({ [LOOK]: look('member') })
    await open()
    expect(await screen.findByRole('button', { name: 'Sign out and continue as cia@example.com' })).toBeEnabled()
    expect(screen.getByRole('button', { name: 'Open Skog AB' })).toBeEnabled()
  })

  it.each([
    ['expired', 'expired'],
    ['revoked or replaced', 'not_found'],
  ] as const)('that is %s says whom to ask, and is forgotten', async (_case, code) => {
    mockServer({ [LOOK]: () => errorResponse(code) })
    await open()
    expect(await screen.findByRole('alert')).toHaveTextContent(/Ask for a new one/)
    await waitFor(() => expect(readInvitation()).toBeNull())
  })

  it('that was cut off by a mail program says so and asks no server', async () => {
    const calls = mockServer({})
    await open('#inv_00000000000000000001.abc')
    expect(await screen.findByRole('alert')).toHaveTextContent('Link incomplete')
    expect(calls).toEqual([])
  })

  it('says whom to ask when the last seat went meanwhile, and stays usable', async () => {
    setSession(pageOf())
    mockServer({ [LOOK]: look('ready'), [ACCEPT]: () => errorResponse('limit_reached', { limit: 'users' }) })
    await open()
    await userEvent.click(await screen.findByRole('button', { name: 'Join Skog AB' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Ask Bo Ek to free one')
    expect(readInvitation()?.token).toBe(TOKEN)
  })
})
