import { closeCheckout } from './checkout'
import { audited, customerOf, detailsFor, refusalOf, writeDetails } from './customer'
import type { Buying, Customer } from './customer'
import { heldBy, periodOf, pricedLines } from './held'
import type { Priced } from './held'
import { planLines } from './model/choice'
import { trialRest } from './model/period'
import { alreadyBought, firstChoice } from './sale'
import { accountAgain, billingStore } from './store'
import type { BillingRow } from './store'
import { asking, stripeOf } from './stripe'
import type { Stripe } from './stripe'
import { syncAccount } from './sync'
import { inTurn, intentOf, isTurn, keyOfCall, takeTurn, turnEnd } from './turn'
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
  account: Customer
  buying: Buying
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
  const lines = planLines(firstChoice(begun ? { ...row, subscriptionId: null, planId: null } : row, input))
  if (detailsFor(row, buying).billingEmail === '')
    throw new ProductError('invalid_input', { fields: { method: NO_ADDRESS } }, NO_ADDRESS)
  const items = await pricedLines(stripe, lines)
  const account = await customerOf(deps, stripe, { account: row, buying })
  await writeDetails(stripe, account.customerId, detailsFor(account, buying))
  const held = await heldBy(stripe, account)
  if (held !== null && held.plan.metadata[ORDER_KEY] !== intent) {
    await syncAccount(deps, account)
    throw alreadyBought()
  }
  await closeCheckout(deps, stripe, account)
  const turn = await takeTurn(deps, account, intent)
  return inTurn(deps, turn, () =>
    complete(deps, { stripe, account, buying, items, intent }, { turn, made: held?.plan ?? null }),
  )
}

async function complete(
  deps: Deps,
  order: Order,
  { turn, made }: { turn: Turn; made: Stripe.Subscription | null },
): Promise<{ url: string }> {
  const { stripe, buying } = order
  const subscription = made ?? (await subscribe(deps, order, turn))
  const invoice = await openInvoice(stripe, subscription.latest_invoice)
  await addTrialRest(stripe, subscription, turn)
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
  { stripe, account, items, intent }: Order,
  turn: Turn,
): Promise<Stripe.Subscription> {
  const { customerId, workspaceId } = account
  try {
    return await asking(
      stripe.subscriptions.create(
        {
          customer: customerId,
          items,
          ...byTransfer(settings.BANK_TRANSFER_COUNTRY),
          metadata: { workspace_id: workspaceId, [ORDER_KEY]: intent },
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

/** The newest invoice of a subscription, open to be paid. */
export async function openInvoice(
  stripe: Stripe,
  latest: Stripe.Subscription['latest_invoice'],
): Promise<Stripe.Invoice> {
  const id = typeof latest === 'string' ? latest : latest?.id
  if (id === undefined) throw new ProductError('billing_unavailable')
  const invoice = await asking(stripe.invoices.retrieve(id))
  if (invoice.status !== 'draft') return invoice
  return asking(stripe.invoices.finalizeInvoice(id, { auto_advance: true }, { idempotencyKey: `${id}:finalize` }))
}

/** What was left of the trial prolongs the first period, once. */
async function addTrialRest(stripe: Stripe, subscription: Stripe.Subscription, turn: Turn): Promise<void> {
  const boughtAt = subscription.created * 1000
  const rest = trialLeft(turn.account, boughtAt)
  if (rest === 0 || subscription.trial_end !== null) return
  const end = periodOf(subscription).end + Math.ceil(rest / 1000)
  await asking(
    stripe.subscriptions.update(
      subscription.id,
      { trial_end: end, proration_behavior: 'none' },
      { idempotencyKey: `${subscription.id}:trial` },
    ),
  )
}

const trialLeft = ({ trialEndsAt }: BillingRow, at: number): number =>
  trialRest(trialEndsAt, at) === null || trialEndsAt === null ? 0 : trialEndsAt - at
