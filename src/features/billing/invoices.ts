import { idOf } from './ask'
import { dueOf } from './projection'
import type { BillingRow } from './store'
import { asking, isMissing, isNothingUpcoming, stripeOf } from './stripe'
import type { Stripe } from './stripe'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import type { Page } from '../../shared/names'
import { INVOICE_STATES } from '../../shared/subscription'
import type { InvoiceView, Upcoming } from '../../shared/subscription'

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString()
const INVOICE_ID = /^in_[A-Za-z0-9]{1,60}$/

/**
 * A page of the customer's invoices, the newest first. Nothing before a first purchase.
 * @throws ProductError `billing_unavailable`, `invalid_input` for a cursor that is none of ours
 */
export async function invoicesOf(
  deps: Deps,
  { customerId: customer }: BillingRow,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<Page<InvoiceView>> {
  if (cursor !== undefined && !INVOICE_ID.test(cursor)) throw noSuchPage()
  if (customer === null) return { items: [], nextCursor: null }
  const after = cursor === undefined ? {} : { starting_after: cursor }
  const { data, has_more: more } = await asking(stripeOf(deps).invoices.list({ customer, limit, ...after })).catch(
    (error: unknown) => {
      throw cursor !== undefined && error instanceof ProductError && isMissing(error.cause) ? noSuchPage() : error
    },
  )
  const now = deps.clock.now()
  return { items: data.map((invoice) => viewOf(invoice, now)), nextCursor: (more && data.at(-1)?.id) || null }
}

const noSuchPage = (): ProductError =>
  new ProductError('invalid_input', { fields: { cursor: 'Start from the first page.' } })

function viewOf(invoice: Stripe.Invoice, now: number): InvoiceView {
  const { id, number, currency, status_transitions: moved } = invoice
  const state = INVOICE_STATES.find((name) => name === invoice.status) ?? 'draft'
  const { overdueAt } = dueOf(invoice)
  return {
    ...{ id, number, state },
    overdue: state === 'open' && overdueAt !== null && overdueAt <= now,
    total: { minor: invoice.total, currency },
    due: { minor: invoice.amount_remaining, currency },
    issuedAt: iso(moved.finalized_at ?? invoice.created),
    dueAt: invoice.due_date === null ? null : iso(invoice.due_date),
    paidAt: moved.paid_at === null ? null : iso(moved.paid_at),
    url: invoice.hosted_invoice_url ?? null,
    pdf: invoice.invoice_pdf ?? null,
  }
}

/**
 * What the next period will cost, a change that waits for it included. Null: nothing will be charged.
 * @throws ProductError `billing_unavailable`
 */
export async function upcomingOf(deps: Deps, row: BillingRow): Promise<Upcoming | null> {
  const { customerId: customer, subscriptionId: subscription, cancelAt, periodEndsAt } = row
  if (customer === null || subscription === null || cancelAt !== null || periodEndsAt === null) return null
  const stripe = stripeOf(deps)
  const preview = async (): Promise<Stripe.Invoice | null> => {
    const schedule = row.scheduled && idOf((await stripe.subscriptions.retrieve(subscription)).schedule)
    try {
      return await stripe.invoices.createPreview(schedule ? { customer, schedule } : { customer, subscription })
    } catch (error) {
      if (isNothingUpcoming(error)) return null
      throw error
    }
  }
  const invoice = await asking(preview())
  if (!invoice) return null
  const { currency } = invoice
  return {
    at: new Date(periodEndsAt).toISOString(),
    total: { minor: invoice.total, currency },
    lines: invoice.lines.data.map(({ description, amount }) => ({
      text: description ?? '',
      amount: { minor: amount, currency },
    })),
  }
}
