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
const CHECK = 'POST /api/account/links/check'
const usable = () => jsonResponse({ state: 'usable' })
/** A server that finds the link usable. */
const served = (routes: Parameters<typeof mockServer>[0]) => {
  const calls = mockServer({ [CHECK]: usable, ...routes })
  return { calls, used: () => calls.filter(({ path }) => !path.endsWith('/links/check')) }
}
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
    await person.type(screen.getByLabelText('Email'), address)
    await person.click(screen.getByRole('button', { name: 'Send link' }))
  }

  it('sends the address, says where to look, and waits before it is sent again', async () => {
    const { used } = served({ [RESET]: () => jsonResponse({ sent: true }) })
    const { container } = await reset()
    await ask(' Anna@example.com ')
    expect(await screen.findByRole('status')).toHaveTextContent('has an account')
    expect(used().map(({ body }) => body)).toEqual([{ email: 'Anna@example.com' }])
    expect(screen.getByRole('button', { name: /Send again in \d+ s/ })).toBeDisabled()
    expect(await violations(container)).toEqual([])
    await person.click(screen.getByRole('button', { name: 'Use another address' }))
    expect(screen.getByLabelText('Email')).toBeVisible()
  })

  it('asks for a readable address before anything is sent', async () => {
    const { used } = served({})
    await reset()
    await ask('anna')
    expect(await screen.findByText('Enter an address like name@company.com.')).toBeVisible()
    expect(used()).toEqual([])
  })

  it('counts down when it was asked too often', async () => {
    served({ [RESET]: () => errorResponse('rate_limited', { retryAfter: 90 }) })
    await reset()
    await ask('anna@example.com')
    expect(await screen.findByRole('button', { name: 'Try again in 90 s' })).toBeDisabled()
  })

  it('takes the token out of the address, and sends it with the new password only', async () => {
    opened(`#${TOKEN}`)
    const { used } = served({ [CONFIRM]: () => jsonResponse(memberPageData()) })
    const done = vi.fn()
    const { container } = await reset(done)
    expect(window.location.hash).toBe('')
    expect(used()).toEqual([])
    expect(await violations(container)).toEqual([])
    await person.type(await screen.findByLabelText('New password'), 'a long new sentence{Enter}')
    await waitFor(() => expect(done).toHaveBeenCalledOnce())
    expect(used().map(({ body }) => body)).toEqual([{ token: TOKEN, password: 'a long new sentence' }])
    expect(session().user?.name).toBe('Anna Lindqvist')
  })

  it.each(['expired', 'not_found'] as const)('offers a new link when the server says %s', async (code) => {
    opened(`#${TOKEN}`)
    served({ [CONFIRM]: () => errorResponse(code) })
    await reset()
    await person.type(await screen.findByLabelText('New password'), 'a long new sentence{Enter}')
    expect(await screen.findByText('Link no longer valid')).toBeVisible()
    await person.click(screen.getByRole('button', { name: 'Request new link' }))
    expect(screen.getByLabelText('Email')).toBeVisible()
  })

  it.each(['expired', 'not_found'] as const)('asks for no password when the link is dead: %s', async (code) => {
    opened(`#${TOKEN}`)
    const { used } = served({ [CHECK]: () => errorResponse(code) })
    await reset()
    await person.click(await screen.findByRole('button', { name: 'Request new link' }))
    expect(screen.queryByLabelText('New password')).toBeNull()
    expect(screen.getByLabelText('Email')).toBeVisible()
    expect(used()).toEqual([])
  })

  it('goes on with a newer link that is opened in the same tab', async () => {
    opened(`#${TOKEN}`)
    const { used } = served({ [CONFIRM]: [() => errorResponse('expired'), () => jsonResponse(memberPageData())] })
    await reset()
    await person.type(await screen.findByLabelText('New password'), 'a long new sentence{Enter}')
    await screen.findByText('Link no longer valid')
    opened(`#${OTHER}`)
    window.dispatchEvent(new Event('hashchange'))
    await person.type(await screen.findByLabelText('New password'), 'a long new sentence{Enter}')
    await waitFor(() => expect(used().at(-1)?.body).toMatchObject({ token: OTHER }))
  })

  it.each(['lnk_cut', `${TOKEN}x`, TOKEN.slice(0, -1), '<b>'])('says that a link is cut off: %s', async (text) => {
    opened(`#${text}`)
    const { used } = served({})
    await reset()
    expect(screen.getByText('Link incomplete')).toBeVisible()
    expect(used()).toEqual([])
  })
})

describe('sign-in by a link', () => {
  const link = (done = vi.fn()) => renderWithProviders(<SignInLinkScreen returnTo="/insights" onSignedIn={done} />)

  it('says that it is not enabled, and leads to the other ways', async () => {
    opened(`#${TOKEN}`)
    const { used } = served({})
    const { container } = await link()
    expect(screen.getByText('Not enabled here')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Sign in another way' })).toBeVisible()
    expect(await violations(container)).toEqual([])
    expect(used()).toEqual([])
  })

  it('asks for the address with where the person was going', async () => {
    withLinks()
    const { used } = served({ 'POST /api/session/link': () => jsonResponse({ sent: true }) })
    await link()
    await person.type(screen.getByLabelText('Email'), 'anna@example.com{Enter}')
    expect(await screen.findByText('Check your inbox')).toBeVisible()
    expect(used()[0]?.body).toEqual({ email: 'anna@example.com', return: '/insights' })
  })

  it('uses nothing up until the button is pressed', async () => {
    withLinks()
    opened(`#${TOKEN}`)
    const { used } = served({ 'POST /api/session/link/confirm': () => jsonResponse(memberPageData()) })
    const done = vi.fn()
    await link(done)
    expect(used()).toEqual([])
    await person.click(await screen.findByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(done).toHaveBeenCalledOnce())
    expect(used().map(({ body }) => body)).toEqual([{ token: TOKEN }])
  })
})

describe('a changed address', () => {
  const confirm = async () => {
    opened(`#${TOKEN}`)
    await renderWithProviders(<EmailScreen />)
    await person.click(await screen.findByRole('button', { name: 'Confirm change' }))
  }
  const path = 'POST /api/account/email/confirm'

  it('says what is still missing', async () => {
    served({ [path]: () => jsonResponse({ changed: false, email: 'new@example.com' }) })
    await confirm()
    expect(await screen.findByText('One address confirmed')).toBeVisible()
  })

  it('says the new address when both have confirmed', async () => {
    served({ [path]: () => jsonResponse({ changed: true, email: 'new@example.com' }) })
    await confirm()
    expect(await screen.findByText('Email address changed')).toBeVisible()
    expect(screen.getByText(/new@example\.com/)).toBeVisible()
  })

  it('leads back to the settings from a dead link, before anything is pressed', async () => {
    opened(`#${TOKEN}`)
    const { used } = served({ [CHECK]: () => errorResponse('expired') })
    await renderWithProviders(<EmailScreen />)
    expect(await screen.findByText('Link no longer valid')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Sign in' })).toBeVisible()
    expect(screen.queryByRole('button')).toBeNull()
    expect(used()).toEqual([])
  })

  it('asks for a sign-in to confirm the new address', async () => {
    opened(`#${TOKEN}`)
    served({ [CHECK]: () => jsonResponse({ state: 'signIn' }) })
    await renderWithProviders(<EmailScreen />)
    expect(await screen.findByText('Sign in to confirm')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Sign in' })).toBeVisible()
  })

  it('shows any other refusal, with the button still there', async () => {
    served({ [path]: () => errorResponse('busy') })
    await confirm()
    expect(await screen.findByRole('alert')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Confirm change' })).toBeEnabled()
  })
})

it('tells who is signed in that a link belongs to another account', async () => {
  setSession(memberPageData())
  opened(`#${TOKEN}`)
  served({ [CHECK]: () => jsonResponse({ state: 'otherAccount' }) })
  await renderWithProviders(<EmailScreen />)
  expect(await screen.findByText('This link belongs to another account')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Sign out' })).toBeVisible()
})

describe('a deleted account', () => {
  it('comes back by a button', async () => {
    opened(`#${TOKEN}`)
    const { used } = served({
      'POST /api/account/undelete': () => jsonResponse({ email: 'anna@example.com', waiting: ['Nordträ'] }),
    })
    await renderWithProviders(<RestoreAccountScreen deleted={false} />)
    expect(used()).toEqual([])
    await person.click(await screen.findByRole('button', { name: 'Restore account' }))
    expect(await screen.findByText(/Sign in with anna@example\.com\. Waiting for approval: Nordträ\./)).toBeVisible()
  })

  it('says how to come in when its address belongs to somebody else by now', async () => {
    opened(`#${TOKEN}`)
    served({ 'POST /api/account/undelete': () => jsonResponse({ email: null, waiting: [] }) })
    await renderWithProviders(<RestoreAccountScreen deleted={false} />)
    await person.click(await screen.findByRole('button', { name: 'Restore account' }))
    expect(await screen.findByText(/Another account now uses its address/)).toBeVisible()
  })

  it('says after the deletion how it would come back', async () => {
    await renderWithProviders(<RestoreAccountScreen deleted />)
    expect(screen.getByRole('heading', { name: 'Account deleted' })).toBeVisible()
  })
})
