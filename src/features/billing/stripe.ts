import Stripe from 'stripe'
import type { Deps } from '../../deps'
import { log } from '../../lib/log'
import { operatorFetch } from '../../outbound/operator-fetch'
import { ProductError } from '../../shared/errors'

/** The one file that knows Stripe's library; its types travel from here. */
export type { Stripe }

/** Under the door's own deadline, so that one slow answer is tried once more. */
const TIMEOUT_MS = 8_000
const RETRY_AFTER_S = 30
const SIGNATURE_TOLERANCE_S = 300

/** @throws ProductError `not_enabled` where nothing can be bought */
export function stripeClient(deps: Deps): Stripe {
  const { STRIPE_SECRET_KEY: key, STRIPE_API_URL } = deps.settings
  if (key === undefined) throw new ProductError('not_enabled', { feature: 'billing' })
  const { hostname, port, protocol } = new URL(STRIPE_API_URL)
  return new Stripe(key, {
    host: hostname,
    protocol: protocol === 'http:' ? 'http' : 'https',
    ...(port === '' ? {} : { port: Number(port) }),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(stripeFetch(deps)),
  })
}

/** The library's way out: to the configured host and nowhere else, by the operator door. */
const stripeFetch = ({ settings, operatorFetcher }: Deps): typeof fetch => {
  const { origin } = new URL(settings.STRIPE_API_URL)
  return (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    return operatorFetch(
      { origin, headers: Object.fromEntries(new Headers(init.headers)) },
      {
        path: url.pathname + url.search,
        method: init.method === 'POST' ? 'POST' : init.method === 'DELETE' ? 'DELETE' : 'GET',
        ...(init.body ? { body: init.body } : {}),
      },
      operatorFetcher,
    )
  }
}

/**
 * The answer of a call. What Stripe refuses because of what a person gave is told to that person; what is down, slow or
 * wrongly asked is not their fault.
 * @throws ProductError `billing_unavailable`; `invalid_input` with `fields.payment` when a card was declined
 */
export async function callStripe<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError)
      throw new ProductError('invalid_input', { fields: { payment: error.message } }, error.message, { cause: error })
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    logStripeError(error)
    throw new ProductError('billing_unavailable', { retryAfter: RETRY_AFTER_S }, undefined, { cause: error })
  }
}

/** The only trace of what people are told as “away”: a wrong key or call looks the same to them. Its text may name people. */
function logStripeError({
  type,
  code,
  param,
  statusCode,
  requestId,
}: InstanceType<typeof Stripe.errors.StripeError>): void {
  log('warn', 'Stripe did not do what it was asked', {
    type,
    code,
    param,
    status: statusCode,
    stripeRequest: requestId,
  })
}

/** Whether Stripe refused a call because the thing named is not there (any more). */
export const isResourceMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'

/** Whether Stripe says that nothing more will be charged. */
export const isNoUpcomingInvoice = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'invoice_upcoming_none'

/**
 * The event of a webhook's body, exactly as it came.
 * @throws ProductError `bad_signature`
 */
export async function verifyWebhookEvent(deps: Deps, body: string, signature: string): Promise<Stripe.Event> {
  const { STRIPE_WEBHOOK_SECRET: secret } = deps.settings
  if (secret === undefined) throw new ProductError('not_enabled', { feature: 'billing' })
  const crypto = Stripe.createSubtleCryptoProvider()
  try {
    return await stripeClient(deps).webhooks.constructEventAsync(
      body,
      signature,
      secret,
      SIGNATURE_TOLERANCE_S,
      crypto,
      deps.clock.now(),
    )
  } catch (error) {
    throw new ProductError('bad_signature', {}, undefined, { cause: error })
  }
}
