import { idOf } from './ask'
import { CANCEL_KEY } from './projection'
import type { CancelReason, Projected } from './projection'
import type { Sorted, StripeSubscription } from './sorting'
import { asking } from './stripe'
import type { Stripe } from './stripe'

/** Whether a subscription that ends because it was not paid is paid for again. */
export const isPaidAgain = ({ state, cancelReason }: Pick<Projected, 'state' | 'cancelReason'>): boolean =>
  cancelReason === 'unpaid' && (state === 'active' || state === 'invoice_pending')

const inForce = ({ main, premium }: Sorted): StripeSubscription[] => [main, premium].flatMap((one) => one ?? [])

/**
 * Lets what is in force end with its period, for a reason that may pass or for good (null). What a person cancelled is left
 * as they wanted it.
 * @throws ProductError `billing_unavailable`
 */
export async function cancelAtPeriodEnd(stripe: Stripe, sorted: Sorted, reason: CancelReason | null): Promise<void> {
  for (const { id, schedule, cancel_at_period_end: ends, cancel_at: at } of inForce(sorted)) {
    if (ends || at !== null) continue
    const scheduleId = idOf(schedule)
    // A subscription with a change that waits for it can be cancelled by its schedule only.
    if (scheduleId !== null) await asking(stripe.subscriptionSchedules.release(scheduleId))
    const metadata = reason === null ? {} : { metadata: { [CANCEL_KEY]: reason } }
    await asking(stripe.subscriptions.update(id, { cancel_at_period_end: true, ...metadata }))
  }
}

/** Takes back what {@link cancelAtPeriodEnd} did, and nothing else. */
export async function undoCancel(stripe: Stripe, sorted: Sorted): Promise<void> {
  for (const { id, metadata } of inForce(sorted))
    if (metadata[CANCEL_KEY])
      await asking(stripe.subscriptions.update(id, { cancel_at_period_end: false, metadata: { [CANCEL_KEY]: '' } }))
}

/** Ends everything that is in force at once; what is paid for is not given back. */
export async function endNow(
  stripe: Stripe,
  subscriptions: readonly Pick<StripeSubscription, 'id' | 'status'>[],
): Promise<void> {
  for (const { id, status } of subscriptions)
    if (status !== 'canceled' && status !== 'incomplete_expired')
      await asking(stripe.subscriptions.cancel(id, { invoice_now: false, prorate: false }))
}
