import { parseRecipient } from './address'
import { composeMail } from './compose'
import type { MailAttachment, QueuedMail } from './queued-mail'
import { MailRefused, type MailTransport } from './smtp'
import type { Database } from '../db/database'
import { countBounce } from '../entitlements/invitations'
import { outboxStore, type ClaimedEvent } from '../db/outbox-store'
import type { Settings } from '../settings'
import { hmacSha256Hex } from '../lib/hash'
import { errorMessage, log } from '../lib/log'
import type { Clock } from '../shared/ids'

/** Sent at once: a request may hold six connections. */
const CONCURRENT_SENDS = 4
const SEND_BATCHES_MAX = 25
/** How long a deliverer has a mail to itself: longer than any exchange with a server. */
const LEASE_MS = 4 * 60 * 1000
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
  files: Pick<R2Bucket, 'get'>
}

/** Sends every mail that is due. Any number of deliverers may run at once: each mail is claimed by one of them. */
export async function deliverMail(deps: MailDeps): Promise<void> {
  const { db, clock } = deps
  for (let round = 0; round < SEND_BATCHES_MAX; round++) {
    const claimed = await outboxStore(db).claimDue({
      kind: 'mail',
      now: clock.now(),
      leaseMs: LEASE_MS,
      limit: CONCURRENT_SENDS,
    })
    const sent = await deliverClaimed(deps, claimed)
    // A server that takes nothing is not asked again in the same breath.
    if (claimed.length < CONCURRENT_SENDS || !sent.includes(true)) return
  }
}

/** Files are held in memory while they are sent: one mail with a file after the other. */
async function deliverClaimed(deps: MailDeps, claimed: readonly ClaimedEvent[]): Promise<boolean[]> {
  const [large, small] = [claimed.filter(hasFile), claimed.filter((row) => !hasFile(row))]
  const inTurn = large.reduce<Promise<boolean[]>>(
    async (before, row) => [...(await before), await deliverOne(deps, row)],
    Promise.resolve([]),
  )
  return (await Promise.all([inTurn, ...small.map(async (row) => [await deliverOne(deps, row)])])).flat()
}

const attachmentOf = (order: QueuedMail): MailAttachment | null =>
  order.template === 'reportDelivery' ? order.attachment : null
function hasFile({ payload }: ClaimedEvent): boolean {
  const order: QueuedMail = JSON.parse(payload)
  return attachmentOf(order) !== null
}

async function deliverOne(deps: MailDeps, row: ClaimedEvent): Promise<boolean> {
  const { db, clock, settings } = deps
  try {
    await send(deps, row)
    await outboxStore(db).markMailSent(row.id, { now: clock.now(), keep: settings.LOCAL_MODE })
    return true
  } catch (error) {
    await recordFailure(deps, row, error)
    return false
  }
}

/** No server was asked. */
class BadRecipient extends MailRefused {}

/** Whether a server refused the address of an invitation: other mails, and our own mistakes, say nothing of who invites. */
function isBouncedInvitation(mail: ClaimedEvent, error: unknown): boolean {
  const order: QueuedMail = JSON.parse(mail.payload)
  return error instanceof MailRefused && !(error instanceof BadRecipient) && order.template === 'invitation'
}

async function send({ settings, mail, files }: MailDeps, row: ClaimedEvent): Promise<void> {
  const order: QueuedMail = JSON.parse(row.payload)
  const to = parseRecipient(order.to)
  if (!to) throw new BadRecipient('the order names no single plain address')
  const content = await composeMail(settings, order, row.workspace_id)
  // By the installation's secret, so that a key (which may name a person's id) cannot be guessed from a mail.
  const messageId = (await hmacSha256Hex(settings.SESSION_SECRET, `message:${row.key}`)).slice(0, 40)
  const attachment = attachmentOf(order)
  if (attachment === null) return mail.send({ ...content, to, messageId })
  const stored = await files.get(attachment.key)
  // Files are kept longer than a mail is tried.
  if (!stored) throw new MailRefused('the attached file is gone')
  const { fileName, contentType } = attachment
  const bytes = new Uint8Array(await stored.arrayBuffer())
  await mail.send({ ...content, to, messageId, attachments: [{ fileName, contentType, bytes }] })
}

async function recordFailure({ db, clock, settings }: MailDeps, mail: ClaimedEvent, error: unknown): Promise<void> {
  const { id, attempts } = mail
  const reason = errorMessage(error)
  const now = clock.now()
  const store = outboxStore(db)
  if (error instanceof MailRefused || attempts >= SEND_ATTEMPTS_MAX) {
    log('error', 'a mail was given up', { id, attempts, reason })
    // Local mode shows what was sent at `/dev/mail`.
    const givenUp = store.giveUpMail(mail, { now, reason, keep: settings.LOCAL_MODE })
    const { workspace_id: workspaceId } = mail
    const bounced = workspaceId !== null && isBouncedInvitation(mail, error)
    await db.d1.batch([givenUp, ...(bounced ? [countBounce(db, { workspaceId, now })] : [])])
  } else {
    log('warn', 'a mail was not sent', { id, attempts, reason })
    await store.retryMail(mail, { next: now + retryDelayMs(attempts), reason })
  }
}

/** How long to wait after so many tries: 30 s, 2 min, 8 min … 6 h. */
export const retryDelayMs = (attempts: number): number =>
  Math.min(RETRY_DELAY_MS * RETRY_FACTOR ** (attempts - 1), RETRY_DELAY_MAX_MS)

/** Removes what has been dealt with for so long that nobody repeats its key. */
export const deleteProcessedEvents = ({ db, clock }: Pick<MailDeps, 'db' | 'clock'>): Promise<unknown> =>
  outboxStore(db).deleteProcessed(clock.now() - RETENTION_MS)
