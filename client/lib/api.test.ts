import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setStaleTokenHandler, setUnauthenticatedHandler, NetworkError, apiFetch } from './api'
import { session, setSession } from './session'
import { memberPageData } from '../test/page-data'
import { jsonResponse, errorResponse, mockServer } from '../test/mock-server'

beforeEach(() => setSession(memberPageData()))
afterEach(() => vi.unstubAllGlobals())

describe('calls', () => {
  it('name the tab’s workspace and carry the anti-forgery token', async () => {
    const calls = mockServer({ 'GET /api/things': () => jsonResponse({}) })
    await apiFetch('/api/things')
    expect(calls[0]?.headers.get('x-workspace')).toBe('ws_one')
    expect(calls[0]?.headers.get('x-csrf-token')).toBe('token-1')
  })

  it('read a new token once when theirs is out of date, then say so', async () => {
    const calls = mockServer({ 'POST /api/things': () => errorResponse('csrf_invalid') })
    const renewed = vi.fn(async () => {
      setSession({ ...session(), csrfToken: 'token-2' })
      return true
    })
    setStaleTokenHandler(renewed)
    await expect(apiFetch('/api/things', { method: 'POST' })).rejects.toMatchObject({ body: { code: 'csrf_invalid' } })
    expect(renewed).toHaveBeenCalledOnce()
    expect(calls.map(({ headers }) => headers.get('x-csrf-token'))).toEqual(['token-1', 'token-2'])
  })

  it('ask for a sign-in when a new token shows that the session has ended', async () => {
    mockServer({
      'POST /api/things': [
        () => errorResponse('csrf_invalid'),
        () => errorResponse('unauthenticated'),
        () => jsonResponse({ ok: true }),
      ],
    })
    setStaleTokenHandler(async () => true)
    setUnauthenticatedHandler(async () => true)
    expect((await apiFetch('/api/things', { method: 'POST' })).status).toBe(200)
  })

  it('are repeated, and ask nobody to sign in again, when somebody signed in before their refusal came', async () => {
    const answers = [
      () => {
        // Sent with the ended session; the person signs in before this refusal arrives.
        setSession({ ...session(), csrfToken: 'token-2' })
        return errorResponse('unauthenticated')
      },
      () => jsonResponse({ ok: true }),
    ]
    const calls = mockServer({ 'GET /api/things': answers })
    const asked = vi.fn(async () => false)
    setUnauthenticatedHandler(asked)
    expect((await apiFetch('/api/things')).status).toBe(200)
    expect(asked).not.toHaveBeenCalled()
    expect(calls.map(({ headers }) => headers.get('x-csrf-token'))).toEqual(['token-1', 'token-2'])
  })

  it('ask for a sign-in when the session they were repeated in has ended too', async () => {
    const calls = mockServer({
      'GET /api/things': [
        () => {
          setSession({ ...session(), csrfToken: 'token-2' })
          return errorResponse('unauthenticated')
        },
        () => errorResponse('unauthenticated'),
        () => jsonResponse({ ok: true }),
      ],
    })
    const asked = vi.fn(async () => true)
    setUnauthenticatedHandler(asked)
    expect((await apiFetch('/api/things')).status).toBe(200)
    expect(asked).toHaveBeenCalledOnce()
    expect(calls).toHaveLength(3)
  })

  it('tell silence from a refusal', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(apiFetch('/api/things')).rejects.toBeInstanceOf(NetworkError)
  })

  it('read an answer that is no JSON as a fault of ours', async () => {
    mockServer({ 'GET /api/things': () => new Response('<html>', { status: 502 }) })
    await expect(apiFetch('/api/things')).rejects.toMatchObject({ status: 502, body: { code: 'internal' } })
  })
})
