import { customerIdsOf } from './customer'
import type { SelectedPlan, PlanLine, SubscriptionItem, ItemChanges, NextItem } from './model/plan-change'
import { catalogueKeyOf, priceIdsOf } from './price-list'
import { countAddOns, purchasedItems, findPlan, classifySubscriptions } from './projection'
import { callStripe } from './stripe'
import type { Stripe } from './stripe'
import { ProductError } from '../../shared/errors'
import type { BillingAccount } from './billing-account'

/** What a workspace has bought, as Stripe says it now. */
export interface CurrentSubscriptions {
  selection: SelectedPlan
  plan: Stripe.Subscription
  premium: Stripe.Subscription | null
}
const LIST_LIMIT = 100

/** Null = nothing is in force. @throws ProductError `billing_unavailable` */
export async function findCurrentSubscriptions(
  stripe: Stripe,
  account: Pick<BillingAccount, 'customerId' | 'premiumCustomerId'>,
): Promise<CurrentSubscriptions | null> {
  const lists = await callStripe(
    Promise.all(
      customerIdsOf(account).map((customer) =>
        stripe.subscriptions.list({ customer, status: 'all', limit: LIST_LIMIT }),
      ),
    ),
  )
  const data = lists.flatMap((list) => list.data)
  const { main, premium } = classifySubscriptions(data)
  const plan = data.find(({ id }) => id === main?.id)
  const held = plan && findPlan(plan.items.data)
  if (!held) return null
  const { planId, tier, interval } = held
  const premiumSubscription = data.find(({ id }) => id === premium?.id) ?? null
  const addOns = {
    ...held.addOns,
    ...(premiumSubscription && countAddOns(purchasedItems(premiumSubscription.items.data))),
  }
  return { selection: { planId, tier, interval, addOns }, plan, premium: premiumSubscription }
}

/** @throws ProductError `not_found` where nothing has been bought */
export async function requireCurrentSubscriptions(
  stripe: Stripe,
  account: BillingAccount,
): Promise<CurrentSubscriptions> {
  const held = await findCurrentSubscriptions(stripe, account)
  if (held) return held
  throw new ProductError('not_found', {}, 'Nothing has been bought here. Choose a plan and pay for it first.')
}

export const subscriptionItemsOf = ({ items }: Stripe.Subscription): SubscriptionItem[] =>
  items.data.map(({ id, price, quantity = 1 }) => ({
    id,
    key: catalogueKeyOf(price),
    priceId: price.id,
    minor: price.unit_amount ?? 0,
    quantity,
  }))

/** Epoch seconds. */
export const currentPeriodOf = ({ items }: Stripe.Subscription): { start: number; end: number } => ({
  start: Math.max(...items.data.map((item) => item.current_period_start)),
  end: Math.max(...items.data.map((item) => item.current_period_end)),
})

export interface StripePriceItem {
  price: string
  quantity: number
}

/** These lines with the account's price ids. @throws ProductError `billing_unavailable` */
export async function priceLines(stripe: Stripe, lines: readonly PlanLine[]): Promise<StripePriceItem[]> {
  const ids = await callStripe(
    priceIdsOf(
      stripe,
      lines.map(({ entry }) => entry.lookupKey),
    ),
  )
  return lines.map(({ entry, quantity }) => ({ price: ids.get(entry.lookupKey) ?? '', quantity }))
}

/** Items as they will be, with the price ids of those that are new. */
export async function priceItems(
  stripe: Stripe,
  items: readonly NextItem[],
): Promise<(StripePriceItem & { id: string | null })[]> {
  const listPriced = items.filter(({ priceId }) => priceId === null)
  const priced = listPriced.length === 0 ? [] : await priceLines(stripe, listPriced)
  const ids = new Map(listPriced.map((item, at) => [item, priced[at]?.price]))
  return items.map((item) => ({ id: item.id, price: item.priceId ?? ids.get(item) ?? '', quantity: item.quantity }))
}

/** A change of a subscription's items as Stripe takes it. */
export async function itemParams(stripe: Stripe, { next, removedItemIds }: ItemChanges) {
  const items = await priceItems(stripe, next)
  return [
    ...items.map(({ id, price, quantity }) => ({ ...(id === null ? {} : { id }), price, quantity })),
    ...removedItemIds.map((id) => ({ id, deleted: true })),
  ]
}
