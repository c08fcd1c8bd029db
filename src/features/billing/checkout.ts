import { stripeIdOf } from './stripe-subscriptions'
import {
  subscriptionAuditEntry,
  resolvePayer,
  stripeRefusalOf,
  invoiceDetailsFor,
  updateCustomerDetails,
} from './customer'
import type { BillingCustomer, Payer } from './customer'
import { findCurrentSubscriptions, priceLines } from './current-subscriptions'
import type { StripePriceItem } from './current-subscriptions'
import { remainingTrial } from './model/billing-period'
import { alreadySubscribed, resolvePurchase, withoutPurchase } from './purchase'
import { findPlan, TRIAL_EXTENSION_KEY } from './projection'
import { getAccount, storeCheckout } from './store'
import { callStripe, stripeClient } from './stripe'
import type { Stripe } from './stripe'
import { syncAccount } from './sync'
import {
  subscriptionBusy,
  hashIntent,
  isLocked,
  lockedAt,
  withLock,
  idempotencyKeyOf,
  acquireLock,
  releaseLock,
} from './checkout-lock'
import type { CheckoutLock } from './checkout-lock'
import { commit, tryCommit } from '../../db/commit'
import type { Deps } from '../../deps'
import type { RequestContext } from '../../http/request-context'
import { ProductError } from '../../shared/errors'
import type { Checkout } from '../../shared/billing/subscription'
import { INVOICE_DUE_DAYS } from '../../shared/billing/plans'
import type { OpenCheckout, PurchaseKind } from './billing-account'

/** So often others may be first before a caller is asked to come again. */
const ATTEMPTS_MAX = 4

interface CardCheckout {
  stripe: Stripe
  account: BillingCustomer
  context: RequestContext
  of: PurchaseKind
  /** What the page sells, as Stripe takes it. */
  params: Stripe.Checkout.SessionCreateParams
  /** Of `params`: equal ones are the same page. */
  hash: string
}

/**
 * The page on which a card is entered. A workspace has one that is open: the same choice gets it again, another choice
 * closes it.
 * @throws ProductError `in_use`, `invalid_input`, `billing_unavailable`, `busy`
 */
export async function openCheckout(context: RequestContext, input: Checkout): Promise<{ url: string }> {
  const { deps, scope } = context
  const stripe = stripeClient(deps)
  for (let tries = 0; tries < ATTEMPTS_MAX; tries++) {
    const account = await getAccount(deps.db, scope)
    const { of, lines } = resolvePurchase(account, input, deps.clock.now())
    if (isLocked(account, deps.clock.now())) throw subscriptionBusy()
    const items = await priceLines(stripe, lines)
    const payer = await resolvePayer(deps, stripe, { account, context, of })
    const params = checkoutSessionParams(deps, payer, { items, of })
    const hash = await hashIntent(params)
    const page = await findOrCreateSession(deps, { stripe, account: payer.account, context, of, params, hash })
    if (page) return page
  }
  throw subscriptionBusy()
}

function checkoutSessionParams(
  { settings, clock }: Deps,
  { account: { workspaceId, trialEndsAt }, customer }: Payer,
  { items, of }: { items: StripePriceItem[]; of: PurchaseKind },
): Stripe.Checkout.SessionCreateParams {
  const remaining = of === 'plan' ? remainingTrial(trialEndsAt, clock.now()) : null
  const trial =
    remaining === null
      ? {}
      : 'days' in remaining
        ? { trial_period_days: remaining.days }
        : { trial_end: remaining.endsAt / 1000 }
  const returnUrl = (how: string): string =>
    new URL(`/settings/workspace/subscription?checkout=${how}&w=${workspaceId}`, settings.BASE_URL).href
  const metadata = { workspace_id: workspaceId }
  return {
    mode: 'subscription',
    customer,
    client_reference_id: workspaceId,
    line_items: items,
    allowed_payment_method_types: ['card'],
    payment_method_collection: 'always',
    locale: 'en',
    // What was shown is charged, in the currency it was shown in.
    adaptive_pricing: { enabled: false },
    billing_address_collection: 'required',
    tax_id_collection: { enabled: true },
    customer_update: { name: 'auto', address: 'auto' },
    success_url: returnUrl('done'),
    cancel_url: returnUrl('cancelled'),
    metadata,
    subscription_data: { metadata, ...trial },
  }
}

/** Null = somebody else was first: look again. */
async function findOrCreateSession(deps: Deps, sale: CardCheckout): Promise<{ url: string } | null> {
  const { stripe, account, of } = sale
  const [held, earlier] = await Promise.all([
    findCurrentSubscriptions(stripe, account),
    retrieveSession(stripe, account.checkout),
  ])
  // Paid for, though no event has told us yet.
  if ((of === 'plan' ? held : held?.premium) || (earlier !== null && (await isPurchased(stripe, earlier, of)))) {
    await syncAccount(deps, account)
    throw alreadySubscribed()
  }
  if (earlier?.status === 'open') {
    if (account.checkout?.hash === sale.hash && earlier.url !== null) return reuseSession(deps, sale, earlier.url)
    if (!(await expireSession(stripe, earlier.id))) return null
  }
  return createSession(deps, sale)
}

const retrieveSession = async (stripe: Stripe, page: OpenCheckout | null): Promise<Stripe.Checkout.Session | null> =>
  page === null || page.url === '' ? null : callStripe(stripe.checkout.sessions.retrieve(page.id))

async function reuseSession(deps: Deps, { context }: CardCheckout, url: string): Promise<{ url: string }> {
  await commit(deps, { change: [], reply: context.reply({ url }) })
  return { url }
}

async function createSession(deps: Deps, sale: CardCheckout): Promise<{ url: string } | null> {
  const { stripe, account, context, of, params, hash } = sale
  const idempotencyKey = `${account.workspaceId}:${account.checkoutSerial}:checkout:${hash.slice(0, 16)}`
  const { id, url, expires_at: end } = await callStripe(stripe.checkout.sessions.create(params, { idempotencyKey }))
  if (url === null) throw new ProductError('billing_unavailable')
  const page: OpenCheckout = { id, url, hash, expiresAt: end * 1000 }
  const stored = await tryCommit(deps, {
    change: [storeCheckout(deps.db, account, { page, of })],
    audit: [subscriptionAuditEntry(context, 'subscription.checkout', { after: { id, items: params.line_items } })],
    reply: context.reply({ url }),
  })
  if (stored) return { url }
  const { checkout } = await getAccount(deps.db, account)
  if (checkout?.id !== id) await expireSession(stripe, id)
  return null
}

/** Closes a page that is open, so that nobody pays there. False = it was paid or closed meanwhile. */
async function expireSession(stripe: Stripe, id: string): Promise<boolean> {
  try {
    await callStripe(stripe.checkout.sessions.expire(id))
    return true
  } catch (error) {
    if (stripeRefusalOf(error)) return false
    throw error
  }
}

/**
 * Closes the page that is open for an account, if one is.
 * @throws ProductError `in_use` when it has been paid there
 */
async function closeOpenCheckout(
  deps: Deps,
  stripe: Stripe,
  { account, of }: { account: BillingCustomer; of: PurchaseKind },
): Promise<void> {
  const page = await expireOpenSession(stripe, account)
  if (page === null || !(await isPurchased(stripe, page, of))) return
  await syncAccount(deps, account)
  throw alreadySubscribed()
}

/** The last page of an account, on which nobody pays from now on: closed now, or done with before. */
export async function expireOpenSession(
  stripe: Stripe,
  { checkout }: Pick<BillingCustomer, 'checkout'>,
): Promise<Stripe.Checkout.Session | null> {
  const page = await retrieveSession(stripe, checkout)
  if (page?.status !== 'open') return page
  return (await expireSession(stripe, page.id)) ? null : callStripe(stripe.checkout.sessions.retrieve(page.id))
}

const ENDED_STATUSES: readonly Stripe.Subscription.Status[] = ['canceled', 'incomplete_expired']

/**
 * Whether what is for sale was paid for on a page, and goes on: the page of a subscription that has ended, or of Premium
 * sync that a tier has left behind, keeps nobody from the next plan.
 */
async function isPurchased(stripe: Stripe, page: Stripe.Checkout.Session, of: PurchaseKind): Promise<boolean> {
  const subscriptionId = page.status === 'complete' ? stripeIdOf(page.subscription) : null
  if (subscriptionId === null) return false
  const { status, items } = await callStripe(stripe.subscriptions.retrieve(subscriptionId))
  return !ENDED_STATUSES.includes(status) && (findPlan(items.data) !== null) === (of === 'plan')
}

/** In the metadata of a subscription that was ordered by invoice: which order made it. */
const ORDER_KEY = 'insikt_order'
const NO_ADDRESS = 'Enter an invoice email.'
const NO_TRANSFER = 'Paying by bank transfer does not work here now. Pay by card instead.'

interface InvoiceOrder {
  stripe: Stripe
  payer: Payer
  context: RequestContext
  of: PurchaseKind
  items: StripePriceItem[]
  intent: string
}

/**
 * A subscription that is paid by bank transfer: made here, its first invoice open at once. Answers the page of the invoice.
 * @throws ProductError `in_use`, `invalid_input`, `billing_unavailable`, `busy`
 */
export async function orderByInvoice(context: RequestContext, input: Checkout): Promise<{ url: string }> {
  const { deps, scope } = context
  const stripe = stripeClient(deps)
  const row = await getAccount(deps.db, scope)
  const intent = await hashIntent('order', input)
  // Of an order that was begun the subscription may be known already: the same request completes it.
  const isResuming = isLocked(row, deps.clock.now()) && row.checkout?.hash === intent
  const { of, lines } = resolvePurchase(isResuming ? withoutPurchase(row, input) : row, input, deps.clock.now())
  if (invoiceDetailsFor(row, context).billingEmail === '')
    throw new ProductError('invalid_input', { fields: { method: NO_ADDRESS } }, NO_ADDRESS)
  const items = await priceLines(stripe, lines)
  const payer = await resolvePayer(deps, stripe, { account: row, context, of })
  const { account } = payer
  await updateCustomerDetails(stripe, payer.customer, invoiceDetailsFor(account, context))
  const held = await findCurrentSubscriptions(stripe, account)
  const existing = (of === 'plan' ? held?.plan : held?.premium) ?? null
  if (existing !== null && existing.metadata[ORDER_KEY] !== intent) {
    await syncAccount(deps, account)
    throw alreadySubscribed()
  }
  await closeOpenCheckout(deps, stripe, { account, of })
  const turn = await acquireLock(deps, account, intent)
  return withLock(deps, turn, () =>
    completeOrder(deps, { stripe, payer, context, of, items, intent }, { turn, made: existing }),
  )
}

async function completeOrder(
  deps: Deps,
  order: InvoiceOrder,
  { turn, made }: { turn: CheckoutLock; made: Stripe.Subscription | null },
): Promise<{ url: string }> {
  const { stripe, context } = order
  const subscription = made ?? (await createSubscription(deps, order, turn))
  const invoice = await finalizeInvoice(
    stripe,
    made ? await findFirstInvoice(stripe, made) : subscription.latest_invoice,
  )
  const url = invoice.hosted_invoice_url ?? null
  if (url === null) throw new ProductError('billing_unavailable')
  await syncAccount(deps, await getAccount(deps.db, turn.account), {
    change: [releaseLock(deps.db, turn)],
    audit: [
      subscriptionAuditEntry(context, 'subscription.order', { after: { id: subscription.id, items: order.items } }),
    ],
    reply: context.reply({ url }),
  })
  return { url }
}

async function createSubscription(
  { settings }: Deps,
  { stripe, payer, of, items, intent }: InvoiceOrder,
  lock: CheckoutLock,
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
          metadata: { ...metadata, ...(of === 'plan' ? trialExtensionMetadata(lock) : {}) },
        },
        idempotencyKeyOf(lock, 'order'),
      ),
    )
  } catch (error) {
    if (stripeRefusalOf(error)?.param.includes('payment_settings'))
      throw new ProductError('invalid_input', { fields: { method: NO_TRANSFER } }, NO_TRANSFER, { cause: error })
    throw error
  }
}

/** How what is not paid by card is paid. */
const bankTransferParams = (country: string) => ({
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
function trialExtensionMetadata(lock: CheckoutLock): Record<string, string> {
  const left = (lock.account.trialEndsAt ?? 0) - lockedAt(lock)
  return left > 0 ? { [TRIAL_EXTENSION_KEY]: String(Math.ceil(left / 1000)) } : {}
}
