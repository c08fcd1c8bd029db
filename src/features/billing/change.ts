import { closedPage } from './checkout'
import { audited } from './customer'
import type { Buying } from './customer'
import { heldOf, itemParams, itemsOf, periodOf, pricedItems } from './held'
import { openInvoice } from './invoice-sale'
import { itemChanges } from './model/items'
import { allowedWay, changedBy, chosenOf } from './preview'
import type { Change } from './preview'
import { idOf } from './ask'
import { refuseCustom } from './sale'
import { billingStore } from './store'
import type { BillingRow } from './store'
import { asking, stripeOf } from './stripe'
import type { Stripe } from './stripe'
import { syncAccount } from './sync'
import { afterTurn, checkVersion, inTurn, intentOf, keyOfCall, takeTurn, turnEnd } from './turn'
import type { Turn } from './turn'
import { subscriptionView } from './view'
import type { AuditEntry } from '../../db/commit'
import type { Deps } from '../../deps'
import { entitlements } from '../../shared/entitlements'
import { ProductError } from '../../shared/errors'
import type { z } from 'zod'
import type { changePlanSchema, SubscriptionView } from '../../shared/subscription'

type Wanted = z.output<typeof changePlanSchema>

/** What was shown is charged for so long; later it is shown anew. */
const SHOWN_MS = 60 * 60 * 1000
const SHOWN_TOO_LONG = 'What it costs has changed since it was shown. Look at it again.'
const PAY_FIRST = 'Premium sync is paid for by itself. Pay for it first.'
const UNPAID = 'Pay the open invoices first. Then the plan can be changed again.'

/**
 * Changes the plan: at once where nothing is taken away, else when what is paid for has been used. A card that is declined
 * changes nothing.
 * @throws ProductError `version_conflict`, `invalid_input` (`fields.payment`: declined), `in_use`, `not_found`, `busy`,
 * `billing_unavailable`
 */
export async function changePlan(deps: Deps, buying: Buying, input: Wanted): Promise<SubscriptionView> {
  const stripe = stripeOf(deps)
  const account = await accountToChange(deps, buying, input.version)
  const held = await heldOf(stripe, account)
  const change: Change = { stripe, held, chosen: chosenOf(held, input) }
  const way = allowedWay(change)
  if (way.when !== 'none' && changedBy(change, way.of).subscription === null)
    throw new ProductError('invalid_input', { fields: { addOns: PAY_FIRST } }, PAY_FIRST)
  const at = way.when === 'now' ? prorationOf(deps, change, input.prorationAt) : null
  const turn = await takeTurn(deps, account, await intentOf('change', input))
  return inTurn(deps, turn, async () => {
    if (way.when === 'now') await changeNow({ ...change, turn, of: way.of, at })
    if (way.when === 'periodEnd') await changeLater({ ...change, turn, of: way.of })
    if (way.when !== 'periodEnd') await releaseSchedule(stripe, held.plan, turn)
    const words = { before: held.chosen, after: { ...change.chosen, when: way.when } }
    return finish(deps, { buying, turn, audit: audited(buying, 'subscription.update', words) })
  })
}

/** @throws ProductError `version_conflict`, `in_use` where nothing may be changed before it is paid */
export async function accountToChange(deps: Deps, { scope }: Buying, version: number): Promise<BillingRow> {
  const account = await billingStore(deps.db, scope).get()
  checkVersion(account, version)
  refuseCustom(account)
  const now = deps.clock.now()
  if (entitlements(account, now).state === 'restricted') throw new ProductError('in_use', {}, UNPAID)
  // On a page that sells something beside what changes now, nobody pays any more.
  if (account.checkout !== null && account.checkout.expiresAt > now) await closedPage(stripeOf(deps), account)
  return account
}

/** The second (epoch s) from which on a change is counted. @throws ProductError `invalid_input` when shown too long ago */
function prorationOf({ clock }: Deps, { held }: Change, shown: number | null): number {
  const now = clock.now()
  const start = Math.max(periodOf(held.plan).start, held.premium ? periodOf(held.premium).start : 0)
  if (shown === null) return Math.max(Math.floor(now / 1000), start)
  if (shown < Math.max(now - SHOWN_MS, start * 1000) || shown > Math.max(now, start * 1000))
    throw new ProductError('invalid_input', { fields: { prorationAt: SHOWN_TOO_LONG } }, SHOWN_TOO_LONG)
  return Math.floor(shown / 1000)
}

interface Step extends Change {
  turn: Turn
  of: 'plan' | 'premium'
}

async function changeNow(step: Step & { at: number | null }): Promise<void> {
  const { stripe, turn, at } = step
  const { subscription } = changedBy(step, step.of)
  if (subscription === null) return
  const params = await changeParams(step, { subscription, at })
  const changed = await asking(stripe.subscriptions.update(subscription.id, params, keyOfCall(turn, 'change')))
  if (changed.collection_method === 'send_invoice' && changed.latest_invoice !== null)
    await openInvoice(stripe, changed.latest_invoice)
}

async function changeParams(
  step: Step,
  { subscription, at }: { subscription: Stripe.Subscription; at: number | null },
): Promise<Stripe.SubscriptionUpdateParams> {
  const { lines } = changedBy(step, step.of)
  const byCard = subscription.collection_method === 'charge_automatically'
  return {
    items: await itemParams(step.stripe, itemChanges(itemsOf(subscription), lines)),
    proration_behavior: 'always_invoice',
    ...(at === null ? {} : { proration_date: at }),
    // A card that is declined leaves everything as it was.
    ...(byCard ? { payment_behavior: 'error_if_incomplete' as const } : {}),
    ...(subscription.cancel_at_period_end && subscription.schedule === null ? { cancel_at_period_end: false } : {}),
  }
}

const EVERY = { monthly: 'month', yearly: 'year' } as const

/** The change waits in a schedule of the subscription; with nothing left of it, the subscription ends. */
async function changeLater(step: Step): Promise<void> {
  const { stripe, turn, chosen } = step
  const { subscription, lines } = changedBy(step, step.of)
  if (subscription === null) return
  if (lines.length === 0) return endLater(stripe, subscription, turn)
  const keeps = subscription.cancel_at_period_end
  if (keeps && subscription.schedule === null)
    await asking(
      stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false }, keyOfCall(turn, `keep-${step.of}`)),
    )
  const schedule = await scheduleOf(step, subscription)
  const { next } = itemChanges(itemsOf(subscription), lines)
  const later = (await pricedItems(stripe, next)).map(({ price, quantity }) => ({ price, quantity }))
  const { start, end } = periodOf(subscription)
  const trialEnd = subscription.status === 'trialing' ? subscription.trial_end : null
  await asking(
    stripe.subscriptionSchedules.update(
      schedule.id,
      {
        end_behavior: 'release',
        proration_behavior: 'none',
        phases: [
          {
            items: itemsOf(subscription).map(({ priceId: price, quantity }) => ({ price, quantity })),
            start_date: schedule.current_phase?.start_date ?? start,
            end_date: end,
            proration_behavior: 'none',
            ...(trialEnd === null ? {} : { trial_end: trialEnd }),
          },
          {
            items: later,
            duration: { interval: EVERY[chosen.interval], interval_count: 1 },
            proration_behavior: 'none',
          },
        ],
      },
      keyOfCall(turn, 'phases'),
    ),
  )
}

async function scheduleOf({ stripe, turn }: Step, { id, schedule }: Stripe.Subscription) {
  const held = idOf(schedule)
  return asking(
    held === null
      ? stripe.subscriptionSchedules.create({ from_subscription: id }, keyOfCall(turn, 'schedule'))
      : stripe.subscriptionSchedules.retrieve(held),
  )
}

/** Takes back a change that waits. */
export async function releaseSchedule(
  stripe: Stripe,
  { id, schedule }: Stripe.Subscription,
  turn: Turn,
): Promise<void> {
  const waiting = idOf(schedule)
  if (waiting !== null)
    await asking(stripe.subscriptionSchedules.release(waiting, {}, keyOfCall(turn, `release-${id}`)))
}

/** Lets a subscription end with its period. */
export async function endLater(stripe: Stripe, subscription: Stripe.Subscription, turn: Turn): Promise<void> {
  await releaseSchedule(stripe, subscription, turn)
  await asking(
    stripe.subscriptions.update(
      subscription.id,
      { cancel_at_period_end: true },
      keyOfCall(turn, `end-${subscription.id}`),
    ),
  )
}

/** Ends a turn with what Stripe says now; answers what is shown of it. */
export async function finish(
  deps: Deps,
  { buying, turn, audit }: { buying: Buying; turn: Turn; audit: AuditEntry },
): Promise<SubscriptionView> {
  const row = await syncAccount(deps, turn.account, async (after) => ({
    change: [turnEnd(deps.db, turn)],
    audit: [audit],
    reply: buying.reply(await subscriptionView(deps, buying, afterTurn(after, turn))),
  }))
  return subscriptionView(deps, buying, afterTurn(row, turn))
}
