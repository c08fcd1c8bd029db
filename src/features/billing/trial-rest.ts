import { stripeIdOf } from './ask'
import { endsWithPeriod, periodEnd, TRIAL_EXTENSION_KEY, trialExtensionSecondsOf } from './projection'
import type { SubscriptionProjection } from './projection'
import type { StripeSubscription } from './sorting'
import { callStripe } from './stripe'
import type { Stripe } from './stripe'

/**
 * How long before the end of a period the rest of our trial is told to Stripe: late, because from then on Stripe takes the
 * period for a trial, in which a larger plan costs nothing; early enough for a few days on which nobody answers.
 */
export const TRIAL_EXTENSION_LEAD_MS = 3 * 24 * 60 * 60 * 1000

/** Whether Stripe is to be told at `now` (epoch ms) that the period is longer. */
export const isTrialExtensionDue = (
  { periodEndsAt, trialRestMs }: Pick<SubscriptionProjection, 'periodEndsAt' | 'trialRestMs'>,
  now: number,
) => trialRestMs !== null && periodEndsAt !== null && periodEndsAt - trialRestMs <= now + TRIAL_EXTENSION_LEAD_MS

/**
 * Prolongs the period by the rest of our trial, which is used up by the same call: once, however often it is asked for.
 * @throws ProductError `billing_unavailable`
 */
export async function applyTrialExtension(stripe: Stripe, one: StripeSubscription): Promise<void> {
  const extensionSeconds = trialExtensionSecondsOf(one)
  if (extensionSeconds === 0) return
  // A schedule that is left has no change waiting any more: it would only end the period where it stands.
  const schedule = stripeIdOf(one.schedule)
  if (schedule !== null) await callStripe(stripe.subscriptionSchedules.release(schedule))
  const end = periodEnd(one) / 1000 + extensionSeconds
  const isCancelling = endsWithPeriod(one)
  const ending = one.cancel_at_period_end ? { cancel_at_period_end: true } : { cancel_at: end }
  await callStripe(
    stripe.subscriptions.update(
      one.id,
      {
        trial_end: end,
        proration_behavior: 'none',
        metadata: { [TRIAL_EXTENSION_KEY]: '' },
        ...(isCancelling ? ending : {}),
      },
      { idempotencyKey: `${one.id}:rest:${end}:${isCancelling}` },
    ),
  )
}
