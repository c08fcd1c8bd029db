import { composeMail } from './compose'
import type { RenderedMail } from './layout'
import type { QueuedMail } from './queued-mail'
import type { Database } from '../db/database'
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
}

interface Row {
  id: string
  workspace_id: string | null
  payload: string
  created_at: number
  delivered_at: number | null
  failed_at: number | null
  last_error: string | null
}
interface LocalMailDeps {
  db: Database
  settings: Settings
}
const COLUMNS = 'id, workspace_id, payload, created_at, delivered_at, failed_at, last_error'

/** The newest mails, written anew from their orders. */
export async function listLocalMails({ db, settings }: LocalMailDeps): Promise<LocalMail[]> {
  const { results } = await db.d1
    .prepare(`SELECT ${COLUMNS} FROM outbox WHERE kind = 'mail' ORDER BY created_at DESC, rowid DESC LIMIT ?`)
    .bind(LOCAL_MAILS_MAX)
    .all<Row>()
  const mails = await Promise.all(results.map((row) => toLocalMail(settings, row)))
  return mails.filter((mail) => mail !== null)
}

/** One mail; null when there is none of this id. */
export async function findLocalMail({ db, settings }: LocalMailDeps, id: string): Promise<LocalMail | null> {
  const row = await db.d1.prepare(`SELECT ${COLUMNS} FROM outbox WHERE kind = 'mail' AND id = ?`).bind(id).first<Row>()
  return row && toLocalMail(settings, row)
}

/** Null for what was sent before local mode was switched on: its order is gone. */
async function toLocalMail(settings: Settings, row: Row): Promise<LocalMail | null> {
  if (row.payload === '{}') return null
  const order: QueuedMail = JSON.parse(row.payload)
  const { id, created_at: at } = row
  return { ...(await composeMail(settings, order, row.workspace_id)), id, to: order.to, at, state: deliveryState(row) }
}

function deliveryState({ delivered_at: delivered, failed_at: failed, last_error: error }: Row): string {
  if (delivered !== null) return 'sent'
  const reason = error === null ? '' : `: ${error}`
  return failed === null ? `waiting${reason}` : `given up${reason}`
}
