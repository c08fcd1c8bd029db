import { env } from 'cloudflare:test'
import { beforeEach, describe, expect, it } from 'vitest'
import { LONG } from '../../../../test/long'
import { fakePasswords, PASSWORD, registerUser } from '../../../../test/worker/accounts'
import {
  aMember,
  aWorkspace,
  callApp,
  expiredTrial,
  otherWorkspace,
  signedIn,
  type SignedIn,
} from '../../../../test/worker/factories'
import { templatesTo } from '../../../../test/worker/mails'
import { accessToken } from '../../../../test/worker/programs/mcp-client'
import { spendTries } from '../../../../test/worker/http/rate-limits'
import { createApp } from '../../../app'
import { openDatabase } from '../../../db/database'
import { systemIds } from '../../../deps'
import { readTokenHolder } from '../../../identity/access-token-store'
import { sha256Hex } from '../../../lib/hash'
import { ACCESS_TOKENS_MAX, TOKEN_PREFIXES, type AccessToken } from '../../../shared/programs/access-tokens'
import { DAY_MS } from '../../../shared/dates'
import { sweepAccessTokens } from './service'

let shift = 0
const clock = { now: () => Date.now() + shift }
const app = createApp({ clock, passwords: fakePasswords() })
beforeEach(() => {
  shift = 0
})
const run = (sql: string, ...values: (string | number)[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run()
const listOf = async (who: SignedIn): Promise<AccessToken[]> =>
  (await (await who.fetch('/api/access-tokens')).json<{ items: AccessToken[] }>()).items
const create = async (who: Pick<SignedIn, 'fetch'>, json: object) => {
  const answer = await who.fetch('/api/access-tokens', {
    method: 'POST',
    json: { name: 'A', scopes: ['read'], ...json },
  })
  return { status: answer.status, body: await answer.json<{ code?: string; fields?: object }>() }
}

let networks = 0
const network = () => `2001:db8:a:${(++networks).toString(16)}::1`
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
/** A call by a token, from an address that nobody asked from before. */
const ask = (token: string, headers: Record<string, string> = {}, path = '/mcp') =>
  callApp(app, path, {
    method: 'POST',
    body: PING,
    headers: {
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      ...{ authorization: `Bearer ${token}`, 'cf-connecting-ip': network(), ...headers },
    },
  })
const isIn = async (token: string): Promise<boolean> => (await ask(token)).status === 200

describe('access tokens (TOK-1)', () => {
  it('are shown once: kept as hashes, and in no list, log, mail or answer for the same call again', async () => {
    const me = await signedIn({ app })
    const { token, ...created } = await accessToken(me, ['read'], { days: 30 })
    expect(token).toMatch(/^insikt_pat_[0-9a-f]{40}$/)
    expect(created).toMatchObject({ state: 'live', scopes: ['read'], workspaceId: me.workspaceId, lastUsedAt: null })
    expect(await listOf(me)).toEqual([created])
    const tables = ['access_tokens', 'audit', 'idempotency', 'outbox']
    const rows = await Promise.all(
      tables.map(async (one) => (await env.DB.prepare(`SELECT * FROM ${one}`).all()).results),
    )
    expect(JSON.stringify(rows)).not.toContain(token.slice(11))
    expect(JSON.stringify(rows[0])).toContain(await sha256Hex(token))
    expect(JSON.stringify(rows[1])).toContain('accessToken.create')
  })

  it('ask for the password, or a sign-in of the last minutes, and are told of by mail', async () => {
    const { me, email, userId } = await registerUser({ app })
    const { id } = await aWorkspace()
    await aMember(id, userId, 'viewer')
    const here: Pick<SignedIn, 'fetch'> = {
      fetch: (path, init) => me.fetch(path, { ...init, headers: { 'x-workspace': id } }),
    }
    expect(await create(here, {})).toMatchObject({ status: 422, body: { fields: { password: expect.any(String) } } })
    expect((await create(here, { password: 'not the sentence' })).body.code).toBe('invalid_credentials')
    expect((await create(here, { password: PASSWORD })).status).toBe(201)
    expect(await templatesTo(email)).toEqual(['accessGranted'])
    const late = await signedIn({ app, session: { createdAt: Date.now() - 11 * 60_000 } })
    expect((await create(late, {})).body.code).toBe('unauthenticated')
  })

  it('let nobody in by another scheme, a query, a cookie or on another route', async () => {
    const me = await signedIn({ app })
    const { token } = await accessToken(me)
    expect(await isIn(token)).toBe(true)
    const none = { authorization: '' }
    const wrong: [string, Record<string, string>][] = [
      ['/mcp', { authorization: `Basic ${btoa(`token:${token}`)}` }],
      ['/mcp', { authorization: token }],
      ['/mcp', { authorization: `Bearer ${token}, Bearer ${token}` }],
      [`/mcp?access_token=${token}`, none],
      ['/mcp', { ...none, cookie: `insikt_session=${token}` }],
      ['/mcp', { ...none, ...me.headers }],
    ]
    for (const [path, headers] of wrong) {
      const answer = await ask('', headers, path)
      expect([path, headers, answer.status]).toEqual([path, headers, 401])
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer .*resource_metadata="http/)
    }
    for (const path of ['/api/profile', '/api/insights', '/api/access-tokens', '/files/account/export', '/live']) {
      const headers = { authorization: `Bearer ${token}`, 'x-workspace': me.workspaceId }
      expect([path, (await callApp(app, path, { headers })).status]).toEqual([path, 401])
    }
  })

  it('end at once when they are revoked, and by nobody else', async () => {
    const me = await signedIn({ app })
    const { token, id } = await accessToken(me)
    const other = await signedIn({ app, workspaceId: me.workspaceId, role: 'admin' })
    expect((await other.fetch(`/api/access-tokens/${id}`, { method: 'DELETE' })).status).toBe(404)
    expect(await isIn(token)).toBe(true)
    expect((await me.fetch(`/api/access-tokens/${id}`, { method: 'DELETE' })).status).toBe(200)
    expect(await isIn(token)).toBe(false)
    expect((await me.fetch(`/api/access-tokens/${id}`, { method: 'DELETE' })).status).toBe(404)
    expect(await listOf(me)).toEqual([])
  })

  it('end with their time, a new password, another role, suspension, removal, and with their person or workspace', async () => {
    const owner = await signedIn({ app })
    const ends: [string, (me: SignedIn) => Promise<unknown>][] = [
      ['a new password', (me) => run('UPDATE users SET epoch = epoch + 1 WHERE id = ?', me.userId)],
      ['disabled', (me) => run('UPDATE users SET disabled_at = 1 WHERE id = ?', me.userId)],
      ['suspended', (me) => run("UPDATE members SET status = 'suspended' WHERE user_id = ?", me.userId)],
      [
        'another role',
        (me) =>
          owner.fetch(`/api/members/${me.userId}`, {
            method: 'PUT',
            json: { role: 'viewer', status: 'active', version: 1 },
          }),
      ],
      [
        'removed and let in again',
        async (me) => {
          await owner.fetch(`/api/members/${me.userId}?version=1`, { method: 'DELETE' })
          await run(
            "INSERT INTO members (workspace_id, user_id, role, created_at) VALUES (?, ?, 'analyst', 1)",
            ...[me.workspaceId, me.userId],
          )
        },
      ],
    ]
    for (const [name, end] of ends) {
      const me = await signedIn({ app, workspaceId: owner.workspaceId, role: 'analyst' })
      const { token } = await accessToken(me)
      expect([name, await isIn(token)]).toEqual([name, true])
      await end(me)
      expect([name, await isIn(token)]).toEqual([name, false])
    }
    const { token } = await accessToken(owner, ['read'], { days: 1 })
    shift = DAY_MS - 1000
    expect(await isIn(token)).toBe(true)
    shift = DAY_MS
    expect([await isIn(token), (await listOf(owner)).map(({ state }) => state)]).toEqual([false, ['expired']])
    shift = 0
    await run('UPDATE workspaces SET deleted_at = 1 WHERE id = ?', owner.workspaceId)
    expect(await isIn(token)).toBe(false)
  })

  it('are said to have ended in the list, remember their use, and go a month after their time', async () => {
    const me = await signedIn({ app })
    const { token, id } = await accessToken(me, ['read'], { days: 1 })
    expect(await isIn(token)).toBe(true)
    expect((await listOf(me))[0]?.lastUsedAt).toMatch(/^20/)
    await run('UPDATE members SET epoch = epoch + 1 WHERE user_id = ?', me.userId)
    expect(await listOf(me)).toMatchObject([{ id, state: 'ended' }])
    const db = openDatabase(env.DB)
    await sweepAccessTokens({ db, clock: { now: () => Date.now() + 30 * DAY_MS } })
    expect(await listOf(me)).toHaveLength(1)
    await sweepAccessTokens({ db, clock: { now: () => Date.now() + 32 * DAY_MS } })
    expect(await listOf(me)).toEqual([])
  })

  it('are limited in number, also for those who ask at once (BIL-2)', async () => {
    const me = await signedIn({ app })
    const all = await Promise.all(Array.from({ length: ACCESS_TOKENS_MAX + 3 }, () => create(me, {})))
    expect(all.filter(({ status }) => status === 201)).toHaveLength(ACCESS_TOKENS_MAX)
    expect(all.find(({ status }) => status !== 201)).toMatchObject({
      ...{ status: 409, body: { code: 'limit_reached', limit: 'accessTokens', used: ACCESS_TOKENS_MAX } },
    })
  })

  it('are refused for what is no token, a foreign workspace, a portal client, and a workspace that is read-only', async () => {
    const me = await signedIn({ app })
    const invalid = [
      { scopes: [] },
      { scopes: ['write'] },
      { days: 0 },
      { days: 366 },
      { name: ' ' },
      { userId: 'usr_1' },
    ]
    for (const json of invalid) expect([json, (await create(me, json)).status]).toEqual([json, 422])
    me.headers['x-workspace'] = (await otherWorkspace(app)).workspaceId
    expect((await create(me, {})).status).toBe(404)
    const client = await signedIn({ app, role: 'client' })
    expect((await create(client, {})).status).toBe(403)
    expect((await create(await expiredTrial({ app }), {})).body.code).toBe('read_only')
  })
})

describe('guesses of tokens', () => {
  it('open nothing: random ones, neighbours, other cases; and an address that tries is refused', async () => {
    const me = await signedIn({ app })
    const { token } = await accessToken(me)
    const body = token.slice(TOKEN_PREFIXES.personal.length)
    const flipped = (at: number) =>
      `${TOKEN_PREFIXES.personal}${body.slice(0, at)}${(parseInt(body[at] ?? '0', 16) ^ 1).toString(16)}${body.slice(at + 1)}`
    const near = [token.slice(0, -1), `${token}0`, token.toUpperCase(), body, `${TOKEN_PREFIXES.app}${body}`, '']
    const tokens = [...near, ...Array.from(body, (_, at) => flipped(at)).slice(0, LONG ? 40 : 4)]
    for (const one of tokens) expect([one, (await ask(one)).status]).toEqual([one, 401])
    const from = { 'cf-connecting-ip': '198.51.100.9' }
    const guess = () => ask(`${TOKEN_PREFIXES.personal}${systemIds.token(20)}`, from)
    await spendTries('unknownTokenFromAddress', '198.51.100.9', { left: 5 })
    const statuses = await Promise.all(Array.from({ length: 6 }, async () => (await guess()).status))
    expect(statuses.toSorted((a, b) => a - b)).toEqual([401, 401, 401, 401, 401, 429])
    // Whoever has a token is let in from there all the same.
    expect((await ask(token, from)).status).toBe(200)
  })

  it('of a hundred thousand none is a token', async () => {
    await accessToken(await signedIn({ app }))
    const deps = { db: openDatabase(env.DB), clock }
    const found: unknown[] = []
    for (let tried = 0; tried < (LONG ? 100_000 : 200); tried += 100) {
      const hashes = await Promise.all(
        Array.from({ length: 100 }, () => sha256Hex(`${TOKEN_PREFIXES.personal}${systemIds.token(20)}`)),
      )
      found.push(
        ...(await Promise.all(hashes.map((hash) => readTokenHolder(deps, hash)))).filter((one) => one !== null),
      )
    }
    expect(found).toEqual([])
  })
})
