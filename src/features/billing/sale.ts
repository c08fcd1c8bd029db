import type { Chosen } from './model/choice'
import { quantitiesOf } from './model/choice'
import { isCustom } from './projection'
import type { BillingRow } from './store'
import { ProductError } from '../../shared/errors'
import type { Checkout } from '../../shared/subscription'

const BOUGHT = 'This workspace has a subscription. Change it on the page of the subscription.'
const OPERATORS = 'The plan of this workspace is managed for you. Write to us to change it.'
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
