import { newFindingLines, newUngroupedValues, digestItems, standingLines, type DigestSources } from './content'
import { digestQueue, digestStore, type DueDigest } from './store'
import { DAY_MS, MINUTE_MS } from '../../shared/dates'
import { duePeriod, sendTimeOf, nextSendTime } from './model/schedule'
import { calendarOf } from '../../semantic/calendar'
import { readMemberContext, type MemberContext } from '../../identity/member-context-store'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { formatDay } from '../../mail/layout'
import { mailOutboxEntry, type QueuedMailOf } from '../../mail/queued-mail'
import { ProductError } from '../../shared/errors'

/** Digests that one round writes, and followers that it takes in. */
const DIGESTS_PER_RUN_MAX = 20
const NEW_READERS_PER_RUN_MAX = 200
const LEASE_MS = 10 * MINUTE_MS

/** Sends the digests whose morning has come, each once. Any number of rounds may do so at once. */
export async function sendDueDigests(deps: Deps, sources: DigestSources): Promise<void> {
  const now = deps.clock.now()
  const queue = digestQueue(deps.db)
  await queue.addFollowers(NEW_READERS_PER_RUN_MAX)
  const claimed = await queue.claimDue({ now, leaseEnd: now + LEASE_MS, limit: DIGESTS_PER_RUN_MAX })
  const faults: unknown[] = []
  for (const due of claimed) await sendDigest(deps, due, sources).catch((error: unknown) => faults.push(error))
  if (faults.length > 0) throw faults[0]
}

async function sendDigest(deps: Deps, dueDigest: DueDigest, sources: DigestSources): Promise<void> {
  const now = deps.clock.now()
  const { workspaceId, userId, cadence } = dueDigest
  const reader = await readMemberContext(deps, { workspaceId, userId })
  if (!reader || reader.email === null || !wantsDigest(reader))
    return reschedule(deps, dueDigest, { period: dueDigest.lastPeriod, dueAt: now + DAY_MS })
  const { timeZone, weekStart } = reader.settings
  const period = duePeriod(cadence, dueDigest.lastPeriod, { now, timeZone, weekStart })
  const dueAt = nextSendTime({ now, timeZone })
  // Whoever has only begun to follow hears of it for the first time when the next period has begun.
  if (period === null || dueDigest.lastPeriod === null)
    return reschedule(deps, dueDigest, { period: period ?? dueDigest.lastPeriod, dueAt })
  if (cadence === 'off') return reschedule(deps, dueDigest, { period, dueAt })
  const items = await digestItems(deps, reader)
  const at = { deps, scope: reader.scope, calendar: calendarOf(reader, deps.clock) }
  const since = sendTimeOf(dueDigest.lastPeriod, timeZone)
  const findings = reader.notifications.findings ? await newFindingLines(sources, at, { reader, since }) : []
  const standing = await standingLines(sources, at, reader)
  // Whoever follows nothing hears of what was found and what waits, and of nothing when there is neither.
  if (items.length + findings.length + standing.length === 0) return reschedule(deps, dueDigest, { period, dueAt })
  const { loose, told } = await newUngroupedValues(sources, at, { reader, told: dueDigest.told })
  const order: QueuedMailOf<'digest'> = {
    template: 'digest',
    to: reader.email,
    workspace: reader.workspaceName,
    cadence,
    items,
    date: formatDay(now, timeZone),
    openAlerts: await digestStore(deps.db, reader.scope).openAlertCount(),
    findings,
    standing,
    loose,
  }
  await commit(deps, {
    change: [digestQueue(deps.db).reschedule(dueDigest, { period, dueAt, told })],
    outbox: [mailOutboxEntry(order, { key: `digest:${workspaceId}:${userId}:${period}`, workspaceId })],
    expect: { onMissed: () => new ProductError('version_conflict') },
  }).catch((error: unknown) => {
    // Another round was quicker, or the setting was changed: it is told of what that says.
    if (!(error instanceof ProductError && error.code === 'version_conflict')) throw error
  })
}

/** Whoever is told nothing now is asked about again tomorrow. */
const wantsDigest = ({ role, entitlements, notifications }: MemberContext): boolean =>
  role !== 'client' && entitlements.readOnly === null && notifications.digests

const reschedule = async (
  deps: Deps,
  dueDigest: DueDigest,
  to: { period: string | null; dueAt: number },
): Promise<void> => {
  await digestQueue(deps.db).reschedule(dueDigest, to).run()
}
