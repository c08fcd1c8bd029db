import { foundSince, looseSince } from './beside'
import type { Told } from './beside'
import { digestDue, morningOf, nextMorning } from './model/due'
import type { DigestSources } from './sources'
import { digestItems } from './write'
import { calendarOf } from '../../access/calendar'
import { standingMember } from '../../access/standing'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { day } from '../../mail/letter'
import { mailEntry } from '../../mail/order'
import type { Cadence } from '../../shared/digest'
import { ProductError } from '../../shared/errors'

/** Digests that one round writes, and followers that it takes in. */
const ROUND_MAX = 20
const NEW_MAX = 200
const LEASE_MS = 10 * 60 * 1000
const DAY_MS = 86_400_000

interface Due {
  workspaceId: string
  userId: string
  cadence: Cadence
  lastPeriod: string | null
  /** JSON. */
  told: string
}

/** Sends the digests whose morning has come, each once. Any number of rounds may do so at once. */
export async function sweepDigests(deps: Deps, sources: DigestSources): Promise<void> {
  const { d1 } = deps.db
  const now = deps.clock.now()
  await d1
    .prepare(
      `INSERT OR IGNORE INTO digests (workspace_id, user_id)
       SELECT DISTINCT f.workspace_id, f.user_id FROM insight_follows f
       WHERE NOT EXISTS (SELECT 1 FROM digests d WHERE d.workspace_id = f.workspace_id AND d.user_id = f.user_id) LIMIT ?`,
    )
    .bind(NEW_MAX)
    .run()
  const { results } = await d1
    .prepare(
      `UPDATE digests SET due_at = ?1 + ?2 WHERE rowid IN (
         SELECT rowid FROM digests INDEXED BY digests_due WHERE cadence <> 'off' AND due_at <= ?1 ORDER BY due_at LIMIT ?3)
       RETURNING workspace_id AS workspaceId, user_id AS userId, cadence, last_period AS lastPeriod, told`,
    )
    .bind(now, LEASE_MS, ROUND_MAX)
    .all<Due>()
  const faults: unknown[] = []
  for (const due of results) await send(deps, due, sources).catch((error: unknown) => faults.push(error))
  if (faults.length > 0) throw faults[0]
}

async function send(deps: Deps, due: Due, sources: DigestSources): Promise<void> {
  const now = deps.clock.now()
  const { workspaceId, userId, cadence } = due
  const reader = await standingMember(deps, { workspaceId, userId })
  if (!reader || reader.role === 'client' || reader.email === null || reader.entitlements.readOnly !== null)
    return put(deps, due, { period: due.lastPeriod, dueAt: now + DAY_MS })
  const { timeZone, weekStart } = reader.settings
  const period = digestDue(cadence, due.lastPeriod, { now, timeZone, weekStart })
  const dueAt = nextMorning({ now, timeZone })
  // Whoever has only begun to follow hears of it for the first time when the next period has begun.
  if (period === null || due.lastPeriod === null) return put(deps, due, { period: period ?? due.lastPeriod, dueAt })
  const items = await digestItems(deps, reader)
  if (items.length === 0 || cadence === 'off') return put(deps, due, { period, dueAt })
  const at = { deps, scope: reader.scope, calendar: calendarOf(reader, deps.clock) }
  const findings = await foundSince(sources, at, { reader, since: morningOf(due.lastPeriod, timeZone) })
  const { loose, told } = await looseSince(sources, at, { reader, told: toldOf(due) })
  const order = {
    ...{ template: 'digest' as const, to: reader.email, workspace: reader.workspaceName, cadence, items },
    ...{ date: day(now, timeZone), openAlerts: await openAlerts(deps, workspaceId), findings, loose },
  }
  await commit(deps, {
    change: [remembered(deps, due, { period, dueAt, told })],
    outbox: [mailEntry(order, { key: `digest:${workspaceId}:${userId}:${period}`, workspaceId })],
    expect: { onMissed: () => new ProductError('version_conflict') },
  }).catch((error: unknown) => {
    // Another round was quicker, or the setting was changed: it is told of what that says.
    if (!(error instanceof ProductError && error.code === 'version_conflict')) throw error
  })
}

const put = async (deps: Deps, due: Due, to: { period: string | null; dueAt: number }): Promise<void> => {
  await remembered(deps, due, to).run()
}

/** Our own writing, read back. */
function toldOf({ told }: Due): Told {
  const read: Told = JSON.parse(told)
  return read
}

/** Changes no row when something else was remembered meanwhile. */
const remembered = (
  { db }: Pick<Deps, 'db'>,
  due: Due,
  { period, dueAt, told }: { period: string | null; dueAt: number; told?: Told },
): D1PreparedStatement =>
  db.d1
    .prepare(
      `UPDATE digests SET last_period = ?1, due_at = ?2, told = coalesce(?7, told)
       WHERE workspace_id = ?3 AND user_id = ?4 AND last_period IS ?5 AND cadence = ?6`,
    )
    .bind(
      ...[period, dueAt, due.workspaceId, due.userId, due.lastPeriod, due.cadence],
      told === undefined ? null : JSON.stringify(told),
    )

async function openAlerts({ db }: Pick<Deps, 'db'>, workspaceId: string): Promise<number> {
  const found = db.d1.prepare(
    `SELECT count(*) AS n FROM alerts WHERE workspace_id = ? AND active = 1
       AND EXISTS (SELECT 1 FROM json_each(alerts.groups) WHERE json_extract(value, '$.state') = 'open')`,
  )
  return (await found.bind(workspaceId).first<number>('n')) ?? 0
}
