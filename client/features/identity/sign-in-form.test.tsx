import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SignInForm } from './sign-in-form'
import { session, setSession } from '../../lib/session'
import { memberPageData, visitorPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, errorResponse, mockServer } from '../../test/mock-server'

const SIGN_IN = 'POST /api/session/sign-in'

async function fill(email: string, password: string): Promise<void> {
  const person = userEvent.setup()
  await person.type(screen.getByLabelText('Email'), email)
  await person.type(screen.getByLabelText('Password'), password)
  await person.click(screen.getByRole('button', { name: 'Sign in' }))
}

beforeEach(() => setSession(visitorPageData()))
afterEach(() => vi.unstubAllGlobals())

describe('sign-in form', () => {
  it('sends the canonical address with the page’s token and takes over the new page data', async () => {
    const calls = mockServer({ [SIGN_IN]: () => jsonResponse(memberPageData()) })
    const done = vi.fn()
    await renderWithProviders(<SignInForm onSignedIn={done} />)
    await fill('anna@example.com', 'a long enough sentence')
    await waitFor(() => expect(done).toHaveBeenCalledOnce())
    expect(calls[0]?.body).toEqual({ email: 'anna@example.com', password: 'a long enough sentence' })
    expect(calls[0]?.headers.get('x-csrf-token')).toBe('token-1')
    expect(calls[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/)
    expect(session().user?.email).toBe('anna@example.com')
  })

  it('asks for a readable address before it calls the server', async () => {
    const calls = mockServer({})
    await renderWithProviders(<SignInForm onSignedIn={vi.fn()} />)
    await fill('anna', 'whatever')
    expect(await screen.findByText('Enter an address like name@company.com.')).toBeVisible()
    expect(calls).toHaveLength(0)
  })

  it('says the same for a wrong password and an unknown address, and keeps what was typed', async () => {
    mockServer({ [SIGN_IN]: () => errorResponse('invalid_credentials') })
    await renderWithProviders(<SignInForm onSignedIn={vi.fn()} />)
    await fill('anna@example.com', 'wrong password 12')
    expect(await screen.findByRole('alert')).toHaveTextContent('Incorrect email or password')
    expect(screen.getByLabelText('Email')).toHaveValue('anna@example.com')
  })

  it('counts down when there were too many tries and lets nobody press meanwhile', async () => {
    mockServer({ [SIGN_IN]: () => errorResponse('rate_limited', { retryAfter: 42 }) })
    await renderWithProviders(<SignInForm onSignedIn={vi.fn()} />)
    await fill('anna@example.com', 'wrong password 12')
    expect(await screen.findByRole('button', { name: 'Try again in 42 s' })).toBeDisabled()
    expect(screen.getByRole('alert')).toHaveTextContent('Try again in 42 seconds.')
    expect(await screen.findByRole('button', { name: 'Try again in 41 s' })).toBeDisabled()
  })

  it('puts a refusal of the server beside its field', async () => {
    mockServer({ [SIGN_IN]: () => errorResponse('invalid_input', { fields: { email: 'Not here.' } }) })
    await renderWithProviders(<SignInForm onSignedIn={vi.fn()} />)
    await fill('anna@example.com', 'wrong password 12')
    expect(await screen.findByText('Not here.')).toBeVisible()
  })

  it('says so when there is no connection', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await renderWithProviders(<SignInForm onSignedIn={vi.fn()} />)
    await fill('anna@example.com', 'wrong password 12')
    expect(await screen.findByRole('alert')).toHaveTextContent('No connection')
  })
})
