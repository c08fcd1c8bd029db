import { customersOf } from './customer'
import { sortOut } from './sorting'
import type { Sorted } from './sorting'
import type { Answer } from './projection'
import type { BillingRow } from './store'
import { asking, isMissing } from './stripe'
import type { Stripe } from './stripe'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'

/** As many as Stripe gives at once: more subscriptions or open invoices than these nobody has. */
const ALL = 100

/** What Stripe says of a workspace's customers now, and which of the subscriptions is what. */
export interface Asked {
  answer: Answer
  sorted: Sorted
}

/**
 * Asks Stripe for everything that a row is made of: two calls for each customer at once, and one more while a change is
 * scheduled.
 * @throws ProductError `billing_unavailable`
 */
export async function askFor(
  stripe: Stripe,
  account: Pick<BillingRow, 'customerId' | 'premiumCustomerId'>,
): Promise<Asked> {
  const told = await asking(
    Promise.all(
      customersOf(account).map((customer) =>
        Promise.all([
          stripe.subscriptions.list({ customer, status: 'all', limit: ALL }),
          stripe.invoices.list({ customer, status: 'open', limit: ALL }),
        ]),
      ),
    ),
  )
  const subscriptions = told.flatMap(([{ data }]) => data)
  const invoices = told.flatMap(([, { data }]) => data)
  const sorted = sortOut(subscriptions)
  const scheduleId = idOf(sorted.main?.schedule ?? sorted.premium?.schedule ?? null)
  const schedule =
    scheduleId === null
      ? null
      : await asking(stripe.subscriptionSchedules.retrieve(scheduleId, { expand: ['phases.items.price'] }))
  return { answer: { subscriptions, invoices, schedule }, sorted }
}

export const idOf = (named: string | { id: string } | null): string | null =>
  typeof named === 'string' ? named : (named?.id ?? null)

/**
 * Whether Stripe answered that it knows no such customer: the key is another account's. That is the operator's mistake, and
 * takes nothing from anybody.
 */
export const isOtherAccount = (error: unknown): boolean =>
  error instanceof ProductError && (error.cause instanceof OtherAccount || isMissing(error.cause))
class OtherAccount extends Error {}

/**
 * Stripe forgets no subscription: an answer without one that we know is that of another account.
 * @throws ProductError `billing_unavailable`
 */
export function expectKnown({ answer }: Asked, subscriptionId: string | null): void {
  if (subscriptionId === null || answer.subscriptions.some(({ id }) => id === subscriptionId)) return
  const cause = new OtherAccount(`Stripe does not know ${subscriptionId}`)
  throw new ProductError('billing_unavailable', {}, undefined, { cause })
}

/** Tells the operator of what only they can put right. */
export function reportTrouble(deps: Deps, workspaceId: string, trouble: string): void {
  deps.reporter.report(new Error(`${trouble} (${workspaceId})`), { route: 'billing' })
}
