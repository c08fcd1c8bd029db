import { describe, expect, it } from 'vitest'
import { depsAt } from '../../test/worker/deps'
import { callApp, unique, visitor } from '../../test/worker/factories'
import { createApp } from '../app'
import type { Deps } from '../deps'
import { readSettings } from '../settings'

const SECRET = '0x4AAAAAAA-secret-of-the-check'
const PATHS: [string, unknown][] = [
  [
    '/api/account/register',
    { name: 'Anna', email: 'anna@example.com', password: 'short of nothing', acceptTerms: true },
  ],
  ['/api/session/sign-in', { email: 'anna@example.com', password: 'a long enough sentence' }],
  ['/api/account/reset', { email: 'anna@example.com' }],
  ['/api/session/link', { email: 'anna@example.com' }],
]

type VerifyRequest = Record<string, string>
type Service = (verifyRequest: VerifyRequest) => Response | Promise<Response>
interface Checked {
  deps: Partial<Deps>
  asked: VerifyRequest[]
}

/** An installation with the check, and the service that verifies. */
function checked(service: Service): Checked {
  const asked: VerifyRequest[] = []
  const { settings } = depsAt(Date.now())
  const keys = { TURNSTILE_SITE_KEY: '1x00000000000000000000AA', TURNSTILE_SECRET: SECRET, EMAIL_LINK: true }
  return {
    asked,
    deps: {
      settings: { ...settings, ...keys },
      operatorFetcher: async (request) => {
        const form = await request.json<VerifyRequest>()
        asked.push(form)
        return service(form)
      },
    },
  }
}
const good: Service = (form) =>
  Response.json({ success: form['response'] === 'good', 'error-codes': ['invalid-input-response'] })

interface Sending {
  deps?: Partial<Deps>
  token?: string
  from?: string
}
async function send(path: string, json: unknown, { deps, token, from = '203.0.113.7' }: Sending) {
  const who = await visitor(deps ? { deps } : {})
  const headers = {
    'idempotency-key': unique('key'),
    'cf-connecting-ip': from,
    ...(token === undefined ? {} : { 'x-app-check': token }),
  }
  const response = await who.fetch(path, { method: 'POST', json, headers })
  return { status: response.status, body: await response.json<{ code?: string; message?: string }>() }
}

describe('the check that tells people from programs', () => {
  it.each(PATHS)('%s: refuses a call without a token, and asks nobody', async (path, json) => {
    const { deps, asked } = checked(good)
    const answer = await send(path, json, { deps })
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(answer.body.message).toContain('human')
    expect(asked).toEqual([])
  })

  it.each(PATHS)('%s: refuses a token that the service refuses', async (path, json) => {
    const { deps } = checked(good)
    expect(await send(path, json, { deps, token: 'forged' })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    })
  })

  it.each(PATHS)('%s: lets a good token through to what the call asks', async (path, json) => {
    const { deps, asked } = checked(good)
    expect((await send(path, json, { deps, token: 'good' })).body.code).not.toBe('forbidden')
    expect(asked).toEqual([{ secret: SECRET, response: 'good', remoteip: '203.0.113.7' }])
  })

  it.each(PATHS)('%s: needs no token where the check is not configured', async (path, json) => {
    expect((await send(path, json, {})).body.code).not.toBe('forbidden')
  })

  const DOWN: [string, Service][] = [
    ['is away', () => Promise.reject(new Error('connection refused'))],
    ['answers an error page', () => new Response('<html>502</html>', { status: 502 })],
    ['redirects', () => new Response(null, { status: 302, headers: { location: 'https://evil.example' } })],
    ['does not know our secret', () => Response.json({ success: false, 'error-codes': ['invalid-input-secret'] })],
    ['answers something else', () => Response.json({ ok: true })],
  ]
  it.each(DOWN)('says busy when the service %s, and lets nobody in', async (_how, service) => {
    const { deps } = checked(service)
    const answer = await send('/api/session/sign-in', PATHS[1]?.[1], { deps, token: 'good' })
    expect(answer).toMatchObject({ status: 503, body: { code: 'busy' } })
    expect(JSON.stringify(answer)).not.toContain(SECRET)
  })

  it('sends no token of unbounded length on', async () => {
    const { deps, asked } = checked(good)
    expect((await send('/api/session/sign-in', PATHS[1]?.[1], { deps, token: 'x'.repeat(3000) })).status).toBe(403)
    expect(asked).toEqual([])
  })

  it('asks the service for no more than 60 bad tokens of one network in 15 minutes; good ones count for nothing (RATE-1)', async () => {
    const { deps, asked } = checked(good)
    const from = '203.0.113.99'
    const statuses: number[] = []
    for (let n = 0; n < 5; n++)
      await send('/api/account/reset', { email: `m${n}@example.com` }, { deps, token: 'good', from })
    for (let n = 0; n < 65; n++)
      statuses.push((await send('/api/session/sign-in', PATHS[1]?.[1], { deps, token: 'forged', from })).status)
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 403), ...Array.from({ length: 5 }, () => 429)])
    expect(asked).toHaveLength(5 + 60)
  })

  it('spends no token on a call that could not be read anyway', async () => {
    const { deps, asked } = checked(good)
    expect((await send('/api/session/sign-in', { email: 'anna' }, { deps, token: 'good' })).status).toBe(422)
    expect(asked).toEqual([])
  })

  it('is a misconfiguration with a key and no secret', () => {
    const base = { BASE_URL: 'https://insikt.example', SESSION_SECRET: 'kT9-mZ2_qW7.xB4!vN6~pL1:sD8;hF3,' }
    expect(readSettings({ ...base, TURNSTILE_SITE_KEY: 'key' })).toMatchObject({ ok: false })
    expect(readSettings({ ...base, TURNSTILE_SITE_KEY: 'key', TURNSTILE_SECRET: SECRET }).ok).toBe(true)
    expect(readSettings({ ...base, TURNSTILE_SITE_KEY: '', TURNSTILE_SECRET: '' }).ok).toBe(true)
  })
})

describe('the page', () => {
  const policyOf = async (deps: Partial<Deps>): Promise<string> =>
    (await callApp(createApp(deps), '/login')).headers.get('content-security-policy') ?? ''

  it('admits the widget where the check is configured, and names its key', async () => {
    const { deps } = checked(good)
    const policy = await policyOf(deps)
    expect(policy).toMatch(/script-src [^;]*https:\/\/challenges\.cloudflare\.com/)
    expect(policy).toMatch(/frame-src [^;]*https:\/\/challenges\.cloudflare\.com/)
    expect(policy).not.toMatch(/connect-src [^;]*cloudflare/)
    const page = await (await callApp(createApp(deps), '/login')).text()
    expect(page).toContain('1x00000000000000000000AA')
    expect(page).not.toContain(SECRET)
  })

  it('admits nothing from elsewhere where it is not', async () => {
    expect(await policyOf({})).not.toContain('cloudflare')
  })
})
