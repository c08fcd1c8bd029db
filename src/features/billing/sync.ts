import { askFor, expectKnown, isOtherAccount, reportTrouble } from './ask'
import type { Asked } from './ask'
import { isPaidAgain, undoCancel } from './cancelling'
import { project, projectedOf } from './projection'
import type { Projected } from './projection'
import { accountAgain, writeAnswer } from './store'
import type { BillingRow } from './store'
import { stripeOf } from './stripe'
import { commit } from '../../db/commit'
import type { AuditEntry, Commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'

/** What is written with the row, in the same batch. */
export type Also = Partial<Pick<Commit, 'change' | 'audit' | 'outbox' | 'reply'>>
/** Made from the row as it will stand, so that an answer which is kept with it says the same. */
export type MakeAlso = (after: BillingRow) => Also | Promise<Also>

/** So often others may write first before a caller is asked to come again. */
const TRIES = 6
const BUSY_S = 2

/**
 * Makes our row equal to what Stripe says now, and writes what goes with it in one batch. A row without a customer at Stripe
 * stays as it is. Answers the row as it then stands.
 * @throws ProductError `billing_unavailable`; `busy` when too many write at once. Nothing is written then.
 */
export async function syncAccount(deps: Deps, account: BillingRow, also: Also | MakeAlso = {}): Promise<BillingRow> {
  if (account.customerId === null) {
    await commit(deps, { change: [], ...(await made(also, account)) })
    return account
  }
  let current = account
  for (let tries = 0; tries < TRIES; tries++) {
    const told = await ask(deps, current)
    const written = await write(deps, current, { ...told, also })
    if (written) return written
    current = await accountAgain(deps.db, current)
    // Somebody wrote first. When they were told the same, there is nothing to ask again.
    if (!isSame(told.row, current)) continue
    const kept = await write(deps, current, { row: told.row, fetchedAt: current.fetchedAt, also })
    if (kept) return kept
    current = await accountAgain(deps.db, current)
  }
  throw new ProductError('busy', { retryAfter: BUSY_S })
}

interface Told {
  row: Projected
  /** Our clock before the question; never that of an answer which is already written. */
  fetchedAt: number
}

async function ask(deps: Deps, account: BillingRow): Promise<Told> {
  const now = deps.clock.now()
  const fetchedAt = Math.max(now, account.fetchedAt + 1)
  const stripe = stripeOf(deps)
  const asked = await askNow(deps, account, () => askFor(stripe, account))
  const row = projectedOf(project(asked.answer, account, now))
  if (!isPaidAgain(row)) return { row, fetchedAt }
  // What ends only because it was not paid goes on, now that it is. That can be done later; the payment counts at once.
  try {
    await undoCancel(stripe, asked.sorted)
  } catch (error) {
    deps.reporter.report(error, { route: 'billing' })
    return { row, fetchedAt }
  }
  const again = await askNow(deps, account, () => askFor(stripe, account))
  return { row: projectedOf(project(again.answer, account, now)), fetchedAt }
}

async function askNow(
  deps: Deps,
  { workspaceId, subscriptionId }: BillingRow,
  question: () => Promise<Asked>,
): Promise<Asked> {
  try {
    const asked = await question()
    expectKnown(asked, subscriptionId)
    const doubles = asked.sorted.double.map(({ id }) => id)
    if (doubles.length > 0) reportTrouble(deps, workspaceId, `Paid for twice: ${doubles.join(', ')}`)
    return asked
  } catch (error) {
    if (isOtherAccount(error)) reportTrouble(deps, workspaceId, 'Stripe knows no such customer')
    throw error
  }
}

const isSame = (a: Projected, b: Projected): boolean =>
  JSON.stringify(projectedOf(a)) === JSON.stringify(projectedOf(b))

const made = (also: Also | MakeAlso, after: BillingRow): Also | Promise<Also> =>
  typeof also === 'function' ? also(after) : also

/** Null = another answer was written since `account` was read: nothing is written then. */
async function write(
  deps: Deps,
  account: BillingRow,
  { row, fetchedAt, also }: Told & { also: Also | MakeAlso },
): Promise<BillingRow | null> {
  const after = { ...account, ...row, fetchedAt }
  const { change = [], audit = [], ...rest } = await made(also, after)
  const missed = new ProductError('busy', { retryAfter: BUSY_S })
  try {
    await commit(deps, {
      change: [writeAnswer(deps.db, account, { row, fetchedAt }), ...change],
      audit: [...(isSame(account, row) ? [] : [changed(account, row)]), ...audit],
      ...rest,
      expect: { onMissed: () => missed },
    })
    return after
  } catch (error) {
    if (error === missed) return null
    throw error
  }
}

const changed = (account: BillingRow, after: Projected): AuditEntry => ({
  ...{ workspaceId: account.workspaceId, actorId: null, action: 'subscription.changed' },
  ...{ entity: 'subscription', entityId: account.workspaceId, before: projectedOf(account), after },
})
