import { accountAgain } from './store'
import type { BillingRow } from './store'
import { commit } from '../../db/commit'
import type { Database } from '../../db/database'
import type { OpenCheckout } from '../../db/schema'
import type { Deps } from '../../deps'
import { sha256Hex } from '../../lib/digest'
import { ProductError } from '../../shared/errors'

/**
 * One order or change of a workspace at a time. Its serial stands in the idempotency keys of every call to Stripe that it
 * makes: the same request again, after whatever went wrong, goes on where it stopped and pays for nothing twice.
 */
export interface Turn {
  account: BillingRow
  serial: number
}

/** Longer than any answer takes; after it, who asked is thought to have given up. */
const TURN_MS = 60_000
const BUSY_S = 5
/** A turn stands where the open checkout page of a workspace stands, without an address. */
const turnOf = (hash: string, now: number): OpenCheckout => ({ id: '', url: '', hash, expiresAt: now + TURN_MS })

export const isTurn = ({ checkout }: BillingRow, now: number): boolean =>
  checkout !== null && checkout.url === '' && checkout.expiresAt > now

/** When a turn was begun (epoch ms): the same however often its request is repeated. */
export const begunAt = ({ account }: Turn): number => (account.checkout?.expiresAt ?? TURN_MS) - TURN_MS

/** What is asked for, as one text: equal intents are the same request. */
export const intentOf = (...parts: unknown[]): Promise<string> => sha256Hex(JSON.stringify(parts))

export const busy = (): ProductError =>
  new ProductError(
    'busy',
    { retryAfter: BUSY_S },
    'The subscription is being changed right now. Try again in a moment.',
  )

/**
 * Takes the turn for an intent, or goes on with one that was begun for it.
 * @throws ProductError `busy` while another has it; `version_conflict` when somebody was first
 */
export async function takeTurn(deps: Deps, account: BillingRow, intent: string): Promise<Turn> {
  const now = deps.clock.now()
  if (isTurn(account, now)) return joined(account, intent)
  const { workspaceId, checkoutSerial: serial, version } = account
  const turn = turnOf(intent, now)
  const missed = busy()
  try {
    const take = deps.db.d1
      .prepare(
        `UPDATE subscriptions SET checkout = ?, checkout_serial = checkout_serial + 1
         WHERE workspace_id = ? AND checkout_serial = ? AND version = ?`,
      )
      .bind(JSON.stringify(turn), workspaceId, serial, version)
    await commit(deps, { change: [take], expect: { onMissed: () => missed } })
    return { account: { ...account, checkout: turn, checkoutSerial: serial + 1 }, serial: serial + 1 }
  } catch (error) {
    if (error !== missed) throw error
    const again = await accountAgain(deps.db, account)
    checkVersion(again, version)
    return joined(again, intent)
  }
}

function joined(account: BillingRow, intent: string): Turn {
  if (account.checkout?.url !== '' || account.checkout.hash !== intent) throw busy()
  return { account, serial: account.checkoutSerial }
}

/** @throws ProductError `version_conflict` */
export function checkVersion({ version: current }: BillingRow, version: number): void {
  if (version !== current) throw new ProductError('version_conflict', { current })
}

/** Key of one call to Stripe within a turn. */
export const keyOfCall = ({ account, serial }: Turn, call: string): { idempotencyKey: string } => ({
  idempotencyKey: `${account.workspaceId}:${serial}:${call}`,
})

/** Ends a turn: the statement for the batch of its outcome. What people saw is out of date then. */
export const turnEnd = ({ d1 }: Database, { account, serial }: Turn): D1PreparedStatement =>
  d1
    .prepare(
      `UPDATE subscriptions SET checkout = NULL, version = version + 1
       WHERE workspace_id = ? AND checkout_serial = ? AND checkout IS NOT NULL`,
    )
    .bind(account.workspaceId, serial)

/** The row as it stands once {@link turnEnd} is written. */
export const afterTurn = (row: BillingRow, { serial }: Turn): BillingRow =>
  row.checkoutSerial === serial && row.checkout !== null ? { ...row, checkout: null, version: row.version + 1 } : row

/**
 * Does the work of a turn. A refusal ends the turn and changes nothing; where nobody knows how far it came, the turn stays
 * for the same request again.
 */
export async function inTurn<T>(deps: Deps, turn: Turn, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProductError && (error.code === 'invalid_input' || error.code === 'in_use'))
      await commit(deps, { change: [turnDropped(deps.db, turn)] })
    throw error
  }
}

const turnDropped = ({ d1 }: Database, { account, serial }: Turn): D1PreparedStatement =>
  d1
    .prepare(
      "UPDATE subscriptions SET checkout = NULL WHERE workspace_id = ? AND checkout_serial = ? AND checkout ->> 'url' = ''",
    )
    .bind(account.workspaceId, serial)
