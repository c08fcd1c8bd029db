import { customerBody, customerOf } from './customers.ts'
import { emit, noting } from './events.ts'
import { declined, invalid } from './faults.ts'
import { needed, text } from './form.ts'
import type { Form } from './form.ts'
import { page } from './lists.ts'
import type { CardRecord, SubscriptionRecord } from './state.ts'
import { found } from './world.ts'
import type { World } from './world.ts'

/** Names of test cards that the library's users know: one that works, one that is refused when it is charged. */
const TEST_CARDS: Record<string, { last4: string; declines: boolean }> = {
  pm_card_visa: { last4: '4242', declines: false },
  pm_card_chargeCustomerFail: { last4: '0341', declines: true },
}

export const cardBody = (world: World, { declines: _declines, last4, ...card }: CardRecord) => ({
  ...card,
  object: 'payment_method',
  allow_redisplay: 'unspecified',
  billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
  card: { brand: 'visa', country: 'SE', exp_month: 12, exp_year: 2034, funding: 'credit', last4, networks: null },
  livemode: world.options.livemode,
  metadata: {},
  type: 'card',
})

/** A card of the customer's, which is charged from now on unless a subscription has its own. */
export function addCard(world: World, customer: string, { declines }: { declines: boolean }): CardRecord {
  const owner = customerOf(world, customer)
  const last4 = declines ? '0341' : '4242'
  const card: CardRecord = { id: world.id('pm', 24), created: world.now(), customer, last4, declines }
  world.state.cards[card.id] = card
  emit(world, 'payment_method.attached', cardBody(world, card))
  noting(world, 'customer.updated', {
    tell: () => customerBody(world, owner),
    change: () => {
      owner.invoice_settings.default_payment_method = card.id
    },
  })
  return card
}

export function attachCard(world: World, id: string, form: Form): object {
  const customer = needed(form, 'customer')
  customerOf(world, customer, 'customer')
  const named = TEST_CARDS[id]
  const card: CardRecord =
    named === undefined
      ? found(world.state.cards, 'PaymentMethod', id)
      : { id: world.id('pm', 24), created: world.now(), customer, ...named }
  if (card.customer !== null && card.customer !== customer)
    throw invalid('The payment method you provided has already been attached to a customer.')
  card.customer = customer
  world.state.cards[card.id] = card
  emit(world, 'payment_method.attached', cardBody(world, card))
  return cardBody(world, card)
}

export function listCards(world: World, form: Form, customer = text(form, 'customer')): object {
  const records = Object.values(world.state.cards).filter((one) => customer === undefined || one.customer === customer)
  return page(records, form, { url: '/v1/payment_methods', tell: (one) => cardBody(world, one) })
}

/** A card is charged for the customer that it is attached to, and for no other. @throws 400 */
export function mustBeOwnCard(world: World, customer: string, card: string | null): void {
  if (card === null || found(world.state.cards, 'PaymentMethod', card, 'default_payment_method').customer === customer)
    return
  throw invalid(
    `The customer does not have a payment method with the ID ${card}. The payment method must be attached to the customer.`,
    { code: 'resource_missing', param: 'default_payment_method' },
  )
}

/** The card that a subscription's invoices are charged to. */
export function cardFor(world: World, customer: string, subscription: SubscriptionRecord | null): CardRecord | null {
  const own = subscription?.default_payment_method
  const id = own ?? world.state.customers[customer]?.invoice_settings.default_payment_method
  return (id && world.state.cards[id]) || null
}

/** Whether the card can be charged. A refusal that was ordered is used up by this. */
export function charges(world: World, card: CardRecord): boolean {
  if (card.declines) return false
  if (world.state.declines === 0) return true
  world.state.declines -= 1
  return false
}

/** @throws 402 when the card cannot be charged */
export function mustCharge(world: World, card: CardRecord): void {
  if (!charges(world, card)) throw declined()
}
