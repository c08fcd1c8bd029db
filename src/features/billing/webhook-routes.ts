import { Hono } from 'hono'
import { eventOf } from './stripe'
import { receive } from './webhook'
import type { AppEnv } from '../../http/context'
import { open } from '../../http/guard'
import { takeTries } from '../../http/rate-limit'
import { readCappedBytes, signedBody } from '../../http/validate'
import { ProductError } from '../../shared/errors'
import { WEBHOOK_BODY_MAX_BYTES } from '../../shared/limits'

/** The signature is over bytes: nothing may be left out or replaced in reading them. */
const exactly = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
function textOf(bytes: Uint8Array): string {
  try {
    return exactly.decode(bytes)
  } catch (cause) {
    throw new ProductError('bad_signature', {}, undefined, { cause })
  }
}

/** What Stripe tells us. Its signature is the only key: no session, no token of ours. */
export const stripeWebhook = new Hono<AppEnv>().post(
  '/webhook',
  open('events of billing; their signature is the key'),
  signedBody(),
  async (c) => {
    const giveBack = await takeTries(c, [{ rate: 'webhookFromAddress' }])
    const bytes = await readCappedBytes(c.req.raw, { maxBytes: WEBHOOK_BODY_MAX_BYTES, what: 'body' })
    const event = await eventOf(c.get('deps'), textOf(bytes), c.req.header('stripe-signature') ?? '')
    await giveBack()
    await receive(c.get('deps'), event)
    return c.json({ received: true }, 200)
  },
)
