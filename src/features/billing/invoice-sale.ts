import { closeCheckout } from './checkout'
import { audited, detailsFor, payerOf, refusalOf, writeDetails } from './customer'
import type { Buying, Payer } from './customer'
import { heldBy, pricedLines } from './held'
import type { Priced } from './held'
import { REST_KEY } from './projection'
import { alreadyBought, beforeSale, saleOf } from './sale'
import type { SaleOf } from './sale'
import { accountAgain, billingStore } from './store'
import { asking, stripeOf } from './stripe'
import type { Stripe } from './stripe'
import { syncAccount } from './sync'
import { begunAt, inTurn, intentOf, isTurn, keyOfCall, takeTurn, turnEnd } from './turn'
import type { Turn } from './turn'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import { INVOICE_DUE_DAYS } from '../../shared/plans'
import type { Checkout } from '../../shared/subscription'

/** In the metadata of a subscription that was ordered by invoice: which order made it. */
const ORDER_KEY = 'insikt_order'
const NO_ADDRESS = 'Say where invoices go: enter a billing e-mail.'
const NO_TRANSFER = 'Paying by bank transfer does not work here now. Pay by card instead.'

interface Order {
  stripe: Stripe
  payer: Payer
  buying: Buying
  of: SaleOf
  items: Priced[]
  intent: string
}

/**
 * A subscription that is paid by bank transfer: made here, its first invoice open at once. Answers the page of the invoice.
 * @throws ProductError `in_use`, `invalid_input`, `billing_unavailable`, `busy`
 */
export async function orderByInvoice(deps: Deps, buying: Buying, input: Checkout): Promise<{ url: string }> {
  const stripe = stripeOf(deps)
  const row = await billingStore(deps.db, buying.scope).get()
  const intent = await intentOf('order', input)
  // Of an order that was begun the subscription may be known already: the same request completes it.
  const begun = isTurn(row, deps.clock.now()) && row.checkout?.hash === intent
  const { of, lines } = saleOf(begun ? beforeSale(row, input) : row, input, deps.clock.now())
  if (detailsFor(row, buying).billingEmail === '')
    throw new ProductError('invalid_input', { fields: { method: NO_ADDRESS } }, NO_ADDRESS)
  const items = await pricedLines(stripe, lines)
  const payer = await payerOf(deps, stripe, { account: row, buying, of })
  const { account } = payer
  await writeDetails(stripe, payer.customer, detailsFor(account, buying))
  const held = await heldBy(stripe, account)
  const made = (of === 'plan' ? held?.plan : held?.premium) ?? null
  if (made !== null && made.metadata[ORDER_KEY] !== intent) {
    await syncAccount(deps, account)
    throw alreadyBought()
  }
  await closeCheckout(deps, stripe, { account, of })
  const turn = await takeTurn(deps, account, intent)
  return inTurn(deps, turn, () => complete(deps, { stripe, payer, buying, of, items, intent }, { turn, made }))
}

async function complete(
  deps: Deps,
  order: Order,
  { turn, made }: { turn: Turn; made: Stripe.Subscription | null },
): Promise<{ url: string }> {
  const { stripe, buying } = order
  const subscription = made ?? (await subscribe(deps, order, turn))
  const invoice = await openInvoice(stripe, made ? await firstInvoiceOf(stripe, made) : subscription.latest_invoice)
  const url = invoice.hosted_invoice_url ?? null
  if (url === null) throw new ProductError('billing_unavailable')
  await syncAccount(deps, await accountAgain(deps.db, turn.account), {
    change: [turnEnd(deps.db, turn)],
    audit: [audited(buying, 'subscription.order', { after: { id: subscription.id, items: order.items } })],
    reply: buying.reply({ url }),
  })
  return { url }
}

async function subscribe(
  { settings }: Deps,
  { stripe, payer, of, items, intent }: Order,
  turn: Turn,
): Promise<Stripe.Subscription> {
  const { account, customer } = payer
  const metadata = { workspace_id: account.workspaceId, [ORDER_KEY]: intent }
  try {
    return await asking(
      stripe.subscriptions.create(
        {
          customer,
          items,
          ...byTransfer(settings.BANK_TRANSFER_COUNTRY),
          metadata: { ...metadata, ...(of === 'plan' ? trialRest(turn) : {}) },
        },
        keyOfCall(turn, 'order'),
      ),
    )
  } catch (error) {
    if (refusalOf(error)?.param.includes('payment_settings'))
      throw new ProductError('invalid_input', { fields: { method: NO_TRANSFER } }, NO_TRANSFER, { cause: error })
    throw error
  }
}

/** How what is not paid by card is paid. */
export const byTransfer = (country: string) => ({
  collection_method: 'send_invoice' as const,
  days_until_due: INVOICE_DUE_DAYS,
  payment_settings: {
    payment_method_types: ['customer_balance' as const],
    payment_method_options: {
      customer_balance: {
        funding_type: 'bank_transfer',
        bank_transfer: { type: 'eu_bank_transfer', eu_bank_transfer: { country } },
      },
    },
  },
})

/** The invoice that an order was made with: Stripe may have written others since. */
async function firstInvoiceOf(stripe: Stripe, { id }: Stripe.Subscription): Promise<string | null> {
  const { data } = await asking(stripe.invoices.list({ subscription: id, limit: 100 }))
  return data.find(({ billing_reason: reason }) => reason === 'subscription_create')?.id ?? null
}

/** An invoice of a subscription, open to be paid. */
export async function openInvoice(
  stripe: Stripe,
  named: Stripe.Subscription['latest_invoice'],
): Promise<Stripe.Invoice> {
  const id = typeof named === 'string' ? named : named?.id
  if (id === undefined) throw new ProductError('billing_unavailable')
  const invoice = await asking(stripe.invoices.retrieve(id))
  if (invoice.status !== 'draft') return invoice
  return asking(stripe.invoices.finalizeInvoice(id, { auto_advance: true }, { idempotencyKey: `${id}:finalize` }))
}

/**
 * What is left of the trial prolongs a first period, which is paid at once. It waits in the metadata until shortly before the
 * end of that period: set as a trial now, the whole period would be one to Stripe, and every larger plan free in it.
 */
function trialRest(turn: Turn): Record<string, string> {
  const left = (turn.account.trialEndsAt ?? 0) - begunAt(turn)
  return left > 0 ? { [REST_KEY]: String(Math.ceil(left / 1000)) } : {}
}
