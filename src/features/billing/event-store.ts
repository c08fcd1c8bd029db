import type { Stripe } from './stripe'
import type { Database } from '../../db/database'
import type { Deps } from '../../deps'

/** Whether an event was acted on, or why it was only noted. */
export type WebhookOutcome =
  | 'applied'
  | 'unknown_type'
  | 'unknown_customer'
  | 'other_mode'
  | 'other_account'
  | 'deleted_workspace'
/** What of an event is kept: nothing of a customer's data. */
export type EventSummary = Pick<Stripe.Event, 'id' | 'type' | 'created'>

export const insertEvent = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  verb: 'INSERT' | 'INSERT OR IGNORE',
  { event, outcome, customer }: { event: EventSummary; outcome: WebhookOutcome; customer: string | null },
): D1PreparedStatement =>
  db.d1
    .prepare(
      `${verb} INTO stripe_events (id, type, customer_id, outcome, created_at, received_at) VALUES (?, ?, ?, ?, ?, ?)`,
    )
    .bind(event.id, event.type, customer, outcome, event.created * 1000, clock.now())

export const isProcessed = async ({ d1 }: Database, id: string): Promise<boolean> =>
  (await d1.prepare('SELECT 1 AS seen FROM stripe_events WHERE id = ?').bind(id).first()) !== null

const DELETE_BATCH_SIZE = 1_000

/** Removes some of the events that came at or before an instant. */
export const deleteEventsBefore = ({ d1 }: Database, before: number): Promise<unknown> =>
  d1
    .prepare('DELETE FROM stripe_events WHERE id IN (SELECT id FROM stripe_events WHERE received_at <= ? LIMIT ?)')
    .bind(before, DELETE_BATCH_SIZE)
    .run()
