import { hc, type ClientResponse } from 'hono/client'
import type { JSONParsed } from 'hono/utils/types'
import type { AppType } from '../../src/app'
import type { ErrorBody } from '../../src/shared/errors'
import { session } from './session'
import { isWrite, singleFlight } from './writes/single-flight'
import { beginWrite } from './writes/unsaved-input'

/** A refusal of the server. `body` is the parsed JSON of the answer; screens switch on `body.code`. */
export class ApiError extends Error {
  readonly status: number
  readonly body: ErrorBody
  constructor(status: number, body: ErrorBody) {
    super(body.message)
    this.name = 'ApiError'
    this.status = status
    this.body = body
  }
}

/** Thrown when no answer came: offline, or the server is gone. */
export class NetworkError extends Error {
  constructor(cause: unknown) {
    super('No connection. Check the network and try again.', { cause })
    this.name = 'NetworkError'
  }
}

/** Called on every 401 but those of sign-in: opens the sign-in sheet; resolves true when the call should be repeated. */
let onUnauthenticated: () => Promise<boolean> = async () => false
export function setUnauthenticatedHandler(handler: () => Promise<boolean>): void {
  onUnauthenticated = handler
}

/** Called once per call when the anti-forgery token is out of date: reads a new one; resolves true when it did. */
let onStaleToken: () => Promise<boolean> = async () => false
export function setStaleTokenHandler(handler: () => Promise<boolean>): void {
  onStaleToken = handler
}

/** Refusals of a call that was sent with what is no longer true. */
const OUTDATED = new Set<ErrorBody['code']>(['unauthenticated', 'csrf_invalid'])

/** Whether this refusal was mended and the call should be made once more. */
async function recover({ code }: ErrorBody): Promise<boolean> {
  if (code === 'unauthenticated') return onUnauthenticated()
  if (code === 'csrf_invalid') return onStaleToken()
  return false
}

/** Headers of every call: the anti-forgery token and the workspace this tab is in. */
export function requestHeaders(): Record<string, string> {
  const { csrfToken, workspace } = session()
  return {
    accept: 'application/json',
    'content-type': 'application/json',
    'x-csrf-token': csrfToken,
    ...(workspace ? { 'x-workspace': workspace.id } : {}),
  }
}

/** The refusal in an answer's text; `internal` when it is none of ours. */
export function parseErrorBody(text: string): ErrorBody {
  try {
    const body: ErrorBody = JSON.parse(text)
    return body
  } catch {
    return { code: 'internal', message: 'Unexpected response from the server.', requestId: '' }
  }
}

/** A fault of the server, as silence, does not say whether it wrote. */
const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status < 500

/** The only `fetch` of the client; a double click writes once; bytes that report their progress go by `send-bytes.ts`. Throws {@link ApiError} for a refusal, {@link NetworkError} for silence. */
export async function apiFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const succeed = isWrite(init) ? beginWrite() : null
  const workspace = session().workspace?.id
  const response = await singleFlight(input, init, {
    workspace,
    isRefusal,
    send: (underOneKey) => send(input, underOneKey),
  })
  succeed?.()
  return response
}

async function send(input: RequestInfo | URL, init: RequestInit): Promise<Response> {
  const attempt = async (): Promise<Response> => {
    const headers = new Headers(init.headers)
    for (const [name, value] of Object.entries(requestHeaders())) if (!headers.has(name)) headers.set(name, value)
    try {
      return await fetch(input, { ...init, headers, credentials: 'same-origin' })
    } catch (cause) {
      if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
      throw new NetworkError(cause)
    }
  }
  // Each kind of refusal is mended once: a token may be out of date because the session is.
  const tried = new Set<ErrorBody['code']>()
  for (;;) {
    const { csrfToken } = session()
    const response = await attempt()
    if (response.ok) return response
    const body = parseErrorBody(await response.text().catch(() => ''))
    // Sent before a sign-in or a new token, and refused after it: what is known by now answers, and nobody is asked twice.
    if (OUTDATED.has(body.code) && session().csrfToken !== csrfToken) continue
    if (tried.has(body.code) || !(await recover(body))) throw new ApiError(response.status, body)
    tried.add(body.code)
  }
}

/** By name: written out it is longer than a declaration may be. */
type Api = ReturnType<typeof hc<AppType>>
/** Typed calls: `answer(api.api.insights.$get({ query: {} }))`. */
export const api: Api = hc<AppType>('/', { fetch: apiFetch })

/**
 * The JSON of a successful answer. Hono types an answer as JSON carries it, which makes a recursive type (a row
 * expression) looser than its contract; both sides pass through the same transformation, so a wrong type still fails.
 */
export async function readJson<T>(call: Promise<ClientResponse<JSONParsed<T>, number, 'json'>>): Promise<T> {
  const response = await call
  // hono types `json()` by the route's own result type
  const body: unknown = await response.json()
  return body as T
}

/** One key per intent of the person: a repeated click or a retry writes once. */
export const idempotencyKey = (): string => crypto.randomUUID()
/** Request options of one write: a repeated call under the same key is written once. */
export const withIdempotencyKey = (key = idempotencyKey()) => ({ headers: { 'idempotency-key': key } })
/** Request options of a call that only asks, although it is posted: as one that can be cancelled it saves nothing. */
export const readOnlyRequest = () => ({ init: { signal: new AbortController().signal } })
