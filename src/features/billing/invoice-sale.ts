import { closeOpenCheckout } from './checkout'
import {
  subscriptionAuditEntry,
  invoiceDetailsFor,
  resolvePayer,
  stripeRefusalOf,
  updateCustomerDetails,
} from './customer'
import type { PurchaseContext, Payer } from './customer'
import { findCurrentSubscriptions, priceLines } from './held'
import type { StripePriceItem } from './held'
import { TRIAL_EXTENSION_KEY } from './projection'
import { alreadySubscribed, withoutPurchase, resolvePurchase } from './sale'
import type { PurchaseKind } from './sale'
import { reloadAccount, billingStore } from './store'
import { callStripe, stripeClient } from './stripe'
import type { Stripe } from './stripe'
import { syncAccount } from './sync'
import { lockedAt, withLock, hashIntent, isLocked, idempotencyKeyOf, acquireLock, releaseLock } from './turn'
import type { CheckoutLock } from './turn'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import { INVOICE_DUE_DAYS } from '../../shared/plans'
import type { Checkout } from '../../shared/subscription'

/** In the metadata of a subscription that was ordered by invoice: which order made it. */
const ORDER_KEY = 'insikt_order'
const NO_ADDRESS = 'Say where invoices go: enter a billing e-mail.'
const NO_TRANSFER = 'Paying by bank transfer does not work here now. Pay by card instead.'

interface InvoiceOrder {
  stripe: Stripe
  payer: Payer
  buying: PurchaseContext
  of: PurchaseKind
  items: StripePriceItem[]
  intent: string
}

/**
 * A subscription that is paid by bank transfer: made here, its first invoice open at once. Answers the page of the invoice.
 * @throws ProductError `in_use`, `invalid_input`, `billing_unavailable`, `busy`
 */
export async function orderByInvoice(
  deps: Deps,
  purchaseContext: PurchaseContext,
  input: Checkout,
): Promise<{ url: string }> {
  const stripe = stripeClient(deps)
  const row = await billingStore(deps.db, purchaseContext.scope).get()
  const intent = await hashIntent('order', input)
  // Of an order that was begun the subscription may be known already: the same request completes it.
  const isResuming = isLocked(row, deps.clock.now()) && row.checkout?.hash === intent
  const { of, lines } = resolvePurchase(isResuming ? withoutPurchase(row, input) : row, input, deps.clock.now())
  if (invoiceDetailsFor(row, purchaseContext).billingEmail === '')
    throw new ProductError('invalid_input', { fields: { method: NO_ADDRESS } }, NO_ADDRESS)
  const items = await priceLines(stripe, lines)
  const payer = await resolvePayer(deps, stripe, { account: row, buying: purchaseContext, of })
  const { account } = payer
  await updateCustomerDetails(stripe, payer.customer, invoiceDetailsFor(account, purchaseContext))
  const held = await findCurrentSubscriptions(stripe, account)
  const existing = (of === 'plan' ? held?.plan : held?.premium) ?? null
  if (existing !== null && existing.metadata[ORDER_KEY] !== intent) {
    await syncAccount(deps, account)
    throw alreadySubscribed()
  }
  await closeOpenCheckout(deps, stripe, { account, of })
  const turn = await acquireLock(deps, account, intent)
  return withLock(deps, turn, () =>
    completeOrder(deps, { stripe, payer, buying: purchaseContext, of, items, intent }, { turn, made: existing }),
  )
}

async function completeOrder(
  deps: Deps,
  invoiceOrder: InvoiceOrder,
  { turn, made }: { turn: CheckoutLock; made: Stripe.Subscription | null },
): Promise<{ url: string }> {
  const { stripe, buying } = invoiceOrder
  const subscription = made ?? (await createSubscription(deps, invoiceOrder, turn))
  const invoice = await finalizeInvoice(
    stripe,
    made ? await findFirstInvoice(stripe, made) : subscription.latest_invoice,
  )
  const url = invoice.hosted_invoice_url ?? null
  if (url === null) throw new ProductError('billing_unavailable')
  await syncAccount(deps, await reloadAccount(deps.db, turn.account), {
    change: [releaseLock(deps.db, turn)],
    audit: [
      subscriptionAuditEntry(buying, 'subscription.order', {
        after: { id: subscription.id, items: invoiceOrder.items },
      }),
    ],
    reply: buying.reply({ url }),
  })
  return { url }
}

async function createSubscription(
  { settings }: Deps,
  { stripe, payer, of, items, intent }: InvoiceOrder,
  checkoutLock: CheckoutLock,
): Promise<Stripe.Subscription> {
  const { account, customer } = payer
  const metadata = { workspace_id: account.workspaceId, [ORDER_KEY]: intent }
  try {
    return await callStripe(
      stripe.subscriptions.create(
        {
          customer,
          items,
          ...bankTransferParams(settings.BANK_TRANSFER_COUNTRY),
          metadata: { ...metadata, ...(of === 'plan' ? trialExtensionMetadata(checkoutLock) : {}) },
        },
        idempotencyKeyOf(checkoutLock, 'order'),
      ),
    )
  } catch (error) {
    if (stripeRefusalOf(error)?.param.includes('payment_settings'))
      throw new ProductError('invalid_input', { fields: { method: NO_TRANSFER } }, NO_TRANSFER, { cause: error })
    throw error
  }
}

/** How what is not paid by card is paid. */
export const bankTransferParams = (country: string) => ({
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
async function findFirstInvoice(stripe: Stripe, { id }: Stripe.Subscription): Promise<string | null> {
  const { data } = await callStripe(stripe.invoices.list({ subscription: id, limit: 100 }))
  return data.find(({ billing_reason: reason }) => reason === 'subscription_create')?.id ?? null
}

/** An invoice of a subscription, open to be paid. */
export async function finalizeInvoice(
  stripe: Stripe,
  named: Stripe.Subscription['latest_invoice'],
): Promise<Stripe.Invoice> {
  const id = typeof named === 'string' ? named : named?.id
  if (id === undefined) throw new ProductError('billing_unavailable')
  const invoice = await callStripe(stripe.invoices.retrieve(id))
  if (invoice.status !== 'draft') return invoice
  return callStripe(stripe.invoices.finalizeInvoice(id, { auto_advance: true }, { idempotencyKey: `${id}:finalize` }))
}

/**
 * What is left of the trial prolongs a first period, which is paid at once. It waits in the metadata until shortly before the
 * end of that period: set as a trial now, the whole period would be one to Stripe, and every larger plan free in it.
 */
function trialExtensionMetadata(checkoutLock: CheckoutLock): Record<string, string> {
  const left = (checkoutLock.account.trialEndsAt ?? 0) - lockedAt(checkoutLock)
  return left > 0 ? { [TRIAL_EXTENSION_KEY]: String(Math.ceil(left / 1000)) } : {}
}
