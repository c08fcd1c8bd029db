import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { createApp } from '../app'
import { fakePasswords, withResponseSession, PASSWORD, registerUser, signInAs } from '../../test/worker/accounts'
import { aMember, signedIn, type Caller } from '../../test/worker/factories'
import { linkTokenInMail } from '../../test/worker/mails'
import { staleKv } from '../../test/worker/stale-kv'

const NEXT = 'another long sentence'
const stale = () => createApp({ sessions: staleKv(), passwords: fakePasswords() })
const profile = async (who: Caller) => (await who.fetch('/api/profile')).status

/** Two sessions of one person, both known to a KV that forgets nothing. */
async function twoSessions() {
  const person = await registerUser({ app: stale() })
  const other = await withResponseSession(person.anon, await signInAs(person.anon, person.email))
  expect([await profile(person.me), await profile(other)]).toEqual([200, 200])
  return { ...person, other }
}
type Two = Awaited<ReturnType<typeof twoSessions>>

describe('while KV still answers the old record (SES-1, SES-2)', () => {
  const ends: [string, (two: Two) => Promise<Response>][] = [
    ['sign-out there', ({ other }) => other.fetch('/api/session/sign-out', { method: 'POST' })],
    [
      'a changed password',
      ({ me }) => me.fetch('/api/account/password', { method: 'PUT', json: { current: PASSWORD, next: NEXT } }),
    ],
    ['ending all other sessions', ({ me }) => me.fetch('/api/account/sessions', { method: 'DELETE' })],
    [
      'the end of the account',
      ({ me, email }) =>
        me.fetch('/api/account/delete', { method: 'POST', json: { confirm: email, password: PASSWORD } }),
    ],
    [
      'a reset',
      async ({ anon, email }) => {
        await anon.fetch('/api/account/reset', { method: 'POST', json: { email } })
        const json = { token: await linkTokenInMail(email, 'reset'), password: NEXT }
        return anon.fetch('/api/account/reset/confirm', { method: 'POST', json })
      },
    ],
  ]
  it.each(ends)('%s ends the other session on the very next request', async (_what, end) => {
    const two = await twoSessions()
    expect((await end(two)).status).toBe(200)
    expect(await profile(two.other)).toBe(401)
    expect((await two.other.fetch('/api/session')).status).toBe(200)
    expect(await (await two.other.fetch('/api/session')).json()).toMatchObject({ session: null, user: null })
  })

  it.each([
    ['removed', 404],
    ['suspended', 404],
    ['lowered', 403],
  ] as const)('a member who is %s is so on the very next request', async (what, status) => {
    const app = stale()
    const owner = await signedIn({ app })
    const member = await signedIn({ app, workspaceId: owner.workspaceId, role: 'analyst' })
    const write = () => member.fetch('/api/sample', { method: 'DELETE' })
    expect((await write()).status).toBe(200)
    const path = `/api/members/${member.userId}`
    const change = {
      removed: null,
      suspended: { role: 'analyst', status: 'suspended' },
      lowered: { role: 'viewer', status: 'active' },
    }[what]
    const done =
      change === null
        ? await owner.fetch(`${path}?version=1`, { method: 'DELETE' })
        : await owner.fetch(path, { method: 'PUT', json: { ...change, version: 1 } })
    expect(done.status).toBe(200)
    expect((await write()).status).toBe(status)
    expect(await profile(member)).toBe(200)
  })

  it('is let in anew after a password was changed: the new session’s record is no older one', async () => {
    const { me, anon, email } = await twoSessions()
    const answer = await me.fetch('/api/account/password', { method: 'PUT', json: { current: PASSWORD, next: NEXT } })
    const now = await withResponseSession(me, answer)
    for (let i = 0; i < 3; i++) expect(await profile(now)).toBe(200)
    expect((await signInAs(anon, email, NEXT)).status).toBe(200)
  })
})

describe('last seen', () => {
  it('of a member moves with the workspace at hand, at most once in five minutes, and never on its own', async () => {
    const start = Date.now()
    let now = start
    const me = await signedIn({ deps: { clock: { now: () => now } } })
    const second = await signedIn()
    await aMember(second.workspaceId, me.userId, 'viewer')
    await env.DB.prepare('UPDATE members SET created_at = ? WHERE user_id = ?').bind(start, me.userId).run()
    const seen = async () => {
      const { results } = await env.DB.prepare('SELECT workspace_id, last_seen_at FROM members WHERE user_id = ?')
        .bind(me.userId)
        .all<{ workspace_id: string; last_seen_at: number | null }>()
      const at = (id: string) => results.find((row) => row.workspace_id === id)?.last_seen_at
      return { first: at(me.workspaceId), second: at(second.workspaceId) }
    }
    await me.fetch('/api/insights')
    expect(await seen()).toEqual({ first: null, second: null })
    now = start + 300_000
    await Promise.all(Array.from({ length: 20 }, () => me.fetch('/api/insights')))
    expect(await seen()).toEqual({ first: now, second: null })
    const there = { headers: { 'x-workspace': second.workspaceId } }
    expect((await me.fetch('/api/insights', there)).status).toBe(200)
    expect(await seen()).toEqual({ first: now, second: now })
    const later = now
    now += 299_999
    await me.fetch('/api/insights')
    expect((await seen()).first).toBe(later)
  })
})
