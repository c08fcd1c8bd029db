import { composeMail } from './compose'
import type { RenderedMail } from './layout'
import type { MailAttachment, QueuedMail } from './queued-mail'
import type { Database } from '../db/database'
import { outboxStore, type StoredMail } from '../db/outbox-store'
import type { Settings } from '../settings'

const LOCAL_MAILS_MAX = 100

/** A mail of the outbox as a developer sees it in local mode. */
export interface LocalMail extends RenderedMail {
  id: string
  to: string
  /** Unix milliseconds. */
  at: number
  /** In words: sent, waiting, given up, and why. */
  state: string
  attachment: MailAttachment | null
}

interface LocalMailDeps {
  db: Database
  settings: Settings
}

/** The newest mails, written anew from their orders. */
export async function listLocalMails({ db, settings }: LocalMailDeps): Promise<LocalMail[]> {
  const stored = await outboxStore(db).newestMails(LOCAL_MAILS_MAX)
  const mails = await Promise.all(stored.map((mail) => toLocalMail(settings, mail)))
  return mails.filter((mail) => mail !== null)
}

/** One mail; null when there is none of this id. */
export async function findLocalMail({ db, settings }: LocalMailDeps, id: string): Promise<LocalMail | null> {
  const row = await outboxStore(db).mail(id)
  return row && toLocalMail(settings, row)
}

/** Null for what was sent before local mode was switched on: its order is gone. */
async function toLocalMail(settings: Settings, row: StoredMail): Promise<LocalMail | null> {
  if (row.payload === '{}') return null
  const order: QueuedMail = JSON.parse(row.payload)
  const { id, created_at: at } = row
  const mail = await composeMail(settings, order, row.workspace_id)
  const attachment = order.template === 'reportDelivery' ? order.attachment : null
  return { ...mail, id, to: order.to, at, state: deliveryState(row), attachment }
}

function deliveryState({ delivered_at: delivered, failed_at: failed, last_error: error }: StoredMail): string {
  if (delivered !== null) return 'sent'
  const reason = error === null ? '' : `: ${error}`
  return failed === null ? `waiting${reason}` : `given up${reason}`
}
