import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LoginScreen } from './login-screen'
import { RegisterScreen } from './register-screen'
import { setSession } from '../../lib/session'
import { visitorPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, errorResponse, mockServer } from '../../test/mock-server'

const START = 'POST /api/session/oauth'
const URL_THERE = 'https://accounts.google.com/o/oauth2/v2/auth?state=s'
const login = (problem?: string, provider?: string) => (
  <LoginScreen returnTo="/insights" problem={problem} provider={provider} onSignedIn={vi.fn()} />
)

beforeEach(() => {
  const { config } = visitorPageData()
  setSession(visitorPageData({ config: { ...config, signIn: { ...config.signIn, google: true, microsoft: true } } }))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('sign-in with a provider', () => {
  it('asks the server by a write of its own, and goes where it says', async () => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
    const calls = mockServer({ [START]: () => jsonResponse({ url: URL_THERE }) })
    await renderWithProviders(login())
    const person = userEvent.setup()
    screen.getByRole('button', { name: 'Continue with Google' }).focus()
    await person.keyboard('{Enter}')
    await waitFor(() => expect(assign).toHaveBeenCalledWith(URL_THERE))
    expect(calls[0]?.body).toEqual({ provider: 'google', acceptTerms: true, return: '/insights' })
    expect(calls[0]?.headers.get('x-csrf-token')).toBe('token-1')
    expect(screen.getByRole('button', { name: 'Continue with Microsoft' })).toBeDisabled()
  })

  it('says what stands in the way, and can be tried again', async () => {
    mockServer({ [START]: () => errorResponse('busy') })
    await renderWithProviders(login())
    await userEvent.setup().click(screen.getByRole('button', { name: 'Continue with Microsoft' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Server busy')
    expect(screen.getByRole('button', { name: 'Continue with Microsoft' })).toBeEnabled()
  })

  it('is offered at registration too, with the terms it accepts', async () => {
    await renderWithProviders(<RegisterScreen returnTo={undefined} onRegistered={vi.fn()} />)
    expect(screen.getByRole('button', { name: 'Continue with Google' })).toBeVisible()
    expect(screen.getByText(/By continuing with Google or Microsoft you accept the/)).toBeVisible()
  })
})

describe('a sign-in that came to nothing', () => {
  it('names the provider and the way on', async () => {
    await renderWithProviders(login('account_exists', 'google'))
    expect(screen.getByRole('alert')).toHaveTextContent(
      'Sign in as before, then connect Google under Sign-in and security.',
    )
  })

  it('says nothing of what it does not know', async () => {
    await renderWithProviders(login('<b>pay here</b>', 'evil'))
    expect(screen.queryByRole('alert')).toBeNull()
  })
})
