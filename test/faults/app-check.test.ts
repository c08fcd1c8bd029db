import { afterAll, expect, inject, it } from 'vitest'
import { PASSWORD } from '../http/person.ts'
import { startServer, createStateDirectory } from '../http/server.ts'
import { GOOD_TOKEN_PREFIX, startTurnstile } from '../../emulators/turnstile/server.ts'
import type { PageData } from '../../src/shared/session.ts'

const state = createStateDirectory(inject('unused'))
afterAll(state.remove)

it('lets only people register and sign in: a token of the widget, verified, once', async () => {
  const turnstile = await startTurnstile()
  const server = await startServer(state.path, { settings: turnstile.settings })
  try {
    const first = await fetch(`${server.address}/api/session`)
    const cookie = first.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const { csrfToken, config }: PageData = await first.json()
    expect(config.appCheck).toEqual({ siteKey: turnstile.settings['TURNSTILE_SITE_KEY'] })
    const post = async (path: string, body: unknown, token?: string): Promise<number> => {
      const headers = { 'content-type': 'application/json', 'x-csrf-token': csrfToken, cookie }
      const checked = token === undefined ? headers : { ...headers, 'x-app-check': token }
      return (await fetch(`${server.address}${path}`, { method: 'POST', headers: checked, body: JSON.stringify(body) }))
        .status
    }
    const account = { name: 'Anna', email: 'anna@example.com', password: PASSWORD, acceptTerms: true }
    expect(await post('/api/account/register', account)).toBe(403)
    expect(await post('/api/account/register', account, 'forged')).toBe(403)
    expect(await post('/api/account/register', account, `${GOOD_TOKEN_PREFIX}1`)).toBe(201)
    const signIn = { email: account.email, password: PASSWORD }
    expect(await post('/api/session/sign-in', signIn, `${GOOD_TOKEN_PREFIX}1`)).toBe(403)
    expect(await post('/api/session/sign-in', signIn, `${GOOD_TOKEN_PREFIX}2`)).toBe(200)
    expect(turnstile.asked.map(({ response }) => response)).toEqual([
      'forged',
      `${GOOD_TOKEN_PREFIX}1`,
      `${GOOD_TOKEN_PREFIX}1`,
      `${GOOD_TOKEN_PREFIX}2`,
    ])

    await turnstile.stop()
    expect(await post('/api/session/sign-in', signIn, `${GOOD_TOKEN_PREFIX}3`)).toBe(503)
  } finally {
    await server.stop()
  }
})
