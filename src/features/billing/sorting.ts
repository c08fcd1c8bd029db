import { catalogueKeyOf } from './price-list'
import type { Stripe } from './stripe'
import { cataloguePriceOf } from '../../shared/catalogue'
import type { CataloguePrice } from '../../shared/catalogue'
import type { AddOnQuantities } from '../../shared/entitlements'
import type { PlanId } from '../../shared/plans'
import type { BillingInterval } from '../../shared/prices'

type PriceRef = Pick<Stripe.Price, 'lookup_key' | 'metadata'>
/** What is read of a subscription at Stripe. */
export type StripeSubscription = Pick<
  Stripe.Subscription,
  'id' | 'status' | 'created' | 'cancel_at' | 'cancel_at_period_end' | 'collection_method' | 'metadata'
> & {
  schedule: string | { id: string } | null
  items: {
    data: (Pick<Stripe.SubscriptionItem, 'current_period_start' | 'current_period_end'> & {
      price: PriceRef
      quantity?: number
    })[]
  }
}
/** What is read of an open invoice. */
export type StripeInvoice = Pick<Stripe.Invoice, 'collection_method' | 'due_date' | 'attempted' | 'created'> & {
  status_transitions: { finalized_at: number | null }
  parent: { subscription_details: { subscription: string | { id: string } } | null } | null
}

interface PurchasedItem {
  entry: CataloguePrice
  quantity: number
}
/** What these items are of our catalogue; others are none of ours. */
export const purchasedItems = (items: readonly { price: PriceRef; quantity?: number }[]): PurchasedItem[] =>
  items.flatMap(({ price, quantity = 1 }) => {
    const key = catalogueKeyOf(price)
    const entry = key === null ? undefined : cataloguePriceOf(key)
    return entry ? [{ entry, quantity }] : []
  })

export interface PurchasedPlan {
  planId: PlanId
  tier: number | null
  interval: BillingInterval
  addOns: AddOnQuantities
}

export function countAddOns(bought: readonly PurchasedItem[]): AddOnQuantities {
  const addOns: AddOnQuantities = {}
  for (const { entry, quantity } of bought)
    if (entry.sold.kind === 'addOn' && quantity > 0)
      addOns[entry.sold.addOnId] = (addOns[entry.sold.addOnId] ?? 0) + quantity
  return addOns
}

/** The plan among these items with its add-ons; null without one. */
export function findPlan(items: readonly { price: PriceRef; quantity?: number }[]): PurchasedPlan | null {
  const bought = purchasedItems(items)
  for (const { entry } of bought)
    if (entry.sold.kind === 'plan')
      return {
        planId: entry.sold.planId,
        tier: entry.sold.tier,
        interval: entry.interval,
        addOns: countAddOns(bought),
      }
  return null
}

/** Statuses of subscriptions that are in force. What was never paid for (`incomplete`) or has ended is not. */
const ACTIVE_STATUSES = new Set(['active', 'trialing', 'past_due', 'unpaid', 'paused'])
/** Statuses in which nothing works any more, though Stripe keeps the subscription. */
const STOPPED_STATUSES = new Set(['unpaid', 'paused'])
export const isStopped = ({ status }: Pick<StripeSubscription, 'status'>): boolean => STOPPED_STATUSES.has(status)

/** Of two that are paid for at once, the same is kept by whoever looks: one that works, then the one bought first. */
const byPrecedence = (a: StripeSubscription, b: StripeSubscription): number =>
  Number(isStopped(a)) - Number(isStopped(b)) || a.created - b.created || (a.id < b.id ? -1 : 1)

export interface ClassifiedSubscriptions {
  /** The subscription of the plan. */
  main: StripeSubscription | null
  /** Premium sync beside an older tier. */
  premium: StripeSubscription | null
  /** In force beside those: paid for twice. */
  duplicates: StripeSubscription[]
  /** Whether a plan was in force and has ended. */
  hadPlan: boolean
}

/** Which of a customer's subscriptions is what. Those that sell nothing of our catalogue are left out. */
export function classifySubscriptions(subscriptions: readonly StripeSubscription[]): ClassifiedSubscriptions {
  const live = subscriptions.filter(({ status }) => ACTIVE_STATUSES.has(status)).toSorted(byPrecedence)
  const hasPlan = ({ items }: StripeSubscription): boolean => findPlan(items.data) !== null
  const [main = null, ...moreMain] = live.filter(hasPlan)
  const [premium = null, ...morePremium] = live.filter(
    (one) => !hasPlan(one) && purchasedItems(one.items.data).length > 0,
  )
  const hadPlan = subscriptions.some((one) => one.status === 'canceled' && hasPlan(one))
  return { main, premium, duplicates: [...moreMain, ...morePremium], hadPlan }
}
