import { idOf } from './ask'
import { audited, payerOf, refusalOf } from './customer'
import type { Buying, Customer, Payer } from './customer'
import { heldBy, pricedLines } from './held'
import type { Priced } from './held'
import { trialRest } from './model/period'
import { alreadyBought, saleOf } from './sale'
import type { SaleOf } from './sale'
import { planOf } from './sorting'
import { billingStore } from './store'
import { asking, stripeOf } from './stripe'
import type { Stripe } from './stripe'
import { syncAccount } from './sync'
import { busy, intentOf, isTurn } from './turn'
import { commit } from '../../db/commit'
import type { OpenCheckout } from '../../db/schema'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import type { Checkout } from '../../shared/subscription'

/** So often others may be first before a caller is asked to come again. */
const TRIES = 4

interface CardSale {
  stripe: Stripe
  account: Customer
  buying: Buying
  of: SaleOf
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
export async function openCheckout(deps: Deps, buying: Buying, input: Checkout): Promise<{ url: string }> {
  const stripe = stripeOf(deps)
  for (let tries = 0; tries < TRIES; tries++) {
    const account = await billingStore(deps.db, buying.scope).get()
    const { of, lines } = saleOf(account, input, deps.clock.now())
    if (isTurn(account, deps.clock.now())) throw busy()
    const items = await pricedLines(stripe, lines)
    const payer = await payerOf(deps, stripe, { account, buying, of })
    const params = sessionOf(deps, payer, { items, of })
    const hash = await intentOf(params)
    const page = await pageFor(deps, { stripe, account: payer.account, buying, of, params, hash })
    if (page) return page
  }
  throw busy()
}

function sessionOf(
  { settings, clock }: Deps,
  { account: { workspaceId, trialEndsAt }, customer }: Payer,
  { items, of }: { items: Priced[]; of: SaleOf },
): Stripe.Checkout.SessionCreateParams {
  const rest = of === 'plan' ? trialRest(trialEndsAt, clock.now()) : null
  const trial =
    rest === null ? {} : 'days' in rest ? { trial_period_days: rest.days } : { trial_end: rest.endsAt / 1000 }
  const back = (how: string): string =>
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
    success_url: back('done'),
    cancel_url: back('cancelled'),
    metadata,
    subscription_data: { metadata, ...trial },
  }
}

/** Null = somebody else was first: look again. */
async function pageFor(deps: Deps, sale: CardSale): Promise<{ url: string } | null> {
  const { stripe, account, of } = sale
  const [held, earlier] = await Promise.all([heldBy(stripe, account), sessionUnder(stripe, account.checkout)])
  // Paid for, though no event has told us yet.
  if ((of === 'plan' ? held : held?.premium) || (earlier !== null && (await isBought(stripe, earlier, of)))) {
    await syncAccount(deps, account)
    throw alreadyBought()
  }
  if (earlier?.status === 'open') {
    if (account.checkout?.hash === sale.hash && earlier.url !== null) return kept(deps, sale, earlier.url)
    if (!(await close(stripe, earlier.id))) return null
  }
  return made(deps, sale)
}

const sessionUnder = async (stripe: Stripe, page: OpenCheckout | null): Promise<Stripe.Checkout.Session | null> =>
  page === null || page.url === '' ? null : asking(stripe.checkout.sessions.retrieve(page.id))

async function kept(deps: Deps, { buying }: CardSale, url: string): Promise<{ url: string }> {
  await commit(deps, { change: [], reply: buying.reply({ url }) })
  return { url }
}

async function made(deps: Deps, sale: CardSale): Promise<{ url: string } | null> {
  const { stripe, account, buying, of, params, hash } = sale
  const idempotencyKey = `${account.workspaceId}:${account.checkoutSerial}:checkout:${hash.slice(0, 16)}`
  const { id, url, expires_at: end } = await asking(stripe.checkout.sessions.create(params, { idempotencyKey }))
  if (url === null) throw new ProductError('billing_unavailable')
  const page: OpenCheckout = { id, url, hash, expiresAt: end * 1000 }
  const missed = busy()
  try {
    await commit(deps, {
      change: [keepPage(deps, account, { page, of })],
      audit: [audited(buying, 'subscription.checkout', { after: { id, items: params.line_items } })],
      reply: buying.reply({ url }),
      expect: { onMissed: () => missed },
    })
    return { url }
  } catch (error) {
    if (error !== missed) throw error
    const { checkout } = await billingStore(deps.db, buying.scope).get()
    if (checkout?.id !== id) await close(stripe, id)
    return null
  }
}

const NOT_BOUGHT: Record<SaleOf, string> = {
  plan: 'subscription_id IS NULL',
  premium: 'subscription_id IS NOT NULL AND premium_id IS NULL',
}
const keepPage = (
  { db }: Deps,
  { workspaceId, checkoutSerial }: Customer,
  { page, of }: { page: OpenCheckout; of: SaleOf },
): D1PreparedStatement =>
  db.d1
    .prepare(
      `UPDATE subscriptions SET checkout = ?, checkout_serial = checkout_serial + 1
       WHERE workspace_id = ? AND checkout_serial = ? AND ${NOT_BOUGHT[of]}`,
    )
    .bind(JSON.stringify(page), workspaceId, checkoutSerial)

/** Closes a page that is open, so that nobody pays there. False = it was paid or closed meanwhile. */
async function close(stripe: Stripe, id: string): Promise<boolean> {
  try {
    await asking(stripe.checkout.sessions.expire(id))
    return true
  } catch (error) {
    if (refusalOf(error)) return false
    throw error
  }
}

/**
 * Closes the page that is open for an account, if one is.
 * @throws ProductError `in_use` when it has been paid there
 */
export async function closeCheckout(
  deps: Deps,
  stripe: Stripe,
  { account, of }: { account: Customer; of: SaleOf },
): Promise<void> {
  const page = await closedPage(stripe, account)
  if (page === null || !(await isBought(stripe, page, of))) return
  await syncAccount(deps, account)
  throw alreadyBought()
}

/** The last page of an account, on which nobody pays from now on: closed now, or done with before. */
export async function closedPage(
  stripe: Stripe,
  { checkout }: Pick<Customer, 'checkout'>,
): Promise<Stripe.Checkout.Session | null> {
  const page = await sessionUnder(stripe, checkout)
  if (page?.status !== 'open') return page
  return (await close(stripe, page.id)) ? null : asking(stripe.checkout.sessions.retrieve(page.id))
}

const ENDED: readonly Stripe.Subscription.Status[] = ['canceled', 'incomplete_expired']

/**
 * Whether what is for sale was paid for on a page, and goes on: the page of a subscription that has ended, or of Premium
 * sync that a tier has left behind, keeps nobody from the next plan.
 */
async function isBought(stripe: Stripe, page: Stripe.Checkout.Session, of: SaleOf): Promise<boolean> {
  const bought = page.status === 'complete' ? idOf(page.subscription) : null
  if (bought === null) return false
  const { status, items } = await asking(stripe.subscriptions.retrieve(bought))
  return !ENDED.includes(status) && (planOf(items.data) !== null) === (of === 'plan')
}
