import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ConfirmAddressScreen } from './confirm-address-screen'
import { session, setSession } from '../../lib/session'
import { ANNA, memberPageData, visitorPageData } from '../../test/page-data'
import { errorResponse, jsonResponse, mockServer } from '../../test/mock-server'
import { renderWithProviders } from '../../test/render'

const TOKEN = `lnk_0123456789abcdefghjk.${'ab'.repeat(32)}`
const CONFIRM = 'POST /api/account/email/proof/confirm'
const CHECK = 'POST /api/account/links/check'
const usable = () => jsonResponse({ state: 'usable' })
const person = userEvent.setup()
const unproven = { ...memberPageData(), user: { ...ANNA, emailProven: false } }

beforeEach(() => {
  sessionStorage.clear()
  window.location.hash = TOKEN
  setSession(unproven)
})
afterEach(() => {
  window.location.hash = ''
  vi.unstubAllGlobals()
})

it('confirms by a button, not by being opened', async () => {
  const calls = mockServer({ [CHECK]: usable, [CONFIRM]: () => jsonResponse(memberPageData()) })
  await renderWithProviders(<ConfirmAddressScreen />)
  await person.click(await screen.findByRole('button', { name: 'Confirm email address' }))
  expect(await screen.findByText('Email address confirmed')).toBeVisible()
  expect(calls.map(({ path }) => path)).toEqual(['/api/account/links/check', '/api/account/email/proof/confirm'])
  expect(calls[1]?.body).toEqual({ token: TOKEN })
  expect(session().user?.emailProven).toBe(true)
  await waitFor(() => expect(sessionStorage.getItem('email-proof')).toBeNull())
})

it('asks a visitor to sign in, and remembers the link until they are back', async () => {
  setSession(visitorPageData())
  mockServer({ [CHECK]: usable })
  const { unmount } = await renderWithProviders(<ConfirmAddressScreen />)
  expect(screen.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/login?return=%2Fauth%2Fconfirm')
  expect(screen.getByRole('link', { name: /Reset the password/ })).toHaveAttribute('href', '/reset')
  await waitFor(() => expect(window.location.hash).toBe(''))
  unmount()
  setSession(unproven)
  await renderWithProviders(<ConfirmAddressScreen />)
  expect(await screen.findByRole('button', { name: 'Confirm email address' })).toBeVisible()
})

it('offers another mail where the link is dead', async () => {
  mockServer({
    [CHECK]: () => errorResponse('expired', { what: 'link' }),
    'POST /api/account/email/proof': () => jsonResponse({ sent: true }),
  })
  await renderWithProviders(<ConfirmAddressScreen />)
  await person.click(await screen.findByRole('button', { name: 'Send again' }))
  expect(await screen.findByText('Email sent')).toBeVisible()
})
