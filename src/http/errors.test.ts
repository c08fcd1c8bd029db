import { env } from 'cloudflare:test'
import { Hono } from 'hono'
import { afterEach, expect, it, vi } from 'vitest'
import { onError, refusalOf } from './errors'
import type { AppEnv } from './context'

afterEach(() => vi.restoreAllMocks())

/** What a call answers whose handler does this, and what it wrote into the log. */
async function answerTo(work: () => Promise<unknown>) {
  const lines: string[] = []
  for (const stream of ['error', 'info'] as const)
    vi.spyOn(console, stream).mockImplementation((line: string) => void lines.push(line))
  const app = new Hono<AppEnv>().onError(onError).get('/api/work', async (c) => c.json(await work()))
  const answer = await app.request('/api/work')
  const { code } = await answer.json<{ code: string }>()
  return { status: answer.status, code, retryAfter: answer.headers.get('retry-after'), log: lines.join('\n') }
}

it.each([
  'D1_ERROR: database is locked: SQLITE_BUSY',
  'D1_ERROR: D1 DB is overloaded. Too many requests queued.',
  'D1_ERROR: D1 DB is overloaded. Requests queued for too long.',
  'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.',
  'D1_ERROR: Network connection lost.',
])('a database that cannot answer now is busy, not broken: %s', async (message) => {
  const answer = await answerTo(() => Promise.reject(new Error(message)))
  expect(answer).toMatchObject({ status: 503, code: 'busy', retryAfter: '2' })
  expect(answer.log).toContain(message)
})

it.each([{ overloaded: true }, { retryable: true }])('so is an object that is away: %j', async (flags) => {
  const answer = await answerTo(() => Promise.reject(Object.assign(new Error('object lost'), flags)))
  expect(answer).toMatchObject({ status: 503, code: 'busy', retryAfter: '2' })
  expect(answer.log).toContain('object lost')
})

it.each([
  ['put: We encountered an internal error. Please try again. (10001)', 503],
  ['get: Service unavailable. (10043)', 503],
  ['completeMultipartUpload: One or more of the specified parts could not be found. (10025)', 500],
])('so is a bucket that says that it cannot now: %s', async (message, status) => {
  expect(await answerTo(() => Promise.reject(new Error(message)))).toMatchObject({ status })
})

it('does not serve rows that a newer release has written, and says so in its log (STO-3)', async () => {
  const newer = new Error('The warehouse holds a step that this code does not know: 0099_later.')
  const answer = await answerTo(() => Promise.reject(newer))
  expect(answer).toMatchObject({ status: 503, code: 'misconfigured' })
  expect(answer.log).toContain('0099_later')
})

it('says so too when the lock is the cause of what was thrown', async () => {
  const cause = new Error('database is locked: SQLITE_BUSY')
  expect((await answerTo(() => Promise.reject(new Error('Failed query', { cause })))).code).toBe('busy')
})

it.each(['D1_ERROR: no such column: locked', 'a door is locked', 'D1_ERROR: UNIQUE constraint failed: users.email'])(
  'any other failure is ours: %s',
  async (message) => {
    expect(await answerTo(() => Promise.reject(new Error(message)))).toMatchObject({ status: 500, code: 'internal' })
  },
)

it('logs a failed statement without the values it was given', async () => {
  const statement = env.DB.prepare('INSERT INTO commit_guard (id, changed) VALUES (?, ?)').bind('secret-value', 0)
  const real = await answerTo(() => statement.run())
  expect(real.log).toContain('CHECK constraint failed')
  expect(real.log).not.toContain('secret-value')
  const worded = await answerTo(() => Promise.reject(new Error('Failed query: insert (?)\nparams: secret-value')))
  expect(worded.log).toContain('params: [removed]')
  expect(worded.log).not.toContain('secret-value')
})

it('answers an unforeseen fault with the id of its request alone, reports it once, and serves the next call (OPS-1)', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  let calls = 0
  const app = new Hono<AppEnv>()
    .onError(onError)
    .use((c, next) => {
      c.set('requestId', `request ${(calls += 1)}`)
      return next()
    })
    .all('/api/work', (c) => {
      if (calls === 1) throw new Error('secret of row 7')
      return c.json({ ok: true })
    })
  const failed = await app.request('/api/work', { method: 'POST' })
  expect([failed.status, failed.headers.get('cache-control')]).toEqual([500, 'private, no-store'])
  const body = await failed.json()
  expect(body).toEqual({ code: 'internal', message: expect.any(String), requestId: 'request 1' })
  expect(JSON.stringify(body)).not.toContain('secret')
  expect(await (await app.request('/api/work')).json()).toEqual({ ok: true })
  const reported: unknown[] = []
  const reporter = { report: (...all: unknown[]) => void reported.push(all) }
  const fault = new Error('away')
  refusalOf(fault, { requestId: 'r', path: '/api/work', reporter })
  expect(reported).toEqual([[fault, { requestId: 'r', route: '/api/work' }]])
})
