import { newFindingLines, newUngroupedValues, digestItems } from './content'
import type { ReportedCounts, DigestSources } from './content'
import { duePeriod, sendTimeOf, nextSendTime } from './model/schedule'
import { calendarOf } from '../../semantic/calendar'
import { readMemberContext } from '../../identity/member-context-store'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { formatDay } from '../../mail/layout'
import { mailOutboxEntry } from '../../mail/queued-mail'
import type { DigestCadence } from '../../shared/digest'
import { ProductError } from '../../shared/errors'

/** Digests that one round writes, and followers that it takes in. */
const DIGESTS_PER_RUN_MAX = 20
const NEW_READERS_PER_RUN_MAX = 200
const LEASE_MS = 10 * 60 * 1000
const DAY_MS = 86_400_000

interface DueDigest {
  workspaceId: string
  userId: string
  cadence: DigestCadence
  lastPeriod: string | null
  /** JSON. */
  told: string
}

/** Sends the digests whose morning has come, each once. Any number of rounds may do so at once. */
export async function sendDueDigests(deps: Deps, sources: DigestSources): Promise<void> {
  const { d1 } = deps.db
  const now = deps.clock.now()
  await d1
    .prepare(
      `INSERT OR IGNORE INTO digests (workspace_id, user_id)
       SELECT DISTINCT f.workspace_id, f.user_id FROM insight_follows f
       WHERE NOT EXISTS (SELECT 1 FROM digests d WHERE d.workspace_id = f.workspace_id AND d.user_id = f.user_id) LIMIT ?`,
    )
    .bind(NEW_READERS_PER_RUN_MAX)
    .run()
  const { results } = await d1
    .prepare(
      `UPDATE digests SET due_at = ?1 + ?2 WHERE rowid IN (
         SELECT rowid FROM digests INDEXED BY digests_due WHERE cadence <> 'off' AND due_at <= ?1 ORDER BY due_at LIMIT ?3)
       RETURNING workspace_id AS workspaceId, user_id AS userId, cadence, last_period AS lastPeriod, told`,
    )
    .bind(now, LEASE_MS, DIGESTS_PER_RUN_MAX)
    .all<DueDigest>()
  const faults: unknown[] = []
  for (const due of results) await sendDigest(deps, due, sources).catch((error: unknown) => faults.push(error))
  if (faults.length > 0) throw faults[0]
}

async function sendDigest(deps: Deps, dueDigest: DueDigest, sources: DigestSources): Promise<void> {
  const now = deps.clock.now()
  const { workspaceId, userId, cadence } = dueDigest
  const reader = await readMemberContext(deps, { workspaceId, userId })
  if (!reader || reader.role === 'client' || reader.email === null || reader.entitlements.readOnly !== null)
    return reschedule(deps, dueDigest, { period: dueDigest.lastPeriod, dueAt: now + DAY_MS })
  const { timeZone, weekStart } = reader.settings
  const period = duePeriod(cadence, dueDigest.lastPeriod, { now, timeZone, weekStart })
  const dueAt = nextSendTime({ now, timeZone })
  // Whoever has only begun to follow hears of it for the first time when the next period has begun.
  if (period === null || dueDigest.lastPeriod === null)
    return reschedule(deps, dueDigest, { period: period ?? dueDigest.lastPeriod, dueAt })
  const items = await digestItems(deps, reader)
  if (items.length === 0 || cadence === 'off') return reschedule(deps, dueDigest, { period, dueAt })
  const at = { deps, scope: reader.scope, calendar: calendarOf(reader, deps.clock) }
  const findings = await newFindingLines(sources, at, { reader, since: sendTimeOf(dueDigest.lastPeriod, timeZone) })
  const { loose, told } = await newUngroupedValues(sources, at, { reader, told: reportedCountsOf(dueDigest) })
  const order = {
    ...{ template: 'digest' as const, to: reader.email, workspace: reader.workspaceName, cadence, items },
    ...{ date: formatDay(now, timeZone), openAlerts: await countOpenAlerts(deps, workspaceId), findings, loose },
  }
  await commit(deps, {
    change: [updateStatement(deps, dueDigest, { period, dueAt, told })],
    outbox: [mailOutboxEntry(order, { key: `digest:${workspaceId}:${userId}:${period}`, workspaceId })],
    expect: { onMissed: () => new ProductError('version_conflict') },
  }).catch((error: unknown) => {
    // Another round was quicker, or the setting was changed: it is told of what that says.
    if (!(error instanceof ProductError && error.code === 'version_conflict')) throw error
  })
}

const reschedule = async (
  deps: Deps,
  dueDigest: DueDigest,
  to: { period: string | null; dueAt: number },
): Promise<void> => {
  await updateStatement(deps, dueDigest, to).run()
}

/** Our own writing, read back. */
function reportedCountsOf({ told }: DueDigest): ReportedCounts {
  const read: ReportedCounts = JSON.parse(told)
  return read
}

/** Changes no row when something else was remembered meanwhile. */
const updateStatement = (
  { db }: Pick<Deps, 'db'>,
  dueDigest: DueDigest,
  { period, dueAt, told }: { period: string | null; dueAt: number; told?: ReportedCounts },
): D1PreparedStatement =>
  db.d1
    .prepare(
      `UPDATE digests SET last_period = ?1, due_at = ?2, told = coalesce(?7, told)
       WHERE workspace_id = ?3 AND user_id = ?4 AND last_period IS ?5 AND cadence = ?6`,
    )
    .bind(
      ...[period, dueAt, dueDigest.workspaceId, dueDigest.userId, dueDigest.lastPeriod, dueDigest.cadence],
      told === undefined ? null : JSON.stringify(told),
    )

async function countOpenAlerts({ db }: Pick<Deps, 'db'>, workspaceId: string): Promise<number> {
  const found = db.d1.prepare(
    `SELECT count(*) AS n FROM alerts WHERE workspace_id = ? AND active = 1
       AND EXISTS (SELECT 1 FROM json_each(alerts.groups) WHERE json_extract(value, '$.state') = 'open')`,
  )
  return (await found.bind(workspaceId).first<number>('n')) ?? 0
}
