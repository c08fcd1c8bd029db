import type { MiddlewareHandler } from 'hono'
import { z } from 'zod'
import type { AppContext, AppEnv } from './context'
import { enforceRateLimits } from './rate-limit'
import { log } from '../lib/log'
import { operatorFetch } from '../outbound/operator-fetch'
import { APP_CHECK_HEADER } from '../shared/app-check'
import { ProductError } from '../shared/errors'

const TOKEN_MAX_CHARS = 2048
const RETRY_SECONDS = 5
/** Answers that speak of the installation and not of the person. */
const INSTALLATION_ERRORS = new Set(['missing-input-secret', 'invalid-input-secret', 'bad-request', 'internal-error'])

const answerSchema = z.object({ success: z.boolean(), 'error-codes': z.array(z.string()).default([]) })

/**
 * Lets only people through where the installation has a check for it: the call carries the token of the widget, and
 * the service that made it says whether it is good. Without a key everybody passes.
 * @throws ProductError `forbidden` without a good token; `busy` when the service cannot be asked; `rate_limited`
 */
export const appCheck = (): MiddlewareHandler<AppEnv> => async (c, next) => {
  const { TURNSTILE_SITE_KEY, TURNSTILE_SECRET } = c.get('deps').settings
  if (TURNSTILE_SITE_KEY === undefined || TURNSTILE_SECRET === undefined) return next()
  const token = c.req.header(APP_CHECK_HEADER) ?? ''
  if (token === '' || token.length > TOKEN_MAX_CHARS) throw checkFailedError()
  const giveBack = await enforceRateLimits(c, [{ rate: 'refusedCheckFromAddress' }])
  if (!(await verifyToken(c, { token, secret: TURNSTILE_SECRET }))) throw checkFailedError()
  await giveBack()
  return next()
}

const checkFailedError = (): ProductError => new ProductError('forbidden', {}, 'Couldn’t verify that you’re human.')

async function verifyToken(c: AppContext, { token, secret }: { token: string; secret: string }): Promise<boolean> {
  const { settings, operatorFetcher } = c.get('deps')
  const address = c.req.header('cf-connecting-ip')
  const asked = { secret, response: token, ...(address ? { remoteip: address } : {}) }
  const { origin, pathname, search } = new URL(settings.TURNSTILE_VERIFY_URL)
  const headers = { 'content-type': 'application/json' }
  try {
    const ask = { path: `${pathname}${search}`, method: 'POST' as const, body: JSON.stringify(asked) }
    const response = await operatorFetch({ origin, headers }, ask, operatorFetcher)
    const answer = answerSchema.parse(await response.json())
    if (answer.success) return true
    const ours = answer['error-codes'].find((code) => INSTALLATION_ERRORS.has(code))
    if (ours === undefined) return false
    throw new Error(ours)
  } catch (error) {
    const reason = error instanceof Error ? error.message.replaceAll(secret, '***').slice(0, 200) : 'no answer'
    log('error', 'the app-check cannot be verified', { requestId: c.get('requestId'), reason })
    throw new ProductError('busy', { retryAfter: RETRY_SECONDS }, 'The check for programs does not answer right now.')
  }
}
