import { addOnById, ADD_ON_IDS, PREMIUM_SYNC_IDS, type AddOnId } from '../../../shared/billing/plans'
import { cataloguePriceOf, type CataloguePrice } from '../../../shared/billing/price-catalogue'
import { featuresOf, isDowngrade, type AddOnQuantities } from '../../../shared/billing/entitlements'
import type { PlanChoice, PriceLine } from '../../../shared/billing/subscription'
import type { MoneyAmount } from '../../../shared/billing/prices'

/** A plan with its add-ons; `tier` names an older tier. */
export interface SelectedPlan extends PlanChoice {
  tier: number | null
}

/** Quantities of a list in which each add-on is named once. */
export const toQuantities = (list: readonly { id: AddOnId; qty: number }[]): AddOnQuantities =>
  Object.fromEntries(list.map(({ id, qty }) => [id, qty]))

/** One line of what is paid for each period. */
export interface PlanLine {
  entry: CataloguePrice
  quantity: number
}

const planLine = (product: string, { interval }: SelectedPlan, quantity: number): PlanLine[] => {
  const entry = cataloguePriceOf(`${product}_${interval}`)
  return entry && quantity > 0 ? [{ entry, quantity }] : []
}

/** The lines of the plan's subscription, in one order. */
export const planLines = (plan: SelectedPlan): PlanLine[] => [
  ...planLine(plan.tier === null ? plan.planId : `older_${plan.tier}`, plan, 1),
  ...ADD_ON_IDS.flatMap((id) => planLine(id, plan, plan.addOns[id] ?? 0)),
]

/** The lines of the subscription beside an older tier. */
export const premiumLines = (plan: SelectedPlan): PlanLine[] =>
  PREMIUM_SYNC_IDS.flatMap((id) => planLine(id, plan, plan.addOns[id] ?? 0))

const premiumSyncOf = ({ addOns }: SelectedPlan): AddOnId | null =>
  PREMIUM_SYNC_IDS.find((id) => (addOns[id] ?? 0) > 0) ?? null

/** Where a change goes and when; each change is one subscription's, because each is charged in one currency. */
export type ChangeTiming =
  | { when: 'none' }
  | { when: 'now' | 'periodEnd'; of: 'plan' | 'premium' }
  | { when: 'refused'; field: 'planId' | 'addOns'; why: string }

const NOT_SOLD = 'This older tier is no longer sold.'
const OTHER_CURRENCY = 'The older tier uses another currency. Cancel it first.'
const ONE_CHANGE_AT_A_TIME = 'The older tier and Premium sync use different currencies. Change one at a time.'

/** What becomes of a change: at once when nothing is taken away, else when what is paid for has been used. */
export function resolveChangeTiming(current: SelectedPlan, requested: SelectedPlan): ChangeTiming {
  if (current.planId !== 'legacy' && requested.planId === 'legacy')
    return { when: 'refused', field: 'planId', why: NOT_SOLD }
  if (current.planId === 'legacy' && requested.planId !== 'legacy')
    return { when: 'refused', field: 'planId', why: OTHER_CURRENCY }
  if (requested.planId === 'legacy') return resolveLegacyTiming(current, requested)
  const isSame = fingerprint(planLines(current)) === fingerprint(planLines(requested))
  if (isSame) return { when: 'none' }
  const isReduction =
    isShorterInterval(current, requested) || isDowngrade(planFeaturesOf(current), planFeaturesOf(requested))
  return { when: isReduction ? 'periodEnd' : 'now', of: 'plan' }
}

function resolveLegacyTiming(currentTier: SelectedPlan, requestedTier: SelectedPlan): ChangeTiming {
  const [from, to] = [premiumSyncOf(currentTier), premiumSyncOf(requestedTier)]
  if (from !== to && currentTier.interval !== requestedTier.interval)
    return { when: 'refused', field: 'addOns', why: ONE_CHANGE_AT_A_TIME }
  if (from !== to) return { when: monthlyPriceOf(to) > monthlyPriceOf(from) ? 'now' : 'periodEnd', of: 'premium' }
  if (currentTier.interval === requestedTier.interval) return { when: 'none' }
  return { when: isShorterInterval(currentTier, requestedTier) ? 'periodEnd' : 'now', of: 'plan' }
}

const monthlyPriceOf = (id: AddOnId | null): number => (id === null ? 0 : (addOnById(id)?.prices.monthly.amount ?? 0))
const isShorterInterval = (before: SelectedPlan, after: SelectedPlan): boolean =>
  before.interval === 'yearly' && after.interval === 'monthly'
const planFeaturesOf = (plan: SelectedPlan) => featuresOf({ ...plan, override: null })
const fingerprint = (lines: PlanLine[]): string =>
  JSON.stringify(lines.map(({ entry, quantity }) => [entry.lookupKey, quantity]))

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

/** An invoice as it will be charged; amounts are integers of the currency's smallest unit. */
export interface InvoiceTotals {
  total: number
  /** After what the customer has in credit; never less than nothing. */
  amount_due: number
  currency: string
}

/** What Stripe adds to the name of a line: the price of one, in a notation of its own. */
const UNIT_PRICE = / \((?:at|à) [^()]*\/[^()]*\)/g

/** A line of an invoice in words, without amounts: those stand beside it, in the reader's notation. */
export const invoiceLineText = (description: string | null): string =>
  (description ?? '').replaceAll(UNIT_PRICE, '').replace(/^1 × /, '')

/** The lines of an invoice, complete: their sum is what is charged. */
export function toPriceLines(
  lines: readonly { text: string; minor: number }[],
  { total, amount_due: due, currency }: InvoiceTotals,
): PriceLine[] {
  const listed = lines.reduce((sum, { minor }) => sum + minor, 0)
  const rest = [
    { text: 'Other lines', minor: total - listed },
    { text: due > total ? 'Added to credit' : 'Credit applied', minor: due - total },
  ].filter(({ minor }) => minor !== 0)
  return [...lines, ...rest].map(({ text, minor }) => ({ text, amount: { minor, currency } }))
}
