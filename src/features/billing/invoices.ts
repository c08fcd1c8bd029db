import { idOf } from './ask'
import { customersOf } from './customer'
import { periodOf } from './held'
import { dueOf } from './projection'
import type { BillingRow } from './store'
import { asking, isMissing, isNothingUpcoming, stripeOf } from './stripe'
import type { Stripe } from './stripe'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import type { Page } from '../../shared/names'
import { INVOICE_STATES } from '../../shared/subscription'
import type { InvoiceView, Upcoming, UpcomingInvoice } from '../../shared/subscription'

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString()
/** Where the pages of each customer stand, in their order: `in_1.in_2`. */
const CURSOR = /^(in_[A-Za-z0-9]{1,60})?(\.in_[A-Za-z0-9]{1,60})?$/

/**
 * A page of all invoices of the workspace's customers, the newest first. Nothing before a first purchase.
 * @throws ProductError `billing_unavailable`, `invalid_input` for a cursor that is none of ours
 */
export async function invoicesOf(
  deps: Deps,
  account: BillingRow,
  { cursor = '', limit }: { cursor?: string | undefined; limit: number },
): Promise<Page<InvoiceView>> {
  if (!CURSOR.test(cursor)) throw noSuchPage()
  const customers = customersOf(account)
  if (customers.length === 0) return { items: [], nextCursor: null }
  const from = cursor.split('.')
  const stripe = stripeOf(deps)
  const lists = await asking(
    Promise.all(customers.map((customer, at) => stripe.invoices.list({ customer, limit, ...after(from[at]) }))),
  ).catch((error: unknown) => {
    throw cursor !== '' && error instanceof ProductError && isMissing(error.cause) ? noSuchPage() : error
  })
  const found = lists
    .flatMap(({ data }, of) => data.map((invoice) => ({ invoice, of })))
    .toSorted((a, b) => b.invoice.created - a.invoice.created)
  const page = found.slice(0, limit)
  const more = found.length > limit || lists.some((list) => list.has_more)
  const next = customers.map((_, at) => page.findLast(({ of }) => of === at)?.invoice.id ?? from[at] ?? '')
  const now = deps.clock.now()
  return {
    items: page.map(({ invoice }) => viewOf(invoice, now)),
    nextCursor: more ? next.join('.').replace(/\.$/, '') : null,
  }
}

const after = (id: string | undefined) => (id ? { starting_after: id } : {})

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
 * What the next period will cost, a change that waits for it included, and beside an older tier the next one of Premium sync.
 * Null: nothing will be charged.
 * @throws ProductError `billing_unavailable`
 */
export async function upcomingOf(deps: Deps, row: BillingRow): Promise<Upcoming | null> {
  const { customerId, subscriptionId, premiumId, cancelAt, periodEndsAt } = row
  if (customerId === null) return null
  const stripe = stripeOf(deps)
  const plan = async (): Promise<UpcomingInvoice | null> => {
    if (subscriptionId === null || cancelAt !== null || periodEndsAt === null) return null
    const schedule = row.scheduled && idOf((await stripe.subscriptions.retrieve(subscriptionId)).schedule)
    return nextOf(stripe, { customer: customerId, subscription: subscriptionId, schedule, at: periodEndsAt })
  }
  const premium = async (): Promise<UpcomingInvoice | null> => {
    if (premiumId === null) return null
    const one = await stripe.subscriptions.retrieve(premiumId)
    if (one.cancel_at !== null || one.cancel_at_period_end) return null
    const customer = idOf(one.customer) ?? customerId
    const at = periodOf(one).end * 1000
    return nextOf(stripe, { customer, subscription: premiumId, schedule: idOf(one.schedule), at })
  }
  const [first, beside] = (await asking(Promise.all([plan(), premium()]))).filter((one) => one !== null)
  return first ? { ...first, beside: beside ?? null } : null
}

interface Coming {
  customer: string
  subscription: string
  schedule: string | null
  at: number
}
async function nextOf(
  stripe: Stripe,
  { customer, subscription, schedule, at }: Coming,
): Promise<UpcomingInvoice | null> {
  try {
    const { currency, total, lines } = await stripe.invoices.createPreview(
      schedule === null ? { customer, subscription } : { customer, schedule },
    )
    return {
      at: new Date(at).toISOString(),
      total: { minor: total, currency },
      lines: lines.data.map(({ description, amount }) => ({
        text: description ?? '',
        amount: { minor: amount, currency },
      })),
    }
  } catch (error) {
    if (isNothingUpcoming(error)) return null
    throw error
  }
}
