import { z } from 'zod'
import type { Stripe } from './stripe'
import { billingMode } from '../../env'
import type { Settings } from '../../env'

/** Whether an event was acted on, or why it was only noted. */
export type WebhookOutcome =
  'applied' | 'unknown_type' | 'unknown_customer' | 'other_mode' | 'other_account' | 'deleted_workspace'

const eventNames = (object: string, ...what: string[]): string[] => what.map((each) => `${object}.${each}`)
/** Events after which a row of ours may have to change: those that an endpoint at Stripe is to be told of. */
const EVENT_TYPES: readonly string[] = [
  ...eventNames('customer', 'deleted'),
  ...eventNames('customer.subscription', 'created', 'updated', 'deleted', 'paused', 'resumed'),
  ...eventNames('invoice', 'finalized', 'updated', 'paid', 'payment_failed', 'payment_action_required'),
  ...eventNames('invoice', 'overdue', 'marked_uncollectible', 'voided'),
  ...eventNames('checkout.session', 'completed', 'async_payment_succeeded', 'async_payment_failed'),
  ...eventNames('subscription_schedule', 'created', 'updated', 'released', 'canceled', 'completed', 'aborted'),
]

const objectSchema = z.object({
  id: z.string().optional(),
  object: z.string().optional(),
  customer: z.union([z.string(), z.object({ id: z.string() })]).nullish(),
})

/** Whose event it is, by the customer it names; or why it is none for us. */
export function identifyCustomer(
  event: Stripe.Event,
  settings: Settings,
): { customer: string } | { outcome: WebhookOutcome } {
  if (event.account) return { outcome: 'other_account' }
  if (event.livemode !== (billingMode(settings) === 'live')) return { outcome: 'other_mode' }
  if (!EVENT_TYPES.includes(event.type)) return { outcome: 'unknown_type' }
  const { data } = objectSchema.safeParse(event.data.object)
  const named = data?.object === 'customer' ? data.id : data?.customer
  const customer = typeof named === 'object' ? named?.id : named
  return customer === undefined ? { outcome: 'unknown_customer' } : { customer }
}
