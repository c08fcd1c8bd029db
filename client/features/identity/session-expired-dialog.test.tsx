import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { requestSignIn, isSignInRequested, dismissSignIn } from './sign-in-prompt'
import { SessionExpiredDialog } from './session-expired-dialog'
import { ApiError, setStaleTokenHandler, setUnauthenticatedHandler, apiFetch } from '../../lib/api'
import { setSession } from '../../lib/session'
import { Dialog } from '../../ui/dialog'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, errorResponse, mockServer } from '../../test/mock-server'

const DATA = 'POST /api/things'
const SIGN_IN = 'POST /api/session/sign-in'
const call = (draft = 'kept') => apiFetch('/api/things', { method: 'POST', body: JSON.stringify({ draft }) })

beforeEach(() => {
  setSession(memberPageData())
  setUnauthenticatedHandler(requestSignIn)
  setStaleTokenHandler(async () => false)
})
afterEach(() => {
  dismissSignIn()
  vi.unstubAllGlobals()
})

async function signIn(): Promise<void> {
  const person = userEvent.setup()
  await person.type(await screen.findByLabelText('Password'), 'a long enough sentence')
  await person.click(screen.getByRole('button', { name: 'Sign in' }))
}

describe('sign-in sheet', () => {
  it('repeats the interrupted call with its body after signing in again', async () => {
    const calls = mockServer({
      [DATA]: [() => errorResponse('unauthenticated'), () => jsonResponse({ ok: true })],
      [SIGN_IN]: () => jsonResponse({ ...memberPageData(), csrfToken: 'token-2' }),
    })
    await renderWithProviders(<SessionExpiredDialog />)
    const answer = call()
    await signIn()
    expect(await (await answer).json()).toEqual({ ok: true })
    const repeated = calls.filter(({ path }) => path === '/api/things')
    expect(repeated.map(({ body }) => body)).toEqual([{ draft: 'kept' }, { draft: 'kept' }])
    expect(repeated[1]?.headers.get('x-csrf-token')).toBe('token-2')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('lies above a dialog that was open before', async () => {
    await renderWithProviders(
      <>
        <SessionExpiredDialog />
        <Dialog opened onClose={() => {}} title="New alert" />
      </>,
    )
    act(() => void requestSignIn())
    const level = (of: HTMLElement): number => Number(getComputedStyle(of).getPropertyValue('--mb-z-index'))
    const [sheet, form] = ['Sign in to continue', 'New alert'].map((name) =>
      screen.getByRole('dialog', { name, hidden: true }).closest<HTMLElement>('.mantine-Modal-root'),
    )
    if (!sheet || !form) throw new Error('One of the dialogs is not there.')
    expect(level(sheet)).toBeGreaterThan(level(form))
  })

  it('opens once for many calls and repeats them all', async () => {
    mockServer({
      [DATA]: [
        () => errorResponse('unauthenticated'),
        () => errorResponse('unauthenticated'),
        () => jsonResponse({ ok: true }),
      ],
      [SIGN_IN]: () => jsonResponse(memberPageData()),
    })
    await renderWithProviders(<SessionExpiredDialog />)
    const answers = [call('one'), call('two')]
    await signIn()
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect(statuses).toEqual([200, 200])
    expect(isSignInRequested()).toBe(false)
  })

  it('hands the refusal on when the person closes it', async () => {
    mockServer({ [DATA]: () => errorResponse('unauthenticated') })
    await renderWithProviders(<SessionExpiredDialog />)
    const refused = expect(call()).rejects.toBeInstanceOf(ApiError)
    await screen.findByRole('dialog')
    await userEvent.keyboard('{Escape}')
    await refused
  })

  it('fills in the address of the person whose session ended', async () => {
    mockServer({ [DATA]: () => errorResponse('unauthenticated') })
    await renderWithProviders(<SessionExpiredDialog />)
    const refused = expect(call()).rejects.toThrow()
    expect(await screen.findByLabelText('Email')).toHaveValue('anna@example.com')
    dismissSignIn()
    await refused
  })
})
