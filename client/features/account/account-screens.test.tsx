import axe from 'axe-core'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { ModalsProvider } from '@mantine/modals'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AuthenticationScreen } from './authentication-screen'
import { session, setSession } from '../../lib/session'
import { ANNA, memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, errorResponse, mockServer, type RecordedCall, type MockReply } from '../../test/mock-server'
import type { EmailChange, SessionItem, SignInMethods } from '../../../src/shared/account'

const GOOGLE = {
  id: 'acc_google',
  provider: 'google',
  email: 'anna@gmail.example',
  connectedAt: '2026-03-01T10:00:00Z',
  lastUsedAt: '2026-11-01T10:00:00Z',
} as const
const WITH_PASSWORD: SignInMethods = { password: true, accounts: [], offered: ['google', 'microsoft'] }
const ONLY_GOOGLE: SignInMethods = { password: false, accounts: [GOOGLE], offered: ['google', 'microsoft'] }
const EMAIL: EmailChange = { email: 'anna@example.com', pending: null }
const SESSIONS: SessionItem[] = [
  {
    id: 'a'.repeat(32),
    current: false,
    device: 'Safari on iPhone',
    country: 'NO',
    signedInAt: '2026-11-01T10:00:00Z',
    lastSeenAt: '2026-11-02T10:00:00Z',
  },
  {
    id: 'b'.repeat(32),
    current: true,
    device: 'Firefox on Windows',
    country: null,
    signedInAt: '2026-11-01T10:00:00Z',
    lastSeenAt: '2026-11-20T10:00:00Z',
  },
]

const person = userEvent.setup()
const written = (calls: RecordedCall[]): RecordedCall[] => calls.filter(({ method }) => method !== 'GET')

beforeEach(() => setSession(memberPageData()))
afterEach(() => vi.unstubAllGlobals())

async function violations(container: Element): Promise<string[]> {
  const result = await axe.run(container, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  })
  return result.violations.map(({ id }) => id)
}

/** The screen of sign-in and security over these answers. */
async function security(
  routes: Record<string, MockReply | MockReply[]> = {},
  problem?: string,
): Promise<RecordedCall[]> {
  const calls = mockServer({
    'GET /api/account/sign-ins': () => jsonResponse(WITH_PASSWORD),
    'GET /api/account/email': () => jsonResponse(EMAIL),
    'GET /api/account/sessions': () => jsonResponse(SESSIONS),
    'GET /api/session': () => jsonResponse(memberPageData()),
    'GET /api/access-tokens': () => jsonResponse({ items: [], nextCursor: null }),
    'GET /api/connected-apps': () => jsonResponse({ items: [], nextCursor: null }),
    ...routes,
  })
  const { container } = await renderWithProviders(
    <>
      <ModalsProvider>{null}</ModalsProvider>
      <AuthenticationScreen problem={problem} />
    </>,
  )
  await screen.findByText('Firefox on Windows')
  await screen.findByRole('heading', { name: 'Email' })
  expect(await violations(container)).toEqual([])
  return calls
}

describe('the password', () => {
  const fill = async (current: string, next: string) => {
    await person.type(screen.getByLabelText('Current password'), current)
    await person.type(screen.getByLabelText('New password'), next)
    await person.click(screen.getByRole('button', { name: 'Change password' }))
  }

  it('is changed with the one of today, and the page goes on with its new token', async () => {
    const calls = await security({
      'PUT /api/account/password': () => jsonResponse({ ...memberPageData(), csrfToken: 'token-2' }),
    })
    await fill('the one of today', 'a long new sentence')
    await waitFor(() => expect(session().csrfToken).toBe('token-2'))
    expect(written(calls)[0]?.body).toEqual({ current: 'the one of today', next: 'a long new sentence' })
    await waitFor(() => expect(screen.getByLabelText('New password')).toHaveValue(''))
  })

  it('says beside the field that it is not the right one', async () => {
    await security({ 'PUT /api/account/password': () => errorResponse('invalid_credentials') })
    await fill('not the right one', 'a long new sentence')
    expect(await screen.findByText('Incorrect password')).toBeVisible()
    expect(screen.getByLabelText('New password')).toHaveValue('a long new sentence')
  })

  it('asks for one of 12 characters, and for the one of today, before anything is sent', async () => {
    const calls = await security()
    await person.type(screen.getByLabelText('New password'), 'short')
    await person.click(screen.getByRole('button', { name: 'Change password' }))
    expect(await screen.findByText('Enter your current password.')).toBeVisible()
    expect(screen.getByLabelText('New password')).toHaveAccessibleDescription(/At least 12 characters/)
    expect(written(calls)).toEqual([])
  })

  it('is set by a person without one, who proves themselves by a new sign-in', async () => {
    await security({ 'GET /api/account/sign-ins': () => jsonResponse(ONLY_GOOGLE) })
    expect(screen.getByRole('button', { name: 'Set password' })).toBeVisible()
    expect(screen.queryByLabelText('Current password')).toBeNull()
    expect(screen.getByRole('button', { name: 'Sign in again with Google' })).toBeVisible()
  })
})

describe('the address', () => {
  it('is changed with proof, and shows which side has confirmed', async () => {
    const pending = {
      email: 'new@example.com',
      oldConfirmed: true,
      newConfirmed: false,
      expiresAt: '2026-11-22T10:00:00Z',
    }
    const calls = await security({
      'GET /api/account/email': [
        () => jsonResponse(EMAIL),
        () => jsonResponse({ ...EMAIL, pending }),
        () => jsonResponse(EMAIL),
      ],
      'PUT /api/account/email': () => jsonResponse({ ...EMAIL, pending }),
      'DELETE /api/account/email': () => jsonResponse(EMAIL),
    })
    await person.click(await screen.findByRole('button', { name: 'Change email' }))
    await person.type(screen.getByLabelText('New email'), 'new@example.com')
    await person.type(screen.getByLabelText('Your password'), 'the one of today')
    await person.click(screen.getByRole('button', { name: 'Send both emails' }))
    expect(await screen.findByText('Confirmed')).toBeVisible()
    expect(screen.getByText('Pending')).toBeVisible()
    expect(written(calls)[0]?.body).toEqual({ email: 'new@example.com', password: 'the one of today' })
    await person.click(screen.getByRole('button', { name: 'Cancel change' }))
    expect(await screen.findByRole('button', { name: 'Change email' })).toBeVisible()
  })
})

describe('ways to sign in', () => {
  it('never offers to remove the last one, and says why', async () => {
    await security({ 'GET /api/account/sign-ins': () => jsonResponse(ONLY_GOOGLE) })
    expect(screen.getByText(/only sign-in method can’t be removed/)).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Connect Google' })).toBeNull()
  })

  it('counts no password of a person without an address', async () => {
    const nameless = memberPageData()
    setSession({ ...nameless, user: nameless.user && { ...nameless.user, email: null } })
    await security({
      'GET /api/account/sign-ins': () => jsonResponse({ ...ONLY_GOOGLE, password: true }),
      'GET /api/account/email': () => jsonResponse({ ...EMAIL, email: null }),
    })
    expect(screen.getByText(/only sign-in method can’t be removed.*Add an email/)).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull()
  })

  it('removes one of several with proof', async () => {
    const both: SignInMethods = { ...ONLY_GOOGLE, password: true }
    const answers = [() => errorResponse('invalid_credentials'), () => jsonResponse(WITH_PASSWORD)]
    const calls = await security({
      'GET /api/account/sign-ins': () => jsonResponse(both),
      'POST /api/account/sign-ins/acc_google/remove': () => answers.shift()?.() ?? errorResponse('internal'),
    })
    await person.click(screen.getByRole('button', { name: 'Remove Google anna@gmail.example' }))
    const dialog = await screen.findByRole('dialog', { name: 'Remove Google?' })
    await person.type(within(dialog).getByLabelText('Your password'), 'the one of today')
    await person.click(within(dialog).getByRole('button', { name: 'Remove sign-in' }))
    expect(await within(dialog).findByText('Incorrect password')).toBeVisible()
    await person.click(within(dialog).getByRole('button', { name: 'Remove sign-in' }))
    expect(await screen.findByRole('button', { name: 'Connect Google' })).toBeVisible()
    expect(written(calls).map(({ path, body }) => [path, body])).toEqual(
      Array.from({ length: 2 }, () => ['/api/account/sign-ins/acc_google/remove', { password: 'the one of today' }]),
    )
  })

  it('connects another one with proof, and comes back here', async () => {
    const calls = await security({ 'POST /api/session/oauth': () => errorResponse('invalid_credentials') })
    await person.click(screen.getByRole('button', { name: 'Connect Microsoft' }))
    const dialog = await screen.findByRole('dialog')
    await person.type(within(dialog).getByLabelText('Your password'), 'the one of today')
    await person.click(within(dialog).getByRole('button', { name: 'Go to Microsoft' }))
    expect(await within(dialog).findByText('Incorrect password')).toBeVisible()
    expect(written(calls)[0]?.body).toEqual({
      provider: 'microsoft',
      connect: true,
      password: 'the one of today',
      return: '/settings/profile/authentication',
    })
  })

  it('says why a sign-in could not be connected, and nothing for what is no reason', async () => {
    await security({}, 'already_connected')
    expect(screen.getByText(/belongs to another account/)).toBeVisible()
  })
})

describe('sessions', () => {
  it('mark this device, name the place, and end one', async () => {
    const id = SESSIONS[0]?.id ?? ''
    const calls = await security({
      'GET /api/account/sessions': [() => jsonResponse(SESSIONS), () => jsonResponse(SESSIONS.slice(1))],
      [`DELETE /api/account/sessions/${id}`]: () => jsonResponse({ id, current: false }),
    })
    expect(screen.getByText(/Norway/)).toBeVisible()
    const lines = screen.getAllByRole('listitem').filter((line) => / on /.test(line.textContent))
    expect(lines[0]).toHaveTextContent('This device')
    await person.click(screen.getByRole('button', { name: 'Sign out Safari on iPhone' }))
    await waitFor(() => expect(screen.queryByText('Safari on iPhone')).toBeNull())
    expect(written(calls)).toHaveLength(1)
    expect(screen.queryByRole('button', { name: 'Sign out everywhere else' })).toBeNull()
  })

  it('end everywhere else only after asking', async () => {
    const calls = await security({ 'DELETE /api/account/sessions': () => jsonResponse({ ended: 1 }) })
    await person.click(screen.getByRole('button', { name: 'Sign out everywhere else' }))
    expect(written(calls)).toEqual([])
    const dialog = await screen.findByRole('dialog')
    await person.click(within(dialog).getByRole('button', { name: 'Sign out everywhere else' }))
    await waitFor(() => expect(written(calls)).toHaveLength(1))
  })
})

describe('the end of an account', () => {
  const openDialog = async () => {
    await person.click(screen.getByRole('button', { name: 'Delete account' }))
    return screen.findByRole('dialog')
  }

  it('names what stands in the way, and offers nothing else', async () => {
    const blocked = [{ id: 'ws_one', name: 'Nordträ' }]
    await security({ 'GET /api/account/deletion': () => jsonResponse({ blocked, going: [] }) })
    const dialog = await openDialog()
    const link = await within(dialog).findByRole('link', { name: 'Nordträ' })
    expect(link).toHaveAttribute('href', '/settings/workspace/members?w=ws_one')
    expect(within(dialog).queryByRole('button', { name: 'Delete account' })).toBeNull()
  })

  it('takes the typed address and proof', async () => {
    const calls = await security({
      'GET /api/account/deletion': () => jsonResponse({ blocked: [], going: [{ id: 'ws_one', name: 'Nordträ' }] }),
      'POST /api/account/delete': () => errorResponse('invalid_credentials'),
    })
    const dialog = await openDialog()
    expect(await within(dialog).findByText('Nordträ')).toBeVisible()
    const button = within(dialog).getByRole('button', { name: 'Delete account' })
    expect(button).toBeDisabled()
    await person.type(within(dialog).getByLabelText(/to confirm/), ANNA.email.toUpperCase())
    await person.type(within(dialog).getByLabelText('Your password'), 'the one of today')
    await person.click(button)
    expect(await within(dialog).findByText('Incorrect password')).toBeVisible()
    expect(written(calls)[0]?.body).toEqual({ confirm: 'ANNA@EXAMPLE.COM', password: 'the one of today' })
  })
})
