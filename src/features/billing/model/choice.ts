import { addOnById, ADD_ON_IDS, PREMIUM_SYNC_IDS } from '../../../shared/add-ons'
import type { AddOnId } from '../../../shared/add-ons'
import { entryOf } from '../../../shared/catalogue'
import type { CatalogueEntry } from '../../../shared/catalogue'
import { featuresOf, takesAway } from '../../../shared/entitlements'
import type { AddOnQuantities } from '../../../shared/entitlements'
import type { PlanChoice } from '../../../shared/subscription'

/** A plan with its add-ons; `tier` names an older tier. */
export interface Chosen extends PlanChoice {
  tier: number | null
}

/** Quantities of a list in which each add-on is named once. */
export const quantitiesOf = (list: readonly { id: AddOnId; qty: number }[]): AddOnQuantities =>
  Object.fromEntries(list.map(({ id, qty }) => [id, qty]))

/** One line of what is paid for each period. */
export interface Line {
  entry: CatalogueEntry
  quantity: number
}

const line = (thing: string, { interval }: Chosen, quantity: number): Line[] => {
  const entry = entryOf(`${thing}_${interval}`)
  return entry && quantity > 0 ? [{ entry, quantity }] : []
}

/** The lines of the plan's subscription, in one order. */
export const planLines = (chosen: Chosen): Line[] => [
  ...line(chosen.tier === null ? chosen.planId : `older_${chosen.tier}`, chosen, 1),
  ...ADD_ON_IDS.flatMap((id) => line(id, chosen, chosen.addOns[id] ?? 0)),
]

/** The lines of the subscription beside an older tier. */
export const premiumLines = (chosen: Chosen): Line[] =>
  PREMIUM_SYNC_IDS.flatMap((id) => line(id, chosen, chosen.addOns[id] ?? 0))

const premiumOf = ({ addOns }: Chosen): AddOnId | null => PREMIUM_SYNC_IDS.find((id) => (addOns[id] ?? 0) > 0) ?? null

/** Where a change goes and when; each change is one subscription's, because each is charged in one currency. */
export type Way =
  | { when: 'none' }
  | { when: 'now' | 'periodEnd'; of: 'plan' | 'premium' }
  | { when: 'refused'; field: 'planId' | 'addOns'; why: string }

const NOT_SOLD = 'This older tier is not sold any more.'
const OTHER_CURRENCY =
  'The older tier is paid in another currency. Cancel it first: once it has ended, every plan can be bought.'
const ONE_BY_ONE = 'The older tier and Premium sync are paid in different currencies. Change one, then the other.'

/** What becomes of a change: at once when nothing is taken away, else when what is paid for has been used. */
export function wayOf(held: Chosen, wanted: Chosen): Way {
  if (held.planId !== 'legacy' && wanted.planId === 'legacy') return { when: 'refused', field: 'planId', why: NOT_SOLD }
  if (held.planId === 'legacy' && wanted.planId !== 'legacy')
    return { when: 'refused', field: 'planId', why: OTHER_CURRENCY }
  if (wanted.planId === 'legacy') return wayOfTier(held, wanted)
  const isSame = sameText(planLines(held)) === sameText(planLines(wanted))
  if (isSame) return { when: 'none' }
  const isLess = isShorter(held, wanted) || takesAway(features(held), features(wanted))
  return { when: isLess ? 'periodEnd' : 'now', of: 'plan' }
}

function wayOfTier(held: Chosen, wanted: Chosen): Way {
  const [from, to] = [premiumOf(held), premiumOf(wanted)]
  if (from !== to && held.interval !== wanted.interval) return { when: 'refused', field: 'addOns', why: ONE_BY_ONE }
  if (from !== to) return { when: sizeOf(to) > sizeOf(from) ? 'now' : 'periodEnd', of: 'premium' }
  if (held.interval === wanted.interval) return { when: 'none' }
  return { when: isShorter(held, wanted) ? 'periodEnd' : 'now', of: 'plan' }
}

const sizeOf = (id: AddOnId | null): number => (id === null ? 0 : (addOnById(id)?.prices.monthly.amount ?? 0))
const isShorter = (held: Chosen, wanted: Chosen): boolean => held.interval === 'yearly' && wanted.interval === 'monthly'
const features = (chosen: Chosen) => featuresOf({ ...chosen, override: null })
const sameText = (lines: Line[]): string =>
  JSON.stringify(lines.map(({ entry, quantity }) => [entry.lookupKey, quantity]))
