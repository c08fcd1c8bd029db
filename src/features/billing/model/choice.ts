import { addOnById, ADD_ON_IDS, PREMIUM_SYNC_IDS } from '../../../shared/add-ons'
import type { AddOnId } from '../../../shared/add-ons'
import { cataloguePriceOf } from '../../../shared/catalogue'
import type { CataloguePrice } from '../../../shared/catalogue'
import { featuresOf, isDowngrade } from '../../../shared/entitlements'
import type { AddOnQuantities } from '../../../shared/entitlements'
import type { PlanChoice } from '../../../shared/subscription'

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
export const planLines = (selectedPlan: SelectedPlan): PlanLine[] => [
  ...planLine(selectedPlan.tier === null ? selectedPlan.planId : `older_${selectedPlan.tier}`, selectedPlan, 1),
  ...ADD_ON_IDS.flatMap((id) => planLine(id, selectedPlan, selectedPlan.addOns[id] ?? 0)),
]

/** The lines of the subscription beside an older tier. */
export const premiumLines = (selectedPlan: SelectedPlan): PlanLine[] =>
  PREMIUM_SYNC_IDS.flatMap((id) => planLine(id, selectedPlan, selectedPlan.addOns[id] ?? 0))

const premiumSyncOf = ({ addOns }: SelectedPlan): AddOnId | null =>
  PREMIUM_SYNC_IDS.find((id) => (addOns[id] ?? 0) > 0) ?? null

/** Where a change goes and when; each change is one subscription's, because each is charged in one currency. */
export type ChangeTiming =
  | { when: 'none' }
  | { when: 'now' | 'periodEnd'; of: 'plan' | 'premium' }
  | { when: 'refused'; field: 'planId' | 'addOns'; why: string }

const NOT_SOLD = 'This older tier is not sold any more.'
const OTHER_CURRENCY =
  'The older tier is paid in another currency. Cancel it first: once it has ended, every plan can be bought.'
const ONE_CHANGE_AT_A_TIME =
  'The older tier and Premium sync are paid in different currencies. Change one, then the other.'

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
const planFeaturesOf = (selectedPlan: SelectedPlan) => featuresOf({ ...selectedPlan, override: null })
const fingerprint = (lines: PlanLine[]): string =>
  JSON.stringify(lines.map(({ entry, quantity }) => [entry.lookupKey, quantity]))
