import { requireCurrentSubscriptions, itemParams, subscriptionItemsOf, currentPeriodOf } from './current-subscriptions'
import type { CurrentSubscriptions } from './current-subscriptions'
import {
  planLines,
  premiumLines,
  toQuantities,
  resolveChangeTiming,
  totalAmountOf,
  atListPrice,
  diffItems,
  describeLine,
  toPriceLines,
  invoiceLineText,
} from './model/plan-change'
import type { SelectedPlan, PlanLine, ChangeTiming } from './model/plan-change'
import { addPeriod, firstChargeAt, remainingTrial } from './model/billing-period'
import { trialExtensionSecondsOf } from './projection'
import { resolveFirstPurchase, assertNoCustomPlan, resolvePurchase } from './purchase'
import { getAccount } from './store'
import { callStripe, stripeClient } from './stripe'
import type { Stripe } from './stripe'
import { readOverLimitSummary } from '../../entitlements/limits'
import type { Deps, ReadContext } from '../../deps'
import { toIso } from '../../lib/iso'
import { featuresOf } from '../../shared/billing/entitlements'
import { ProductError } from '../../shared/errors'
import type { Checkout, ChangePreview, PlanChoice, PriceLine } from '../../shared/billing/subscription'
import type { BillingAccount } from './billing-account'

type ChangeCosts = Omit<ChangePreview, 'freezes'>

/**
 * What a choice costs and changes, before anybody confirms it: the same sums that are charged then.
 * @throws ProductError `not_enabled`, `in_use`, `invalid_input`, `billing_unavailable`
 */
export async function previewChange({ deps, scope }: ReadContext, input: Checkout): Promise<ChangePreview> {
  const stripe = stripeClient(deps)
  const account = await getAccount(deps.db, scope)
  const { chosen, costs } =
    account.subscriptionId === null
      ? previewFirstPurchase(deps, account, input)
      : await previewPlanChange(deps, { stripe, account, input })
  const features = featuresOf({ ...chosen, override: account.override })
  return { ...costs, freezes: await readOverLimitSummary(deps.db, scope, features) }
}

function previewFirstPurchase(
  { clock }: Deps,
  account: BillingAccount,
  input: Checkout,
): { chosen: SelectedPlan; costs: ChangeCosts } {
  const chosen = resolveFirstPurchase(account, input)
  return { chosen, costs: firstPurchaseCosts(chosen, { account, method: input.method, now: clock.now() }) }
}

async function previewPlanChange(
  deps: Deps,
  { stripe, account, input }: { stripe: Stripe; account: BillingAccount; input: Checkout },
): Promise<{ chosen: SelectedPlan; costs: ChangeCosts }> {
  assertNoCustomPlan(account)
  const current = await requireCurrentSubscriptions(stripe, account)
  const selection = selectedPlanFor(current, input)
  const planChange: PlanChange = { stripe, current, selection }
  const way = requireAllowedTiming(planChange)
  if (way.when !== 'now' || changedSubscription(planChange, way.of).subscription !== null)
    return { chosen: selection, costs: await planChangeCosts(deps, planChange) }
  const now = deps.clock.now()
  const { lines } = resolvePurchase(account, input, now)
  return { chosen: selection, costs: premiumPurchaseCosts(selection, { lines, now }) }
}

/** What is wanted of an account that pays already: an older tier stays the tier it is. */
export const selectedPlanFor = (
  { selection }: CurrentSubscriptions,
  { planId, interval, addOns }: Omit<Checkout, 'method'>,
): SelectedPlan => ({
  planId,
  interval,
  addOns: toQuantities(addOns),
  tier: planId === 'legacy' ? selection.tier : null,
})

interface FirstPurchase extends Pick<Checkout, 'method'> {
  account: Pick<BillingAccount, 'trialEndsAt'>
  now: number
}

/** A first payment is computed from the catalogue and what is left of the trial. */
function firstPurchaseCosts(plan: SelectedPlan, { account, method, now }: FirstPurchase): ChangeCosts {
  const priced = atListPrice(planLines(plan))
  const recurring = totalAmountOf(priced)
  const remaining = remainingTrial(account.trialEndsAt, now)
  const isFree = method === 'card' && remaining !== null
  const lines = isFree ? [] : priced.map((line) => ({ text: describeLine(line), amount: totalAmountOf([line]) }))
  return {
    when: 'checkout',
    at: toIso(now),
    dueNow: { ...recurring, minor: isFree ? 0 : recurring.minor },
    lines,
    recurring,
    recurringFrom: toIso(isFree ? firstChargeAt(remaining, now) : firstRenewalAfterInvoice(plan, { account, now })),
    prorationAt: null,
  }
}

/** The days left of the trial prolong a first period that is paid at once. */
const firstRenewalAfterInvoice = ({ interval }: PlanChoice, { account, now }: Omit<FirstPurchase, 'method'>): number =>
  addPeriod(now, interval) + Math.max(0, (account.trialEndsAt ?? now) - now)

/** A change of what is held. */
export interface PlanChange {
  stripe: Stripe
  current: CurrentSubscriptions
  selection: SelectedPlan
}

/** Where a change goes. @throws ProductError `invalid_input` */
export function requireAllowedTiming({ current, selection }: PlanChange): Exclude<ChangeTiming, { when: 'refused' }> {
  const way = resolveChangeTiming(current.selection, selection)
  if (way.when === 'refused') throw new ProductError('invalid_input', { fields: { [way.field]: way.why } }, way.why)
  return way
}

/** The subscription that changes, null when it is yet to be made, and the lines it will have. */
export const changedSubscription = (
  { current, selection }: PlanChange,
  of: 'plan' | 'premium',
): { subscription: Stripe.Subscription | null; lines: PlanLine[] } =>
  of === 'plan'
    ? { subscription: current.plan, lines: planLines(selection) }
    : { subscription: current.premium, lines: premiumLines(selection) }

async function planChangeCosts(deps: Deps, planChange: PlanChange): Promise<ChangeCosts> {
  const way = requireAllowedTiming(planChange)
  const now = deps.clock.now()
  const { subscription, lines } = changedSubscription(planChange, way.when === 'none' ? 'plan' : way.of)
  const { next } = diffItems(subscription ? subscriptionItemsOf(subscription) : [], lines)
  const recurring = next.length === 0 ? zeroAmountOf(subscription) : totalAmountOf(next)
  const base = { lines: [], recurring, dueNow: { ...recurring, minor: 0 }, prorationAt: null }
  if (subscription === null) return { ...base, when: 'none', at: toIso(now), recurringFrom: toIso(now) }
  const end = toIso(currentPeriodOf(subscription).end * 1000)
  if (way.when === 'none')
    return { ...base, when: 'none', at: toIso(now), recurringFrom: toIso(paidUntil(subscription)) }
  if (way.when === 'periodEnd') return { ...base, when: 'periodEnd', at: end, recurringFrom: end }
  // Nothing is settled before the first payment: the change works at once, and is first charged then.
  if (subscription.status === 'trialing')
    return { ...base, when: 'now', at: toIso(now), recurringFrom: toIso(paidUntil(subscription)) }
  return { ...(await prorationCosts(planChange, { subscription, lines, now })), when: 'now', at: toIso(now), recurring }
}

/** The end of the period with what is left of the trial (epoch ms): the next payment, while no smaller plan waits. */
const paidUntil = (subscription: Stripe.Subscription): number =>
  (currentPeriodOf(subscription).end + trialExtensionSecondsOf(subscription)) * 1000

const zeroAmountOf = (subscription: Stripe.Subscription | null) => ({
  minor: 0,
  currency: subscription?.currency ?? 'eur',
})

/** Premium sync becomes a subscription of its own, paid for by itself from now on. */
function premiumPurchaseCosts(plan: SelectedPlan, { lines, now }: { lines: PlanLine[]; now: number }): ChangeCosts {
  const priced = atListPrice(lines)
  const recurring = totalAmountOf(priced)
  return {
    when: 'checkout',
    at: toIso(now),
    dueNow: recurring,
    lines: priced.map((line) => ({ text: describeLine(line), amount: totalAmountOf([line]) })),
    recurring,
    recurringFrom: toIso(addPeriod(now, plan.interval)),
    prorationAt: null,
  }
}

interface ProrationRequest {
  subscription: Stripe.Subscription
  lines: PlanLine[]
  now: number
}

/** Asks Stripe what it would charge for the change at this second. */
async function prorationCosts(
  { stripe }: PlanChange,
  { subscription, lines, now }: ProrationRequest,
): Promise<Pick<ChangeCosts, 'dueNow' | 'lines' | 'recurringFrom' | 'prorationAt'>> {
  const prorationAt = Math.max(Math.floor(now / 1000), currentPeriodOf(subscription).start)
  const invoice = await callStripe(
    stripe.invoices.createPreview({
      subscription: subscription.id,
      subscription_details: {
        items: await itemParams(stripe, diffItems(subscriptionItemsOf(subscription), lines)),
        proration_behavior: 'always_invoice',
        proration_date: prorationAt,
      },
    }),
  )
  const dueNow = { minor: invoice.amount_due, currency: invoice.currency }
  const charged: PriceLine[] = toPriceLines(
    invoice.lines.data.map(({ description, amount }) => ({
      text: invoiceLineText(description) || 'Change of the plan',
      minor: amount,
    })),
    invoice,
  )
  const periods = invoice.lines.data.filter(({ amount }) => amount >= 0).map(({ period }) => period.end)
  const until = Math.max(currentPeriodOf(subscription).end, ...periods) + trialExtensionSecondsOf(subscription)
  return { dueNow, lines: charged, recurringFrom: toIso(until * 1000), prorationAt: prorationAt * 1000 }
}
