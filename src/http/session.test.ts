import { createExecutionContext, env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { createApp } from '../app'
import { systemIds } from '../deps'
import { openDatabase } from '../db/database'
import { SESSION_IDLE_MS, SESSION_MAX_MS } from '../shared/limits'
import type { PageData } from '../shared/session'
import { countingDatabase } from '../../test/worker/test-database'
import {
  aMember,
  aPerson,
  aSession,
  aWorkspace,
  callApp,
  cookiesOf,
  signedIn,
  unique,
  visitor,
} from '../../test/worker/factories'
import { callablePath, routeTable } from '../../test/worker/http/route-table'
import { staleKv } from '../../test/worker/stale-kv'

const SECOND_MS = 1000
const HOUR_MS = 3600 * SECOND_MS
const FIVE_MINUTES_MS = 300 * SECOND_MS
const DAY_MS = 24 * HOUR_MS
const sessionsOf = (userId: string) =>
  env.DB.prepare('SELECT hash, last_seen_at AS seen FROM sessions WHERE user_id = ?')
    .bind(userId)
    .all<{ hash: string; seen: number }>()
    .then(({ results }) => results)
const isSignedIn = async (response: Response) => (await response.json<PageData>()).session !== null

describe('signing out (SES-1)', () => {
  it('refuses the old cookie at once on every guarded route, even while KV still answers the old record', async () => {
    const app = createApp({ sessions: staleKv() })
    const me = await signedIn({ app })
    expect((await me.fetch('/api/profile')).status).toBe(200)
    expect((await me.fetch('/api/session/sign-out', { method: 'POST' })).status).toBe(200)
    const guarded = routeTable(app).filter(({ guards }) => guards.some(({ kind }) => kind !== 'open'))
    expect(guarded.length).toBeGreaterThan(4)
    for (const { method, path } of guarded) {
      const answer = await me.fetch(callablePath(path), { method, ...(/POST|PUT/.test(method) ? { json: {} } : {}) })
      expect([method, path, answer.status]).toEqual([method, path, 401])
    }
    expect(await isSignedIn(await me.fetch('/api/session'))).toBe(false)
  })

  it('clears the cookie, forgets the record and hands out a new token', async () => {
    const me = await signedIn()
    const out = await me.fetch('/api/session/sign-out', { method: 'POST' })
    const page = await out.json<PageData>()
    expect(page).toMatchObject({ session: null, user: null, workspace: null, workspaces: [] })
    expect(page.csrfToken).not.toBe(me.csrf)
    expect(out.headers.getSetCookie().join('\n')).toMatch(/insikt_session=; Max-Age=0; Path=\//)
    expect(await env.SESSIONS.get(`session:${me.sessionHash}`)).toBeNull()
    const again = await callApp(me.app, '/api/session/sign-out', {
      method: 'POST',
      headers: { cookie: cookiesOf(out), 'x-csrf-token': page.csrfToken, 'content-type': 'application/json' },
    })
    expect(again.status).toBe(200)
  })

  it('never lets anyone in by a record in KV alone, nor by a row whose record speaks of somebody else', async () => {
    const me = await signedIn()
    const other = await aPerson()
    await env.SESSIONS.put(`session:${me.sessionHash}`, JSON.stringify({ userId: other, epoch: 1 }))
    expect((await me.fetch('/api/profile')).status).toBe(401)
    await env.SESSIONS.put(`session:${me.sessionHash}`, JSON.stringify({ userId: me.userId, epoch: 1 }))
    expect((await me.fetch('/api/profile')).status).toBe(200)
    await env.DB.prepare('DELETE FROM sessions WHERE hash = ?').bind(me.sessionHash).run()
    expect((await me.fetch('/api/profile')).status).toBe(401)
  })

  it('goes on while KV cannot be read or written', async () => {
    const down = new Proxy(env.SESSIONS, { get: () => () => Promise.reject(new Error('KV is down')) })
    const me = await signedIn({ deps: { sessions: down } })
    expect((await me.fetch('/api/profile')).status).toBe(200)
  })

  it('goes on when KV has lost the record: the row is the authority', async () => {
    const me = await signedIn()
    await env.SESSIONS.delete(`session:${me.sessionHash}`)
    expect((await me.fetch('/api/profile')).status).toBe(200)
  })
})

describe('rights that shrink (SES-2)', () => {
  it.each([
    ['a raised epoch of the person', 'UPDATE users SET epoch = epoch + 1 WHERE id = ?', 401],
    ['a disabled person', 'UPDATE users SET disabled_at = 1 WHERE id = ?', 401],
    ['a removed membership', 'DELETE FROM members WHERE user_id = ?', 404],
    ['a suspended membership', "UPDATE members SET status = 'suspended' WHERE user_id = ?", 404],
    ['a role without the permission', "UPDATE members SET role = 'viewer' WHERE user_id = ?", 403],
  ])('%s counts on the very next request', async (_what, sql, status) => {
    const me = await signedIn({ role: 'admin', app: createApp({ sessions: staleKv() }) })
    const put = () => me.fetch('/api/workspace', { method: 'PUT', json: {} })
    expect((await put()).status).toBe(422)
    await env.DB.prepare(sql).bind(me.userId).run()
    expect((await put()).status).toBe(status)
  })
})

describe('a planted cookie (SES-3)', () => {
  const account = async () => {
    const anon = await visitor()
    const input = {
      name: 'A',
      email: `${unique('fix')}@example.com`,
      password: 'a sentence nobody guesses',
      acceptTerms: true,
    }
    await anon.fetch('/api/account/register', { method: 'POST', json: input })
    return { email: input.email, password: input.password }
  }

  it('is replaced at sign-in and lets nobody in afterwards', async () => {
    const attacker = await signedIn()
    const credentials = await account()
    const entered = await attacker.fetch('/api/session/sign-in', { method: 'POST', json: credentials })
    expect(entered.status).toBe(200)
    expect(cookiesOf(entered)).toMatch(/insikt_session=[0-9a-f]{64}/)
    expect(attacker.cookie).not.toContain(cookiesOf(entered))
    expect((await attacker.fetch('/api/profile')).status).toBe(401)
  })

  it('is replaced at registration too', async () => {
    const attacker = await signedIn()
    const input = { name: 'A', email: `${unique('fix')}@example.com`, password: 'a sentence nobody guesses' }
    const entered = await attacker.fetch('/api/account/register', {
      method: 'POST',
      json: { ...input, acceptTerms: true },
    })
    expect(entered.status).toBe(201)
    expect(attacker.cookie).not.toContain(cookiesOf(entered))
    expect((await attacker.fetch('/api/profile')).status).toBe(401)
    const again = await signedIn()
    const taken = await again.fetch('/api/account/register', { method: 'POST', json: { ...input, acceptTerms: true } })
    expect(taken.status).toBe(409)
    expect((await again.fetch('/api/profile')).status).toBe(200)
  })

  it('of no session at all becomes no session', async () => {
    const anon = await visitor()
    const planted = `insikt_session=${'ab'.repeat(32)}`
    const entered = await anon.fetch('/api/session/sign-in', {
      method: 'POST',
      json: await account(),
      headers: { cookie: `${anon.cookie}; ${planted}` },
    })
    expect(entered.status).toBe(200)
    expect((await anon.fetch('/api/profile', { headers: { cookie: planted } })).status).toBe(401)
  })
})

describe('expiry (SES-4)', () => {
  const START = Date.UTC(2026, 2, 1)
  it.each([
    ['idle', 0, SESSION_IDLE_MS],
    ['absolute, however busy', SESSION_MAX_MS - DAY_MS, SESSION_MAX_MS],
  ])('%s: valid a second before, refused at the instant and after', async (_what, lastSeen, end) => {
    for (const [at, status] of [
      [end - SECOND_MS, 200],
      [end, 401],
      [end + SECOND_MS, 401],
    ] as const) {
      const me = await signedIn({
        session: { createdAt: START, lastSeenAt: START + lastSeen },
        deps: { clock: { now: () => START + at } },
      })
      expect([at - end, (await me.fetch('/api/profile')).status]).toEqual([at - end, status])
    }
  })

  it('says in the page data when the session ends', async () => {
    const me = await signedIn({ session: { createdAt: START }, deps: { clock: { now: () => START + HOUR_MS / 2 } } })
    const page = await (await me.fetch('/api/session')).json<PageData>()
    expect(page.session).toEqual({ expiresAt: new Date(START + SESSION_IDLE_MS).toISOString() })
  })
})

describe('the cookie (SES-5)', () => {
  const entered = async (origin: string) => {
    const app = createApp()
    const page = await app.fetch(
      new Request(`${origin}/api/session`),
      { ...env, LOCAL_MODE: '0' },
      createExecutionContext(),
    )
    const { csrfToken } = await page.json<PageData>()
    const email = `${unique('cookie')}@example.com`
    return app.fetch(
      new Request(`${origin}/api/account/register`, {
        method: 'POST',
        body: JSON.stringify({ name: 'A', email, password: 'a sentence nobody guesses', acceptTerms: true }),
        headers: {
          cookie: cookiesOf(page),
          'x-csrf-token': csrfToken,
          'content-type': 'application/json',
          // Registrations are counted by address, and other tests register, too.
          'cf-connecting-ip': '203.0.113.77',
        },
      }),
      { ...env, LOCAL_MODE: '0' },
      createExecutionContext(),
    )
  }

  it('on https is a __Host- cookie: Secure, HttpOnly, Lax, path /, without a domain', async () => {
    const answer = await entered('https://insikt.example')
    expect(answer.status).toBe(201)
    const line = answer.headers.getSetCookie().find((one) => one.startsWith('__Host-insikt_session='))
    expect(line).toMatch(/^__Host-insikt_session=[0-9a-f]{64}; /)
    expect(line?.split('; ').slice(1).toSorted()).toEqual([
      'HttpOnly',
      'Max-Age=2592000',
      'Path=/',
      'SameSite=Lax',
      'Secure',
    ])
  })

  it('on plain http keeps all flags but Secure, and a __Host- name is no session there', async () => {
    const answer = await entered('http://localhost:8787')
    const line = answer.headers.getSetCookie().find((one) => one.startsWith('insikt_session='))
    expect(line?.split('; ').slice(1).toSorted()).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax'])
  })

  it('is stored nowhere as it is: database and KV know its SHA-256 only', async () => {
    const answer = await entered('https://insikt.example')
    const token = /__Host-insikt_session=([0-9a-f]{64})/.exec(answer.headers.getSetCookie().join())?.[1] ?? 'none'
    const rows = await env.DB.prepare('SELECT * FROM sessions').all()
    expect(JSON.stringify(rows.results)).not.toContain(token)
    const { keys } = await env.SESSIONS.list()
    expect(keys.length).toBeGreaterThan(0)
    expect(JSON.stringify(keys)).not.toContain(token)
    expect(await answer.text()).not.toContain(token)
  })
})

describe('parallel requests (SES-6)', () => {
  it('keeps one session row and moves its last_seen once when 50 come together', async () => {
    const now = Date.now()
    const me = await signedIn({ session: { createdAt: now - DAY_MS }, deps: { clock: { now: () => now } } })
    const answers = await Promise.all(Array.from({ length: 50 }, () => me.fetch('/api/profile')))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(await sessionsOf(me.userId)).toEqual([{ hash: me.sessionHash, seen: now }])
  })

  it('moves last_seen at most once in five minutes', async () => {
    let now = Date.now()
    const me = await signedIn({ session: { createdAt: now }, deps: { clock: { now: () => now } } })
    const started = now
    now = started + FIVE_MINUTES_MS - SECOND_MS
    await me.fetch('/api/profile')
    expect((await sessionsOf(me.userId))[0]?.seen).toBe(started)
    now = started + FIVE_MINUTES_MS
    await me.fetch('/api/profile')
    expect((await sessionsOf(me.userId))[0]?.seen).toBe(now)
  })
})

describe('two tabs in two workspaces (SES-7)', () => {
  it('writes to the workspace each call names, and opens the last one for a page that names none', async () => {
    const me = await signedIn()
    const second = await aWorkspace()
    await aMember(second.id, me.userId, 'owner')
    const input = {
      country: 'SE',
      currency: 'SEK',
      numberLocale: 'sv-SE',
      timeZone: 'UTC',
      fiscalYearStart: 1,
      weekStart: 'monday',
    }
    const rename = (id: string, name: string) =>
      me.fetch('/api/workspace', {
        method: 'PUT',
        json: { ...input, name, version: 1 },
        headers: { 'x-workspace': id },
      })
    const [one, two] = await Promise.all([rename(me.workspaceId, 'Tab one'), rename(second.id, 'Tab two')])
    expect([await one.json(), await two.json()]).toMatchObject([
      { id: me.workspaceId, name: 'Tab one' },
      { id: second.id, name: 'Tab two' },
    ])
    const none = await callApp(me.app, '/api/workspace', { headers: { cookie: me.cookie } })
    expect(none.status).toBe(404)
    const byQuery = await callApp(me.app, `/api/workspace?w=${second.id}`, { headers: { cookie: me.cookie } })
    expect(await byQuery.json()).toMatchObject({ id: second.id })
    await callApp(me.app, `/insights?w=${second.id}`, { headers: { cookie: me.cookie } })
    const later = await callApp(me.app, '/api/session', { headers: { cookie: me.cookie } })
    expect(await later.json()).toMatchObject({ workspace: { id: second.id } })
  })

  it('opens the workspace that was switched to last at the next sign-in, on whichever device', async () => {
    const me = await signedIn()
    const second = await aWorkspace()
    await aMember(second.id, me.userId, 'viewer')
    const opened = async (cookie: string) =>
      (await (await callApp(me.app, '/api/session', { headers: { cookie } })).json<PageData>()).workspace?.id
    const switchTo = (id: string) =>
      callApp(me.app, '/api/session', { headers: { cookie: me.cookie, 'x-workspace': id } })
    expect(await opened(me.cookie)).toBe(me.workspaceId)
    await switchTo(second.id)
    const { token } = await aSession(me.userId)
    const elsewhere = `insikt_session=${token}`
    expect(await opened(elsewhere)).toBe(second.id)
    // Calls of a tab that stays where it is move nothing.
    await callApp(me.app, '/api/members', { headers: { cookie: me.cookie, 'x-workspace': me.workspaceId } })
    expect(await opened(elsewhere)).toBe(second.id)
    await switchTo(me.workspaceId)
    expect(await opened(elsewhere)).toBe(me.workspaceId)
  })
})

describe('cost', () => {
  it.each([
    ['a read', { path: '/api/profile' }, 2],
    // The person, then what they take part in of early access: a switch that stops a feature is never read from a cache.
    ['a page', { path: '/data-sources' }, 2],
    ['a list with what belongs to each entry', { path: '/api/data-sources' }, 2],
    ['a list of insights', { path: '/api/insights' }, 2],
    ['a list of members', { path: '/api/members' }, 2],
    ['a list of groups', { path: '/api/groups' }, 2],
    ['the ways in', { path: '/api/account/sign-ins' }, 2],
    ['a page of the audit log', { path: '/api/audit' }, 2],
    ['a write', { path: '/api/onboarding', method: 'PUT', json: { step: 'done' } }, 2],
    [
      'a first write with an idempotency key',
      { path: '/api/onboarding', method: 'PUT', json: { step: 'done' }, headers: { 'idempotency-key': 'c' } },
      2,
    ],
  ])('%s makes at most two round trips to D1', async (_what, { path, ...init }, most) => {
    const { db, trips } = countingDatabase()
    const me = await signedIn({ deps: { db } })
    expect((await me.fetch(path, init)).status).toBe(200)
    expect(trips()).toBeGreaterThan(0)
    expect(trips()).toBeLessThanOrEqual(most)
  })

  it('asks no session for health, assets and reports, and no database without a cookie', async () => {
    const kv = new Proxy(env.SESSIONS, { get: () => expect.unreachable('KV was asked') })
    const { db, trips } = countingDatabase()
    const cookie = `insikt_session=${systemIds.token(32)}`
    const quiet = createApp({ sessions: kv, db })
    for (const path of ['/assets/none.js', '/monitoring']) await callApp(quiet, path, { headers: { cookie } })
    await callApp(quiet, '/health', { headers: { cookie } })
    await callApp(createApp({ db }), '/login')
    expect(trips()).toBe(1)
  })

  it('keeps working with a database that is another instance: nothing of a session lives in the isolate', async () => {
    const me = await signedIn({ deps: { db: openDatabase(env.DB) } })
    const { token } = await aSession(me.userId)
    expect((await me.fetch('/api/profile', { headers: { cookie: `insikt_session=${token}` } })).status).toBe(200)
  })
})
