import { vi } from 'vitest'
import { forgetWrites } from '../lib/writes/single-flight'
import { ERRORS, type ErrorCode, type ErrorDetails } from '../../src/shared/errors'

export interface RecordedCall {
  method: string
  path: string
  /** What follows the path, with its question mark; empty where nothing does. */
  search: string
  headers: Headers
  body: unknown
}
export type MockReply = (call: RecordedCall) => Response | Promise<Response>

export const jsonResponse = (value: unknown, status = 200): Response => Response.json(value, { status })
export const errorResponse = (code: ErrorCode, details: ErrorDetails = {}): Response =>
  jsonResponse({ ...details, code, message: ERRORS[code].message, requestId: 'req-1' }, ERRORS[code].status)

/** Stands in for the server: replies by `METHOD /path`, in turn where several are given. Answers the calls made. */
export function mockServer(routes: Record<string, MockReply | MockReply[]>): RecordedCall[] {
  const calls: RecordedCall[] = []
  forgetWrites()
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(new URL(input instanceof Request ? input.url : input, 'http://localhost'), init)
    const text = await request.text()
    const body: unknown = text === '' ? null : JSON.parse(text)
    const { pathname: path, search } = new URL(request.url)
    const call = { method: request.method, path, search, headers: request.headers, body }
    const key = `${call.method} ${call.path}`
    const found = routes[key]
    const earlier = calls.filter((one) => `${one.method} ${one.path}` === key).length
    calls.push(call)
    const reply = Array.isArray(found) ? found[Math.min(earlier, found.length - 1)] : found
    if (!reply) throw new Error(`No reply for ${key}`)
    return reply(call)
  })
  return calls
}
