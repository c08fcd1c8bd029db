import type { Database } from './database'

/** An event as it is claimed: nobody else sees it as due until its lease is over. */
export interface ClaimedEvent {
  id: string
  workspace_id: string | null
  key: string
  payload: string
  /** Counts this try too. */
  attempts: number
}
export interface StoredMail {
  id: string
  workspace_id: string | null
  payload: string
  created_at: number
  delivered_at: number | null
  failed_at: number | null
  last_error: string | null
}

/** Events that follow changes: mails, and durable work that is to be started. */
export const outboxStore = ({ d1 }: Database) => ({
  /** Moves the next try of due events into the future in the statement that answers them: each is claimed by one. */
  async claimDue(of: { kind: string; now: number; leaseMs: number; limit: number }): Promise<ClaimedEvent[]> {
    const { results } = await d1
      .prepare(
        `UPDATE outbox SET next_attempt_at = ?1 + ?2, attempts = attempts + 1
         WHERE id IN (SELECT id FROM outbox INDEXED BY outbox_due
           WHERE delivered_at IS NULL AND failed_at IS NULL AND next_attempt_at <= ?1 AND kind = ?4
           ORDER BY next_attempt_at LIMIT ?3)
         RETURNING id, workspace_id, key, payload, attempts`,
      )
      .bind(of.now, of.leaseMs, of.limit, of.kind)
      .all<ClaimedEvent>()
    return results
  },

  markDelivered: (id: string, now: number): Promise<unknown> =>
    d1.prepare('UPDATE outbox SET delivered_at = ? WHERE id = ?').bind(now, id).run(),

  /** `keep`: what was sent stays readable. */
  markMailSent: (id: string, at: { now: number; keep: boolean }): Promise<unknown> =>
    d1
      .prepare(`UPDATE outbox SET delivered_at = ?, last_error = NULL, payload = ${retainedPayload(at)} WHERE id = ?`)
      .bind(at.now, id)
      .run(),

  /** Only the newest claim speaks: one whose lease ran out leaves the row to whoever took it over. */
  giveUpMail: (mail: ClaimedEvent, at: { now: number; reason: string; keep: boolean }): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE outbox SET failed_at = ?, last_error = ?, payload = ${retainedPayload(at)}
         WHERE id = ? AND attempts = ? AND delivered_at IS NULL`,
      )
      .bind(at.now, at.reason, mail.id, mail.attempts),

  /** The same of a mail that is tried again. */
  retryMail: (mail: ClaimedEvent, at: { next: number; reason: string }): Promise<unknown> =>
    d1
      .prepare(
        'UPDATE outbox SET next_attempt_at = ?, last_error = ? WHERE id = ? AND attempts = ? AND delivered_at IS NULL',
      )
      .bind(at.next, at.reason, mail.id, mail.attempts)
      .run(),

  deleteProcessed: (before: number): Promise<unknown> =>
    d1
      .prepare(
        `DELETE FROM outbox WHERE kind IN ('mail', 'swapped', 'forecastRun') AND created_at < ? AND (delivered_at IS NOT NULL OR failed_at IS NOT NULL)`,
      )
      .bind(before)
      .run(),

  async newestMails(limit: number): Promise<StoredMail[]> {
    const statement = d1.prepare(`${SELECT_MAILS} ORDER BY created_at DESC, rowid DESC LIMIT ?`).bind(limit)
    return (await statement.all<StoredMail>()).results
  },

  mail: (id: string): Promise<StoredMail | null> =>
    d1.prepare(`${SELECT_MAILS} AND id = ?`).bind(id).first<StoredMail>(),
})

const SELECT_MAILS = `SELECT id, workspace_id, payload, created_at, delivered_at, failed_at, last_error
  FROM outbox WHERE kind = 'mail'`
/** Who got what is nobody's business any more. */
const retainedPayload = ({ keep }: { keep: boolean }): string => (keep ? 'payload' : "'{}'")
