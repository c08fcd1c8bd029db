import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { handleStaleToken, handleUnauthenticated, NetworkError, send } from './api'
import { session, setSession } from './session'
import { member } from '../test/page-data'
import { json, refuse, serve } from '../test/server'

beforeEach(() => setSession(member()))
afterEach(() => vi.unstubAllGlobals())

describe('calls', () => {
  it('name the tab’s workspace and carry the anti-forgery token', async () => {
    const calls = serve({ 'GET /api/things': () => json({}) })
    await send('/api/things')
    expect(calls[0]?.headers.get('x-workspace')).toBe('ws_one')
    expect(calls[0]?.headers.get('x-csrf-token')).toBe('token-1')
  })

  it('read a new token once when theirs is out of date, then say so', async () => {
    const calls = serve({ 'POST /api/things': () => refuse('csrf_invalid') })
    const renewed = vi.fn(async () => {
      setSession({ ...session(), csrfToken: 'token-2' })
      return true
    })
    handleStaleToken(renewed)
    await expect(send('/api/things', { method: 'POST' })).rejects.toMatchObject({ body: { code: 'csrf_invalid' } })
    expect(renewed).toHaveBeenCalledOnce()
    expect(calls.map(({ headers }) => headers.get('x-csrf-token'))).toEqual(['token-1', 'token-2'])
  })

  it('ask for a sign-in when a new token shows that the session has ended', async () => {
    serve({
      'POST /api/things': [() => refuse('csrf_invalid'), () => refuse('unauthenticated'), () => json({ ok: true })],
    })
    handleStaleToken(async () => true)
    handleUnauthenticated(async () => true)
    expect((await send('/api/things', { method: 'POST' })).status).toBe(200)
  })

  it('tell silence from a refusal', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(send('/api/things')).rejects.toBeInstanceOf(NetworkError)
  })

  it('read an answer that is no JSON as a fault of ours', async () => {
    serve({ 'GET /api/things': () => new Response('<html>', { status: 502 }) })
    await expect(send('/api/things')).rejects.toMatchObject({ status: 502, body: { code: 'internal' } })
  })
})
