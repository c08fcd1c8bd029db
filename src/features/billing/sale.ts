import { planLines, premiumLines, quantitiesOf, wayOf } from './model/choice'
import type { Chosen, Line } from './model/choice'
import { isCustom } from './projection'
import type { BillingRow } from './store'
import { entitlements } from '../../shared/entitlements'
import { ProductError } from '../../shared/errors'
import type { Checkout } from '../../shared/subscription'

const BOUGHT = 'This workspace has a subscription. Change it on the page of the subscription.'
const OPERATORS = 'The plan of this workspace is managed for you. Write to us to change it.'
const UNPAID = 'Pay the open invoices first. Then Premium sync can be added.'
const ENDING = 'The subscription ends with its period. Resume it first, then add Premium sync.'
const NOT_SOLD = 'Older tiers are not sold any more. Choose another plan.'

/** @throws ProductError `in_use` */
export const alreadyBought = (): ProductError => new ProductError('in_use', {}, BOUGHT)

/** A plan that the operator set is the operator's to change. @throws ProductError `in_use` */
export function refuseCustom(account: BillingRow): void {
  if (isCustom(account)) throw new ProductError('in_use', {}, OPERATORS)
}

/** What a first payment is for. @throws ProductError `in_use`, `invalid_input` */
export function firstChoice(account: BillingRow, { planId, interval, addOns }: Omit<Checkout, 'method'>): Chosen {
  refuseCustom(account)
  if (account.subscriptionId !== null) throw alreadyBought()
  if (planId === 'legacy') throw new ProductError('invalid_input', { fields: { planId: NOT_SOLD } }, NOT_SOLD)
  return { planId, interval, addOns: quantitiesOf(addOns), tier: null }
}

/** A first payment is for a plan, or for Premium sync beside an older tier: each a subscription of its own. */
export type SaleOf = 'plan' | 'premium'
export interface Sale {
  of: SaleOf
  chosen: Chosen
  lines: Line[]
}

/** What is sold to an account at `now` (epoch ms). @throws ProductError `in_use`, `invalid_input` */
export function saleOf(account: BillingRow, input: Omit<Checkout, 'method'>, now: number): Sale {
  if (account.planId === 'legacy' && account.subscriptionId !== null && input.planId === 'legacy')
    return premiumSale(account, input, now)
  const chosen = firstChoice(account, input)
  return { of: 'plan', chosen, lines: planLines(chosen) }
}

function premiumSale(account: BillingRow, { interval, addOns }: Omit<Checkout, 'method'>, now: number): Sale {
  refuseCustom(account)
  if (entitlements(account, now).state === 'restricted') throw new ProductError('in_use', {}, UNPAID)
  if (account.cancelAt !== null) throw new ProductError('in_use', {}, ENDING)
  const held: Chosen = {
    ...{ planId: 'legacy', tier: account.tier },
    ...{ interval: account.interval ?? interval, addOns: account.addOns },
  }
  const chosen: Chosen = { ...held, interval, addOns: quantitiesOf(addOns) }
  const way = wayOf(held, chosen)
  if (way.when === 'refused') throw new ProductError('invalid_input', { fields: { [way.field]: way.why } }, way.why)
  if (account.premiumId !== null || way.when !== 'now' || way.of !== 'premium') throw alreadyBought()
  return { of: 'premium', chosen, lines: premiumLines(chosen) }
}

/** An account as it was before a sale that has been begun. */
export const beforeSale = (account: BillingRow, { planId }: Pick<Checkout, 'planId'>): BillingRow =>
  planId === 'legacy' ? { ...account, premiumId: null, addOns: {} } : { ...account, subscriptionId: null, planId: null }
