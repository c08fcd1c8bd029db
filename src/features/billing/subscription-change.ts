import type { z } from 'zod'
import { expireOpenSession, finalizeInvoice } from './checkout'
import { subscriptionAuditEntry, customerIdsOf, invoiceDetailsFor, updateCustomerDetails } from './customer'
import {
  requireCurrentSubscriptions,
  itemParams,
  subscriptionItemsOf,
  currentPeriodOf,
  priceItems,
} from './current-subscriptions'
import { diffItems } from './model/plan-change'
import { STRIPE_INTERVALS } from './price-list'
import { requireAllowedTiming, changedSubscription, selectedPlanFor } from './preview'
import type { PlanChange } from './preview'
import { stripeIdOf } from './stripe-subscriptions'
import { assertNoCustomPlan } from './purchase'
import { getAccount, storeDetails } from './store'
import { callStripe, stripeClient } from './stripe'
import type { Stripe } from './stripe'
import { syncAccount } from './sync'
import {
  afterRelease,
  assertVersion,
  withLock,
  hashIntent,
  idempotencyKeyOf,
  acquireLock,
  releaseLock,
} from './checkout-lock'
import type { CheckoutLock } from './checkout-lock'
import { subscriptionView } from './subscription-view'
import { commit } from '../../db/commit'
import type { AuditEntry } from '../../db/commit'
import type { Deps } from '../../deps'
import type { RequestContext } from '../../http/request-context'
import { computeEntitlements } from '../../shared/billing/entitlements'
import { HOUR_MS } from '../../shared/dates'
import { ProductError } from '../../shared/errors'
import type { changePlanSchema, SubscriptionView, BillingDetails } from '../../shared/billing/subscription'
import { CANCEL_KEY } from './projection'
import type { BillingAccount } from './billing-account'

/** What was shown is charged for so long; later it is shown anew. */
const PREVIEW_TTL_MS = HOUR_MS
const PREVIEW_EXPIRED = 'The price has changed. Check it and confirm again.'
const PREMIUM_NEEDS_CHECKOUT = 'Premium sync is billed separately. Pay for it first.'
const UNPAID = 'Pay the open invoices first.'

/**
 * Changes the plan: at once where nothing is taken away, else when what is paid for has been used. A card that is declined
 * changes nothing.
 * @throws ProductError `version_conflict`, `invalid_input` (`fields.payment`: declined), `in_use`, `not_found`, `busy`,
 * `billing_unavailable`
 */
export async function changePlan(
  context: RequestContext,
  input: z.output<typeof changePlanSchema>,
): Promise<SubscriptionView> {
  const { deps } = context
  const stripe = stripeClient(deps)
  const account = await requireChangeableAccount(context, input.version)
  const current = await requireCurrentSubscriptions(stripe, account)
  const planChange: PlanChange = { stripe, current, selection: selectedPlanFor(current, input) }
  const way = requireAllowedTiming(planChange)
  if (way.when !== 'none' && changedSubscription(planChange, way.of).subscription === null)
    throw new ProductError('invalid_input', { fields: { addOns: PREMIUM_NEEDS_CHECKOUT } }, PREMIUM_NEEDS_CHECKOUT)
  const at = way.when === 'now' ? resolveProrationDate(deps, planChange, input.prorationAt) : null
  const checkoutLock = await acquireLock(deps, account, await hashIntent('change', input))
  return withLock(deps, checkoutLock, async () => {
    if (way.when === 'now') await applyChangeNow({ ...planChange, checkoutLock, of: way.of, at })
    if (way.when === 'periodEnd') await scheduleChange({ ...planChange, checkoutLock, of: way.of })
    if (way.when !== 'periodEnd') await releaseSchedule(stripe, current.plan, checkoutLock)
    const auditChange = { before: current.selection, after: { ...planChange.selection, when: way.when } }
    return completeChange(context, checkoutLock, subscriptionAuditEntry(context, 'subscription.update', auditChange))
  })
}

/** @throws ProductError `version_conflict`, `in_use` where nothing may be changed before it is paid */
async function requireChangeableAccount({ deps, scope }: RequestContext, version: number): Promise<BillingAccount> {
  const account = await getAccount(deps.db, scope)
  assertVersion(account, version)
  assertNoCustomPlan(account)
  const now = deps.clock.now()
  if (computeEntitlements(account, now).state === 'restricted') throw new ProductError('in_use', {}, UNPAID)
  // On a page that sells something beside what changes now, nobody pays any more.
  if (account.checkout !== null && account.checkout.expiresAt > now)
    await expireOpenSession(stripeClient(deps), account)
  return account
}

/** The second (epoch s) from which on a change is counted. @throws ProductError `invalid_input` when shown too long ago */
function resolveProrationDate({ clock }: Deps, { current }: PlanChange, previewedAt: number | null): number {
  const now = clock.now()
  const start = Math.max(
    currentPeriodOf(current.plan).start,
    current.premium ? currentPeriodOf(current.premium).start : 0,
  )
  if (previewedAt === null) return Math.max(Math.floor(now / 1000), start)
  if (previewedAt < Math.max(now - PREVIEW_TTL_MS, start * 1000) || previewedAt > Math.max(now, start * 1000))
    throw new ProductError('invalid_input', { fields: { prorationAt: PREVIEW_EXPIRED } }, PREVIEW_EXPIRED)
  return Math.floor(previewedAt / 1000)
}

interface ChangeStep extends PlanChange {
  checkoutLock: CheckoutLock
  of: 'plan' | 'premium'
}

async function applyChangeNow(step: ChangeStep & { at: number | null }): Promise<void> {
  const { stripe, checkoutLock, at } = step
  const { subscription } = changedSubscription(step, step.of)
  if (subscription === null) return
  const params = await subscriptionUpdateParams(step, { subscription, at })
  const changed = await callStripe(
    stripe.subscriptions.update(subscription.id, params, idempotencyKeyOf(checkoutLock, 'change')),
  )
  if (changed.collection_method === 'send_invoice' && changed.latest_invoice !== null)
    await finalizeInvoice(stripe, changed.latest_invoice)
}

async function subscriptionUpdateParams(
  changeStep: ChangeStep,
  { subscription, at }: { subscription: Stripe.Subscription; at: number | null },
): Promise<Stripe.SubscriptionUpdateParams> {
  const { lines } = changedSubscription(changeStep, changeStep.of)
  const byCard = subscription.collection_method === 'charge_automatically'
  return {
    items: await itemParams(changeStep.stripe, diffItems(subscriptionItemsOf(subscription), lines)),
    proration_behavior: 'always_invoice',
    ...(at === null ? {} : { proration_date: at }),
    // A card that is declined leaves everything as it was.
    ...(byCard ? { payment_behavior: 'error_if_incomplete' as const } : {}),
    ...(subscription.cancel_at_period_end && subscription.schedule === null ? { cancel_at_period_end: false } : {}),
  }
}

/** The change waits in a schedule of the subscription; with nothing left of it, the subscription ends. */
async function scheduleChange(changeStep: ChangeStep): Promise<void> {
  const { stripe, checkoutLock, selection } = changeStep
  const { subscription, lines } = changedSubscription(changeStep, changeStep.of)
  if (subscription === null) return
  if (lines.length === 0) return scheduleCancellation(stripe, subscription, checkoutLock)
  const isCancelling = subscription.cancel_at_period_end
  if (isCancelling && subscription.schedule === null)
    await callStripe(
      stripe.subscriptions.update(
        subscription.id,
        { cancel_at_period_end: false },
        idempotencyKeyOf(checkoutLock, `keep-${changeStep.of}`),
      ),
    )
  const schedule = await ensureSchedule(changeStep, subscription)
  const { next } = diffItems(subscriptionItemsOf(subscription), lines)
  const nextPhaseItems = (await priceItems(stripe, next)).map(({ price, quantity }) => ({ price, quantity }))
  const { start, end } = currentPeriodOf(subscription)
  const trialEnd = subscription.status === 'trialing' ? subscription.trial_end : null
  await callStripe(
    stripe.subscriptionSchedules.update(
      schedule.id,
      {
        end_behavior: 'release',
        proration_behavior: 'none',
        phases: [
          {
            items: subscriptionItemsOf(subscription).map(({ priceId: price, quantity }) => ({ price, quantity })),
            start_date: schedule.current_phase?.start_date ?? start,
            end_date: end,
            proration_behavior: 'none',
            ...(trialEnd === null ? {} : { trial_end: trialEnd }),
          },
          {
            items: nextPhaseItems,
            duration: { interval: STRIPE_INTERVALS[selection.interval], interval_count: 1 },
            proration_behavior: 'none',
          },
        ],
      },
      idempotencyKeyOf(checkoutLock, 'phases'),
    ),
  )
}

async function ensureSchedule({ stripe, checkoutLock }: ChangeStep, { id, schedule }: Stripe.Subscription) {
  const existing = stripeIdOf(schedule)
  return callStripe(
    existing === null
      ? stripe.subscriptionSchedules.create({ from_subscription: id }, idempotencyKeyOf(checkoutLock, 'schedule'))
      : stripe.subscriptionSchedules.retrieve(existing),
  )
}

/** What is done to each subscription of a workspace. */
type SubscriptionOperation = (stripe: Stripe, subscription: Stripe.Subscription, lock: CheckoutLock) => Promise<void>

/** Takes back a change that waits. */
const releaseSchedule: SubscriptionOperation = async (stripe, { id, schedule }, lock) => {
  const scheduleId = stripeIdOf(schedule)
  if (scheduleId !== null)
    await callStripe(stripe.subscriptionSchedules.release(scheduleId, {}, idempotencyKeyOf(lock, `release-${id}`)))
}

/** Lets a subscription end with its period. */
const scheduleCancellation: SubscriptionOperation = async (stripe, subscription, lock) => {
  await releaseSchedule(stripe, subscription, lock)
  const { id } = subscription
  await callStripe(stripe.subscriptions.update(id, { cancel_at_period_end: true }, idempotencyKeyOf(lock, `end-${id}`)))
}

/** Ends a turn with what Stripe says now; answers what is shown of it. */
async function completeChange(
  context: RequestContext,
  lock: CheckoutLock,
  audit: AuditEntry,
): Promise<SubscriptionView> {
  const { deps } = context
  const row = await syncAccount(deps, lock.account, async (after) => ({
    change: [releaseLock(deps.db, lock)],
    audit: [audit],
    reply: context.reply(await subscriptionView(context, afterRelease(after, lock))),
  }))
  return subscriptionView(context, afterRelease(row, lock))
}

/** Lets the subscription end when what is paid for has been used. */
export const cancelSubscription = (context: RequestContext, version: number): Promise<SubscriptionView> =>
  changeCancellation(context, { version, what: 'subscription.cancel' }, scheduleCancellation)

/** Takes back what waits for the end of the period: the end itself, and a smaller plan. */
export const resumeSubscription = (context: RequestContext, version: number): Promise<SubscriptionView> =>
  changeCancellation(context, { version, what: 'subscription.resume' }, revokeCancellation)

const revokeCancellation: SubscriptionOperation = async (stripe, subscription, lock) => {
  await releaseSchedule(stripe, subscription, lock)
  const { id, cancel_at: at, cancel_at_period_end: ends } = subscription
  if (at === null && !ends) return
  const params = {
    ...(ends ? { cancel_at_period_end: false } : { cancel_at: '' as const }),
    metadata: { [CANCEL_KEY]: '' },
  }
  await callStripe(stripe.subscriptions.update(id, params, idempotencyKeyOf(lock, `resume-${id}`)))
}

async function changeCancellation(
  context: RequestContext,
  { version, what }: { version: number; what: 'subscription.cancel' | 'subscription.resume' },
  operation: SubscriptionOperation,
): Promise<SubscriptionView> {
  const { deps } = context
  const stripe = stripeClient(deps)
  const account = await requireChangeableAccount(context, version)
  const held = await requireCurrentSubscriptions(stripe, account)
  const turn = await acquireLock(deps, account, await hashIntent(what, version))
  return withLock(deps, turn, async () => {
    for (const one of [held.plan, held.premium]) if (one) await operation(stripe, one, turn)
    return completeChange(context, turn, subscriptionAuditEntry(context, what, { before: held.selection }))
  })
}

/**
 * Says what stands on invoices from now on and where they go.
 * @throws ProductError `not_enabled`, `version_conflict`, `invalid_input`, `busy`, `billing_unavailable`
 */
export async function updateBillingDetails(
  context: RequestContext,
  { version, ...details }: BillingDetails & { version: number },
): Promise<SubscriptionView> {
  const { deps, scope } = context
  const stripe = stripeClient(deps)
  const account = await getAccount(deps.db, scope)
  assertVersion(account, version)
  // The turn takes the place of the page that may be open: it is closed, for nobody would know of it any more.
  await expireOpenSession(stripe, account)
  const turn = await acquireLock(deps, account, await hashIntent('details', details))
  return withLock(deps, turn, async () => {
    const after: BillingAccount = { ...turn.account, details }
    for (const customer of customerIdsOf(account))
      await updateCustomerDetails(stripe, customer, invoiceDetailsFor(after, context))
    const view = await subscriptionView(context, afterRelease(after, turn))
    await commit(deps, {
      change: [storeDetails(deps.db, account.workspaceId, details), releaseLock(deps.db, turn)],
      audit: [subscriptionAuditEntry(context, 'subscription.details', { before: account.details, after: details })],
      reply: context.reply(view),
    })
    return view
  })
}
