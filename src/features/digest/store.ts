import { hiddenThings, isVisibleSql } from '../../identity/access/hidden-things-store'
import type { Database } from '../../db/database'
import type { Scope } from '../../scope'
import { toInsightSubject, type InsightSubject, type InsightSubjectRow } from '../../semantic/monitored-metric-store'
import type { DigestCadence, DigestSetting } from '../../shared/digest'

/** Values without a group that were told of, by grouping. */
export type ReportedCounts = Readonly<Record<string, number>>

export interface DueDigest {
  workspaceId: string
  userId: string
  cadence: DigestCadence
  lastPeriod: string | null
  told: ReportedCounts
}
type DueDigestRow = Omit<DueDigest, 'told'> & { told: string }

/** Our own writing, read back. */
function toDueDigest({ told, ...row }: DueDigestRow): DueDigest {
  const counts: ReportedCounts = JSON.parse(told)
  return { ...row, told: counts }
}

/** The digest of one member. Writes are statements for `commit`. */
export const digestStore = ({ d1 }: Database, scope: Scope) => {
  const { workspaceId, actorId } = scope
  return {
    async setting(): Promise<DigestSetting> {
      const row = await d1
        .prepare(
          `SELECT (SELECT cadence FROM digests WHERE workspace_id = ?1 AND user_id = ?2) AS cadence,
           (SELECT count(*) FROM insight_follows f JOIN insights i ON i.id = f.insight_id AND i.deleted_at IS NULL
            WHERE f.workspace_id = ?1 AND f.user_id = ?2) AS following`,
        )
        .bind(workspaceId, actorId)
        .first<{ cadence: DigestCadence | null; following: number }>()
      const following = row?.following ?? 0
      // Whoever follows something hears of it weekly until they say otherwise; nobody else is written to unasked.
      return { cadence: row?.cadence ?? (following > 0 ? 'weekly' : 'off'), following }
    },

    saveCadence: (cadence: DigestCadence): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO digests (workspace_id, user_id, cadence) VALUES (?1, ?2, ?3)
         ON CONFLICT (workspace_id, user_id) DO UPDATE SET cadence = ?3, last_period = NULL, due_at = 0
         WHERE cadence <> ?3`,
        )
        .bind(workspaceId, actorId, cadence),

    /** Insights that the member follows, in the order in which they began to. */
    async followedInsights(limit: number): Promise<InsightSubject[]> {
      const { results } = await d1
        .prepare(
          `SELECT i.id, i.name, i.plan, i.viz FROM insight_follows f JOIN insights i ON i.id = f.insight_id AND i.deleted_at IS NULL
         WHERE f.workspace_id = ?1 AND f.user_id = ?2 AND ${isVisibleSql('i.id', '?4')}
         ORDER BY f.created_at, i.id LIMIT ?3`,
        )
        .bind(workspaceId, actorId, limit, await hiddenThings({ d1 }, scope))
        .all<InsightSubjectRow>()
      return results.map(toInsightSubject)
    },

    async openAlertCount(): Promise<number> {
      const found = d1.prepare(
        `SELECT count(*) AS n FROM alerts WHERE workspace_id = ?1 AND active = 1 AND ${isVisibleSql('alerts.id', '?2')}
         AND EXISTS (SELECT 1 FROM json_each(alerts.groups) WHERE json_extract(value, '$.state') = 'open')`,
      )
      return (await found.bind(workspaceId, await hiddenThings({ d1 }, scope)).first<number>('n')) ?? 0
    },
  }
}

/** Digests of all workspaces, as they fall due. */
export const digestQueue = ({ d1 }: Database) => ({
  /** Takes in members who follow something and have no digest yet. */
  async addFollowers(limit: number): Promise<void> {
    await d1
      .prepare(
        `INSERT OR IGNORE INTO digests (workspace_id, user_id)
         SELECT DISTINCT f.workspace_id, f.user_id FROM insight_follows f
         WHERE NOT EXISTS (SELECT 1 FROM digests d WHERE d.workspace_id = f.workspace_id AND d.user_id = f.user_id) LIMIT ?`,
      )
      .bind(limit)
      .run()
  },

  /** Those that are due; nobody else gets them until `leaseEnd`. */
  async claimDue(at: { now: number; leaseEnd: number; limit: number }): Promise<DueDigest[]> {
    const { results } = await d1
      .prepare(
        `UPDATE digests SET due_at = ?2 WHERE rowid IN (
           SELECT rowid FROM digests INDEXED BY digests_due WHERE cadence <> 'off' AND due_at <= ?1 ORDER BY due_at LIMIT ?3)
         RETURNING workspace_id AS workspaceId, user_id AS userId, cadence, last_period AS lastPeriod, told`,
      )
      .bind(at.now, at.leaseEnd, at.limit)
      .all<DueDigestRow>()
    return results.map(toDueDigest)
  },

  /** Changes no row when something else was remembered meanwhile. */
  reschedule: (
    { workspaceId, userId, lastPeriod, cadence }: DueDigest,
    to: { period: string | null; dueAt: number; told?: ReportedCounts },
  ): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE digests SET last_period = ?1, due_at = ?2, told = coalesce(?7, told)
         WHERE workspace_id = ?3 AND user_id = ?4 AND last_period IS ?5 AND cadence = ?6`,
      )
      .bind(
        to.period,
        to.dueAt,
        workspaceId,
        userId,
        lastPeriod,
        cadence,
        to.told === undefined ? null : JSON.stringify(to.told),
      ),
})
