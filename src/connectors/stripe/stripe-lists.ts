import { stripeAmount } from './stripe-amount'
import { inCapitals, instantOfSeconds, valueAt, type RecordColumn } from '../records'

/** A list of Stripe's API that is read. */
export interface StripeList {
  /** Path of the list, and key of its stream. */
  key: string
  label: string
  columns: readonly RecordColumn[]
  /**
   * How far back objects are read again, days: they change after they were made. Null = all of them each time, as their
   * changes do not follow from when they were made.
   */
  windowDays: number | null
  /** Further parameters. */
  query?: Readonly<Record<string, string>>
}

const id = (name: string, from = name): RecordColumn => ({ name, from, type: 'text', role: 'id' })
const text = (name: string, from = name): RecordColumn => ({ name, from, type: 'text', role: 'dimension' })
const yes = (name: string, from = name): RecordColumn => ({ name, from, type: 'boolean', role: 'dimension' })
const moment = (name: string, from = name): RecordColumn => ({
  ...{ name, from, type: 'datetime', role: 'time', zoned: true, convert: instantOfSeconds },
})
const CURRENCY: RecordColumn = {
  name: 'currency',
  from: 'currency',
  type: 'text',
  role: 'currency',
  convert: inCapitals,
}
/** Currencies of three decimals are among them. */
const AMOUNT_SCALE = 3
const amount = (name: string, from = name): RecordColumn => ({
  ...{ name, from, type: 'number', role: 'measure', scale: AMOUNT_SCALE, currencyColumn: 'currency' },
  convert: (value, record) => stripeAmount(value, valueAt(record, 'currency')),
})

export const STRIPE_LISTS: readonly [StripeList, ...StripeList[]] = [
  {
    ...{ key: 'balance_transactions', label: 'Balance transactions', windowDays: 14 },
    columns: [
      ...[id('id'), moment('created'), moment('available_on'), text('type'), text('reporting_category')],
      ...[amount('amount'), amount('fee'), amount('net'), CURRENCY],
      { name: 'exchange_rate', from: 'exchange_rate', type: 'number', role: 'dimension' },
      ...[id('source'), text('status'), text('description')],
    ],
  },
  {
    ...{ key: 'charges', label: 'Charges', windowDays: 120 },
    columns: [
      ...[id('id'), moment('created'), amount('amount'), amount('amount_refunded'), CURRENCY, id('customer')],
      ...[text('status'), yes('paid'), yes('refunded'), yes('disputed'), text('description')],
      ...[
        text('payment_method', 'payment_method_details.type'),
        text('card_brand', 'payment_method_details.card.brand'),
      ],
      ...[id('balance_transaction'), text('failure_code')],
    ],
  },
  {
    ...{ key: 'refunds', label: 'Refunds', windowDays: 30 },
    columns: [id('id'), moment('created'), amount('amount'), CURRENCY, id('charge'), text('reason'), text('status')],
  },
  {
    ...{ key: 'payouts', label: 'Payouts', windowDays: 30 },
    columns: [
      ...[
        id('id'),
        moment('created'),
        moment('arrival_date'),
        amount('amount'),
        CURRENCY,
        text('status'),
        text('type'),
      ],
      yes('automatic'),
    ],
  },
  {
    ...{ key: 'invoices', label: 'Invoices', windowDays: 120 },
    columns: [
      ...[id('id'), id('number'), moment('created'), moment('due_date'), id('customer'), text('status')],
      ...[amount('total'), amount('total_excluding_tax'), amount('amount_paid'), amount('amount_remaining'), CURRENCY],
      text('billing_reason'),
    ],
  },
  {
    ...{ key: 'subscriptions', label: 'Subscriptions', windowDays: null, query: { status: 'all' } },
    columns: [
      ...[id('id'), moment('created'), moment('start_date'), moment('canceled_at'), id('customer'), text('status')],
      ...[amount('unit_amount', 'items.data.0.price.unit_amount'), CURRENCY],
      { name: 'quantity', from: 'items.data.0.quantity', type: 'integer', role: 'measure' },
      ...[text('interval', 'items.data.0.price.recurring.interval'), yes('cancel_at_period_end')],
    ],
  },
  {
    ...{ key: 'customers', label: 'Customers', windowDays: null },
    columns: [
      ...[id('id'), moment('created'), text('name'), text('email'), text('country', 'address.country')],
      ...[text('city', 'address.city'), yes('delinquent')],
    ],
  },
]
