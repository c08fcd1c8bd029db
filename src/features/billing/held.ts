import { customersOf } from './customer'
import type { Chosen, Line } from './model/choice'
import type { HeldItem, ItemChanges, NextItem } from './model/items'
import { keyOf, priceIdsOf } from './price-list'
import { addOnsOf, boughtBy, planOf, sortOut } from './sorting'
import type { BillingRow } from './store'
import { asking } from './stripe'
import type { Stripe } from './stripe'
import { ProductError } from '../../shared/errors'

/** What a workspace has bought, as Stripe says it now. */
export interface Held {
  chosen: Chosen
  plan: Stripe.Subscription
  premium: Stripe.Subscription | null
}
const ALL = 100

/** Null = nothing is in force. @throws ProductError `billing_unavailable` */
export async function heldBy(
  stripe: Stripe,
  account: Pick<BillingRow, 'customerId' | 'premiumCustomerId'>,
): Promise<Held | null> {
  const lists = await asking(
    Promise.all(
      customersOf(account).map((customer) => stripe.subscriptions.list({ customer, status: 'all', limit: ALL })),
    ),
  )
  const data = lists.flatMap((list) => list.data)
  const { main, premium } = sortOut(data)
  const plan = data.find(({ id }) => id === main?.id)
  const held = plan && planOf(plan.items.data)
  if (!held) return null
  const { planId, tier, interval } = held
  const beside = data.find(({ id }) => id === premium?.id) ?? null
  const addOns = { ...held.addOns, ...(beside && addOnsOf(boughtBy(beside.items.data))) }
  return { chosen: { planId, tier, interval, addOns }, plan, premium: beside }
}

/** @throws ProductError `not_found` where nothing has been bought */
export async function heldOf(stripe: Stripe, account: BillingRow): Promise<Held> {
  const held = await heldBy(stripe, account)
  if (held) return held
  throw new ProductError('not_found', {}, 'Nothing has been bought here. Choose a plan and pay for it first.')
}

export const itemsOf = ({ items }: Stripe.Subscription): HeldItem[] =>
  items.data.map(({ id, price, quantity = 1 }) => ({
    ...{ id, key: keyOf(price), priceId: price.id, minor: price.unit_amount ?? 0, quantity },
  }))

/** Epoch seconds. */
export const periodOf = ({ items }: Stripe.Subscription): { start: number; end: number } => ({
  start: Math.max(...items.data.map((item) => item.current_period_start)),
  end: Math.max(...items.data.map((item) => item.current_period_end)),
})

export interface Priced {
  price: string
  quantity: number
}

/** These lines with the account's price ids. @throws ProductError `billing_unavailable` */
export async function pricedLines(stripe: Stripe, lines: readonly Line[]): Promise<Priced[]> {
  const ids = await asking(
    priceIdsOf(
      stripe,
      lines.map(({ entry }) => entry.lookupKey),
    ),
  )
  return lines.map(({ entry, quantity }) => ({ price: ids.get(entry.lookupKey) ?? '', quantity }))
}

/** Items as they will be, with the price ids of those that are new. */
export async function pricedItems(
  stripe: Stripe,
  items: readonly NextItem[],
): Promise<(Priced & { id: string | null })[]> {
  const ofList = items.filter(({ priceId }) => priceId === null)
  const priced = ofList.length === 0 ? [] : await pricedLines(stripe, ofList)
  const ids = new Map(ofList.map((item, at) => [item, priced[at]?.price]))
  return items.map((item) => ({ id: item.id, price: item.priceId ?? ids.get(item) ?? '', quantity: item.quantity }))
}

/** A change of a subscription's items as Stripe takes it. */
export async function itemParams(stripe: Stripe, { next, gone }: ItemChanges) {
  const items = await pricedItems(stripe, next)
  return [
    ...items.map(({ id, price, quantity }) => ({ ...(id === null ? {} : { id }), price, quantity })),
    ...gone.map((id) => ({ id, deleted: true })),
  ]
}
