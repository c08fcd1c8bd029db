import { stripeIdOf } from './stripe-subscriptions'
import { customerIdsOf } from './customer'
import { currentPeriodOf } from './current-subscriptions'
import { invoiceLineText } from './model/plan-change'
import { invoiceDueDates } from './projection'
import { callStripe, isResourceMissing, isNoUpcomingInvoice, stripeClient } from './stripe'
import type { Stripe } from './stripe'
import type { Deps } from '../../deps'
import { toIso } from '../../lib/iso'
import { ProductError } from '../../shared/errors'
import type { ListPage } from '../../shared/field-schemas'
import { INVOICE_STATES } from '../../shared/billing/subscription'
import type { InvoiceView, UpcomingInvoices, UpcomingInvoice } from '../../shared/billing/subscription'
import type { BillingAccount } from './billing-account'

const isoFromSeconds = (seconds: number): string => toIso(seconds * 1000)
/** Where the pages of each customer stand, in their order: `in_1.in_2`. */
const CURSOR = /^(in_[A-Za-z0-9]{1,60})?(\.in_[A-Za-z0-9]{1,60})?$/

/**
 * A page of all invoices of the workspace's customers, the newest first. Nothing before a first purchase.
 * @throws ProductError `billing_unavailable`, `invalid_input` for a cursor that is none of ours
 */
export async function listInvoices(
  deps: Deps,
  account: BillingAccount,
  { cursor = '', limit }: { cursor?: string | undefined; limit: number },
): Promise<ListPage<InvoiceView>> {
  if (!CURSOR.test(cursor)) throw invalidCursor()
  const customers = customerIdsOf(account)
  if (customers.length === 0) return { items: [], nextCursor: null }
  const from = cursor.split('.')
  const stripe = stripeClient(deps)
  const lists = await callStripe(
    Promise.all(
      customers.map((customer, at) =>
        stripe.invoices.list({ customer, limit, expand: ['data.account_tax_ids'], ...startingAfter(from[at]) }),
      ),
    ),
  ).catch((error: unknown) => {
    throw cursor !== '' && error instanceof ProductError && isResourceMissing(error.cause) ? invalidCursor() : error
  })
  const found = lists
    .flatMap(({ data }, of) => data.map((invoice) => ({ invoice, of })))
    .toSorted((a, b) => b.invoice.created - a.invoice.created)
  const page = found.slice(0, limit)
  const more = found.length > limit || lists.some((list) => list.has_more)
  const next = customers.map((_, at) => page.findLast(({ of }) => of === at)?.invoice.id ?? from[at] ?? '')
  const now = deps.clock.now()
  return {
    items: page.map(({ invoice }) => toInvoiceView(invoice, now)),
    nextCursor: more ? next.join('.').replace(/\.$/, '') : null,
  }
}

const startingAfter = (id: string | undefined) => (id ? { starting_after: id } : {})

const invalidCursor = (): ProductError =>
  new ProductError('invalid_input', { fields: { cursor: 'Start from the first page.' } })

function toInvoiceView(invoice: Stripe.Invoice, now: number): InvoiceView {
  const { id, number, currency, status_transitions: moved } = invoice
  const state = INVOICE_STATES.find((name) => name === invoice.status) ?? 'draft'
  const { overdueAt } = invoiceDueDates(invoice)
  return {
    id,
    number,
    state,
    overdue: state === 'open' && overdueAt !== null && overdueAt <= now,
    total: { minor: invoice.total, currency },
    due: { minor: invoice.amount_remaining, currency },
    issuedAt: isoFromSeconds(moved.finalized_at ?? invoice.created),
    dueAt: invoice.due_date === null ? null : isoFromSeconds(invoice.due_date),
    paidAt: moved.paid_at === null ? null : isoFromSeconds(moved.paid_at),
    reverseCharge: reverseChargeOf(invoice),
    url: invoice.hosted_invoice_url ?? null,
    pdf: invoice.invoice_pdf ?? null,
  }
}

type TaxedInvoice = Pick<Stripe.Invoice, 'account_tax_ids' | 'customer_tax_exempt' | 'customer_tax_ids' | 'total_taxes'>

/**
 * Whether the customer pays the VAT of an invoice, and the numbers that stand on it. Stripe says so of the customer
 * (`customer_tax_exempt`, as it was when the invoice was finalised) or, where it works out the tax, of each tax.
 */
export function reverseChargeOf(invoice: TaxedInvoice): InvoiceView['reverseCharge'] {
  const { account_tax_ids: own, customer_tax_exempt: exempt, customer_tax_ids: theirs, total_taxes: taxes } = invoice
  const taxedSo = taxes?.some(({ taxability_reason: reason }) => reason === 'reverse_charge') ?? false
  if (exempt !== 'reverse' && !taxedSo) return null
  const sellers = own?.flatMap((one) => (typeof one === 'object' && 'value' in one ? one : [])) ?? []
  return { sellerVatNumber: vatNumberOf(sellers), customerVatNumber: vatNumberOf(theirs ?? []) }
}

/** The number under which VAT is accounted for: one of the EU before that of another country. */
const vatNumberOf = (taxIds: readonly { type: string; value: string | null }[]): string | null =>
  (taxIds.find(({ type }) => type === 'eu_vat') ?? taxIds.find(({ type }) => type.endsWith('_vat')))?.value ?? null

/**
 * What the next period will cost, a change that waits for it included, and beside an older tier the next one of Premium sync.
 * Null: nothing will be charged.
 * @throws ProductError `billing_unavailable`
 */
export async function getUpcomingInvoices(deps: Deps, row: BillingAccount): Promise<UpcomingInvoices | null> {
  const { customerId, subscriptionId, premiumId, cancelAt, periodEndsAt } = row
  if (customerId === null) return null
  const stripe = stripeClient(deps)
  const plan = async (): Promise<UpcomingInvoice | null> => {
    if (subscriptionId === null || cancelAt !== null || periodEndsAt === null) return null
    const schedule = row.scheduled && stripeIdOf((await stripe.subscriptions.retrieve(subscriptionId)).schedule)
    return previewUpcomingInvoice(stripe, {
      customer: customerId,
      subscription: subscriptionId,
      schedule,
      at: periodEndsAt,
    })
  }
  const premium = async (): Promise<UpcomingInvoice | null> => {
    if (premiumId === null) return null
    const one = await stripe.subscriptions.retrieve(premiumId)
    if (one.cancel_at !== null || one.cancel_at_period_end) return null
    const customer = stripeIdOf(one.customer) ?? customerId
    const at = currentPeriodOf(one).end * 1000
    return previewUpcomingInvoice(stripe, { customer, subscription: premiumId, schedule: stripeIdOf(one.schedule), at })
  }
  const [first, beside] = (await callStripe(Promise.all([plan(), premium()]))).filter((one) => one !== null)
  return first ? { ...first, beside: beside ?? null } : null
}

interface UpcomingRequest {
  customer: string
  subscription: string
  schedule: string | null
  at: number
}
async function previewUpcomingInvoice(
  stripe: Stripe,
  { customer, subscription, schedule, at }: UpcomingRequest,
): Promise<UpcomingInvoice | null> {
  try {
    const { currency, total, lines } = await stripe.invoices.createPreview(
      schedule === null ? { customer, subscription } : { customer, schedule },
    )
    return {
      at: toIso(at),
      total: { minor: total, currency },
      lines: lines.data.map(({ description, amount }) => ({
        text: invoiceLineText(description),
        amount: { minor: amount, currency },
      })),
    }
  } catch (error) {
    if (isNoUpcomingInvoice(error)) return null
    throw error
  }
}
