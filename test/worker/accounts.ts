import { env } from 'cloudflare:test'
import { unique, visitor, cookiesOf, type Caller } from './factories'
import type { createApp } from '../../src/app'
import type { Deps } from '../../src/deps'
import type { Passwords } from '../../src/identity/passwords'
import type { PageData } from '../../src/shared/session'

export const PASSWORD = 'a sentence nobody guesses'

/** Passwords that cost nothing, for tests that are not about hashing. */
export const fakePasswords = (): Passwords => ({
  hash: async (password) => `cheap:${password}`,
  verify: async (password, stored) => ({ ok: stored === `cheap:${password}`, outdated: false }),
})

/** A caller who goes on with what an answer gave: its cookies and its token. */
export async function withResponseSession(who: Caller, answer: Response): Promise<Caller> {
  const { csrfToken } = await answer.clone().json<PageData>()
  const headers = { ...who.headers, cookie: cookiesOf(answer), 'x-csrf-token': csrfToken }
  return {
    ...who,
    cookie: headers.cookie,
    csrf: csrfToken,
    headers,
    fetch: (path, init = {}) => who.fetch(path, { ...init, headers: { ...headers, ...init.headers } }),
  }
}

export interface RegisteredUser {
  me: Caller
  userId: string
  email: string
  /** Someone who has not signed in, at the same installation. */
  anon: Caller
}

/**
 * A person who registered with {@link PASSWORD}, signed in. The mail that asks for the proof is out of the way: tests see
 * the mails that they cause. `proven`: it was answered.
 */
export async function registerUser(
  options: {
    deps?: Partial<Deps>
    app?: ReturnType<typeof createApp>
    headers?: Record<string, string>
    proven?: boolean
  } = {},
): Promise<RegisteredUser> {
  const anon = await visitor(
    options.app ? { app: options.app } : { deps: { passwords: fakePasswords(), ...options.deps } },
  )
  const email = `${unique('anna')}@example.com`
  const json = { name: 'Anna Lind', email, password: PASSWORD, acceptTerms: true }
  const made = await anon.fetch('/api/account/register', { method: 'POST', json, headers: options.headers ?? {} })
  const page = await made.clone().json<PageData>()
  const userId = page.user?.id ?? ''
  await env.DB.batch([
    env.DB.prepare("DELETE FROM outbox WHERE kind = 'mail' AND json_extract(payload, '$.to') = ?").bind(email),
    env.DB.prepare('DELETE FROM links WHERE user_id = ?').bind(userId),
    env.DB.prepare('UPDATE users SET email_proven_at = ? WHERE id = ?').bind(
      options.proven === true ? 1 : null,
      userId,
    ),
  ])
  return { me: await withResponseSession(anon, made), userId, email, anon }
}

export const signInAs = (who: Caller, email: string, password = PASSWORD, headers: Record<string, string> = {}) =>
  who.fetch('/api/session/sign-in', { method: 'POST', json: { email, password }, headers })
