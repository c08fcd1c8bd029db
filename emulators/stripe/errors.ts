/** Body of an error, as Stripe words it. */
export interface ErrorBody {
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error'
  message: string
  code?: string
  param?: string
  decline_code?: string
}

/** An answer that is an error. */
export class StripeError extends Error {
  readonly status: number
  readonly body: ErrorBody
  /** Whether what was done before it stays done. */
  readonly kept: boolean

  constructor(status: number, body: ErrorBody, kept = false) {
    super(body.message)
    this.status = status
    this.body = body
    this.kept = kept
  }
}

/** The connection is closed without an answer: who serves this closes its socket. */
export class ConnectionClosed extends Error {}

export const invalidRequestError = (message: string, more: { param?: string; code?: string } = {}): StripeError =>
  new StripeError(400, { type: 'invalid_request_error', message, ...more })

/** What the address names is not there; with `param`: what a parameter names. */
export const notFoundError = (noun: string, id: string, param?: string): StripeError =>
  new StripeError(param === undefined ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${noun}: '${id}'`,
    param: param ?? 'id',
  })

/** @param kept whether that the attempt was made stays noted */
export const cardDeclinedError = (kept = false): StripeError =>
  new StripeError(
    402,
    {
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'generic_decline',
      message: 'Your card was declined.',
    },
    kept,
  )
