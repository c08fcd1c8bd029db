import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { cookiesOf, unique, visitor } from '../../../test/worker/factories'
import type { PageData } from '../../shared/session'

const person = () => ({
  name: 'Anna Lind',
  email: `${unique('anna')}@example.com`,
  password: 'a sentence nobody guesses',
  acceptTerms: true,
})

describe('register and sign in (AUTH-1)', () => {
  it('registers, is signed in at once, and signs in again with the same password', async () => {
    const anon = await visitor()
    const input = person()
    const made = await anon.fetch('/api/account/register', { method: 'POST', json: input })
    expect(made.status).toBe(201)
    const page: PageData = await made.json()
    expect(page.user).toMatchObject({ name: 'Anna Lind', email: input.email, onboarding: 'workspace' })
    const me = await anon.fetch('/api/session', { headers: { cookie: cookiesOf(made) } })
    expect(await me.json()).toMatchObject({ user: { email: input.email } })
    const again = await anon.fetch('/api/session/sign-in', {
      method: 'POST',
      json: { email: input.email, password: input.password },
    })
    expect(again.status).toBe(200)
    const wrong = await anon.fetch('/api/session/sign-in', {
      method: 'POST',
      json: { email: input.email, password: `${input.password}!` },
    })
    expect(wrong.status).toBe(401)
    expect(
      await env.DB.prepare('SELECT password_hash AS h FROM users WHERE email = ?').bind(input.email).first('h'),
    ).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })
})
