import { Hono } from 'hono'
import { verifyWebhookEvent } from './stripe'
import { handleEvent } from './webhook'
import type { AppEnv } from '../../http/context'
import { publicAccess } from '../../http/guard'
import { enforceRateLimits } from '../../http/rate-limit'
import { readBodyBytes, signedBody } from '../../http/validate'
import { ProductError } from '../../shared/errors'
import { WEBHOOK_BODY_MAX_BYTES } from '../../shared/limits'

/** The signature is over bytes: nothing may be left out or replaced in reading them. */
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
function decodeBody(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes)
  } catch (cause) {
    throw new ProductError('bad_signature', {}, undefined, { cause })
  }
}

/** What Stripe tells us. Its signature is the only key: no session, no token of ours. */
export const stripeWebhook = new Hono<AppEnv>().post(
  '/webhook',
  publicAccess('events of billing; their signature is the key'),
  signedBody(),
  async (c) => {
    const refundAttempt = await enforceRateLimits(c, [{ rate: 'webhookFromAddress' }])
    const bytes = await readBodyBytes(c.req.raw, { maxBytes: WEBHOOK_BODY_MAX_BYTES, what: 'body' })
    const event = await verifyWebhookEvent(c.get('deps'), decodeBody(bytes), c.req.header('stripe-signature') ?? '')
    await refundAttempt()
    await handleEvent(c.get('deps'), event)
    return c.json({ received: true }, 200)
  },
)
