import { stripeIdOf } from './ask'
import { CANCEL_KEY } from './projection'
import type { CancelReason, SubscriptionProjection } from './projection'
import type { ClassifiedSubscriptions, StripeSubscription } from './sorting'
import { callStripe } from './stripe'
import type { Stripe } from './stripe'

/** Whether a subscription that ends because it was not paid is paid for again. */
export const isPaymentRestored = ({
  state,
  cancelReason,
}: Pick<SubscriptionProjection, 'state' | 'cancelReason'>): boolean =>
  cancelReason === 'unpaid' && (state === 'active' || state === 'invoice_pending')

const activeSubscriptions = ({ main, premium }: ClassifiedSubscriptions): StripeSubscription[] =>
  [main, premium].flatMap((one) => one ?? [])

/**
 * Lets what is in force end with its period, for a reason that may pass or for good (null). What a person cancelled is left
 * as they wanted it.
 * @throws ProductError `billing_unavailable`
 */
export async function cancelAtPeriodEnd(
  stripe: Stripe,
  classifiedSubscriptions: ClassifiedSubscriptions,
  reason: CancelReason | null,
): Promise<void> {
  for (const { id, schedule, cancel_at_period_end: ends, cancel_at: at } of activeSubscriptions(
    classifiedSubscriptions,
  )) {
    if (ends || at !== null) continue
    const scheduleId = stripeIdOf(schedule)
    // A subscription with a change that waits for it can be cancelled by its schedule only.
    if (scheduleId !== null) await callStripe(stripe.subscriptionSchedules.release(scheduleId))
    const metadata = reason === null ? {} : { metadata: { [CANCEL_KEY]: reason } }
    await callStripe(stripe.subscriptions.update(id, { cancel_at_period_end: true, ...metadata }))
  }
}

/** Takes back what {@link cancelAtPeriodEnd} did, and nothing else. */
export async function revertCancellation(
  stripe: Stripe,
  classifiedSubscriptions: ClassifiedSubscriptions,
): Promise<void> {
  for (const { id, metadata } of activeSubscriptions(classifiedSubscriptions))
    if (metadata[CANCEL_KEY])
      await callStripe(stripe.subscriptions.update(id, { cancel_at_period_end: false, metadata: { [CANCEL_KEY]: '' } }))
}

/** Ends everything that is in force at once; what is paid for is not given back. */
export async function cancelImmediately(
  stripe: Stripe,
  subscriptions: readonly Pick<StripeSubscription, 'id' | 'status'>[],
): Promise<void> {
  for (const { id, status } of subscriptions)
    if (status !== 'canceled' && status !== 'incomplete_expired')
      await callStripe(stripe.subscriptions.cancel(id, { invoice_now: false, prorate: false }))
}
