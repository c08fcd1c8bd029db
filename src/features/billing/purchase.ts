import { planLines, premiumLines, toQuantities, resolveChangeTiming } from './model/plan-change'
import type { SelectedPlan, PlanLine } from './model/plan-change'
import { hasCustomPlan } from './projection'
import { computeEntitlements } from '../../shared/billing/entitlements'
import { ProductError } from '../../shared/errors'
import type { Checkout } from '../../shared/billing/subscription'
import type { BillingAccount, PurchaseKind } from './billing-account'

const ALREADY_SUBSCRIBED = 'This workspace has a subscription. Change it on the page of the subscription.'
const CUSTOM_PLAN = 'The plan of this workspace is managed for you. Write to us to change it.'
const INVOICES_OPEN = 'Pay the open invoices first.'
const CANCELLATION_PENDING = 'The subscription ends with its period. Resume it first, then add Premium sync.'
const NOT_SOLD = 'Older tiers are no longer sold. Choose another plan.'

/** @throws ProductError `in_use` */
export const alreadySubscribed = (): ProductError => new ProductError('in_use', {}, ALREADY_SUBSCRIBED)

/** A plan that the operator set is the operator's to change. @throws ProductError `in_use` */
export function assertNoCustomPlan(account: BillingAccount): void {
  if (hasCustomPlan(account)) throw new ProductError('in_use', {}, CUSTOM_PLAN)
}

/** What a first payment is for. @throws ProductError `in_use`, `invalid_input` */
export function resolveFirstPurchase(
  account: BillingAccount,
  { planId, interval, addOns }: Omit<Checkout, 'method'>,
): SelectedPlan {
  assertNoCustomPlan(account)
  if (account.subscriptionId !== null) throw alreadySubscribed()
  if (planId === 'legacy') throw new ProductError('invalid_input', { fields: { planId: NOT_SOLD } }, NOT_SOLD)
  return { planId, interval, addOns: toQuantities(addOns), tier: null }
}
export interface Purchase {
  of: PurchaseKind
  selection: SelectedPlan
  lines: PlanLine[]
}

/** What is sold to an account at `now` (epoch ms). @throws ProductError `in_use`, `invalid_input` */
export function resolvePurchase(account: BillingAccount, input: Omit<Checkout, 'method'>, now: number): Purchase {
  if (account.planId === 'legacy' && account.subscriptionId !== null && input.planId === 'legacy')
    return resolvePremiumPurchase(account, input, now)
  const selection = resolveFirstPurchase(account, input)
  return { of: 'plan', selection, lines: planLines(selection) }
}

function resolvePremiumPurchase(
  account: BillingAccount,
  { interval, addOns }: Omit<Checkout, 'method'>,
  now: number,
): Purchase {
  assertNoCustomPlan(account)
  if (computeEntitlements(account, now).state === 'restricted') throw new ProductError('in_use', {}, INVOICES_OPEN)
  if (account.cancelAt !== null) throw new ProductError('in_use', {}, CANCELLATION_PENDING)
  const current: SelectedPlan = {
    planId: 'legacy',
    tier: account.tier,
    interval: account.interval ?? interval,
    addOns: account.addOns,
  }
  const plan: SelectedPlan = { ...current, interval, addOns: toQuantities(addOns) }
  const way = resolveChangeTiming(current, plan)
  if (way.when === 'refused') throw new ProductError('invalid_input', { fields: { [way.field]: way.why } }, way.why)
  if (account.premiumId !== null || way.when !== 'now' || way.of !== 'premium') throw alreadySubscribed()
  return { of: 'premium', selection: plan, lines: premiumLines(plan) }
}

/** An account as it was before a sale that has been begun. */
export const withoutPurchase = (account: BillingAccount, { planId }: Pick<Checkout, 'planId'>): BillingAccount =>
  planId === 'legacy' ? { ...account, premiumId: null, addOns: {} } : { ...account, subscriptionId: null, planId: null }
