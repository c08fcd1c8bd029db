import type { Database } from './database'
import type { Clock } from '../shared/ids'
import { SESSION_IDLE_MS, SESSION_MAX_MS } from '../shared/limits'

/** A repeated call finds its stored answer this long. */
export const REPLY_RETENTION_MS = 7 * 24 * 60 * 60 * 1000
const DELETE_BATCH_ROWS = 1_000

interface CleanUpDeps {
  db: Database
  clock: Clock
}

/** Removes sessions that have ended by time; they let nobody in any more. */
export async function deleteExpiredSessions({ db, clock }: CleanUpDeps): Promise<void> {
  const now = clock.now()
  await db.d1
    .prepare(
      'DELETE FROM sessions WHERE hash IN (SELECT hash FROM sessions WHERE created_at <= ? OR last_seen_at <= ? LIMIT ?)',
    )
    .bind(now - SESSION_MAX_MS, now - SESSION_IDLE_MS, DELETE_BATCH_ROWS)
    .run()
}

/** Removes stored answers that no repeated call will ask for. */
export async function deleteExpiredReplies({ db, clock }: CleanUpDeps): Promise<void> {
  await db.d1
    .prepare('DELETE FROM idempotency WHERE rowid IN (SELECT rowid FROM idempotency WHERE created_at <= ? LIMIT ?)')
    .bind(clock.now() - REPLY_RETENTION_MS, DELETE_BATCH_ROWS)
    .run()
}
