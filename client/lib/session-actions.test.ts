import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { apiFetch, setStaleTokenHandler } from './api'
import { session, setSession } from './session'
import { queryClient } from './queries/query-client'
import { loadOtherSession, loadSession, refreshCsrfToken } from './session-actions'
import { memberPageData, visitorPageData } from '../test/page-data'
import { errorResponse, jsonResponse, mockServer } from '../test/mock-server'

beforeEach(() => {
  setSession(memberPageData())
  setStaleTokenHandler(refreshCsrfToken)
})
afterEach(() => vi.unstubAllGlobals())

/** A session that has ended: writes pass with the token of a new one only, and a visitor’s token comes when it is let. */
function endedSession(valid: string) {
  const reading = Promise.withResolvers<void>()
  const calls = mockServer({
    'GET /api/session': async () => {
      await reading.promise
      return jsonResponse({ ...visitorPageData(), csrfToken: 'of-a-visitor' })
    },
    'POST /api/things': ({ headers }) =>
      headers.get('x-csrf-token') === valid ? jsonResponse({ ok: true }) : errorResponse('csrf_invalid'),
  })
  return { calls, letRead: () => reading.resolve() }
}
const write = (thing: number) => apiFetch('/api/things', { method: 'POST', body: JSON.stringify({ thing }) })

it('keeps the token of a sign-in when a visitor’s that was under way comes after it', async () => {
  const { calls, letRead } = endedSession('of-the-sign-in')
  const answer = write(1)
  await vi.waitFor(() => expect(calls).toHaveLength(2))
  setSession({ ...session(), csrfToken: 'of-the-sign-in' })
  letRead()
  expect((await answer).status).toBe(200)
  expect(session().csrfToken).toBe('of-the-sign-in')
})

it('reads one new token for all calls that need one', async () => {
  const { calls, letRead } = endedSession('of-a-visitor')
  const answers = [write(1), write(2)]
  await vi.waitFor(() => expect(calls).toHaveLength(3))
  letRead()
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200])
  expect(calls.filter(({ path }) => path === '/api/session')).toHaveLength(1)
})

describe('the page data anew', () => {
  it('is read again where the server is busy, and not where it refuses', async () => {
    const calls = mockServer({
      'GET /api/session': [() => errorResponse('busy', { retryAfter: 1 }), () => jsonResponse(memberPageData('admin'))],
    })
    await loadSession()
    expect(session().workspace?.role).toBe('admin')
    expect(calls).toHaveLength(2)
    const refused = mockServer({ 'GET /api/session': () => errorResponse('internal') })
    await expect(loadSession()).rejects.toMatchObject({ body: { code: 'internal' } })
    expect(refused).toHaveLength(1)
  })

  it('forgets what was read in the workspace before only when there is something to show instead', async () => {
    const read = Promise.withResolvers<Response>()
    mockServer({ 'GET /api/session': () => read.promise })
    queryClient.setQueryData(['things'], 'of the first')
    const other = loadOtherSession('ws_two')
    await new Promise((passed) => setTimeout(passed, 0))
    expect(queryClient.getQueryData(['things'])).toBe('of the first')
    read.resolve(jsonResponse(memberPageData()))
    await other
    expect(queryClient.getQueryData(['things'])).toBeUndefined()
  })
})
