import { customerIdsOf } from './customer'
import {
  classifySubscriptions,
  CANCEL_KEY,
  endsWithPeriod,
  periodEnd,
  TRIAL_EXTENSION_KEY,
  trialExtensionSecondsOf,
} from './projection'
import type { ClassifiedSubscriptions, StripeObjects, StripeSubscription } from './projection'
import { callStripe, isResourceMissing } from './stripe'
import type { Stripe } from './stripe'
import type { Deps } from '../../deps'
import { DAY_MS } from '../../shared/dates'
import { ProductError } from '../../shared/errors'
import type { BillingAccount, SubscriptionProjection, CancelReason } from './billing-account'

/** As many as Stripe gives at once: more subscriptions or open invoices than these nobody has. */
const LIST_LIMIT = 100

/** What Stripe says of a workspace's customers now, and which of the subscriptions is what. */
export interface StripeSnapshot {
  objects: StripeObjects
  classified: ClassifiedSubscriptions
}

/**
 * Asks Stripe for everything that a row is made of: two calls for each customer at once, and one more while a change is
 * scheduled.
 * @throws ProductError `billing_unavailable`
 */
export async function fetchStripeSnapshot(
  stripe: Stripe,
  account: Pick<BillingAccount, 'customerId' | 'premiumCustomerId'>,
): Promise<StripeSnapshot> {
  const responses = await callStripe(
    Promise.all(
      customerIdsOf(account).map((customer) =>
        Promise.all([
          stripe.subscriptions.list({ customer, status: 'all', limit: LIST_LIMIT }),
          stripe.invoices.list({ customer, status: 'open', limit: LIST_LIMIT }),
        ]),
      ),
    ),
  )
  const subscriptions = responses.flatMap(([{ data }]) => data)
  const invoices = responses.flatMap(([, { data }]) => data)
  const classified = classifySubscriptions(subscriptions)
  const scheduleId = stripeIdOf(classified.main?.schedule ?? classified.premium?.schedule ?? null)
  const schedule =
    scheduleId === null
      ? null
      : await callStripe(stripe.subscriptionSchedules.retrieve(scheduleId, { expand: ['phases.items.price'] }))
  return { objects: { subscriptions, invoices, schedule }, classified }
}

export const stripeIdOf = (named: string | { id: string } | null): string | null =>
  typeof named === 'string' ? named : (named?.id ?? null)

/**
 * Whether Stripe answered that it knows no such customer: the key is another account's. That is the operator's mistake, and
 * takes nothing from anybody.
 */
export const isForeignStripeAccount = (error: unknown): boolean =>
  error instanceof ProductError && (error.cause instanceof ForeignStripeAccountError || isResourceMissing(error.cause))
class ForeignStripeAccountError extends Error {}

/**
 * Stripe forgets no subscription: an answer without one that we know is that of another account.
 * @throws ProductError `billing_unavailable`
 */
export function assertKnownSubscription({ objects }: StripeSnapshot, subscriptionId: string | null): void {
  if (subscriptionId === null || objects.subscriptions.some(({ id }) => id === subscriptionId)) return
  const cause = new ForeignStripeAccountError(`Stripe does not know ${subscriptionId}`)
  throw new ProductError('billing_unavailable', {}, undefined, { cause })
}

/** Tells the operator of what only they can put right. */
export function reportToOperator(deps: Deps, workspaceId: string, problem: string): void {
  deps.reporter.report(new Error(`${problem} (${workspaceId})`), { route: 'billing' })
}

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

/**
 * How long before the end of a period the rest of our trial is told to Stripe: late, because from then on Stripe takes the
 * period for a trial, in which a larger plan costs nothing; early enough for a few days on which nobody answers.
 */
export const TRIAL_EXTENSION_LEAD_MS = 3 * DAY_MS

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
