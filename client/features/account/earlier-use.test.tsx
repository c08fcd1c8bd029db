import axe from 'axe-core'
import { ModalsProvider } from '@mantine/modals'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EarlierUseScreen } from './earlier-use-screen'
import { ConfirmEmailNotice } from '../../ui/confirm-email-notice'
import { setSession } from '../../lib/session'
import { ANNA, memberPageData } from '../../test/page-data'
import { errorResponse, jsonResponse, mockServer } from '../../test/mock-server'
import { renderWithProviders } from '../../test/render'
import type { EarlierUse } from '../../../src/shared/account'

const HELD: EarlierUse = {
  provenAt: '2026-11-20T10:00:00.000Z',
  sessions: [{ device: 'Firefox on Windows', country: 'SE', signedInAt: '2026-11-01T10:00:00.000Z' }],
  signIns: [{ id: 'acc_1', provider: 'google', email: 'x@example.com' }],
  workspaces: [
    {
      ...{ id: 'ws_1', name: 'Nordträ', createdAt: '2026-11-01T10:00:00.000Z', dataSources: 2 },
      members: [{ userId: 'usr_bo', name: 'Bo Ek', email: 'bo@example.com', role: 'admin' }],
      invites: [{ id: 'inv_1', email: 'cia@example.com', role: 'viewer' }],
    },
  ],
}
const SIGN_INS = 'GET /api/account/sign-ins'
const withPassword = () => jsonResponse({ password: true, accounts: [], offered: [] })
const GET = 'GET /api/account/earlier-use'
const POST = 'POST /api/account/earlier-use'
const person = userEvent.setup()
const opened = (onDone = vi.fn()) =>
  renderWithProviders(
    <>
      <ModalsProvider>{null}</ModalsProvider>
      <EarlierUseScreen
        onDone={onDone}
        frame={({ title, children }) => (
          <main>
            <h1>{title}</h1>
            {children}
          </main>
        )}
      />
    </>,
  )
const box = (name: string) => screen.findByRole('checkbox', { name })
const violations = async (container: Element): Promise<string[]> => {
  const rules = { 'color-contrast': { enabled: false }, region: { enabled: false } }
  return (await axe.run(container, { rules })).violations.map(({ id }) => id)
}

beforeEach(() => setSession(memberPageData()))
afterEach(() => vi.unstubAllGlobals())

describe('an account that was used before', () => {
  it('shows everything that was there, keeps nothing by itself, and removes the rest', async () => {
    const done = vi.fn()
    const calls = mockServer({
      [GET]: () => jsonResponse(HELD),
      [SIGN_INS]: withPassword,
      [POST]: () => jsonResponse({ settled: true }),
      'GET /api/session': () => jsonResponse(memberPageData()),
    })
    const { container } = await opened(done)
    expect(await box('Keep Nordträ')).not.toBeChecked()
    expect(await box('Keep Bo Ek')).toBeDisabled()
    expect(screen.getByText(/Firefox on Windows, Sweden/)).toBeVisible()
    expect(await violations(container)).toEqual([])
    await person.click(await box('Keep Nordträ'))
    await person.click(await box('Keep Bo Ek'))
    await person.click(screen.getByRole('button', { name: 'Keep selected, remove the rest' }))
    await waitFor(() => expect(done).toHaveBeenCalled())
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      ...{ workspaces: ['ws_1'], members: [{ workspaceId: 'ws_1', userId: 'usr_bo' }], invites: [], signIns: [] },
    })
  })

  it('lets people of a workspace go with it', async () => {
    const calls = mockServer({
      [GET]: () => jsonResponse(HELD),
      [SIGN_INS]: withPassword,
      [POST]: () => jsonResponse({ settled: true }),
      'GET /api/session': () => jsonResponse(memberPageData()),
    })
    await opened()
    await person.click(await screen.findByRole('button', { name: 'Select all' }))
    await person.click(await box('Keep Nordträ'))
    expect(await box('Keep Bo Ek')).not.toBeChecked()
    await person.type(await screen.findByLabelText('Your password'), 'a sentence')
    await person.click(screen.getByRole('button', { name: 'Keep selected, remove the rest' }))
    await waitFor(() => expect(calls.some(({ method }) => method === 'POST')).toBe(true))
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      ...{ workspaces: [], members: [], invites: [], signIns: ['acc_1'], password: 'a sentence' },
    })
  })

  it('asks once more before everything goes, and says beside the password that it is wrong', async () => {
    const calls = mockServer({
      [GET]: () => jsonResponse(HELD),
      [SIGN_INS]: withPassword,
      [POST]: () => errorResponse('invalid_credentials'),
    })
    await opened()
    await person.type(await screen.findByLabelText('Your password'), 'wrong')
    await person.click(screen.getByRole('button', { name: 'Remove everything' }))
    expect(calls.some(({ method }) => method === 'POST')).toBe(false)
    const dialog = await screen.findByRole('dialog')
    await person.click(within(dialog).getByRole('button', { name: 'Remove everything' }))
    expect(await screen.findByText('Incorrect password')).toBeVisible()
  })

  it('goes on without a question where nothing is left to choose', async () => {
    const calls = mockServer({
      [GET]: () => jsonResponse({ ...HELD, signIns: [], workspaces: [] }),
      [POST]: () => jsonResponse({ settled: true }),
      'GET /api/session': () => jsonResponse(memberPageData()),
    })
    await opened()
    await person.click(await screen.findByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(calls.some(({ method }) => method === 'POST')).toBe(true))
  })

  it('says what went wrong and keeps the choice', async () => {
    mockServer({
      [GET]: () => jsonResponse(HELD),
      [SIGN_INS]: withPassword,
      [POST]: () => errorResponse('busy', { retryAfter: 1 }),
    })
    await opened()
    await person.click(await box('Keep Google'))
    await person.click(screen.getByRole('button', { name: 'Keep selected, remove the rest' }))
    expect(await screen.findByRole('alert')).toBeVisible()
    expect(await box('Keep Google')).toBeChecked()
  })
})

describe('the notice about an unconfirmed address', () => {
  it('names the address, sends the mail again once, and leads to its change', async () => {
    setSession({ ...memberPageData(), user: { ...ANNA, emailProven: false } })
    const calls = mockServer({ 'POST /api/account/email/proof': () => jsonResponse({ sent: true }) })
    await renderWithProviders(<ConfirmEmailNotice />)
    expect(screen.getByText(/anna@example\.com/)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Change email' })).toHaveAttribute(
      'href',
      '/settings/profile/authentication',
    )
    await person.click(screen.getByRole('button', { name: 'Send again' }))
    expect(await screen.findByText('Email sent')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Send again' })).toBeDisabled()
    expect(calls).toHaveLength(1)
  })

  it('says when it was sent too often', async () => {
    setSession({ ...memberPageData(), user: { ...ANNA, emailProven: false } })
    mockServer({ 'POST /api/account/email/proof': () => errorResponse('rate_limited', { retryAfter: 120 }) })
    await renderWithProviders(<ConfirmEmailNotice />)
    await person.click(screen.getByRole('button', { name: 'Send again' }))
    expect(await screen.findByText(/Too many attempts/)).toBeVisible()
  })

  it('can be closed, and stays away as long as the tab lives', async () => {
    setSession({ ...memberPageData(), user: { ...ANNA, emailProven: false } })
    const first = await renderWithProviders(<ConfirmEmailNotice />)
    await person.click(screen.getByRole('button', { name: 'Hide until the next visit' }))
    expect(screen.queryByText(/anna@example\.com/)).toBeNull()
    first.unmount()
    await renderWithProviders(<ConfirmEmailNotice />)
    expect(screen.queryByText(/anna@example\.com/)).toBeNull()
    sessionStorage.clear()
  })

  it('is gone once the address is confirmed', async () => {
    const { container } = await renderWithProviders(<ConfirmEmailNotice />)
    expect(container).not.toHaveTextContent('Confirm')
  })
})
