import { parseRecipient } from './address'
import { composeMail } from './compose'
import type { QueuedMail } from './queued-mail'
import { MailRefused } from './smtp'
import type { MailTransport } from './smtp'
import type { Database } from '../db/database'
import type { Settings } from '../settings'
import { hmacSha256Hex } from '../lib/hash'
import { log } from '../lib/log'
import type { Clock } from '../shared/ids'

/** Sent at once: a request may hold six connections. */
const CONCURRENT_SENDS = 4
const SEND_BATCHES_MAX = 25
/** How long a deliverer has a mail to itself: longer than any exchange with a server. */
const LEASE_MS = 2 * 60 * 1000
const RETRY_DELAY_MS = 30 * 1000
const RETRY_FACTOR = 4
const RETRY_DELAY_MAX_MS = 6 * 60 * 60 * 1000
/** Over about a day. */
export const SEND_ATTEMPTS_MAX = 9
const RETENTION_MS = 30 * 24 * 60 * 60 * 1000

interface MailDeps {
  db: Database
  clock: Clock
  settings: Settings
  mail: MailTransport
}

interface ClaimedMail {
  id: string
  workspace_id: string | null
  key: string
  payload: string
  /** Counts this try too. */
  attempts: number
}

/** Sends every mail that is due. Any number of deliverers may run at once: each mail is claimed by one of them. */
export async function deliverMail(deps: MailDeps): Promise<void> {
  for (let round = 0; round < SEND_BATCHES_MAX; round++) {
    const claimed = await claimDueMails(deps)
    const sent = await Promise.all(claimed.map((row) => deliverOne(deps, row)))
    // A server that takes nothing is not asked again in the same breath.
    if (claimed.length < CONCURRENT_SENDS || !sent.includes(true)) return
  }
}

/** Moves the next try of due mails into the future in the statement that answers them: nobody else sees them as due. */
async function claimDueMails({ db, clock }: MailDeps): Promise<ClaimedMail[]> {
  const { results } = await db.d1
    .prepare(
      `UPDATE outbox SET next_attempt_at = ?1 + ?2, attempts = attempts + 1
       WHERE id IN (
         SELECT id FROM outbox INDEXED BY outbox_due
         WHERE delivered_at IS NULL AND failed_at IS NULL AND next_attempt_at <= ?1 AND kind = 'mail'
         ORDER BY next_attempt_at LIMIT ?3
       )
       RETURNING id, workspace_id, key, payload, attempts`,
    )
    .bind(clock.now(), LEASE_MS, CONCURRENT_SENDS)
    .all<ClaimedMail>()
  return results
}

async function deliverOne(deps: MailDeps, row: ClaimedMail): Promise<boolean> {
  const { db, clock, settings } = deps
  try {
    await send(deps, row)
    await db.d1
      .prepare(
        `UPDATE outbox SET delivered_at = ?, last_error = NULL, payload = ${retainedPayloadSql(settings)} WHERE id = ?`,
      )
      .bind(clock.now(), row.id)
      .run()
    return true
  } catch (error) {
    await recordFailure(deps, row, error)
    return false
  }
}

async function send({ settings, mail }: MailDeps, row: ClaimedMail): Promise<void> {
  const order: QueuedMail = JSON.parse(row.payload)
  const to = parseRecipient(order.to)
  if (!to) throw new MailRefused('the order names no single plain address')
  const content = await composeMail(settings, order, row.workspace_id)
  // By the installation's secret, so that a key (which may name a person's id) cannot be guessed from a mail.
  const messageId = (await hmacSha256Hex(settings.SESSION_SECRET, `message:${row.key}`)).slice(0, 40)
  await mail.send({ ...content, to, messageId })
}

/** Only the newest claim speaks: one whose lease ran out leaves the row to whoever took it over. */
async function recordFailure({ db, clock, settings }: MailDeps, row: ClaimedMail, error: unknown): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error)
  const final = error instanceof MailRefused || row.attempts >= SEND_ATTEMPTS_MAX
  log(final ? 'error' : 'warn', final ? 'a mail was given up' : 'a mail was not sent', {
    ...{ id: row.id, attempts: row.attempts, reason },
  })
  const now = clock.now()
  const write = final
    ? db.d1
        .prepare(
          `UPDATE outbox SET failed_at = ?, last_error = ?, payload = ${retainedPayloadSql(settings)}
           WHERE id = ? AND attempts = ? AND delivered_at IS NULL`,
        )
        .bind(now, reason, row.id, row.attempts)
    : db.d1
        .prepare(
          'UPDATE outbox SET next_attempt_at = ?, last_error = ? WHERE id = ? AND attempts = ? AND delivered_at IS NULL',
        )
        .bind(now + retryDelayMs(row.attempts), reason, row.id, row.attempts)
  await write.run()
}

/** How long to wait after so many tries: 30 s, 2 min, 8 min … 6 h. */
export const retryDelayMs = (attempts: number): number =>
  Math.min(RETRY_DELAY_MS * RETRY_FACTOR ** (attempts - 1), RETRY_DELAY_MAX_MS)

/** Who got what is nobody's business any more; local mode shows it at `/dev/mail`. */
const retainedPayloadSql = (settings: Settings): string => (settings.LOCAL_MODE ? 'payload' : "'{}'")

/** Removes what has been dealt with for so long that nobody repeats its key. */
export const deleteProcessedEvents = ({ db, clock }: Pick<MailDeps, 'db' | 'clock'>): Promise<unknown> =>
  db.d1
    .prepare(
      `DELETE FROM outbox WHERE kind IN ('mail', 'swapped', 'forecastRun') AND created_at < ? AND (delivered_at IS NOT NULL OR failed_at IS NOT NULL)`,
    )
    .bind(clock.now() - RETENTION_MS)
    .run()
