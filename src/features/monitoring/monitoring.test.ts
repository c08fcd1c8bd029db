import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { onError } from '../../http/errors'
import type { AppEnv } from '../../http/context'
import { initializeRequest } from '../../http/initialize-request'
import { createReporter } from '../../monitoring/reporter'
import { readSettings } from '../../settings'
import { scrub } from '../../monitoring/scrub'
import { monitoring } from './routes'

const DSN = 'https://abc123@o77.ingest.example.com/42'
const SETTINGS = { ...env, SENTRY_DSN: DSN, BASE_URL: 'https://app.example.com' }
const ENVELOPE = `${JSON.stringify({ dsn: DSN })}\n{"type":"event"}\n{}`

/** A stub ingest server: remembers what reached it. */
function ingest(answer: () => Response = () => new Response('{}')) {
  const requests: Request[] = []
  const app = new Hono<AppEnv>()
    .use(
      initializeRequest({
        operatorFetcher: async (request) => {
          requests.push(request)
          return answer()
        },
      }),
    )
    .onError(onError)
    .route('/monitoring', monitoring)
  const send = (path: string, init: RequestInit = {}, bindings: object = SETTINGS) =>
    app.request(
      `http://localhost${path}`,
      { method: 'POST', body: ENVELOPE, ...init },
      bindings,
      createExecutionContext(),
    )
  return { requests, send }
}
const envelopeFor = (dsn: string) => `${JSON.stringify({ dsn })}\n{}`

describe('POST /monitoring', () => {
  it('forwards an envelope of the configured project to its host and nowhere else', async () => {
    const { requests, send } = ingest()
    expect((await send('/monitoring?o=77&p=42')).status).toBe(200)
    expect(requests.map((request) => request.url)).toEqual(['https://o77.ingest.example.com/api/42/envelope/'])
    expect(await requests[0]?.text()).toBe(ENVELOPE)
  })

  it('sends none of the caller’s headers on', async () => {
    const { requests, send } = ingest()
    await send('/monitoring?o=77&p=42', {
      headers: { cookie: 'a=b', authorization: 'x', 'x-forwarded-for': '1.2.3.4' },
    })
    const names = [...(requests[0]?.headers.keys() ?? [])]
    expect(names.filter((name) => !['content-type', 'x-sentry-auth', 'content-length'].includes(name))).toEqual([])
  })

  it.each([
    ['another organisation', '/monitoring?o=78&p=42', ENVELOPE, 403],
    ['another project', '/monitoring?o=77&p=43', ENVELOPE, 403],
    ['no query', '/monitoring', ENVELOPE, 403],
    ['another host in the envelope', '/monitoring?o=77&p=42', envelopeFor('https://abc123@o77.evil.example/42'), 403],
    [
      'a host behind a user part',
      '/monitoring?o=77&p=42',
      envelopeFor('https://abc123@o77.ingest.example.com@evil.com/42'),
      403,
    ],
    [
      'another project in the envelope',
      '/monitoring?o=77&p=42',
      envelopeFor('https://abc123@o77.ingest.example.com/43'),
      403,
    ],
    ['another key', '/monitoring?o=77&p=42', envelopeFor('https://other@o77.ingest.example.com/42'), 403],
    ['no header line', '/monitoring?o=77&p=42', 'not json\n{}', 400],
    ['an empty body', '/monitoring?o=77&p=42', '', 400],
    ['a compressed body', '/monitoring?o=77&p=42', '\u001f\u008b\u0008', 400],
    ['10 MB', '/monitoring?o=77&p=42', 'x'.repeat(10_000_000), 413],
  ])('refuses %s and reaches nobody', async (_name, path, body, status) => {
    const { requests, send } = ingest()
    expect((await send(path, { body })).status).toBe(status)
    expect(requests).toEqual([])
  })

  it('answers other methods with 405', async () => {
    const { send } = ingest()
    expect((await send('/monitoring?o=77&p=42', { method: 'PUT' })).status).toBe(405)
    expect((await send('/monitoring?o=77&p=42', { method: 'GET', body: null })).status).toBe(405)
  })

  it('passes the rate-limit headers of the ingest server back', async () => {
    const headers = { 'X-Sentry-Rate-Limits': '60:error:key', 'Retry-After': '60', 'Set-Cookie': 'a=b' }
    const { send } = ingest(() => new Response(null, { status: 429, headers }))
    const answer = await send('/monitoring?o=77&p=42')
    expect(answer.status).toBe(429)
    expect(answer.headers.get('x-sentry-rate-limits')).toBe('60:error:key')
    expect(answer.headers.get('retry-after')).toBe('60')
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  it('follows no redirect of the ingest server', async () => {
    const { requests, send } = ingest(
      () => new Response(null, { status: 302, headers: { location: 'https://evil.com' } }),
    )
    await send('/monitoring?o=77&p=42')
    expect(requests).toHaveLength(1)
    expect(requests[0]?.redirect).toBe('manual')
  })

  it('asks an address that floods it to wait, and reaches nobody with the rest', async () => {
    const { requests, send } = ingest()
    const from = { headers: { 'cf-connecting-ip': '203.0.113.9' } }
    for (let n = 0; n < 300; n++) await send('/monitoring?o=77&p=42', from)
    const refused = await send('/monitoring?o=77&p=42', from)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(requests).toHaveLength(300)
  })

  it('is closed on a localhost installation', async () => {
    const { requests, send } = ingest()
    expect((await send('/monitoring?o=77&p=42', {}, { ...SETTINGS, BASE_URL: 'http://localhost:8787' })).status).toBe(
      403,
    )
    expect(requests).toEqual([])
  })
})

describe('the reporter', () => {
  it('reports an error once, with its secrets removed, in the environment production by default', async () => {
    const { ENVIRONMENT: _environment, ...rest } = { ...SETTINGS, ENVIRONMENT: undefined }
    const parsed = readSettings(rest)
    if (!parsed.ok) throw new Error(parsed.problem)
    const sent: string[] = []
    const context = createExecutionContext()
    const reporter = createReporter(parsed.settings, context, async (request) => {
      sent.push(await request.text())
      return new Response('{}')
    })
    const secret = parsed.settings.SESSION_SECRET
    reporter.report(new Error(`failed for anna@firma.se with ${secret}`), { requestId: 'r1', route: '/api/x' })
    await waitOnExecutionContext(context)
    expect(sent).toHaveLength(1)
    expect(sent[0]).toContain('"environment":"production"')
    expect(sent[0]).toContain('failed for [removed] with [removed]')
    expect(sent[0]).not.toContain(secret)
  })

  it('scrubs telling keys, bearer tokens and long hexadecimal runs at any depth', () => {
    const dirty = { a: { headers: { Cookie: 'x', 'x-csrf-token': 'y' } }, b: ['Bearer abc.def', 'f'.repeat(64)], n: 1 }
    expect(scrub(dirty, [])).toEqual({
      a: { headers: { Cookie: '[removed]', 'x-csrf-token': '[removed]' } },
      b: ['[removed]', '[removed]'],
      n: 1,
    })
  })
})
