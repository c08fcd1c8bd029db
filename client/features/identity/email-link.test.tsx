import axe from 'axe-core'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EmailScreen } from './confirm-email-screen'
import { SignInLinkScreen } from './sign-in-link-screen'
import { ResetPasswordScreen } from './reset-password-screen'
import { RestoreAccountScreen } from './restore-account-screen'
import { session, setSession } from '../../lib/session'
import { memberPageData, visitorPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, errorResponse, mockServer } from '../../test/mock-server'

const TOKEN = `lnk_0123456789abcdefghjk.${'ab'.repeat(32)}`
const OTHER = `lnk_zzzzzzzzzzzzzzzzzzzz.${'cd'.repeat(32)}`
const RESET = 'POST /api/account/reset'
const CONFIRM = 'POST /api/account/reset/confirm'
const person = userEvent.setup()
const withLinks = () => {
  const { config } = visitorPageData()
  setSession(visitorPageData({ config: { ...config, signIn: { ...config.signIn, emailLink: true } } }))
}
const opened = (hash: string) => {
  window.location.hash = hash
}

beforeEach(() => {
  setSession(visitorPageData())
  opened('')
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

async function violations(container: Element): Promise<string[]> {
  const result = await axe.run(container, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  })
  return result.violations.map(({ id }) => id)
}

describe('a forgotten password', () => {
  const reset = (done = vi.fn()) => renderWithProviders(<ResetPasswordScreen onSignedIn={done} />)
  const ask = async (address: string) => {
    await person.type(screen.getByLabelText('E-mail'), address)
    await person.click(screen.getByRole('button', { name: 'Send the link' }))
  }

  it('sends the address, says where to look, and waits before it is sent again', async () => {
    const calls = mockServer({ [RESET]: () => jsonResponse({ sent: true }) })
    const { container } = await reset()
    await ask(' Anna@example.com ')
    expect(await screen.findByRole('status')).toHaveTextContent('If there is an account with')
    expect(calls.map(({ body }) => body)).toEqual([{ email: 'Anna@example.com' }])
    expect(screen.getByRole('button', { name: /Send it again in \d+ s/ })).toBeDisabled()
    expect(await violations(container)).toEqual([])
    await person.click(screen.getByRole('button', { name: 'Use another address' }))
    expect(screen.getByLabelText('E-mail')).toBeVisible()
  })

  it('asks for a readable address before anything is sent', async () => {
    const calls = mockServer({})
    await reset()
    await ask('anna')
    expect(await screen.findByText('Enter an address like name@company.com.')).toBeVisible()
    expect(calls).toEqual([])
  })

  it('counts down when it was asked too often', async () => {
    mockServer({ [RESET]: () => errorResponse('rate_limited', { retryAfter: 90 }) })
    await reset()
    await ask('anna@example.com')
    expect(await screen.findByRole('button', { name: 'Try again in 90 s' })).toBeDisabled()
  })

  it('takes the token out of the address, and sends it with the new password only', async () => {
    opened(`#${TOKEN}`)
    const calls = mockServer({ [CONFIRM]: () => jsonResponse(memberPageData()) })
    const done = vi.fn()
    const { container } = await reset(done)
    expect(window.location.hash).toBe('')
    expect(calls).toEqual([])
    expect(await violations(container)).toEqual([])
    await person.type(screen.getByLabelText('New password'), 'a long new sentence{Enter}')
    await waitFor(() => expect(done).toHaveBeenCalledOnce())
    expect(calls.map(({ body }) => body)).toEqual([{ token: TOKEN, password: 'a long new sentence' }])
    expect(session().user?.name).toBe('Anna Lindqvist')
  })

  it.each(['expired', 'not_found'] as const)('offers a new link when the server says %s', async (code) => {
    opened(`#${TOKEN}`)
    mockServer({ [CONFIRM]: () => errorResponse(code) })
    await reset()
    await person.type(screen.getByLabelText('New password'), 'a long new sentence{Enter}')
    expect(await screen.findByText('This link no longer works')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Ask for a new link' }))
    expect(screen.getByLabelText('E-mail')).toBeVisible()
  })

  it('goes on with a newer link that is opened in the same tab', async () => {
    opened(`#${TOKEN}`)
    const calls = mockServer({ [CONFIRM]: [() => errorResponse('expired'), () => jsonResponse(memberPageData())] })
    await reset()
    await person.type(screen.getByLabelText('New password'), 'a long new sentence{Enter}')
    await screen.findByText('This link no longer works')
    opened(`#${OTHER}`)
    window.dispatchEvent(new Event('hashchange'))
    await person.type(await screen.findByLabelText('New password'), 'a long new sentence{Enter}')
    await waitFor(() => expect(calls.at(-1)?.body).toMatchObject({ token: OTHER }))
  })

  it.each(['lnk_cut', `${TOKEN}x`, TOKEN.slice(0, -1), '<b>'])('says that a link is cut off: %s', async (text) => {
    opened(`#${text}`)
    const calls = mockServer({})
    await reset()
    expect(screen.getByText('This link is not complete')).toBeVisible()
    expect(calls).toEqual([])
  })
})

describe('sign-in by a link', () => {
  const link = (done = vi.fn()) => renderWithProviders(<SignInLinkScreen returnTo="/insights" onSignedIn={done} />)

  it('says that it is not enabled, and leads to the other ways', async () => {
    opened(`#${TOKEN}`)
    const calls = mockServer({})
    const { container } = await link()
    expect(screen.getByText('Not enabled here')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Sign in another way' })).toBeVisible()
    expect(await violations(container)).toEqual([])
    expect(calls).toEqual([])
  })

  it('asks for the address with where the person was going', async () => {
    withLinks()
    const calls = mockServer({ 'POST /api/session/link': () => jsonResponse({ sent: true }) })
    await link()
    await person.type(screen.getByLabelText('E-mail'), 'anna@example.com{Enter}')
    expect(await screen.findByText('Look in your inbox')).toBeVisible()
    expect(calls[0]?.body).toEqual({ email: 'anna@example.com', return: '/insights' })
  })

  it('uses nothing up until the button is pressed', async () => {
    withLinks()
    opened(`#${TOKEN}`)
    const calls = mockServer({ 'POST /api/session/link/confirm': () => jsonResponse(memberPageData()) })
    const done = vi.fn()
    await link(done)
    expect(calls).toEqual([])
    await person.click(screen.getByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(done).toHaveBeenCalledOnce())
    expect(calls.map(({ body }) => body)).toEqual([{ token: TOKEN }])
  })
})

describe('a changed address', () => {
  const confirm = async () => {
    opened(`#${TOKEN}`)
    await renderWithProviders(<EmailScreen />)
    await person.click(screen.getByRole('button', { name: 'Confirm the change' }))
  }
  const path = 'POST /api/account/email/confirm'

  it('says what is still missing', async () => {
    mockServer({ [path]: () => jsonResponse({ changed: false, email: 'new@example.com' }) })
    await confirm()
    expect(await screen.findByText('Half of it is done')).toBeVisible()
  })

  it('says the new address when both have confirmed', async () => {
    mockServer({ [path]: () => jsonResponse({ changed: true, email: 'new@example.com' }) })
    await confirm()
    expect(await screen.findByText('Your address has changed')).toBeVisible()
    expect(screen.getByText(/new@example\.com/)).toBeVisible()
  })

  it('leads back to the settings from a dead link', async () => {
    mockServer({ [path]: () => errorResponse('expired') })
    await confirm()
    expect(await screen.findByText('This link no longer works')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Sign in' })).toBeVisible()
  })

  it('asks for a sign-in to confirm the new address', async () => {
    mockServer({ [path]: () => errorResponse('unauthenticated') })
    await confirm()
    expect(await screen.findByText('Sign in to confirm')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Sign in' })).toBeVisible()
  })

  it('shows any other refusal, with the button still there', async () => {
    mockServer({ [path]: () => errorResponse('busy') })
    await confirm()
    expect(await screen.findByRole('alert')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Confirm the change' })).toBeEnabled()
  })
})

describe('a deleted account', () => {
  it('comes back by a button', async () => {
    opened(`#${TOKEN}`)
    const calls = mockServer({ 'POST /api/account/undelete': () => jsonResponse({ email: 'anna@example.com' }) })
    await renderWithProviders(<RestoreAccountScreen deleted={false} />)
    expect(calls).toEqual([])
    await person.click(screen.getByRole('button', { name: 'Take the account back' }))
    expect(await screen.findByText(/Sign in with anna@example\.com/)).toBeVisible()
  })

  it('says how to come in when its address belongs to somebody else by now', async () => {
    opened(`#${TOKEN}`)
    mockServer({ 'POST /api/account/undelete': () => jsonResponse({ email: null }) })
    await renderWithProviders(<RestoreAccountScreen deleted={false} />)
    await person.click(screen.getByRole('button', { name: 'Take the account back' }))
    expect(await screen.findByText(/belongs to another account by now/)).toBeVisible()
  })

  it('says after the deletion how it would come back', async () => {
    await renderWithProviders(<RestoreAccountScreen deleted />)
    expect(screen.getByRole('heading', { name: 'Your account is deleted' })).toBeVisible()
  })
})
