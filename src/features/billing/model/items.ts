import type { PlanLine } from './choice'
import { cataloguePriceOf } from '../../../shared/catalogue'
import type { MoneyAmount } from '../../../shared/prices'

/** What is held of a subscription's items; `key` as in the catalogue. */
export interface SubscriptionItem {
  id: string
  key: string | null
  priceId: string
  /** What one costs a period, in the currency's smallest unit. */
  minor: number
  quantity: number
}
/** An item as it will be: `priceId` is null where the price list says it. */
export interface NextItem extends PlanLine {
  id: string | null
  priceId: string | null
  minor: number
}
export interface ItemChanges {
  next: NextItem[]
  /** Items that go. */
  removedItemIds: string[]
}

const productOf = (key: string | null): string | null =>
  key === null ? null : (cataloguePriceOf(key)?.product ?? null)
const isPlan = (key: string | null): boolean => key !== null && cataloguePriceOf(key)?.sold.kind === 'plan'

/**
 * How a subscription's items become these lines. Whoever keeps a thing keeps its price, though it may be sold at another
 * one since; a plan takes the place of a plan.
 */
export function diffItems(current: readonly SubscriptionItem[], lines: readonly PlanLine[]): ItemChanges {
  const remaining = [...current]
  const take = (matches: (item: SubscriptionItem) => boolean): SubscriptionItem | null => {
    const at = remaining.findIndex(matches)
    return at < 0 ? null : (remaining.splice(at, 1)[0] ?? null)
  }
  const next = lines.map(({ entry, quantity }): NextItem => {
    const unchanged = take(({ key }) => key === entry.lookupKey)
    if (unchanged) return { entry, quantity, id: unchanged.id, priceId: unchanged.priceId, minor: unchanged.minor }
    const replaced =
      take(({ key }) => productOf(key) === entry.product) ??
      (isPlan(entry.lookupKey) ? take(({ key }) => isPlan(key)) : null)
    return { entry, quantity, id: replaced?.id ?? null, priceId: null, minor: entry.minor }
  })
  return { next, removedItemIds: remaining.filter(({ key }) => productOf(key) !== null).map(({ id }) => id) }
}

/** What these cost a period. They are of one currency. */
export const totalAmountOf = (
  items: readonly { entry: PlanLine['entry']; quantity: number; minor: number }[],
): MoneyAmount => ({
  minor: items.reduce((sum, { minor, quantity }) => sum + minor * quantity, 0),
  currency: (items[0]?.entry.currency ?? 'EUR').toLowerCase(),
})

/** Lines at the price list's own prices. */
export const atListPrice = (lines: readonly PlanLine[]) =>
  lines.map(({ entry, quantity }) => ({ entry, quantity, minor: entry.minor }))

/** A line in words: “3 × Extra data source”. */
export const describeLine = ({ entry, quantity }: PlanLine): string =>
  quantity === 1 ? entry.name : `${quantity} × ${entry.name}`
