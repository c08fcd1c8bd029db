import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { askForSignIn, isWaitingForSignIn, signInGivenUp } from './sign-in-request'
import { SignInSheet } from './sign-in-sheet'
import { ApiError, handleStaleToken, handleUnauthenticated, send } from '../../lib/api'
import { setSession } from '../../lib/session'
import { member } from '../../test/page-data'
import { show } from '../../test/render'
import { json, refuse, serve } from '../../test/server'

const DATA = 'POST /api/things'
const SIGN_IN = 'POST /api/session/sign-in'
const call = () => send('/api/things', { method: 'POST', body: JSON.stringify({ draft: 'kept' }) })

beforeEach(() => {
  setSession(member())
  handleUnauthenticated(askForSignIn)
  handleStaleToken(async () => false)
})
afterEach(() => {
  signInGivenUp()
  vi.unstubAllGlobals()
})

async function signIn(): Promise<void> {
  const person = userEvent.setup()
  await person.type(await screen.findByLabelText('Password'), 'a long enough sentence')
  await person.click(screen.getByRole('button', { name: 'Sign in' }))
}

describe('sign-in sheet', () => {
  it('repeats the interrupted call with its body after signing in again', async () => {
    const calls = serve({
      [DATA]: [() => refuse('unauthenticated'), () => json({ ok: true })],
      [SIGN_IN]: () => json({ ...member(), csrfToken: 'token-2' }),
    })
    await show(<SignInSheet />)
    const answer = call()
    await signIn()
    expect(await (await answer).json()).toEqual({ ok: true })
    const repeated = calls.filter(({ path }) => path === '/api/things')
    expect(repeated.map(({ body }) => body)).toEqual([{ draft: 'kept' }, { draft: 'kept' }])
    expect(repeated[1]?.headers.get('x-csrf-token')).toBe('token-2')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('opens once for many calls and repeats them all', async () => {
    serve({
      [DATA]: [() => refuse('unauthenticated'), () => refuse('unauthenticated'), () => json({ ok: true })],
      [SIGN_IN]: () => json(member()),
    })
    await show(<SignInSheet />)
    const answers = [call(), call()]
    await signIn()
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect(statuses).toEqual([200, 200])
    expect(isWaitingForSignIn()).toBe(false)
  })

  it('hands the refusal on when the person closes it', async () => {
    serve({ [DATA]: () => refuse('unauthenticated') })
    await show(<SignInSheet />)
    const refused = expect(call()).rejects.toBeInstanceOf(ApiError)
    await screen.findByRole('dialog')
    await userEvent.keyboard('{Escape}')
    await refused
  })

  it('fills in the address of the person whose session ended', async () => {
    serve({ [DATA]: () => refuse('unauthenticated') })
    await show(<SignInSheet />)
    const refused = expect(call()).rejects.toThrow()
    expect(await screen.findByLabelText('E-mail')).toHaveValue('anna@example.com')
    signInGivenUp()
    await refused
  })
})
