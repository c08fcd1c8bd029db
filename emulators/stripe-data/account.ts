import type { VendorCompany, VendorOrder } from '../vendors/company.ts'

/** What every object of Stripe has, beside its own. */
export interface StripeObject {
  id: string
  object: string
  /** Epoch seconds. */
  created: number
  [property: string]: unknown
}
export type StripeList =
  | 'balance_transactions'
  | 'charges'
  | 'customers'
  | 'invoices'
  | 'payouts'
  | 'refunds'
  | 'subscriptions'

const DAY_SECONDS = 86_400
const HALF_DAY = DAY_SECONDS / 2
/** What a customer pays in, and what one unit of it is in kronor. */
const CURRENCIES: Readonly<Record<string, { code: string; kronor: number }>> = {
  Norway: { code: 'nok', kronor: 0.98 },
  Denmark: { code: 'dkk', kronor: 1.53 },
  Finland: { code: 'eur', kronor: 11.4 },
}
const FEE_SHARE = 0.015
const FEE_FIXED = 180

const feeOf = (amount: number): number => Math.round(amount * FEE_SHARE) + FEE_FIXED

/** One account's objects, each list newest first, as Stripe lists them. */
export class StripeAccount {
  readonly lists: Record<StripeList, StripeObject[]>
  readonly name: string

  constructor(company: VendorCompany) {
    this.name = company.story ? 'Nordviks Grossist' : ''
    const sold = company.placed.filter(({ net }) => net > 0)
    const returned = company.placed.filter(({ net }) => net < 0)
    const charges = sold.map(chargeOf)
    const refunds = returned.map((order, at) => refundOf(order, charges[at]?.id ?? null))
    const moves = [...charges.map(moveOfCharge), ...refunds.map(moveOfRefund)]
    const payouts = payoutsOf(moves)
    this.lists = {
      balance_transactions: newestFirst([...moves, ...payouts.map(moveOfPayout)]),
      charges: newestFirst(charges),
      customers: newestFirst(company.customers.map(customerOf)),
      invoices: newestFirst(sold.filter(({ customer }) => customer.segment === 'Public sector').map(invoiceOf)),
      payouts: newestFirst(payouts),
      refunds: newestFirst(refunds),
      subscriptions: newestFirst(company.customers.slice(0, 12).map(subscriptionOf)),
    }
  }

  /** One more charge, of a moment (epoch seconds), and its movement of the balance. Answers its id. */
  charge(created: number, { amount, currency }: { amount: number; currency: string }): string {
    const id = `ch_new${this.lists.charges.length + 1}`
    const [last] = this.lists.charges
    const made: StripeObject = {
      ...last,
      id,
      object: 'charge',
      created,
      amount,
      currency,
      balance_transaction: `txn_${id}`,
    }
    this.lists.charges.unshift(made)
    this.lists.balance_transactions.unshift(moveOfCharge(made))
    return id
  }
}

const newestFirst = (objects: StripeObject[]): StripeObject[] =>
  objects.toSorted((a, b) => b.created - a.created || (b.id < a.id ? -1 : 1))

const secondsOf = (day: number, number: number): number => day * DAY_SECONDS + 8 * 3600 + (number % 36_000)

function chargeOf({ number, day, customer, net, vat }: VendorOrder): StripeObject {
  const { code, kronor } = CURRENCIES[customer.country] ?? { code: 'sek', kronor: 1 }
  return {
    id: `ch_${number}`,
    object: 'charge',
    created: secondsOf(day, number),
    amount: Math.round((net + vat) / kronor),
    amount_refunded: 0,
    currency: code,
    customer: `cus_${customer.number}`,
    description: `Order ${number}`,
    status: 'succeeded',
    paid: true,
    refunded: false,
    disputed: false,
    balance_transaction: `txn_ch_${number}`,
    payment_method_details: { type: 'card', card: { brand: 'visa', country: 'SE' } },
    livemode: false,
  }
}

const kronorOf = (currency: unknown): number =>
  Object.values(CURRENCIES).find(({ code }) => code === currency)?.kronor ?? 1

function refundOf({ number, day, net, vat }: VendorOrder, charge: string | null): StripeObject {
  const amount = -(net + vat)
  const created = secondsOf(day, number)
  return {
    id: `re_${number}`,
    object: 'refund',
    created,
    amount,
    currency: 'sek',
    charge,
    reason: 'requested_by_customer',
    status: 'succeeded',
  }
}

function moveOfCharge(charge: StripeObject): StripeObject {
  const exchange = kronorOf(charge['currency'])
  const amount = Math.round(Number(charge['amount']) * exchange)
  const fee = feeOf(amount)
  return {
    id: `txn_${charge.id}`,
    object: 'balance_transaction',
    created: charge.created,
    available_on: charge.created + 3 * DAY_SECONDS,
    amount,
    fee,
    net: amount - fee,
    currency: 'sek',
    exchange_rate: exchange === 1 ? null : exchange,
    description: charge['description'],
    type: 'charge',
    reporting_category: 'charge',
    source: charge.id,
    status: 'available',
  }
}

const moveOfRefund = (refund: StripeObject): StripeObject => ({
  ...moveOfCharge({ ...refund, description: 'Refund' }),
  ...{ amount: -Number(refund['amount']), fee: 0, net: -Number(refund['amount']) },
  ...{ type: 'refund', reporting_category: 'refund', exchange_rate: null },
})

/** Each week's net of the balance is paid out the Monday after, in whole. */
function payoutsOf(moves: readonly StripeObject[]): StripeObject[] {
  const weeks = Map.groupBy(moves, ({ created }) => Math.floor((created / DAY_SECONDS + 3) / 7))
  return [...weeks].map(([week, of]) => ({
    id: `po_${week}`,
    object: 'payout',
    created: ((week + 1) * 7 - 3) * DAY_SECONDS + HALF_DAY,
    arrival_date: ((week + 1) * 7 - 2) * DAY_SECONDS,
    amount: of.reduce((sum, { net }) => sum + Number(net), 0),
    currency: 'sek',
    status: 'paid',
    type: 'bank_account',
    automatic: true,
  }))
}

const moveOfPayout = (payout: StripeObject): StripeObject => ({
  ...{ id: `txn_${payout.id}`, object: 'balance_transaction', created: payout.created, available_on: payout.created },
  ...{
    amount: -Number(payout['amount']),
    fee: 0,
    net: -Number(payout['amount']),
    currency: 'sek',
    exchange_rate: null,
  },
  ...{
    description: 'STRIPE PAYOUT',
    type: 'payout',
    reporting_category: 'payout',
    source: payout.id,
    status: 'available',
  },
})

function customerOf({ number, name, city, since }: VendorCompany['customers'][number]): StripeObject {
  return {
    id: `cus_${number}`,
    object: 'customer',
    created: since * DAY_SECONDS,
    name,
    email: `order@kund${number}.example`,
    currency: 'sek',
    balance: 0,
    delinquent: false,
    address: { city, country: 'SE' },
  }
}

function invoiceOf({ number, day, customer, net, vat }: VendorOrder): StripeObject {
  const total = net + vat
  return {
    id: `in_${number}`,
    object: 'invoice',
    created: secondsOf(day, number),
    number: `NG-${number}`,
    customer: `cus_${customer.number}`,
    status: 'paid',
    currency: 'sek',
    total,
    total_excluding_tax: net,
    amount_paid: total,
    amount_remaining: 0,
    due_date: (day + 30) * DAY_SECONDS,
    billing_reason: 'manual',
  }
}

function subscriptionOf({ number, since }: VendorCompany['customers'][number], at: number): StripeObject {
  const price = {
    id: 'price_delivery',
    currency: 'sek',
    unit_amount: 49_900,
    recurring: { interval: 'month', interval_count: 1 },
  }
  const isOver = at % 6 === 5
  return {
    id: `sub_${number}`,
    object: 'subscription',
    created: since * DAY_SECONDS + HALF_DAY,
    customer: `cus_${number}`,
    status: isOver ? 'canceled' : 'active',
    currency: 'sek',
    start_date: since * DAY_SECONDS + HALF_DAY,
    canceled_at: isOver ? (since + 400) * DAY_SECONDS : null,
    cancel_at_period_end: false,
    items: { object: 'list', data: [{ id: `si_${number}`, quantity: 1 + (at % 3), price }] },
  }
}
