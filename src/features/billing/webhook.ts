import { z } from 'zod'
import type { Stripe } from './stripe'
import { billingMode } from '../../settings'
import type { Settings } from '../../settings'
import { isForeignStripeAccount } from './stripe-subscriptions'
import { findAccountByCustomer } from './store'
import { deleteEventsBefore, insertEvent, isProcessed } from './event-store'
import type { EventSummary, WebhookOutcome } from './event-store'
import { syncAccount } from './sync'
import type { Deps } from '../../deps'
import { log } from '../../lib/log'
import { DAY_MS } from '../../shared/dates'
import type { BillingAccount } from './billing-account'

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
function identifyCustomer(event: Stripe.Event, settings: Settings): { customer: string } | { outcome: WebhookOutcome } {
  if (event.account) return { outcome: 'other_account' }
  if (event.livemode !== (billingMode(settings) === 'live')) return { outcome: 'other_mode' }
  if (!EVENT_TYPES.includes(event.type)) return { outcome: 'unknown_type' }
  const { data } = objectSchema.safeParse(event.data.object)
  const named = data?.object === 'customer' ? data.id : data?.customer
  const customer = typeof named === 'object' ? named?.id : named
  return customer === undefined ? { outcome: 'unknown_customer' } : { customer }
}

/**
 * Acts on an event whose signature was right. What it says is not believed: it is why Stripe is asked what is true now, so
 * that order and repetition make no difference. Its row in the inbox and its effect are written in one batch.
 * @throws ProductError `billing_unavailable`, `busy`: nothing is written, and Stripe sends it again
 */
export async function handleEvent(deps: Deps, event: Stripe.Event): Promise<void> {
  const identified = identifyCustomer(event, deps.settings)
  if ('outcome' in identified) return recordIgnoredEvent(deps, event, identified)
  const [processed, account] = await Promise.all([
    isProcessed(deps.db, event.id),
    findAccountByCustomer(deps.db, identified.customer),
  ])
  if (processed) return
  if (!account) return recordIgnoredEvent(deps, event, { ...identified, outcome: 'unknown_customer' })
  if (account.deletedAt !== null)
    return recordIgnoredEvent(deps, event, { ...identified, outcome: 'deleted_workspace' })
  try {
    await applyEvent(deps, account, { ...identified, event })
  } catch (error) {
    if (!isForeignStripeAccount(error)) throw error
    await recordIgnoredEvent(deps, event, { ...identified, outcome: 'other_account' })
  }
}

async function applyEvent(
  deps: Deps,
  account: BillingAccount,
  eventData: { event: EventSummary; customer: string },
): Promise<void> {
  const inbox = insertEvent(deps, 'INSERT', { ...eventData, outcome: 'applied' })
  try {
    await syncAccount(deps, account, { change: [inbox] })
  } catch (error) {
    // The same event, delivered twice at once: the other one did it.
    if (!(error instanceof Error && /UNIQUE constraint failed: stripe_events\./.test(error.message))) throw error
  }
}

interface IgnoredEvent {
  outcome: WebhookOutcome
  customer?: string
}
/** Keeps what was not acted on and why, so that the operator finds it. */
async function recordIgnoredEvent(deps: Deps, event: EventSummary, { outcome, customer }: IgnoredEvent): Promise<void> {
  log('info', 'an event of billing was only noted', { id: event.id, type: event.type, outcome })
  await insertEvent(deps, 'INSERT OR IGNORE', { event, outcome, customer: customer ?? null }).run()
}

/** Removes events that are older than 90 days: Stripe repeats them for a few days only. */
export const deleteOldEvents = ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<unknown> =>
  deleteEventsBefore(db, clock.now() - EVENT_RETENTION_MS)
const EVENT_RETENTION_MS = 90 * DAY_MS
