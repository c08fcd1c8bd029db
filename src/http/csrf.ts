import type { MiddlewareHandler } from 'hono'
import { issueVisitorCookie, visitorId } from './cookies'
import type { AppContext, AppEnv } from './context'
import { equalText, hmacSha256Hex } from '../lib/hash'
import { ProductError } from '../shared/errors'

const signCsrfToken = (c: AppContext, bound: string): Promise<string> =>
  hmacSha256Hex(c.get('deps').settings.SESSION_SECRET, `csrf:${bound}`)

/** The token of this visitor: bound to the session, before sign-in to the signed visitor cookie. */
async function readCsrfToken(c: AppContext): Promise<string | null> {
  if (c.get('actor')) return signCsrfToken(c, `session:${c.get('sessionHash')}`)
  const visitor = await visitorId(c)
  return visitor === null ? null : signCsrfToken(c, `visitor:${visitor}`)
}

/** As {@link readCsrfToken}, for answers that hand the token out: a first visit gets its visitor cookie here. */
export async function issueCsrfToken(c: AppContext): Promise<string> {
  const known = c.get('csrfToken') ?? (await readCsrfToken(c))
  const token = known ?? (await signCsrfToken(c, `visitor:${await issueVisitorCookie(c)}`))
  c.set('csrfToken', token)
  return token
}

/** A new visitor with a token of its own: what sign-out leaves behind. */
export async function renewVisitor(c: AppContext): Promise<void> {
  c.set('csrfToken', await signCsrfToken(c, `visitor:${await issueVisitorCookie(c)}`))
}

/**
 * Refuses a write that did not come from a page of ours.
 * A dead session's own token passes here, so that its holder is told to sign in (401) and not to reload (403).
 * @throws ProductError `csrf_invalid`
 */
async function checkCsrf(c: AppContext): Promise<void> {
  const given = c.req.header('x-csrf-token') ?? ''
  const valid = [(await readCsrfToken(c)) ?? '']
  if (!c.get('actor') && c.get('sessionHash') !== null)
    valid.push(await signCsrfToken(c, `session:${c.get('sessionHash')}`))
  const known = valid.some((token) => token !== '' && equalText(given, token))
  if (!known || !isSameOrigin(c)) throw new ProductError('csrf_invalid')
}

/** What the browser says about where the call came from. Absent both (no browser): the token alone decides. */
function isSameOrigin(c: AppContext): boolean {
  const origin = c.req.header('origin')
  const site = c.req.header('sec-fetch-site')
  if (origin !== undefined && origin !== new URL(c.req.url).origin) return false
  return site === undefined || site === 'same-origin'
}

const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
const BODY_METHODS = new Set(['POST', 'PUT'])

/** Told to us by a machine: its signature is checked instead, and whatever it sends is refused by that alone. */
const WEBHOOK_PATH = '/api/stripe/webhook'
/** Who is outside says who they are by a header that no page of others can send, and by no cookie: none would come in a frame. */
const isByHeader = (path: string): boolean => path.startsWith('/api/shared/') || isIngest(path)
/** Programs send rows there, by a token in a header and in a type that no form of a page can send without being asked. */
const isIngest = (path: string): boolean => path.startsWith('/api/ingest/')
const NDJSON = /^application\/(x-)?(ndjson|jsonl)\s*(;|$)/i

/** What every call under `/api` and `/files` obeys, whoever asks: never cached, writes proven to be ours, JSON only. */
export const protectApi = (): MiddlewareHandler<AppEnv> => async (c, next) => {
  const { method } = c.req
  if (!READ_METHODS.has(method) && c.req.path !== WEBHOOK_PATH) {
    if (
      c.req.path.startsWith('/api/') &&
      BODY_METHODS.has(method) &&
      !isAccepted(c.req.path, c.req.header('content-type'))
    )
      throw new ProductError('unsupported_type', { allow: 'application/json' })
    if (!isByHeader(c.req.path)) await checkCsrf(c)
  }
  await next()
  if (!c.res.headers.has('Cache-Control')) c.res.headers.set('Cache-Control', 'private, no-store')
}

const isAccepted = (path: string, type: string | undefined): boolean =>
  isJson(type) || (isIngest(path) && NDJSON.test(type ?? ''))
const isJson = (type: string | undefined): boolean => /^application\/json\s*(;|$)/i.test(type ?? '')
