/** Body of an error, as Stripe words it. */
export interface FaultBody {
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error'
  message: string
  code?: string
  param?: string
  decline_code?: string
}

/** An answer that is an error. */
export class Fault extends Error {
  readonly status: number
  readonly body: FaultBody
  /** Whether what was done before it stays done. */
  readonly kept: boolean

  constructor(status: number, body: FaultBody, kept = false) {
    super(body.message)
    this.status = status
    this.body = body
    this.kept = kept
  }
}

/** The connection is closed without an answer: who serves this closes its socket. */
export class ConnectionClosed extends Error {}

export const invalid = (message: string, more: { param?: string; code?: string } = {}): Fault =>
  new Fault(400, { type: 'invalid_request_error', message, ...more })

/** What the address names is not there; with `param`: what a parameter names. */
export const missing = (noun: string, id: string, param?: string): Fault =>
  new Fault(param === undefined ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${noun}: '${id}'`,
    param: param ?? 'id',
  })

/** @param kept whether that the attempt was made stays noted */
export const declined = (kept = false): Fault =>
  new Fault(
    402,
    {
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'generic_decline',
      message: 'Your card was declined.',
    },
    kept,
  )
