import { isOtherAccount } from './ask'
import { customerOf } from './events'
import type { EventOutcome } from './events'
import { accountOfCustomer } from './store'
import type { BillingRow } from './store'
import type { Stripe } from './stripe'
import { syncAccount } from './sync'
import type { Database } from '../../db/database'
import type { Deps } from '../../deps'
import { log } from '../../lib/log'

/** What of an event is kept: nothing of a customer's data. */
type Noted = Pick<Stripe.Event, 'id' | 'type' | 'created'>

/**
 * Acts on an event whose signature was right. What it says is not believed: it is why Stripe is asked what is true now, so
 * that order and repetition make no difference. Its row in the inbox and its effect are written in one batch.
 * @throws ProductError `billing_unavailable`, `busy`: nothing is written, and Stripe sends it again
 */
export async function receive(deps: Deps, event: Stripe.Event): Promise<void> {
  const named = customerOf(event, deps.settings)
  if ('outcome' in named) return note(deps, event, named)
  const [seen, account] = await Promise.all([isSeen(deps.db, event.id), accountOfCustomer(deps.db, named.customer)])
  if (seen) return
  if (!account) return note(deps, event, { ...named, outcome: 'unknown_customer' })
  if (account.deletedAt !== null) return note(deps, event, { ...named, outcome: 'deleted_workspace' })
  try {
    await apply(deps, account, { ...named, event })
  } catch (error) {
    if (!isOtherAccount(error)) throw error
    await note(deps, event, { ...named, outcome: 'other_account' })
  }
}

async function apply(deps: Deps, account: BillingRow, told: { event: Noted; customer: string }): Promise<void> {
  const inbox = inserted('INSERT', { deps, ...told, outcome: 'applied' })
  try {
    await syncAccount(deps, account, { change: [inbox] })
  } catch (error) {
    // The same event, delivered twice at once: the other one did it.
    if (!(error instanceof Error && /UNIQUE constraint failed: stripe_events\./.test(error.message))) throw error
  }
}

interface Reason {
  outcome: EventOutcome
  customer?: string
}
/** Keeps what was not acted on and why, so that the operator finds it. */
async function note(deps: Deps, event: Noted, { outcome, customer }: Reason): Promise<void> {
  log('info', 'an event of billing was only noted', { id: event.id, type: event.type, outcome })
  await inserted('INSERT OR IGNORE', { deps, event, outcome, customer: customer ?? null }).run()
}

interface Insert {
  deps: Deps
  event: Noted
  outcome: EventOutcome
  customer: string | null
}
const inserted = (verb: 'INSERT' | 'INSERT OR IGNORE', { deps, event, outcome, customer }: Insert) =>
  deps.db.d1
    .prepare(
      `${verb} INTO stripe_events (id, type, customer_id, outcome, created_at, received_at) VALUES (?, ?, ?, ?, ?, ?)`,
    )
    .bind(event.id, event.type, customer, outcome, event.created * 1000, deps.clock.now())

const isSeen = async ({ d1 }: Database, id: string): Promise<boolean> =>
  (await d1.prepare('SELECT 1 AS seen FROM stripe_events WHERE id = ?').bind(id).first()) !== null

const KEPT_MS = 90 * 24 * 60 * 60 * 1000
const BATCH = 1_000

/** Removes events that are older than 90 days: Stripe repeats them for a few days only. */
export async function sweepEvents({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await db.d1
    .prepare('DELETE FROM stripe_events WHERE id IN (SELECT id FROM stripe_events WHERE received_at <= ? LIMIT ?)')
    .bind(clock.now() - KEPT_MS, BATCH)
    .run()
}
