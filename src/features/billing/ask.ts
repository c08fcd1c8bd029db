import { customerIdsOf } from './customer'
import { classifySubscriptions } from './sorting'
import type { ClassifiedSubscriptions } from './sorting'
import type { StripeObjects } from './projection'
import type { BillingAccount } from './store'
import { callStripe, isResourceMissing } from './stripe'
import type { Stripe } from './stripe'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'

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
