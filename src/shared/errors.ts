/**
 * The error catalogue: the only list of refusal codes. The parsed JSON body of a refusal *is* the error:
 * `{code, message, requestId, ...details}`. Status numbers are typed nowhere else.
 */
export const ERRORS = {
  bad_request: { status: 400, message: 'Couldn’t read the request. Reload the page and try again.', details: [] },
  bad_signature: { status: 400, message: 'Invalid signature.', details: [] },
  unauthenticated: { status: 401, message: 'Sign in to continue.', details: [] },
  invalid_credentials: { status: 401, message: 'Incorrect email or password.', details: [] },
  plan_required: { status: 402, message: 'Not included in your plan.', details: ['feature', 'requiredPlan'] },
  read_only: { status: 402, message: 'This workspace is read-only.', details: ['reason'] },
  csrf_invalid: { status: 403, message: 'This page is out of date. Reload it and try again.', details: [] },
  forbidden: { status: 403, message: 'Your role doesn’t allow this.', details: ['permission', 'reason'] },
  not_enabled: { status: 403, message: 'Not enabled in this installation.', details: ['feature'] },
  not_found: { status: 404, message: 'Not found, or you don’t have access.', details: [] },
  method_not_allowed: { status: 405, message: 'Method not allowed.', details: ['allow'] },
  unsupported_type: { status: 415, message: 'Unsupported content type. Send application/json.', details: ['allow'] },
  version_conflict: { status: 409, message: 'Someone else saved this first.', details: ['current'] },
  limit_reached: {
    status: 409,
    message: 'Plan limit reached.',
    details: ['limit', 'used', 'max', 'addOn', 'resetsAt'],
  },
  name_taken: { status: 409, message: 'Name already in use. Enter another name.', details: [] },
  in_use: { status: 409, message: 'Still in use.', details: ['dependents'] },
  account_exists: {
    status: 409,
    message: 'This email already has an account. Sign in instead.',
    details: [],
  },
  expired: { status: 410, message: 'Expired. Request a new one.', details: ['what'] },
  too_large: { status: 413, message: 'Too large.', details: ['max', 'size', 'what'] },
  invalid_input: { status: 422, message: 'Check the highlighted fields.', details: ['fields'] },
  file_unreadable: { status: 422, message: 'Couldn’t read the file.', details: ['reason', 'line', 'sheet'] },
  unknown_field: { status: 422, message: 'Field not found.', details: ['field'] },
  query_too_complex: { status: 422, message: 'Query too large. Remove measures or breakdowns.', details: ['max'] },
  mixed_currency: { status: 422, message: 'Mixed currencies.', details: ['currencies'] },
  no_rate: { status: 422, message: 'Missing exchange rate.', details: ['pair', 'date'] },
  too_short: { status: 422, message: 'Not enough history.', details: ['have', 'need'] },
  target_not_allowed: { status: 422, message: 'Enter a public https address.', details: [] },
  access_rule_invalid: { status: 422, message: 'Invalid access rule. Ask an admin to fix it.', details: [] },
  credential_unreadable: {
    status: 422,
    message: 'Couldn’t read the stored sign-in. Reconnect the source.',
    details: [],
  },
  upgrade_required: { status: 426, message: 'WebSocket connections only.', details: [] },
  rate_limited: { status: 429, message: 'Too many attempts. Try again shortly.', details: ['retryAfter'] },
  source_failed: { status: 502, message: 'Couldn’t read the source.', details: ['reason', 'since'] },
  billing_unavailable: {
    status: 503,
    message: 'Couldn’t reach billing. Everything else works.',
    details: ['retryAfter'],
  },
  ai_unavailable: { status: 503, message: 'Couldn’t reach the language model.', details: ['retryAfter'] },
  busy: { status: 503, message: 'Server busy. Try again shortly.', details: ['retryAfter'] },
  misconfigured: { status: 503, message: 'Installation not fully configured.', details: [] },
  internal: { status: 500, message: 'Something went wrong.', details: [] },
} as const satisfies Record<string, { status: number; message: string; details: readonly string[] }>

export type ErrorCode = keyof typeof ERRORS
export type ErrorDetails = Record<string, unknown>

/** The JSON body of every refusal. */
export interface ErrorBody extends ErrorDetails {
  code: ErrorCode
  message: string
  requestId: string
}

export type FileUnreadableReason = 'unknown_kind' | 'broken' | 'encrypted' | 'empty' | 'unsafe' | 'unsupported'

/** A refusal as a plain value: what crosses RPC and Workflow boundaries. */
export interface SerializedError {
  code: ErrorCode
  /** Replaces the catalogue's sentence when the case can be said more exactly. */
  message?: string
  details?: ErrorDetails
}

/** The result of a call that may refuse, as it crosses RPC. */
export type RpcResult<T> = { ok: true; value: T } | { ok: false; error: SerializedError }

/** Thrown anywhere on the server; one handler turns it into HTTP. */
export class ProductError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails
  constructor(code: ErrorCode, details: ErrorDetails = {}, message?: string, options?: ErrorOptions) {
    super(message ?? ERRORS[code].message, options)
    this.name = 'ProductError'
    this.code = code
    this.details = details
  }

  static from(error: SerializedError): ProductError {
    return new ProductError(error.code, error.details, error.message)
  }

  serialize(): SerializedError {
    return { code: this.code, message: this.message, details: this.details }
  }
}

const TRANSIENT_CODES = new Set<ErrorCode>(['busy', 'internal', 'rate_limited'])
/** Whether something was refused for a reason that passes: asked again, it may be answered. */
export const isTransient = ({ code }: Pick<ProductError, 'code'>): boolean => TRANSIENT_CODES.has(code)

/** Unwraps an {@link RpcResult}, throwing its refusal as a {@link ProductError}. */
export function unwrap<T>(rpcResult: RpcResult<T>): T {
  if (rpcResult.ok) return rpcResult.value
  throw ProductError.from(rpcResult.error)
}
