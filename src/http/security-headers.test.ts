import { createExecutionContext, env } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { createApp } from '../app'
import { openDatabase } from '../db/database'
import { readSettings } from '../settings'
import { callApp, signedIn, visitor } from '../../test/worker/factories'

const SECRET = 'an-honest-random-value-0123456789abcdef'
const within = (settings: object, url = 'http://localhost:8787/api/session') =>
  createApp().fetch(new Request(url), { ...env, ...settings }, createExecutionContext())

const broken = new Proxy(env.DB, {
  get: () => () => {
    throw new Error('D1_ERROR: no such column: secret_column at /home/someone/worker.js')
  },
})

/** One answer of every class. */
async function classes(): Promise<[string, number, () => Promise<Response>][]> {
  const me = await signedIn({ role: 'viewer' })
  const anon = await visitor()
  const failing = createApp({ db: openDatabase(broken) })
  const json = { 'content-type': 'application/json', cookie: anon.cookie, 'x-csrf-token': anon.csrf }
  return [
    ['page', 200, () => callApp(me.app, '/login')],
    ['unknown page', 404, () => callApp(me.app, '/no/such/page')],
    ['answer', 200, () => me.fetch('/api/session')],
    ['unreadable JSON', 400, () => me.fetch('/api/profile', { method: 'PUT', body: '{' })],
    ['unauthenticated', 401, () => callApp(me.app, '/api/profile')],
    [
      'forged',
      403,
      () =>
        callApp(me.app, '/api/profile', { method: 'PUT', body: '{}', headers: { 'content-type': 'application/json' } }),
    ],
    ['forbidden', 403, () => me.fetch('/api/workspace', { method: 'PUT', json: {} })],
    ['unknown call', 404, () => me.fetch('/api/nothing')],
    ['unknown asset', 404, () => me.fetch('/assets/nothing.js')],
    ['wrong method', 405, () => me.fetch('/api/profile', { method: 'POST', json: {} })],
    ['too large', 413, () => me.fetch('/api/profile', { method: 'PUT', json: { name: 'x'.repeat(300_000) } })],
    [
      'wrong type',
      415,
      () =>
        callApp(me.app, '/api/profile', {
          method: 'PUT',
          body: 'a=1',
          headers: { ...json, 'content-type': 'text/plain' },
        }),
    ],
    ['invalid', 422, () => me.fetch('/api/profile', { method: 'PUT', json: {} })],
    ['failure', 500, () => callApp(failing, '/api/session', { headers: { cookie: me.cookie } })],
    ['failing page', 500, () => callApp(failing, '/insights', { headers: { cookie: me.cookie } })],
    ['misconfigured', 503, () => Promise.resolve(within({ SESSION_SECRET: 'short' }))],
    [
      'misconfigured page',
      503,
      () => Promise.resolve(within({ SESSION_SECRET: 'short' }, 'http://localhost:8787/login')),
    ],
  ]
}

describe('every class of answer (HDR-1, HDR-3)', () => {
  it('carries the security headers, a charset, no cache and no inner detail', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    for (const [name, status, call] of await classes()) {
      const answer = await call()
      const text = await answer.text()
      const { headers } = answer
      expect([name, answer.status]).toEqual([name, status])
      expect(Object.fromEntries(headers), name).toMatchObject({
        'x-content-type-options': 'nosniff',
        'strict-transport-security': expect.stringContaining('max-age=31536000'),
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'permissions-policy': expect.stringContaining('camera=()'),
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
        'cache-control': expect.stringContaining('no-store'),
        'content-type': expect.stringMatching(/^(application\/json|text\/html; charset=utf-8)$/i),
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      })
      expect(headers.get('content-security-policy'), name).not.toMatch(/script-src[^;]*unsafe-inline/)
      if (text.startsWith('{')) expect(headers.get('content-security-policy'), name).toContain("default-src 'none'")
      expect(text, name).not.toMatch(/secret_column|D1_ERROR|worker\.js|SESSION_SECRET|\bat \S+:\d+/)
    }
    logged.mockRestore()
  })

  it('answers refusals with the error as the body', async () => {
    const me = await signedIn()
    const answer = await me.fetch('/api/nothing')
    const body = await answer.json()
    expect(body).toEqual({
      code: 'not_found',
      message: expect.any(String),
      requestId: answer.headers.get('x-request-id'),
    })
  })

  it('gives every page another nonce, and no script without it', async () => {
    const app = createApp()
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const answer = await callApp(app, '/login')
        const policy = answer.headers.get('content-security-policy') ?? ''
        const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? 'none'
        const html = await answer.text()
        for (const [tag] of html.matchAll(/<script[^>]*>/g))
          expect(tag.includes('type="application/json"') || tag.includes(`nonce="${nonce}"`), tag).toBe(true)
        return nonce
      }),
    )
    expect(nonces[0]).not.toBe(nonces[1])
  })
})

describe('other origins (HDR-2)', () => {
  it('are allowed nothing, asked in any way', async () => {
    const me = await signedIn()
    for (const origin of ['https://evil.example', 'null', 'http://localhost:8787.evil.example'])
      for (const method of ['GET', 'OPTIONS', 'POST']) {
        const answer = await me.fetch('/api/session', {
          method,
          headers: { origin, 'access-control-request-method': 'POST' },
          ...(method === 'POST' ? { json: {} } : {}),
        })
        expect([...answer.headers.keys()].filter((key) => key.startsWith('access-control'))).toEqual([])
      }
  })
})

describe('settings (AUTH-12)', () => {
  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['31 bytes', 'abcdefghijklmnopqrstuvwxyz01234'],
    ['a sample', 'changeme-changeme-changeme-changeme-changeme'],
    ['one letter repeated', 'a'.repeat(64)],
  ])('refuses to serve with a secret that is %s, and says nothing about it', async (_what, SESSION_SECRET) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const api = await within({ SESSION_SECRET })
    expect([api.status, await api.json()]).toMatchObject([503, { code: 'misconfigured' }])
    const page = await within({ SESSION_SECRET }, 'http://localhost:8787/data-sources')
    expect([page.status, await page.text()]).toEqual([503, expect.stringContaining('not set up completely')])
    expect(logged.mock.calls.join()).toContain('SESSION_SECRET')
    logged.mockRestore()
  })

  it('serves with a random secret of 32 bytes', async () => {
    expect((await within({ SESSION_SECRET: SECRET })).status).toBe(200)
    expect(readSettings({ BASE_URL: 'https://insikt.example', SESSION_SECRET: SECRET }).ok).toBe(true)
  })

  it('refuses every host but loopback while local mode is on', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    expect((await within({ LOCAL_MODE: '1' }, 'https://insikt.example/api/session')).status).toBe(503)
    expect((await within({ LOCAL_MODE: '0' }, 'https://insikt.example/api/session')).status).toBe(200)
    logged.mockRestore()
  })
})

describe('/health', () => {
  const health = (over: object) =>
    createApp().fetch(new Request('http://localhost:8787/health'), { ...env, ...over }, createExecutionContext())
  it('says which release and which migration runs', async () => {
    const answer = await health({ ASSETS: env.DB, RELEASE: 'r1' })
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { ok: true, release: 'r1', migration: expect.stringMatching(/^\d{4}_\w+\.sql$/), missing: [] },
    ])
  })

  it('is 503 while a binding is missing', async () => {
    const answer = await health({ ASSETS: undefined })
    expect([answer.status, await answer.json()]).toMatchObject([503, { ok: false, missing: ['ASSETS'] }])
  })
})
