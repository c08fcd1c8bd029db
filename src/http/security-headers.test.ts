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
    ['redirect', 302, () => callApp(me.app, '/api/auth/callback/google?code=a&state=b', { redirect: 'manual' })],
    ['download', 200, () => me.fetch('/files/account/export')],
    ['socket', 401, () => callApp(me.app, '/live')],
    ['reports', 405, () => callApp(me.app, '/monitoring')],
    ['sent mails', 200, () => callApp(me.app, '/dev/mail')],
    ['security.txt', 404, () => callApp(me.app, '/.well-known/security.txt')],
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

const UUID = /^[0-9a-f-]{36}$/
/** What every answer of the Worker carries, whatever it is. */
const HELD = {
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': expect.stringMatching(/camera=\(\).*geolocation=\(\).*microphone=\(\).*payment=\(\)/),
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
}

describe('every class of answer (HDR-1, HDR-3)', () => {
  it('carries the security headers, a charset, no cache and no inner detail', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    for (const [name, status, call] of await classes()) {
      const answer = await call()
      const text = await answer.text()
      const { headers } = answer
      expect([name, answer.status]).toEqual([name, status])
      expect(Object.fromEntries(headers), name).toMatchObject({ ...HELD, 'x-request-id': expect.stringMatching(UUID) })
      expect(headers.get('cache-control'), name).toContain('no-store')
      expect([...headers.keys()].filter((key) => /^(server|x-powered-by)$/.test(key))).toEqual([])
      if (text !== '')
        expect(headers.get('content-type'), name).toMatch(/^(application\/json|text\/html; charset=utf-8)$/i)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy, name).toMatch(/^default-src 'none'/)
      expect(policy, name).not.toMatch(/(script|default)-src [^;]*unsafe|\*/)
      for (const held of ["base-uri 'none'", "frame-ancestors 'none'"]) expect(policy, name).toContain(held)
      expect(text, name).not.toMatch(/secret_column|D1_ERROR|worker\.js|SESSION_SECRET|\bat \S+:\d+/)
    }
    logged.mockRestore()
  })

  it('leaves a line in the log where somebody is refused for what they may, and none where a form is wrong', async () => {
    const logged = vi.spyOn(console, 'info').mockImplementation(() => undefined)
    const me = await signedIn({ role: 'viewer' })
    await me.fetch('/api/profile', { method: 'PUT', json: {} })
    expect(logged.mock.calls).toEqual([])
    const refused = await me.fetch('/api/workspace', { method: 'PUT', json: { name: 'secret name' } })
    expect(logged.mock.calls.map(([line]) => JSON.parse(String(line)))).toEqual([
      {
        level: 'info',
        message: 'refused',
        requestId: refused.headers.get('x-request-id'),
        code: 'forbidden',
        method: 'PUT',
        path: '/api/workspace',
        userId: me.userId,
      },
    ])
    const anon = await visitor()
    const wrong = { email: 'a@example.com', password: 'not the password' }
    await callApp(me.app, '/api/session/sign-in', {
      method: 'POST',
      body: JSON.stringify(wrong),
      headers: { 'content-type': 'application/json', cookie: anon.cookie, 'x-csrf-token': anon.csrf },
    })
    expect(String(logged.mock.calls.at(-1))).toContain('"code":"invalid_credentials"')
    expect(String(logged.mock.calls.at(-1))).not.toMatch(/example\.com|not the password/)
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

describe('the policy of pages', () => {
  const headersOf = async (settings: object): Promise<Headers> =>
    (await within(settings, 'http://localhost:8787/login')).headers

  it('runs own scripts with a nonce only, makes markup by its one policy, and is isolated from other origins', async () => {
    const headers = await headersOf({ TURNSTILE_SITE_KEY: undefined })
    const policy = (headers.get('content-security-policy') ?? '').replaceAll(/'nonce-[^']+'/g, 'NONCE')
    expect(policy.split('; ').toSorted()).toEqual([
      "base-uri 'none'",
      expect.stringMatching(/^connect-src 'self' wss?:/),
      "default-src 'none'",
      "font-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "frame-src 'none'",
      "img-src 'self' data: blob:",
      "object-src 'none'",
      "require-trusted-types-for 'script'",
      "script-src 'self' NONCE",
      "style-src 'self' NONCE",
      "style-src-attr 'unsafe-inline'",
      'trusted-types default',
      "worker-src 'self'",
    ])
    expect(headers.get('cross-origin-embedder-policy')).toBe('require-corp')
    expect(headers.get('content-security-policy-report-only')).toBeNull()
  })

  it('lets the check for programs in where it is configured, and only watches types there', async () => {
    const headers = await headersOf({ TURNSTILE_SITE_KEY: 'key', TURNSTILE_SECRET: 'secret' })
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/script-src 'self' 'nonce-[^']+' https:\/\/challenges\.cloudflare\.com;/)
    expect(policy).toContain('frame-src https://challenges.cloudflare.com;')
    expect(policy).not.toContain('trusted-types')
    expect(headers.get('content-security-policy-report-only')).toBe(
      "require-trusted-types-for 'script'; trusted-types default",
    )
    expect(headers.get('cross-origin-embedder-policy')).toBeNull()
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
    expect([page.status, await page.text()]).toEqual([
      503,
      expect.stringContaining('Installation not fully configured'),
    ])
    expect(logged.mock.calls.join()).toContain('SESSION_SECRET')
    logged.mockRestore()
  })

  it('serves with a random secret of 32 bytes', async () => {
    expect((await within({ SESSION_SECRET: SECRET })).status).toBe(200)
    expect(readSettings({ BASE_URL: 'https://insikt.example', SESSION_SECRET: SECRET }).ok).toBe(true)
  })

  it.each(['SENTRY_DSN', 'STRIPE_API_URL', 'TURNSTILE_VERIFY_URL', 'RATES_URL'])(
    'sends nothing in the open: %s is https, except in local mode',
    (name) => {
      const settings = { BASE_URL: 'https://insikt.example', SESSION_SECRET: SECRET }
      expect(readSettings({ ...settings, [name]: 'https://key@service.example/1' }).ok).toBe(true)
      expect(readSettings({ ...settings, [name]: 'http://key@service.example/1' }).ok).toBe(false)
      expect(readSettings({ ...settings, [name]: 'http://key@127.0.0.1/1', LOCAL_MODE: '1' }).ok).toBe(true)
    },
  )

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
