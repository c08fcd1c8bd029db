import type { ShownContent } from '../links/shown'
import type { DataRights, Scope } from '../../../scope'
import type { Database } from '../../../db/database'
import { SCHEDULES_PER_REPORT_MAX, type PauseReason, type ScheduleContent } from '../../../shared/reports/schedules'

export interface StoredSchedule {
  id: string
  workspaceId: string
  reportId: string
  content: ScheduleContent
  ownerId: string
  ownerName: string
  /** What the owner could see when it was saved. */
  rights: DataRights
  /** What they shared with people outside; null for editions, and where it was never kept. */
  shown: ShownContent | null
  paused: PauseReason | null
  nextDate: string | null
  nextAt: number | null
  version: number
}
type ScheduleRow = Omit<StoredSchedule, 'content' | 'rights' | 'shown'> & {
  content: string
  rights: string
  shown: string | null
}

const COLUMNS = `s.id, s.workspace_id AS workspaceId, s.report_id AS reportId, s.content, s.owner_id AS ownerId,
  o.name AS ownerName, s.rights, s.shown, s.paused, s.next_date AS nextDate, s.next_at AS nextAt, s.version`
const FROM = 'FROM report_schedules s JOIN users o ON o.id = s.owner_id'

/** Our own writing, read back. */
function toSchedule({ content, rights, shown, ...row }: ScheduleRow): StoredSchedule {
  const stored: ScheduleContent = JSON.parse(content)
  const frozen: DataRights = JSON.parse(rights)
  const shared: ShownContent | null = shown === null ? null : JSON.parse(shown)
  return { ...row, content: stored, rights: frozen, shown: shared }
}

const toText = (shown: ShownContent | null): string | null => shown && JSON.stringify(shown)

/** The schedules of a workspace's reports. Writes are statements for `commit`. */
export const scheduleStore = ({ d1 }: Database, { workspaceId }: Pick<Scope, 'workspaceId'>) => ({
  async list(reportId: string): Promise<StoredSchedule[]> {
    const { results } = await d1
      .prepare(`SELECT ${COLUMNS} ${FROM} WHERE s.workspace_id = ?1 AND s.report_id = ?2 ORDER BY s.created_at, s.id`)
      .bind(workspaceId, reportId)
      .all<ScheduleRow>()
    return results.map(toSchedule)
  },

  async get(id: string): Promise<StoredSchedule | null> {
    const row = await d1
      .prepare(`SELECT ${COLUMNS} ${FROM} WHERE s.workspace_id = ?1 AND s.id = ?2`)
      .bind(workspaceId, id)
      .first<ScheduleRow>()
    return row && toSchedule(row)
  },

  async count(reportId: string): Promise<number> {
    const counted = d1.prepare('SELECT count(*) AS n FROM report_schedules WHERE workspace_id = ? AND report_id = ?')
    return (await counted.bind(workspaceId, reportId).first<number>('n')) ?? 0
  },

  /** Adds no row when the report has as many as it may, or is gone. */
  insert: (made: StoredSchedule, now: number): D1PreparedStatement =>
    d1
      .prepare(
        `INSERT INTO report_schedules (workspace_id, id, report_id, content, owner_id, rights, next_date, next_at, created_at, updated_at, shown)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, ?10
         WHERE EXISTS (SELECT 1 FROM reports WHERE id = ?3 AND workspace_id = ?1 AND deleted_at IS NULL)
           AND (SELECT count(*) FROM report_schedules WHERE report_id = ?3) < ${SCHEDULES_PER_REPORT_MAX}`,
      )
      .bind(
        ...[workspaceId, made.id, made.reportId, JSON.stringify(made.content), made.ownerId],
        ...[JSON.stringify(made.rights), made.nextDate, made.nextAt, now, toText(made.shown)],
      ),

  /** Changes no row when another version is stored; `next.version` is that after the change. */
  update: (next: StoredSchedule, now: number): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE report_schedules SET content = ?3, owner_id = ?4, rights = ?5, paused = ?6, next_date = ?7, next_at = ?8,
           updated_at = ?9, version = ?10, shown = ?11 WHERE workspace_id = ?1 AND id = ?2 AND version = ?10 - 1`,
      )
      .bind(
        ...[workspaceId, next.id, JSON.stringify(next.content), next.ownerId, JSON.stringify(next.rights), next.paused],
        ...[next.nextDate, next.nextAt, now, next.version, toText(next.shown)],
      ),

  /** Whoever publishes a report says what their own schedules share of it. */
  confirmOwn: (of: { report: string; owner: string }, shown: ShownContent): D1PreparedStatement =>
    d1
      .prepare('UPDATE report_schedules SET shown = ?4 WHERE workspace_id = ?1 AND report_id = ?2 AND owner_id = ?3')
      .bind(workspaceId, of.report, of.owner, JSON.stringify(shown)),

  /** What was sent is what is shared, while nobody ever wrote a rule: everybody who might have changed it sees it. */
  follow: ({ id, version }: StoredSchedule, shown: ShownContent): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE report_schedules SET shown = ?4 WHERE workspace_id = ?1 AND id = ?2 AND version = ?3
           AND (SELECT access_epoch FROM workspaces WHERE id = ?1) = 0`,
      )
      .bind(workspaceId, id, version, JSON.stringify(shown)),

  remove: (id: string, version: number): D1PreparedStatement =>
    d1
      .prepare('DELETE FROM report_schedules WHERE workspace_id = ?1 AND id = ?2 AND version = ?3')
      .bind(workspaceId, id, version),

  /** Names of members and groups among these ids; who is no active member, and what is gone, has none. */
  async names(ids: readonly string[]): Promise<Map<string, string>> {
    const { results } = await d1
      .prepare(
        `SELECT u.id, u.name FROM members m JOIN users u ON u.id = m.user_id
         WHERE m.workspace_id = ?1 AND m.status = 'active' AND u.id IN (SELECT value FROM json_each(?2))
         UNION ALL SELECT id, name FROM user_groups
         WHERE workspace_id = ?1 AND deleted_at IS NULL AND id IN (SELECT value FROM json_each(?2))`,
      )
      .bind(workspaceId, JSON.stringify(ids))
      .all<{ id: string; name: string }>()
    return new Map(results.map(({ id, name }) => [id, name]))
  },

  /** Outside domains that reports may be mailed to. */
  async domains(): Promise<string[]> {
    const found = await d1
      .prepare('SELECT report_domains AS domains FROM workspaces WHERE id = ?')
      .bind(workspaceId)
      .first<string>('domains')
    const domains: string[] = JSON.parse(found ?? '[]')
    return domains
  },

  /** Recipients of a schedule who want it no more. */
  async unsubscribed(ids: readonly string[]): Promise<{ scheduleId: string; recipient: string }[]> {
    const { results } = await d1
      .prepare(
        `SELECT schedule_id AS scheduleId, recipient FROM report_recipients
         WHERE workspace_id = ?1 AND unsubscribed_at IS NOT NULL AND schedule_id IN (SELECT value FROM json_each(?2))`,
      )
      .bind(workspaceId, JSON.stringify(ids))
      .all<{ scheduleId: string; recipient: string }>()
    return results
  },

  setSubscription: (of: {
    id: string
    scheduleId: string
    recipient: string
    unsubscribedAt: number | null
  }): D1PreparedStatement =>
    d1
      .prepare(
        `INSERT INTO report_recipients (id, workspace_id, schedule_id, recipient, unsubscribed_at) VALUES (?2, ?1, ?3, ?4, ?5)
         ON CONFLICT (schedule_id, recipient) DO UPDATE SET unsubscribed_at = ?5`,
      )
      .bind(workspaceId, of.id, of.scheduleId, of.recipient, of.unsubscribedAt),
})

export interface DueSchedule extends StoredSchedule {
  nextDate: string
  nextAt: number
  /** Whether the report can be sent: it is there, published and not put away. */
  isOpen: boolean
  reportName: string
}

/** Schedules of all workspaces, as their dates come. */
export const scheduleQueue = ({ d1 }: Database) => ({
  async due(now: number, limit: number): Promise<DueSchedule[]> {
    const { results } = await d1
      .prepare(
        `SELECT ${COLUMNS}, r.name AS reportName,
           (r.deleted_at IS NULL AND r.archived_at IS NULL AND r.publication > 0) AS open
         FROM report_schedules s INDEXED BY report_schedules_due JOIN users o ON o.id = s.owner_id
         JOIN reports r ON r.id = s.report_id WHERE s.next_at <= ? ORDER BY s.next_at LIMIT ?`,
      )
      .bind(now, limit)
      .all<ScheduleRow & { open: number; reportName: string; nextDate: string; nextAt: number }>()
    return results.map(({ open, reportName, nextDate, nextAt, ...row }) => ({
      ...toSchedule({ ...row, nextDate, nextAt }),
      ...{ reportName, nextDate, nextAt, isOpen: open === 1 },
    }))
  },

  /** Changes no row when another round was quicker, or somebody saved it. */
  advance: (due: DueSchedule, to: { nextDate: string; nextAt: number }): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE report_schedules SET next_date = ?4, next_at = ?5
         WHERE id = ?1 AND version = ?2 AND next_at = ?3`,
      )
      .bind(due.id, due.version, due.nextAt, to.nextDate, to.nextAt),

  pause: (due: DueSchedule, reason: PauseReason): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE report_schedules SET paused = ?4, next_date = NULL, next_at = NULL, version = version + 1
         WHERE id = ?1 AND version = ?2 AND next_at = ?3`,
      )
      .bind(due.id, due.version, due.nextAt, reason),
})
