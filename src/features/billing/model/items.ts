import type { Line } from './choice'
import { entryOf } from '../../../shared/catalogue'
import type { Amount } from '../../../shared/prices'

/** What is held of a subscription's items; `key` as in the catalogue. */
export interface HeldItem {
  id: string
  key: string | null
  priceId: string
  /** What one costs a period, in the currency's smallest unit. */
  minor: number
  quantity: number
}
/** An item as it will be: `priceId` is null where the price list says it. */
export interface NextItem extends Line {
  id: string | null
  priceId: string | null
  minor: number
}
export interface ItemChanges {
  next: NextItem[]
  /** Items that go. */
  gone: string[]
}

const productOf = (key: string | null): string | null => (key === null ? null : (entryOf(key)?.product ?? null))
const isPlan = (key: string | null): boolean => key !== null && entryOf(key)?.sold.kind === 'plan'

/**
 * How a subscription's items become these lines. Whoever keeps a thing keeps its price, though it may be sold at another
 * one since; a plan takes the place of a plan.
 */
export function itemChanges(held: readonly HeldItem[], lines: readonly Line[]): ItemChanges {
  const left = [...held]
  const take = (fits: (item: HeldItem) => boolean): HeldItem | null => {
    const at = left.findIndex(fits)
    return at < 0 ? null : (left.splice(at, 1)[0] ?? null)
  }
  const next = lines.map(({ entry, quantity }): NextItem => {
    const kept = take(({ key }) => key === entry.lookupKey)
    if (kept) return { entry, quantity, id: kept.id, priceId: kept.priceId, minor: kept.minor }
    const place =
      take(({ key }) => productOf(key) === entry.product) ??
      (isPlan(entry.lookupKey) ? take(({ key }) => isPlan(key)) : null)
    return { entry, quantity, id: place?.id ?? null, priceId: null, minor: entry.minor }
  })
  return { next, gone: left.filter(({ key }) => productOf(key) !== null).map(({ id }) => id) }
}

/** What these cost a period. They are of one currency. */
export const amountOf = (items: readonly { entry: Line['entry']; quantity: number; minor: number }[]): Amount => ({
  minor: items.reduce((sum, { minor, quantity }) => sum + minor * quantity, 0),
  currency: (items[0]?.entry.currency ?? 'EUR').toLowerCase(),
})

/** Lines at the price list's own prices. */
export const atListPrice = (lines: readonly Line[]) =>
  lines.map(({ entry, quantity }) => ({ entry, quantity, minor: entry.minor }))

/** A line in words: “3 × Extra data source”. */
export const lineText = ({ entry, quantity }: Line): string =>
  quantity === 1 ? entry.name : `${quantity} × ${entry.name}`
