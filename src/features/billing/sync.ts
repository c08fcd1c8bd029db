import {
  fetchStripeSnapshot,
  assertKnownSubscription,
  isForeignStripeAccount,
  reportToOperator,
  isPaymentRestored,
  revertCancellation,
} from './stripe-subscriptions'
import type { StripeSnapshot } from './stripe-subscriptions'
import { projectSubscription, pickProjection } from './projection'
import { getAccount, writeProjection } from './store'
import { stripeClient } from './stripe'
import type { Stripe } from './stripe'
import { commit, tryCommit } from '../../db/commit'
import type { AuditEntry, Commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import type { BillingAccount, SubscriptionProjection } from './billing-account'

/** What is written with the row, in the same batch. */
type AdditionalWrites = Partial<Pick<Commit, 'change' | 'audit' | 'outbox' | 'reply'>>
/** Made from the row as it will stand, so that an answer which is kept with it says the same. */
type AdditionalWritesFactory = (after: BillingAccount) => AdditionalWrites | Promise<AdditionalWrites>

/** So often others may write first before a caller is asked to come again. */
const ATTEMPTS_MAX = 6
const BUSY_S = 2

/**
 * Makes our row equal to what Stripe says now, and writes what goes with it in one batch. A row without a customer at Stripe
 * stays as it is. Answers the row as it then stands.
 * @throws ProductError `billing_unavailable`; `busy` when too many write at once. Nothing is written then.
 */
export async function syncAccount(
  deps: Deps,
  account: BillingAccount,
  also: AdditionalWrites | AdditionalWritesFactory = {},
): Promise<BillingAccount> {
  if (account.customerId === null) {
    await commit(deps, { change: [], ...(await resolveWrites(also, account)) })
    return account
  }
  let current = account
  for (let tries = 0; tries < ATTEMPTS_MAX; tries++) {
    const fetched = await fetchProjection(deps, current)
    const written = await writeIfCurrent(deps, current, { ...fetched, also })
    if (written) return written
    current = await getAccount(deps.db, current)
    // Somebody wrote first. When they were told the same, there is nothing to ask again.
    if (!isSameProjection(fetched.row, current)) continue
    const rewritten = await writeIfCurrent(deps, current, { row: fetched.row, fetchedAt: current.fetchedAt, also })
    if (rewritten) return rewritten
    current = await getAccount(deps.db, current)
  }
  throw new ProductError('busy', { retryAfter: BUSY_S })
}

interface FetchedProjection {
  row: SubscriptionProjection
  /** Our clock before the question; never that of an answer which is already written. */
  fetchedAt: number
}

async function fetchProjection(deps: Deps, account: BillingAccount): Promise<FetchedProjection> {
  const now = deps.clock.now()
  const fetchedAt = Math.max(now, account.fetchedAt + 1)
  const stripe = stripeClient(deps)
  const snapshot = await fetchCheckedSnapshot(deps, stripe, account)
  const row = pickProjection(projectSubscription(snapshot.objects, account, now))
  if (!isPaymentRestored(row)) return { row, fetchedAt }
  // What ends only because it was not paid goes on, now that it is. That can be done later; the payment counts at once.
  try {
    await revertCancellation(stripe, snapshot.classified)
  } catch (error) {
    deps.reporter.report(error, { route: 'billing' })
    return { row, fetchedAt }
  }
  const refetched = await fetchCheckedSnapshot(deps, stripe, account)
  return { row: pickProjection(projectSubscription(refetched.objects, account, now)), fetchedAt }
}

async function fetchCheckedSnapshot(deps: Deps, stripe: Stripe, account: BillingAccount): Promise<StripeSnapshot> {
  const { workspaceId, subscriptionId } = account
  try {
    const snapshot = await fetchStripeSnapshot(stripe, account)
    assertKnownSubscription(snapshot, subscriptionId)
    const duplicates = snapshot.classified.duplicates.map(({ id }) => id)
    if (duplicates.length > 0) reportToOperator(deps, workspaceId, `Paid for twice: ${duplicates.join(', ')}`)
    return snapshot
  } catch (error) {
    if (isForeignStripeAccount(error)) reportToOperator(deps, workspaceId, 'Stripe knows no such customer')
    throw error
  }
}

const isSameProjection = (a: SubscriptionProjection, b: SubscriptionProjection): boolean =>
  JSON.stringify(pickProjection(a)) === JSON.stringify(pickProjection(b))

const resolveWrites = (also: AdditionalWrites | AdditionalWritesFactory, after: BillingAccount) =>
  typeof also === 'function' ? also(after) : also

/** Null = another answer was written since `account` was read: nothing is written then. */
async function writeIfCurrent(
  deps: Deps,
  account: BillingAccount,
  { row, fetchedAt, also }: FetchedProjection & { also: AdditionalWrites | AdditionalWritesFactory },
): Promise<BillingAccount | null> {
  const after = { ...account, ...row, fetchedAt }
  const { change = [], audit = [], ...rest } = await resolveWrites(also, after)
  const written = await tryCommit(deps, {
    change: [writeProjection(deps.db, account, { row, fetchedAt }), ...change],
    audit: [...(isSameProjection(account, row) ? [] : [changeAuditEntry(account, row)]), ...audit],
    ...rest,
  })
  return written ? after : null
}

const changeAuditEntry = (account: BillingAccount, after: SubscriptionProjection): AuditEntry => ({
  workspaceId: account.workspaceId,
  actorId: null,
  action: 'subscription.changed',
  entity: 'subscription',
  entityId: account.workspaceId,
  before: pickProjection(account),
  after,
})
