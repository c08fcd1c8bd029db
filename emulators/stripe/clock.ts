import { DAY } from './calendar.ts'
import { HOUR } from './calendar.ts'
import { expireSession } from './checkout.ts'
import { advance, collect } from './invoices.ts'
import { periodOf } from './items.ts'
import { renew } from './renew.ts'
import { end, fallsDue } from './standing.ts'
import { expireIncomplete } from './start.ts'
import type { InvoiceRecord, SubscriptionRecord } from './state.ts'
import type { World } from './world.ts'

interface Due {
  at: number
  happen: () => void
}
const INCOMPLETE_SECONDS = 23 * HOUR
/** More would be a circle: no clock is moved that far. */
const MOST = 100_000

function ofSubscription(world: World, subscription: SubscriptionRecord): Due[] {
  const { status, created, cancel_at } = subscription
  if (status === 'canceled' || status === 'incomplete_expired') return []
  if (status === 'incomplete')
    return [{ at: created + INCOMPLETE_SECONDS, happen: () => expireIncomplete(world, subscription) }]
  const until = periodOf(subscription).end
  const due: Due[] = [{ at: until, happen: () => renew(world, subscription) }]
  if (cancel_at !== null && cancel_at < until)
    due.push({ at: cancel_at, happen: () => end(world, subscription, 'cancellation_requested') })
  return due
}

function ofInvoice(world: World, invoice: InvoiceRecord): Due[] {
  if (invoice.status === 'draft')
    return invoice.automatically_finalizes_at === null || !invoice.auto_advance
      ? []
      : [{ at: invoice.automatically_finalizes_at, happen: () => advance(world, invoice) }]
  if (invoice.status !== 'open') return []
  const due: Due[] = []
  if (invoice.due_date !== null && !invoice.overdue)
    due.push({ at: invoice.due_date + 1, happen: () => fallsDue(world, invoice) })
  if (invoice.next_payment_attempt !== null)
    due.push({ at: invoice.next_payment_attempt, happen: () => void collect(world, invoice) })
  return due
}

function nextDue(world: World): Due | undefined {
  const { subscriptions, invoices, sessions } = world.state
  const all = [
    ...Object.values(subscriptions).flatMap((one) => ofSubscription(world, one)),
    ...Object.values(invoices).flatMap((one) => ofInvoice(world, one)),
    ...Object.values(sessions)
      .filter(({ status }) => status === 'open')
      .map((one) => ({ at: one.expires_at, happen: () => expireSession(world, one) })),
  ]
  return all.reduce<Due | undefined>(
    (first, one) => (first === undefined || one.at < first.at ? one : first),
    undefined,
  )
}

/** Lets everything happen that is due until an instant, each thing at its own. */
export function runUntil(world: World, until: number): void {
  const before = world.at
  try {
    for (let count = 0; count < MOST; count += 1) {
      const due = nextDue(world)
      if (due === undefined || due.at > until) return
      world.at = due.at
      due.happen()
    }
    throw new Error('the clock of the stand-in runs in a circle')
  } finally {
    world.at = before
  }
}

export const runDue = (world: World): void => runUntil(world, world.clock())
export const daysOf = (days: number): number => Math.round(days * DAY)
