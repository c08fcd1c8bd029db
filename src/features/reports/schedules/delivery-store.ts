import type { Database } from '../../../db/database'
import { groupMembershipSql } from '../../../identity/group-membership'
import type { Scope } from '../../../scope'
import { toIso, toIsoOrNull } from '../../../lib/iso'
import type {
  DeliveryReason,
  DeliveryState,
  DeliverySummary,
  RecipientFilters,
  ReportDelivery,
} from '../../../shared/reports/schedules'

export const TEST_SLOT = 'test:'
/** Who gets a report on a date. */
export interface NewDelivery {
  id: string
  /** Of the row that remembers whether they want it. */
  recipientId: string
  recipient: string
  kind: 'member' | 'address'
  filters: RecipientFilters
}
/** A delivery that is worked on. */
export interface ClaimedDelivery {
  id: string
  workspaceId: string
  scheduleId: string
  slot: string
  slotAt: number
  recipient: string
  kind: 'member' | 'address'
  filters: RecipientFilters
  state: 'waiting' | 'held'
  reason: DeliveryReason | null
  forced: boolean
  basis: string | null
  attempts: number
  failures: number
}
type ClaimedRow = Omit<ClaimedDelivery, 'filters' | 'forced'> & { filters: string; forced: number }

function toClaimed({ filters, forced, ...row }: ClaimedRow): ClaimedDelivery {
  const own: RecipientFilters = JSON.parse(filters)
  return { ...row, filters: own, forced: forced === 1 }
}
const CLAIMED = `id, workspace_id AS workspaceId, schedule_id AS scheduleId, slot, slot_at AS slotAt, recipient, kind, filters,
  state, reason, forced, basis, attempts, failures`

/** A file that was sent with a delivery. */
export interface DeliveryFile {
  key: string
  name: string
  /** By whose rights it was made (access fingerprint). */
  rights: string
}

/** Deliveries of a workspace's schedules. Writes are statements for `commit`. */
export const deliveryStore = ({ d1 }: Database, { workspaceId }: Pick<Scope, 'workspaceId'>) => ({
  /** The newest first. */
  async list(scheduleId: string, limit: number): Promise<ReportDelivery[]> {
    const { results } = await d1
      .prepare(
        `SELECT d.id, d.recipient, u.name, d.slot_at AS at, d.done_at AS doneAt, d.state, d.reason, d.slot LIKE 'test:%' AS test
         FROM report_deliveries d LEFT JOIN users u ON u.id = d.recipient
         WHERE d.workspace_id = ?1 AND d.schedule_id = ?2 ORDER BY d.slot_at DESC, d.rowid LIMIT ?3`,
      )
      .bind(workspaceId, scheduleId, limit)
      .all<Omit<ReportDelivery, 'at' | 'doneAt' | 'test'> & { at: number; doneAt: number | null; test: number }>()
    return results.map(({ at, doneAt, test, ...row }) => ({
      ...row,
      ...{ at: toIso(at), doneAt: toIsoOrNull(doneAt), test: test === 1 },
    }))
  },

  /** How the newest date of each schedule went. */
  async last(scheduleIds: readonly string[]): Promise<Map<string, DeliverySummary>> {
    const { results } = await d1
      .prepare(
        `SELECT schedule_id AS id, slot_at AS at, state, count(*) AS n FROM report_deliveries d
         WHERE workspace_id = ?1 AND schedule_id IN (SELECT value FROM json_each(?2)) AND slot NOT LIKE 'test:%'
           AND slot_at = (SELECT max(slot_at) FROM report_deliveries n WHERE n.schedule_id = d.schedule_id AND n.slot NOT LIKE 'test:%')
         GROUP BY schedule_id, slot_at, state`,
      )
      .bind(workspaceId, JSON.stringify(scheduleIds))
      .all<{ id: string; at: number; state: DeliveryState; n: number }>()
    const found = new Map<string, DeliverySummary>()
    for (const { id, at, state, n } of results)
      found.set(id, { at: toIso(at), counts: { ...found.get(id)?.counts, [state]: n } })
    return found
  },

  /** Adds those that are not there yet: a date reaches each of them once. */
  insert: (
    of: { scheduleId: string; slot: string; slotAt: number },
    deliveries: readonly NewDelivery[],
    now: number,
  ): D1PreparedStatement[] => [
    d1
      .prepare(
        `INSERT OR IGNORE INTO report_recipients (id, workspace_id, schedule_id, recipient)
         SELECT value ->> '$.recipientId', ?1, ?2, value ->> '$.recipient' FROM json_each(?3)`,
      )
      .bind(workspaceId, of.scheduleId, JSON.stringify(deliveries)),
    d1
      .prepare(
        `INSERT OR IGNORE INTO report_deliveries (id, workspace_id, schedule_id, slot, slot_at, recipient, kind, filters, state, due_at, created_at)
         SELECT value ->> '$.id', ?1, ?2, ?3, ?4, value ->> '$.recipient', value ->> '$.kind', value -> '$.filters', 'waiting', ?6, ?6
         FROM json_each(?5)`,
      )
      .bind(workspaceId, of.scheduleId, of.slot, of.slotAt, JSON.stringify(deliveries), now),
  ],

  /** What waits of earlier dates is sent no more: the next one has come. */
  supersede: (scheduleId: string, slot: string, now: number): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE report_deliveries SET state = 'skipped', reason = 'superseded', due_at = NULL, done_at = ?4
         WHERE workspace_id = ?1 AND schedule_id = ?2 AND slot < ?3 AND slot NOT LIKE 'test:%' AND state IN ('waiting', 'held')`,
      )
      .bind(workspaceId, scheduleId, slot, now),

  /** A failed one waits again; a held one waits no longer. Changes no row when neither is so. */
  retry: (of: { id: string; scheduleId: string; now: number }): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE report_deliveries SET forced = max(forced, state = 'held'), state = 'waiting', reason = NULL, due_at = ?4,
           done_at = NULL, failures = 0 WHERE workspace_id = ?1 AND schedule_id = ?2 AND id = ?3 AND state IN ('failed', 'held')`,
      )
      .bind(workspaceId, of.scheduleId, of.id, of.now),

  async get(scheduleId: string, id: string): Promise<ReportDelivery | null> {
    const found = await this.list(scheduleId, 2_000)
    return found.find((one) => one.id === id) ?? null
  },

  /** The file that a member was sent. */
  async file(of: { reportId: string; id: string; userId: string }): Promise<DeliveryFile | null> {
    return d1
      .prepare(
        `SELECT d.file AS key, d.file_name AS name, d.rights FROM report_deliveries d
         JOIN report_schedules s ON s.id = d.schedule_id AND s.report_id = ?2
         WHERE d.workspace_id = ?1 AND d.id = ?3 AND d.recipient = ?4 AND d.file IS NOT NULL`,
      )
      .bind(workspaceId, of.reportId, of.id, of.userId)
      .first<DeliveryFile>()
  },

  /** Whether a member got it: directly or by a group. */
  async membersOf(groups: readonly string[]): Promise<{ groupId: string; userId: string }[]> {
    if (groups.length === 0) return []
    const { results } = await d1
      .prepare(
        `SELECT g.group_id AS groupId, g.user_id AS userId FROM ${groupMembershipSql('?1')} g
         JOIN members m ON m.workspace_id = ?1 AND m.user_id = g.user_id AND m.status = 'active'
         WHERE g.group_id IN (SELECT value FROM json_each(?2)) ORDER BY m.created_at, g.user_id`,
      )
      .bind(workspaceId, JSON.stringify(groups))
      .all<{ groupId: string; userId: string }>()
    return results
  },

  /** Of addresses, those that active members have proven. */
  async memberAddresses(ids: readonly string[]): Promise<Set<string>> {
    const { results } = await d1
      .prepare(
        `SELECT lower(email) AS email FROM users WHERE email_proven_at IS NOT NULL AND id IN (SELECT value FROM json_each(?))`,
      )
      .bind(JSON.stringify(ids))
      .all<{ email: string }>()
    return new Set(results.map(({ email }) => email))
  },

  async recipientOf(scheduleId: string, recipient: string): Promise<{ id: string; unsubscribed: boolean } | null> {
    const row = await d1
      .prepare(
        `SELECT id, unsubscribed_at IS NOT NULL AS gone FROM report_recipients
         WHERE workspace_id = ?1 AND schedule_id = ?2 AND recipient = ?3`,
      )
      .bind(workspaceId, scheduleId, recipient)
      .first<{ id: string; gone: number }>()
    return row && { id: row.id, unsubscribed: row.gone === 1 }
  },

  /** Of datasets, those whose newest finished import failed. */
  async failedImports(datasetIds: readonly string[]): Promise<string[]> {
    const { results } = await d1
      .prepare(
        `SELECT id FROM datasets WHERE workspace_id = ?1 AND id IN (SELECT value FROM json_each(?2))
           AND (SELECT state FROM runs WHERE dataset_id = datasets.id AND state NOT IN ('cancelled', 'queued', 'running')
             ORDER BY started_at DESC, rowid DESC LIMIT 1) IN ('failed', 'interrupted')`,
      )
      .bind(workspaceId, JSON.stringify(datasetIds))
      .all<{ id: string }>()
    return results.map(({ id }) => id)
  },

  /** Ends a try. Only the newest claim speaks, and of a delivery that is not done: changes no row otherwise. */
  finish: (
    { id, attempts }: Pick<ClaimedDelivery, 'id' | 'attempts'>,
    to: {
      state: DeliveryState
      reason?: DeliveryReason | null
      dueAt?: number | null
      doneAt?: number | null
      failures?: number
      basis?: string | null
      file?: DeliveryFile | null
    },
  ): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE report_deliveries SET state = ?3, reason = ?4, due_at = ?5, done_at = ?6, failures = ?7, basis = ?8,
           file = ?9, file_name = ?10, rights = ?11
         WHERE id = ?1 AND attempts = ?2 AND state IN ('waiting', 'held')`,
      )
      .bind(
        ...[id, attempts, to.state, to.reason ?? null, to.dueAt ?? null, to.doneAt ?? null, to.failures ?? 0],
        ...[to.basis ?? null, to.file?.key ?? null, to.file?.name ?? null, to.file?.rights ?? null],
      ),
})

/** Deliveries of all workspaces, as they fall due. */
export const deliveryQueue = ({ d1 }: Database) => ({
  /** Nobody else gets them until `leaseEnd`; those of one schedule come together. `aside`: workspaces whose turn is over. */
  async claimDue(of: {
    now: number
    leaseEnd: number
    limit: number
    id?: string
    aside?: readonly string[]
  }): Promise<ClaimedDelivery[]> {
    const { results } = await d1
      .prepare(
        `UPDATE report_deliveries SET due_at = ?2, attempts = attempts + 1 WHERE rowid IN (
           SELECT rowid FROM report_deliveries INDEXED BY report_deliveries_due
           WHERE due_at <= ?1 AND (?4 IS NULL OR id = ?4) AND state IN ('waiting', 'held')
             AND workspace_id NOT IN (SELECT value FROM json_each(?5)) ORDER BY due_at, schedule_id LIMIT ?3)
         RETURNING ${CLAIMED}`,
      )
      .bind(of.now, of.leaseEnd, of.limit, of.id ?? null, JSON.stringify(of.aside ?? []))
      .all<ClaimedRow>()
    return results.map(toClaimed)
  },

  /** New rows came in: those that wait for data are looked at in the next round. One in the making is made again, and only the newest ends. */
  wakeHeld: ({ workspaceId, now }: { workspaceId: string; now: number }): D1PreparedStatement =>
    d1
      .prepare("UPDATE report_deliveries SET due_at = ?2 WHERE workspace_id = ?1 AND state = 'held' AND due_at > ?2")
      .bind(workspaceId, now),

  /** What has become of mails that were on their way: their outbox rows say so. */
  settle: (now: number, limit: number): Promise<unknown> =>
    d1
      .prepare(
        `UPDATE report_deliveries SET done_at = ?1,
           state = CASE WHEN (SELECT failed_at FROM outbox WHERE key = 'mail:report:' || report_deliveries.id || ':' || attempts) IS NULL
             THEN 'sent' ELSE 'failed' END,
           reason = CASE WHEN (SELECT failed_at FROM outbox WHERE key = 'mail:report:' || report_deliveries.id || ':' || attempts) IS NULL
             THEN reason ELSE 'mail' END
         WHERE rowid IN (SELECT d.rowid FROM report_deliveries d INDEXED BY report_deliveries_sending
           LEFT JOIN outbox o ON o.key = 'mail:report:' || d.id || ':' || d.attempts
           WHERE d.state = 'sending' AND (o.id IS NULL OR o.delivered_at IS NOT NULL OR o.failed_at IS NOT NULL) LIMIT ?2)`,
      )
      .bind(now, limit)
      .run(),

  deleteOld: (before: number, limit: number): Promise<unknown> =>
    d1
      .prepare(
        'DELETE FROM report_deliveries WHERE rowid IN (SELECT rowid FROM report_deliveries WHERE created_at < ? LIMIT ?)',
      )
      .bind(before, limit)
      .run(),
})

/** By the id in a link: whose subscription it is. */
export const subscriptionStore = ({ d1 }: Database, id: string) => ({
  async get(): Promise<{ workspaceId: string; report: string; workspace: string; subscribed: boolean } | null> {
    const row = await d1
      .prepare(
        `SELECT c.workspace_id AS workspaceId, r.name AS report, w.name AS workspace, c.unsubscribed_at IS NULL AS subscribed
         FROM report_recipients c JOIN report_schedules s ON s.id = c.schedule_id JOIN reports r ON r.id = s.report_id
         JOIN workspaces w ON w.id = c.workspace_id AND w.deleted_at IS NULL WHERE c.id = ?`,
      )
      .bind(id)
      .first<{ workspaceId: string; report: string; workspace: string; subscribed: number }>()
    return row && { ...row, subscribed: row.subscribed === 1 }
  },

  set: (unsubscribedAt: number | null): D1PreparedStatement =>
    d1.prepare('UPDATE report_recipients SET unsubscribed_at = ?2 WHERE id = ?1').bind(id, unsubscribedAt),
})
