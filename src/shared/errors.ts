/**
 * The error catalogue: the only list of refusal codes. The parsed JSON body of a refusal *is* the error:
 * `{code, message, requestId, ...details}`. Status numbers are typed nowhere else.
 */
export const ERRORS = {
  bad_request: { status: 400, message: 'The request could not be read.', details: [] },
  bad_signature: { status: 400, message: 'The signature was refused.', details: [] },
  unauthenticated: { status: 401, message: 'Sign in to continue.', details: [] },
  invalid_credentials: { status: 401, message: 'That e-mail and password do not match.', details: [] },
  plan_required: { status: 402, message: 'Your plan does not include this.', details: ['feature', 'requiredPlan'] },
  read_only: { status: 402, message: 'This workspace is read-only for now.', details: ['reason'] },
  csrf_invalid: { status: 403, message: 'The page is out of date. Reload it and try again.', details: [] },
  forbidden: { status: 403, message: 'Your role does not allow this.', details: ['permission', 'reason'] },
  not_enabled: { status: 403, message: 'This is switched off in this installation.', details: ['feature'] },
  not_found: { status: 404, message: 'It is gone, or not shared with you.', details: [] },
  method_not_allowed: { status: 405, message: 'This address does not take that method.', details: ['allow'] },
  unsupported_type: { status: 415, message: 'Send JSON (content-type: application/json).', details: ['allow'] },
  version_conflict: { status: 409, message: 'Someone else saved this first.', details: ['current'] },
  limit_reached: {
    status: 409,
    message: 'The limit of your plan is reached.',
    details: ['limit', 'used', 'max', 'addOn', 'resetsAt'],
  },
  name_taken: { status: 409, message: 'That name is already used here.', details: [] },
  in_use: { status: 409, message: 'Something else still uses this.', details: ['dependents'] },
  account_exists: {
    status: 409,
    message: 'There is already an account with this address. Sign in instead.',
    details: [],
  },
  expired: { status: 410, message: 'This has expired. Ask for a new one.', details: ['what'] },
  too_large: { status: 413, message: 'This is larger than allowed.', details: ['max', 'size', 'what'] },
  invalid_input: { status: 422, message: 'Some fields need another look.', details: ['fields'] },
  file_unreadable: { status: 422, message: 'The file could not be read.', details: ['reason', 'line', 'sheet'] },
  unknown_field: { status: 422, message: 'A field of this question does not exist.', details: ['field'] },
  query_too_complex: { status: 422, message: 'This question is too large. Make it simpler.', details: ['max'] },
  mixed_currency: { status: 422, message: 'These amounts are in different currencies.', details: ['currencies'] },
  no_rate: { status: 422, message: 'There is no exchange rate for this day.', details: ['pair', 'date'] },
  too_short: { status: 422, message: 'There is too little history for this.', details: ['have', 'need'] },
  target_not_allowed: { status: 422, message: 'Only public https addresses can be used.', details: [] },
  access_rule_invalid: { status: 422, message: 'An access rule needs mending by an administrator.', details: [] },
  credential_unreadable: {
    status: 422,
    message: 'The stored sign-in cannot be read. Reconnect the source.',
    details: [],
  },
  upgrade_required: { status: 426, message: 'This address takes WebSocket connections only.', details: [] },
  rate_limited: { status: 429, message: 'Too many tries. Wait a moment.', details: ['retryAfter'] },
  source_failed: { status: 502, message: 'The source did not answer as expected.', details: ['reason', 'since'] },
  billing_unavailable: {
    status: 503,
    message: 'Billing cannot be reached. Everything else works.',
    details: ['retryAfter'],
  },
  ai_unavailable: { status: 503, message: 'The language model cannot be reached.', details: ['retryAfter'] },
  busy: { status: 503, message: 'Busy right now. Try again in a moment.', details: ['retryAfter'] },
  misconfigured: { status: 503, message: 'This installation is not set up completely.', details: [] },
  internal: { status: 500, message: 'Something broke on our side. Quote the request id.', details: [] },
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
/** Whether something was refused for a reason that passes by itself: asked again, it may be answered. */
export const isTransient = ({ code }: Pick<ProductError, 'code'>): boolean => TRANSIENT_CODES.has(code)

/** Unwraps an {@link RpcResult}, throwing its refusal as a {@link ProductError}. */
export function unwrap<T>(rpcResult: RpcResult<T>): T {
  if (rpcResult.ok) return rpcResult.value
  throw ProductError.from(rpcResult.error)
}
