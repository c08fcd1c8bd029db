import type { Viewing } from './view'
import { heldOf, itemParams, itemsOf, periodOf } from './held'
import type { Held } from './held'
import { planLines, premiumLines, quantitiesOf, wayOf } from './model/choice'
import type { Chosen, Line, Way } from './model/choice'
import { amountOf, atListPrice, itemChanges, lineText } from './model/items'
import { nextPeriod, paidFrom, trialRest } from './model/period'
import { trialRestOf } from './projection'
import { chargedLines } from './model/charged'
import { firstChoice, refuseCustom, saleOf } from './sale'
import { billingStore } from './store'
import type { BillingRow } from './store'
import { asking, stripeOf } from './stripe'
import type { Stripe } from './stripe'
import { freezesUnder } from '../../access/freezes'
import type { Deps } from '../../deps'
import { featuresOf } from '../../shared/entitlements'
import { ProductError } from '../../shared/errors'
import type { Checkout, ChangePreview, PlanChoice, PriceLine } from '../../shared/subscription'

type Costs = Omit<ChangePreview, 'freezes'>
const iso = (at: number): string => new Date(at).toISOString()

/**
 * What a choice costs and changes, before anybody confirms it: the same sums that are charged then.
 * @throws ProductError `not_enabled`, `in_use`, `invalid_input`, `billing_unavailable`
 */
export async function previewOf(deps: Deps, { scope }: Viewing, input: Checkout): Promise<ChangePreview> {
  const stripe = stripeOf(deps)
  const account = await billingStore(deps.db, scope).get()
  const { chosen, costs } =
    account.subscriptionId === null ? firstOf(deps, account, input) : await changeOf(deps, { stripe, account, input })
  const features = featuresOf({ ...chosen, override: account.override })
  return { ...costs, freezes: await freezesUnder(deps.db, scope, features) }
}

function firstOf({ clock }: Deps, account: BillingRow, input: Checkout): { chosen: Chosen; costs: Costs } {
  const chosen = firstChoice(account, input)
  return { chosen, costs: firstCosts(chosen, { account, method: input.method, now: clock.now() }) }
}

async function changeOf(
  deps: Deps,
  { stripe, account, input }: { stripe: Stripe; account: BillingRow; input: Checkout },
): Promise<{ chosen: Chosen; costs: Costs }> {
  refuseCustom(account)
  const held = await heldOf(stripe, account)
  const chosen = chosenOf(held, input)
  const change: Change = { stripe, held, chosen }
  const way = allowedWay(change)
  if (way.when !== 'now' || changedBy(change, way.of).subscription !== null)
    return { chosen, costs: await changeCosts(deps, change) }
  const now = deps.clock.now()
  const { lines } = saleOf(account, input, now)
  return { chosen, costs: firstOfPremium(chosen, { lines, now }) }
}

/** What is wanted of an account that pays already: an older tier stays the tier it is. */
export const chosenOf = ({ chosen }: Held, { planId, interval, addOns }: Omit<Checkout, 'method'>): Chosen => ({
  planId,
  interval,
  addOns: quantitiesOf(addOns),
  tier: planId === 'legacy' ? chosen.tier : null,
})

interface First extends Pick<Checkout, 'method'> {
  account: Pick<BillingRow, 'trialEndsAt'>
  now: number
}

/** A first payment is computed from the catalogue and what is left of the trial. */
function firstCosts(chosen: Chosen, { account, method, now }: First): Costs {
  const priced = atListPrice(planLines(chosen))
  const recurring = amountOf(priced)
  const rest = trialRest(account.trialEndsAt, now)
  const isFree = method === 'card' && rest !== null
  const lines = isFree ? [] : priced.map((line) => ({ text: lineText(line), amount: amountOf([line]) }))
  return {
    when: 'checkout',
    at: iso(now),
    dueNow: { ...recurring, minor: isFree ? 0 : recurring.minor },
    lines,
    recurring,
    recurringFrom: iso(isFree ? paidFrom(rest, now) : afterInvoice(chosen, { account, now })),
    prorationAt: null,
  }
}

/** The days left of the trial prolong a first period that is paid at once. */
const afterInvoice = ({ interval }: PlanChoice, { account, now }: Omit<First, 'method'>): number =>
  nextPeriod(now, interval) + Math.max(0, (account.trialEndsAt ?? now) - now)

/** A change of what is held. */
export interface Change {
  stripe: Stripe
  held: Held
  chosen: Chosen
}

/** Where a change goes. @throws ProductError `invalid_input` */
export function allowedWay({ held, chosen }: Change): Exclude<Way, { when: 'refused' }> {
  const way = wayOf(held.chosen, chosen)
  if (way.when === 'refused') throw new ProductError('invalid_input', { fields: { [way.field]: way.why } }, way.why)
  return way
}

/** The subscription that changes, null when it is yet to be made, and the lines it will have. */
export const changedBy = (
  { held, chosen }: Change,
  of: 'plan' | 'premium',
): { subscription: Stripe.Subscription | null; lines: Line[] } =>
  of === 'plan'
    ? { subscription: held.plan, lines: planLines(chosen) }
    : { subscription: held.premium, lines: premiumLines(chosen) }

async function changeCosts(deps: Deps, change: Change): Promise<Costs> {
  const way = allowedWay(change)
  const now = deps.clock.now()
  const { subscription, lines } = changedBy(change, way.when === 'none' ? 'plan' : way.of)
  const { next } = itemChanges(subscription ? itemsOf(subscription) : [], lines)
  const recurring = next.length === 0 ? nothingOf(subscription) : amountOf(next)
  const plain = { lines: [], recurring, dueNow: { ...recurring, minor: 0 }, prorationAt: null }
  if (subscription === null) return { ...plain, when: 'none', at: iso(now), recurringFrom: iso(now) }
  const end = iso(periodOf(subscription).end * 1000)
  if (way.when === 'none') return { ...plain, when: 'none', at: iso(now), recurringFrom: iso(paidUntil(subscription)) }
  if (way.when === 'periodEnd') return { ...plain, when: 'periodEnd', at: end, recurringFrom: end }
  // Nothing is settled before the first payment: the change works at once, and is first charged then.
  if (subscription.status === 'trialing')
    return { ...plain, when: 'now', at: iso(now), recurringFrom: iso(paidUntil(subscription)) }
  return { ...(await atOnce(change, { subscription, lines, now })), when: 'now', at: iso(now), recurring }
}

/** The end of the period with what is left of the trial (epoch ms): the next payment, while no smaller plan waits. */
const paidUntil = (subscription: Stripe.Subscription): number =>
  (periodOf(subscription).end + trialRestOf(subscription)) * 1000

const nothingOf = (subscription: Stripe.Subscription | null) => ({
  minor: 0,
  currency: subscription?.currency ?? 'eur',
})

/** Premium sync becomes a subscription of its own, paid for by itself from now on. */
function firstOfPremium(chosen: Chosen, { lines, now }: { lines: Line[]; now: number }): Costs {
  const priced = atListPrice(lines)
  const recurring = amountOf(priced)
  return {
    when: 'checkout',
    at: iso(now),
    dueNow: recurring,
    lines: priced.map((line) => ({ text: lineText(line), amount: amountOf([line]) })),
    recurring,
    recurringFrom: iso(nextPeriod(now, chosen.interval)),
    prorationAt: null,
  }
}

interface Moment {
  subscription: Stripe.Subscription
  lines: Line[]
  now: number
}

/** Asks Stripe what it would charge for the change at this second. */
async function atOnce(
  { stripe }: Change,
  { subscription, lines, now }: Moment,
): Promise<Pick<Costs, 'dueNow' | 'lines' | 'recurringFrom' | 'prorationAt'>> {
  const prorationAt = Math.max(Math.floor(now / 1000), periodOf(subscription).start)
  const invoice = await asking(
    stripe.invoices.createPreview({
      subscription: subscription.id,
      subscription_details: {
        items: await itemParams(stripe, itemChanges(itemsOf(subscription), lines)),
        proration_behavior: 'always_invoice',
        proration_date: prorationAt,
      },
    }),
  )
  const dueNow = { minor: invoice.amount_due, currency: invoice.currency }
  const charged: PriceLine[] = chargedLines(
    invoice.lines.data.map(({ description, amount }) => ({ text: description ?? 'Change of the plan', minor: amount })),
    invoice,
  )
  const periods = invoice.lines.data.filter(({ amount }) => amount >= 0).map(({ period }) => period.end)
  const until = Math.max(periodOf(subscription).end, ...periods) + trialRestOf(subscription)
  return { dueNow, lines: charged, recurringFrom: iso(until * 1000), prorationAt: prorationAt * 1000 }
}
