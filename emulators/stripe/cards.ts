import { customerBody, requireCustomer } from './customers.ts'
import { emit, emitOnChange } from './events.ts'
import { cardDeclinedError, invalidRequestError } from './errors.ts'
import { requireText, optionalText, type Form } from './form.ts'
import { paginate } from './lists.ts'
import type { CardRecord, SubscriptionRecord } from './state.ts'
import { requireRecord, type Simulation } from './simulation.ts'

/** Names of test cards that the library's users know: one that works, one that is refused when it is charged. */
const TEST_CARDS: Record<string, { last4: string; declines: boolean }> = {
  pm_card_visa: { last4: '4242', declines: false },
  pm_card_chargeCustomerFail: { last4: '0341', declines: true },
}

export const cardBody = (simulation: Simulation, { declines: _declines, last4, ...card }: CardRecord) => ({
  ...card,
  object: 'payment_method',
  allow_redisplay: 'unspecified',
  billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
  card: { brand: 'visa', country: 'SE', exp_month: 12, exp_year: 2034, funding: 'credit', last4, networks: null },
  livemode: simulation.options.livemode,
  metadata: {},
  type: 'card',
})

/** A card of the customer's, which is charged from now on unless a subscription has its own. */
export function addCard(simulation: Simulation, customer: string, { declines }: { declines: boolean }): CardRecord {
  const owner = requireCustomer(simulation, customer)
  const last4 = declines ? '0341' : '4242'
  const card: CardRecord = { id: simulation.id('pm', 24), created: simulation.now(), customer, last4, declines }
  simulation.state.cards[card.id] = card
  emit(simulation, 'payment_method.attached', cardBody(simulation, card))
  emitOnChange(simulation, 'customer.updated', {
    tell: () => customerBody(simulation, owner),
    change: () => {
      owner.invoice_settings.default_payment_method = card.id
    },
  })
  return card
}

export function attachCard(simulation: Simulation, id: string, form: Form): object {
  const customer = requireText(form, 'customer')
  requireCustomer(simulation, customer, 'customer')
  const named = TEST_CARDS[id]
  const card: CardRecord =
    named === undefined
      ? requireRecord(simulation.state.cards, 'PaymentMethod', id)
      : { id: simulation.id('pm', 24), created: simulation.now(), customer, ...named }
  if (card.customer !== null && card.customer !== customer)
    throw invalidRequestError('The payment method you provided has already been attached to a customer.')
  card.customer = customer
  simulation.state.cards[card.id] = card
  emit(simulation, 'payment_method.attached', cardBody(simulation, card))
  return cardBody(simulation, card)
}

export function listCards(simulation: Simulation, form: Form, customer = optionalText(form, 'customer')): object {
  const records = Object.values(simulation.state.cards).filter(
    (one) => customer === undefined || one.customer === customer,
  )
  return paginate(records, form, { url: '/v1/payment_methods', tell: (one) => cardBody(simulation, one) })
}

/** A card is charged for the customer that it is attached to, and for no other. @throws 400 */
export function assertOwnCard(simulation: Simulation, customer: string, card: string | null): void {
  if (
    card === null ||
    requireRecord(simulation.state.cards, 'PaymentMethod', card, 'default_payment_method').customer === customer
  )
    return
  throw invalidRequestError(
    `The customer does not have a payment method with the ID ${card}. The payment method must be attached to the customer.`,
    { code: 'resource_missing', param: 'default_payment_method' },
  )
}

/** The card that a subscription's invoices are charged to. */
export function cardFor(
  simulation: Simulation,
  customer: string,
  subscription: SubscriptionRecord | null,
): CardRecord | null {
  const own = subscription?.default_payment_method
  const id = own ?? simulation.state.customers[customer]?.invoice_settings.default_payment_method
  return (id && simulation.state.cards[id]) || null
}

/** Whether the card can be charged. A refusal that was ordered is used up by this. */
export function canCharge(simulation: Simulation, card: CardRecord): boolean {
  if (card.declines) return false
  if (simulation.state.declines === 0) return true
  simulation.state.declines -= 1
  return false
}

/** @throws 402 when the card cannot be charged */
export function assertCharged(simulation: Simulation, card: CardRecord): void {
  if (!canCharge(simulation, card)) throw cardDeclinedError()
}
