import { clearLock, clearUnusedLock, getAccount, takeLock } from './store'
import { commit, tryCommit } from '../../db/commit'
import type { Database } from '../../db/database'
import type { Deps } from '../../deps'
import { sha256Hex } from '../../lib/hash'
import { ProductError } from '../../shared/errors'
import type { BillingAccount, OpenCheckout } from './billing-account'

/**
 * One order or change of a workspace at a time. Its serial stands in the idempotency keys of every call to Stripe that it
 * makes: the same request again, after whatever went wrong, goes on where it stopped and pays for nothing twice.
 */
export interface CheckoutLock {
  account: BillingAccount
  serial: number
}

/** Longer than any answer takes; after it, who asked is thought to have given up. */
const LOCK_TTL_MS = 60_000
const BUSY_S = 5
/** A turn stands where the open checkout page of a workspace stands, without an address. */
const lockPage = (hash: string, now: number): OpenCheckout => ({ id: '', url: '', hash, expiresAt: now + LOCK_TTL_MS })

export const isLocked = ({ checkout }: BillingAccount, now: number): boolean =>
  checkout !== null && checkout.url === '' && checkout.expiresAt > now

/** When a turn was begun (epoch ms): the same however often its request is repeated. */
export const lockedAt = ({ account }: CheckoutLock): number =>
  (account.checkout?.expiresAt ?? LOCK_TTL_MS) - LOCK_TTL_MS

/** What is asked for, as one text: equal intents are the same request. */
export const hashIntent = (...parts: unknown[]): Promise<string> => sha256Hex(JSON.stringify(parts))

export const subscriptionBusy = (): ProductError =>
  new ProductError(
    'busy',
    { retryAfter: BUSY_S },
    'The subscription is being changed right now. Try again in a moment.',
  )

/**
 * Takes the turn for an intent, or goes on with one that was begun for it.
 * @throws ProductError `busy` while another has it; `version_conflict` when somebody was first
 */
export async function acquireLock(deps: Deps, account: BillingAccount, intent: string): Promise<CheckoutLock> {
  const now = deps.clock.now()
  if (isLocked(account, now)) return resumeLock(account, intent)
  const checkout = lockPage(intent, now)
  const serial = account.checkoutSerial + 1
  if (await tryCommit(deps, { change: [takeLock(deps.db, account, checkout)] }))
    return { account: { ...account, checkout, checkoutSerial: serial }, serial }
  const reloaded = await getAccount(deps.db, account)
  assertVersion(reloaded, account.version)
  return resumeLock(reloaded, intent)
}

function resumeLock(account: BillingAccount, intent: string): CheckoutLock {
  if (account.checkout?.url !== '' || account.checkout.hash !== intent) throw subscriptionBusy()
  return { account, serial: account.checkoutSerial }
}

/** @throws ProductError `version_conflict` */
export function assertVersion({ version: current }: BillingAccount, version: number): void {
  if (version !== current) throw new ProductError('version_conflict', { current })
}

/** Key of one call to Stripe within a turn. */
export const idempotencyKeyOf = ({ account, serial }: CheckoutLock, call: string): { idempotencyKey: string } => ({
  idempotencyKey: `${account.workspaceId}:${serial}:${call}`,
})

/** Ends a turn: the statement for the batch of its outcome. What people saw is out of date then. */
export const releaseLock = (db: Database, { account, serial }: CheckoutLock): D1PreparedStatement =>
  clearLock(db, account.workspaceId, serial)

/** The row as it stands once {@link releaseLock} is written. */
export const afterRelease = (row: BillingAccount, { serial }: CheckoutLock): BillingAccount =>
  row.checkoutSerial === serial && row.checkout !== null ? { ...row, checkout: null, version: row.version + 1 } : row

/**
 * Does the work of a turn. A refusal ends the turn and changes nothing; where nobody knows how far it came, the turn stays
 * for the same request again.
 */
export async function withLock<T>(deps: Deps, lock: CheckoutLock, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProductError && (error.code === 'invalid_input' || error.code === 'in_use'))
      await commit(deps, { change: [clearUnusedLock(deps.db, lock.account.workspaceId, lock.serial)] })
    throw error
  }
}
