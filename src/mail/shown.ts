import { compose } from './compose'
import type { Framed } from './frame'
import type { MailOrder } from './order'
import type { Database } from '../db/database'
import type { Settings } from '../env'

const SHOWN_MAX = 100

/** A mail of the outbox as a developer sees it in local mode. */
export interface ShownMail extends Framed {
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
interface ShownDeps {
  db: Database
  settings: Settings
}
const COLUMNS = 'id, workspace_id, payload, created_at, delivered_at, failed_at, last_error'

/** The newest mails, written anew from their orders. */
export async function shownMails({ db, settings }: ShownDeps): Promise<ShownMail[]> {
  const { results } = await db.d1
    .prepare(`SELECT ${COLUMNS} FROM outbox WHERE kind = 'mail' ORDER BY created_at DESC, rowid DESC LIMIT ?`)
    .bind(SHOWN_MAX)
    .all<Row>()
  const mails = await Promise.all(results.map((row) => shown(settings, row)))
  return mails.filter((mail) => mail !== null)
}

/** One mail; null when there is none of this id. */
export async function shownMail({ db, settings }: ShownDeps, id: string): Promise<ShownMail | null> {
  const row = await db.d1.prepare(`SELECT ${COLUMNS} FROM outbox WHERE kind = 'mail' AND id = ?`).bind(id).first<Row>()
  return row && shown(settings, row)
}

/** Null for what was sent before local mode was switched on: its order is gone. */
async function shown(settings: Settings, row: Row): Promise<ShownMail | null> {
  if (row.payload === '{}') return null
  const order: MailOrder = JSON.parse(row.payload)
  const { id, created_at: at } = row
  return { ...(await compose(settings, order, row.workspace_id)), id, to: order.to, at, state: stateOf(row) }
}

function stateOf({ delivered_at: delivered, failed_at: failed, last_error: error }: Row): string {
  if (delivered !== null) return 'sent'
  const reason = error === null ? '' : `: ${error}`
  return failed === null ? `waiting${reason}` : `given up${reason}`
}
