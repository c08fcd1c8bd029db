import { taxIdsOf } from './customers.ts'
import { lineText } from './items.ts'
import { embeddedList } from './lists.ts'
import type { InvoiceCustomer, InvoiceRecord, LineRecord } from './state.ts'
import type { Simulation } from './simulation.ts'

export const totalOf = ({ lines }: Pick<InvoiceRecord, 'lines'>): number =>
  lines.reduce((sum, { amount }) => sum + amount, 0)

/** What is asked of the customer: the total, less the credit that was there when it was finalised. */
export const amountDue = (invoice: InvoiceRecord): number => Math.max(0, totalOf(invoice) + invoice.starting_balance)

export const lineBody = (simulation: Simulation, invoice: InvoiceRecord, line: LineRecord) => {
  const price = simulation.state.prices[line.price]
  return {
    id: line.id,
    object: 'line_item',
    amount: line.amount,
    currency: invoice.currency,
    description: lineText(simulation, line),
    discount_amounts: [],
    discountable: !line.proration,
    discounts: [],
    invoice: invoice.id,
    livemode: simulation.options.livemode,
    metadata: invoice.subscription_metadata,
    parent: {
      type: 'subscription_item_details',
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: line.proration ? line.id.replace(/^il_/, 'ii_') : null,
        proration: line.proration,
        proration_details: { credited_items: null },
        subscription: invoice.subscription,
        subscription_item: line.item,
      },
    },
    period: line.period,
    pretax_credit_amounts: [],
    pricing: {
      type: 'price_details',
      price_details: { price: line.price, product: price?.product ?? '' },
      unit_amount_decimal: String(price?.unit_amount ?? 0),
    },
    quantity: line.quantity,
    quantity_decimal: String(line.quantity),
    subscription: invoice.subscription,
    subtotal: line.amount,
    taxes: [],
  }
}

/** What the stand-in does not have, as an account without it tells it. */
const DEFAULT_FIELDS = {
  amount_overpaid: 0,
  amount_shipping: 0,
  application: null,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
  confirmation_secret: null,
  customer_account: null,
  customer_shipping: null,
  default_payment_method: null,
  default_source: null,
  default_tax_rates: [],
  discounts: [],
  from_invoice: null,
  issuer: { type: 'self' },
  last_finalization_error: null,
  latest_revision: null,
  on_behalf_of: null,
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  receipt_number: null,
  rendering: null,
  shipping_cost: null,
  shipping_details: null,
  statement_descriptor: null,
  test_clock: null,
  total_discount_amounts: [],
  total_pretax_credit_amounts: [],
  total_taxes: [],
  webhooks_delivered_at: null,
}

/** What an invoice says of its customer, as the customer is now. */
export function invoiceCustomer(simulation: Simulation, customerId: string): InvoiceCustomer {
  const {
    address = null,
    email = null,
    name = null,
    phone = null,
    tax_exempt = 'none',
  } = simulation.state.customers[customerId] ?? {}
  const tax_ids = taxIdsOf(simulation, customerId).map(({ type, value }) => ({ type, value }))
  return { address, email, name, phone, tax_exempt, tax_ids }
}

export function invoiceBody(simulation: Simulation, invoice: InvoiceRecord) {
  const { lines, subscription, subscription_metadata, days_until_due: _d, overdue: _o, ...rest } = invoice
  const { finalized_customer, ...plain } = rest
  const customer = finalized_customer ?? invoiceCustomer(simulation, invoice.customer)
  const total = totalOf(invoice)
  const due = amountDue(invoice)
  const finalised = invoice.status_transitions.finalized_at !== null
  const page = `${simulation.options.origin}/invoices/${invoice.id}`
  return {
    ...plain,
    ...DEFAULT_FIELDS,
    object: 'invoice',
    account_country: 'SE',
    account_name: 'Insikt (test billing)',
    amount_due: due,
    amount_remaining: invoice.status === 'void' ? 0 : due - invoice.amount_paid,
    customer_address: customer.address,
    customer_email: customer.email,
    customer_name: customer.name,
    customer_phone: customer.phone,
    customer_tax_exempt: customer.tax_exempt,
    customer_tax_ids: customer.tax_ids,
    hosted_invoice_url: finalised ? page : null,
    invoice_pdf: finalised ? `${page}/pdf` : null,
    lines: embeddedList(
      `/v1/invoices/${invoice.id}/lines`,
      lines.map((line) => lineBody(simulation, invoice, line)),
    ),
    livemode: simulation.options.livemode,
    parent:
      subscription === null
        ? null
        : {
            type: 'subscription_details',
            quote_details: null,
            subscription_details: { metadata: subscription_metadata, subscription },
          },
    subtotal: total,
    subtotal_excluding_tax: total,
    total,
    total_excluding_tax: total,
  }
}
