import type { ErrorHandler, NotFoundHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { AppContext, AppEnv } from './context'
import { replayConcurrentReply } from './idempotency'
import { errorMessage, log } from '../lib/log'
import type { Reporter } from '../monitoring/reporter'
import { DuplicateCallError } from '../db/commit'
import { isDatabaseBusy } from '../db/database'
import { isBucketBusy } from '../lib/bucket-fault'
import { isObjectUnavailable } from '../lib/object-fault'
import { ERRORS, ProductError, type ErrorBody, type ErrorCode } from '../shared/errors'
import { isUnknownMigration } from '../warehouse/migrations'
import { loggedPath } from '../shared/reports/link-paths'

/** After which a call that met a busy database, or an object that is away, is worth another try. */
const BUSY_RETRY_SECONDS = 2

/** What passes by itself: a database, an object or the bucket that cannot answer now. */
const isStoreBusy = (error: unknown): boolean =>
  isDatabaseBusy(error) || isObjectUnavailable(error) || isBucketBusy(error)

/** Any throw as a catalogue error. Causes and foreign texts stay in the log. */
function toProductError(error: unknown): ProductError {
  if (error instanceof ProductError) return error
  if (error instanceof HTTPException && error.status === 400) return new ProductError('bad_request')
  if (isStoreBusy(error))
    return new ProductError('busy', { retryAfter: BUSY_RETRY_SECONDS }, undefined, { cause: error })
  if (isUnknownMigration(error)) return new ProductError('misconfigured', {}, undefined, { cause: error })
  return new ProductError('internal', {}, undefined, { cause: error })
}

/** Who asked for what failed, and where it is told. */
interface FailedCall {
  requestId: string
  path: string
  reporter: Pick<Reporter, 'report'> | undefined
}

/** Any throw as a refusal; faults of our own are logged and reported. */
function asRefusal(thrown: unknown, { requestId, path, reporter }: FailedCall): ProductError {
  const error = toProductError(thrown)
  if (error.code === 'internal' || isUnknownMigration(error.cause)) {
    const cause = error.cause ?? thrown
    log('error', 'unexpected error', { requestId, path, error: describeError(cause) })
    reporter?.report(cause, { requestId, route: path })
  } else if (isStoreBusy(error.cause)) {
    log('warn', 'a store is busy', { requestId, path, error: errorMessage(error.cause) })
  }
  return error
}

/** What a part of an answer failed by, as the body of a refusal; the other parts go on. */
export const refusalOf = (thrown: unknown, call: FailedCall): ErrorBody =>
  errorBody(asRefusal(thrown, call), call.requestId)

const errorBody = (error: ProductError, requestId: string): ErrorBody => ({
  ...error.details,
  code: error.code,
  message: error.message,
  requestId,
})

function errorResponse(c: AppContext, error: ProductError) {
  const status: ContentfulStatusCode = ERRORS[error.code].status
  const retryAfter = error.details['retryAfter']
  if (typeof retryAfter === 'number') c.header('Retry-After', String(Math.ceil(retryAfter)))
  c.header('Cache-Control', 'private, no-store')
  if (isPagePath(c.req.path)) return c.html(plainErrorPage(error, c.get('requestId')), status)
  return c.json(errorBody(error, c.get('requestId')), status)
}

const isPagePath = (path: string): boolean =>
  !/^\/(api|files|assets|health|monitoring|live|mcp|oauth\/(token|register|revoke)|\.well-known)(\/|$)/.test(path)

/** For a browser when not even the page can be made: plain, without script or style. Holds no text from outside. */
const plainErrorPage = (error: ProductError, requestId: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${error.message}</title>` +
  `<h1>${error.message}</h1><p>${OPERATOR_ADVICE[error.code] ?? 'Reload the page in a moment.'}</p>` +
  `<p>Request id: ${requestId}</p></html>`

const OPERATOR_ADVICE: Partial<Record<ErrorCode, string>> = {
  misconfigured: 'Nothing is served until it is. If you run this installation, its log says which setting is missing.',
}

/** The one place that turns a throw into HTTP. */
export const onError: ErrorHandler<AppEnv> = async (thrown, c) => {
  if (thrown instanceof DuplicateCallError) {
    const winner = await replayConcurrentReply(c)
    if (winner) return winner
  }
  const call = { requestId: c.get('requestId'), path: loggedPath(c.req.path), reporter: c.get('deps')?.reporter }
  const error = asRefusal(thrown, call)
  if (SECURITY_REFUSALS.has(error.code)) logRefusal(c, error)
  return errorResponse(c, error)
}

/** Refusals of who asks rather than of what is asked: many of one kind are an attack. */
const SECURITY_REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'invalid_credentials',
  'csrf_invalid',
  'forbidden',
  'rate_limited',
  'bad_signature',
])

/** Names nothing that was sent: an address typed at sign-in may be a password typed into the wrong field. */
const logRefusal = (c: AppContext, { code }: ProductError): void =>
  log('info', 'refused', {
    requestId: c.get('requestId'),
    code,
    method: c.req.method,
    path: loggedPath(c.req.path),
    userId: c.get('actor')?.userId ?? null,
  })

const describeError = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)

export const notFoundJson: NotFoundHandler<AppEnv> = (c) => errorResponse(c, new ProductError('not_found'))
