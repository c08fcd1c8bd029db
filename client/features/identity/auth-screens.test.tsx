import axe from 'axe-core'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { LoginScreen } from './login-screen'
import { passwordHint } from '../../ui/forms/new-password-input'
import { RegisterScreen } from './register-screen'
import { TermsScreen } from './terms-screen'
import { setSession } from '../../lib/session'
import { visitorPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'

const login = <LoginScreen returnTo={undefined} problem={undefined} onSignedIn={vi.fn()} />
const register = <RegisterScreen returnTo={undefined} onRegistered={vi.fn()} />

/** Contrast needs real layout; the browser journeys check it. */
async function violations(container: Element): Promise<string[]> {
  const result = await axe.run(container, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  })
  return result.violations.map(({ id }) => id)
}

beforeEach(() => setSession(visitorPageData()))

describe('authentication screens', () => {
  it.each([
    ['sign-in', login],
    ['registration', register],
    ['terms', <TermsScreen key="terms" />],
  ])('axe finds nothing on %s', async (_name, ui) => {
    const { container } = await renderWithProviders(ui)
    expect(await violations(container)).toEqual([])
  })

  it('shows the promise of the product', async () => {
    await renderWithProviders(login)
    const promise = screen.getAllByText('Upplev trygghet och högre lönsamhet genom insikt i realtid.')
    expect(promise[0]).toHaveAttribute('lang', 'sv')
  })

  it('offers Google and Microsoft only where the installation has them', async () => {
    const { unmount } = await renderWithProviders(login)
    expect(screen.queryByText('Continue with Google')).toBeNull()
    unmount()
    const { config } = visitorPageData()
    setSession(visitorPageData({ config: { ...config, signIn: { ...config.signIn, google: true } } }))
    await renderWithProviders(login)
    expect(screen.getByText('Continue with Google')).toBeVisible()
    expect(screen.queryByText('Continue with Microsoft')).toBeNull()
  })

  it('offers the demo in local mode only', async () => {
    const { unmount } = await renderWithProviders(login)
    expect(screen.queryByText('Explore demo data')).toBeNull()
    unmount()
    const { config } = visitorPageData()
    setSession(visitorPageData({ config: { ...config, signIn: { ...config.signIn, demo: true } } }))
    await renderWithProviders(login)
    expect(screen.getByRole('button', { name: 'Explore demo data' })).toBeVisible()
  })

  it('registers nobody who has not accepted the terms', async () => {
    const onRegistered = vi.fn()
    await renderWithProviders(<RegisterScreen returnTo={undefined} onRegistered={onRegistered} />)
    const person = userEvent.setup()
    await person.type(screen.getByLabelText('Name'), 'Anna')
    await person.type(screen.getByLabelText('Work email'), 'anna@example.com')
    await person.type(screen.getByLabelText('Password'), 'a long enough sentence')
    await person.click(screen.getByRole('button', { name: 'Create account' }))
    expect(await screen.findByText('Accept the terms to continue.')).toBeVisible()
    expect(onRegistered).not.toHaveBeenCalled()
  })
})

describe('password hint', () => {
  it('counts what is missing up to twelve characters', () => {
    expect(passwordHint('').enough).toBe(false)
    expect(passwordHint('elevenchars').words).toBe('1 more character')
    expect(passwordHint('twelve chars').enough).toBe(true)
  })
  it('sees repetition, and praises length', () => {
    expect(passwordHint('aaaaaaaaaaaaaaaa').words).toContain('repetitive')
    expect(passwordHint('a sentence that works well').words).toBe('Strong')
  })
})
