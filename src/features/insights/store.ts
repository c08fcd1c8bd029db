import { hiddenThings, isVisibleSql } from '../../identity/access/hidden-things-store'
import type { QueryPlan } from '../../shared/query/plan'
import { toIso, toIsoOrNull } from '../../lib/iso'
import { verificationHash } from '../../semantic/verification-hash'
import { idOverLimitCondition, overLimitCondition, countTowardLimitSql, hasRoomSql } from '../../entitlements/limits'
import { usedColumns, type ValidatedPlan } from '../../semantic/query-service'
import type { Scope } from '../../scope'
import { encodeCursor, type CursorPosition } from '../../http/pagination'
import type { Database } from '../../db/database'
import { STARTERS_MAX, type Insight, type ListInsightsQuery, type Origin } from '../../shared/insights'
import type { PlanLimit } from '../../shared/billing/plans'
import { nameKey, type ListPage } from '../../shared/field-schemas'
import { datasetIdsOf } from '../../shared/query/plan-fields'
import { deleteOrphanTargetsSql } from '../../semantic/target-store'
import { readMetricDefinitions } from '../../semantic/metric-definition-store'

/** Columns in the order in which an insight is told. */
type InsightRow = Omit<
  Insight,
  'plan' | 'viz' | 'createdAt' | 'updatedAt' | 'deletedAt' | 'frozen' | 'following' | 'verified'
> & {
  plan: string
  viz: string
  createdAt: number
  updatedAt: number
  deletedAt: number | null
  frozen: number
  following: number
  verifiedBy: string | null
  verifiedByName: string | null
  verifiedAt: number | null
  verifiedHash: string | null
}
/** `?1` the workspace, `?2` the plan's limit, `?3` who asks. */
const SELECT = `SELECT i.id, i.name, i.description, i.plan, i.viz, i.owner_id AS ownerId, o.name AS ownerName, i.origin,
    i.version, i.created_at AS createdAt, i.updated_at AS updatedAt, i.deleted_at AS deletedAt,
    i.category_id AS categoryId, i.findings, ${overLimitCondition('insight', 'i', { workspace: '?1', max: '?2' })} AS frozen,
    EXISTS (SELECT 1 FROM insight_follows f WHERE f.insight_id = i.id AND f.user_id = ?3) AS following,
    i.verified_by AS verifiedBy, v.name AS verifiedByName, i.verified_at AS verifiedAt, i.verified_hash AS verifiedHash
  FROM insights i JOIN users o ON o.id = i.owner_id LEFT JOIN users v ON v.id = i.verified_by WHERE i.workspace_id = ?1`

/** Our own writing, read back. Who vouched for another question, or for another meaning of its metrics, vouches no more. */
async function toInsights(db: Database, scope: Scope, rows: readonly InsightRow[]): Promise<Insight[]> {
  const parsed = rows.map((row) => {
    const content: Pick<Insight, 'plan' | 'viz'> = { plan: JSON.parse(row.plan), viz: JSON.parse(row.viz) }
    return { ...row, ...content }
  })
  const vouched = parsed.filter(({ verifiedHash }) => verifiedHash !== null)
  const measures = vouched.flatMap(({ plan }) => plan.measures)
  const definitions = await readMetricDefinitions({ db }, scope, measures)
  return parsed.map(({ verifiedBy, verifiedByName, verifiedAt, verifiedHash, ...row }) => ({
    ...row,
    createdAt: toIso(row.createdAt),
    updatedAt: toIso(row.updatedAt),
    deletedAt: toIsoOrNull(row.deletedAt),
    frozen: row.frozen === 1,
    following: row.following === 1,
    verified:
      verifiedBy !== null && verifiedAt !== null && verifiedHash === verificationHash(row.plan, definitions)
        ? { by: verifiedBy, byName: verifiedByName ?? '', at: toIso(verifiedAt) }
        : null,
  }))
}
const LIVE_STARTERS =
  "(SELECT count(*) FROM insights WHERE workspace_id = ?1 AND deleted_at IS NULL AND origin = 'starter')"
/** Whether there is room for one more of an origin. `max` names the parameter of the plan's limit. */
const withinLimit = (origin: string, max: string): string => `(${origin} = 'sample'
  OR (${origin} = 'starter' AND ${LIVE_STARTERS} < ${STARTERS_MAX})
  OR (${origin} = 'person' AND ${hasRoomSql('insight', { workspace: '?1', max })}))`

export interface InsightListQuery extends Pick<ListInsightsQuery, 'q' | 'category' | 'limit'> {
  after: CursorPosition | null
  /** Null: what is there. A number: what was deleted after this instant. */
  deletedSince: number | null
}

/** Whose insights, and how many of a person's own the plan has; null = unlimited. */
export interface StoreContext {
  scope: Scope
  max: PlanLimit
}

/** The insights of one workspace. Writes are statements for `commit`. */
export const insightStore = ({ d1 }: Database, { scope, max }: StoreContext) => ({
  async get(id: string): Promise<Insight | null> {
    const row = await d1
      .prepare(`${SELECT} AND i.id = ?4 AND ${isVisibleSql('i.id', '?5')}`)
      .bind(scope.workspaceId, max, scope.actorId, id, await hiddenThings({ d1 }, scope))
      .first<InsightRow>()
    return row ? ((await toInsights({ d1 }, scope, [row]))[0] ?? null) : null
  },

  /** The newest first. */
  async list({ q = '', category, limit, after, deletedSince }: InsightListQuery): Promise<ListPage<Insight>> {
    const { results } = await d1
      .prepare(
        `${SELECT} AND ${deletedSince === null ? 'i.deleted_at IS NULL' : 'i.deleted_at > ?4'}
           AND (?5 = '' OR instr(i.name_key, ?5) > 0)
           AND (?6 IS NULL OR iif(?6 = 'none', i.category_id IS NULL, i.category_id = ?6))
           AND ${isVisibleSql('i.id', '?10')}
           AND (?7 IS NULL OR i.updated_at < ?7 OR (i.updated_at = ?7 AND i.id < ?8))
         ORDER BY i.updated_at DESC, i.id DESC LIMIT ?9`,
      )
      .bind(
        scope.workspaceId,
        max,
        scope.actorId,
        deletedSince,
        nameKey(q),
        category ?? null,
        after?.at ?? null,
        after?.id ?? '',
        limit + 1,
        await hiddenThings({ d1 }, scope),
      )
      .all<InsightRow>()
    const page = results.slice(0, limit)
    const last = page.at(-1)
    const nextCursor = results.length > limit && last ? encodeCursor({ at: last.updatedAt, id: last.id }) : null
    return { items: await toInsights({ d1 }, scope, page), nextCursor }
  },

  async count(): Promise<number> {
    const counted = d1.prepare(`SELECT ${countTowardLimitSql('insight', '?1')} AS n`).bind(scope.workspaceId)
    return (await counted.first<number>('n')) ?? 0
  },

  /** Inserts no row when the workspace already holds as many insights of its people, or all starters that are free. */
  insert: (insight: Insight): D1PreparedStatement =>
    d1
      .prepare(
        `INSERT INTO insights (workspace_id, id, name, name_key, description, plan, viz, owner_id, version, created_at, updated_at,
           origin, category_id, findings)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12,
           (SELECT id FROM categories WHERE id = ?14 AND workspace_id = ?1), ?15 WHERE ${withinLimit('?12', '?13')}`,
      )
      .bind(
        ...[scope.workspaceId, insight.id, ...contentValues(insight), insight.ownerId, insight.version],
        ...[Date.parse(insight.createdAt), Date.parse(insight.updatedAt), insight.origin, max],
        ...[insight.categoryId, insight.findings],
      ),

  /**
   * Changes no row when another version is stored, when it is frozen, or when it gets another origin and there is no room
   * for one more of that. `next.version` is the version after the change.
   */
  update: (next: Insight): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE insights SET name = ?3, name_key = ?4, description = ?5, plan = ?6, viz = ?7, version = ?8, updated_at = ?9,
           origin = ?10
         WHERE workspace_id = ?1 AND id = ?2 AND version = ?8 - 1 AND deleted_at IS NULL
           AND (origin = ?10 OR ${withinLimit('?10', '?11')})
           AND NOT ${idOverLimitCondition('insight', '?2', { workspace: '?1', max: '?11' })}`,
      )
      .bind(
        ...[scope.workspaceId, next.id, ...contentValues(next), next.version, Date.parse(next.updatedAt)],
        ...[next.origin, max],
      ),

  /** Whether a plan reads nothing but the sample company's rows. */
  async readsSampleOnly(plan: QueryPlan): Promise<boolean> {
    const own = await d1
      .prepare(
        `SELECT 1 AS found FROM json_each(?2) read WHERE read.value NOT IN (
           SELECT d.id FROM datasets d JOIN data_sources s ON s.id = d.source_id
           WHERE s.workspace_id = ?1 AND s.sample = 1) LIMIT 1`,
      )
      .bind(scope.workspaceId, JSON.stringify(datasetIdsOf(plan)))
      .first()
    return own === null
  },

  remove: (id: string, at: { version: number; now: number }): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE insights SET deleted_at = ?, version = version + 1
         WHERE id = ? AND workspace_id = ? AND version = ? AND deleted_at IS NULL`,
      )
      .bind(at.now, id, scope.workspaceId, at.version),

  /** Changes no row when the limit is reached, or it was deleted at or before `since`. */
  restore: (id: string, at: { since: number }): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE insights SET deleted_at = NULL, version = version + 1
         WHERE workspace_id = ?1 AND id = ?2 AND deleted_at > ?3 AND ${withinLimit('origin', '?4')}`,
      )
      .bind(scope.workspaceId, id, at.since, max),

  /** The person's own datasets that hold rows, largest first. */
  async ownDatasets(most: number): Promise<string[]> {
    const { results } = await d1
      .prepare(
        `SELECT d.id FROM datasets d JOIN data_sources s ON s.id = d.source_id
         WHERE d.workspace_id = ?1 AND s.deleted_at IS NULL AND s.sample = 0 AND d.data_version > 0 AND d.row_count > 0
         ORDER BY d.row_count DESC, d.id LIMIT ?2`,
      )
      .bind(scope.workspaceId, most)
      .all<{ id: string }>()
    return results.map(({ id }) => id)
  },

  /** Names that are taken, in the form under which they are unique, and how many starters were kept. */
  async takenNames(): Promise<{ names: Set<string>; starters: number }> {
    const { results } = await d1
      .prepare('SELECT name_key, origin FROM insights WHERE workspace_id = ? AND deleted_at IS NULL')
      .bind(scope.workspaceId)
      .all<{ name_key: string; origin: Origin }>()
    const starters = results.filter(({ origin }) => origin === 'starter').length
    return { names: new Set(results.map((row) => row.name_key)), starters }
  },

  /**
   * What an insight reads, for "used by": also the keys of the relations it goes along. A dataset that is only counted
   * has the column ''.
   */
  saveFields: (id: string, read: ValidatedPlan): D1PreparedStatement[] => [
    d1.prepare('DELETE FROM insight_fields WHERE insight_id = ?').bind(id),
    d1
      .prepare(
        `INSERT OR IGNORE INTO insight_fields (insight_id, dataset_id, column_key)
         SELECT ?, json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)`,
      )
      .bind(id, JSON.stringify(usedColumns(read))),
  ],
})

/** Removes for good, of all workspaces, what was deleted at or before an instant, with its targets. */
export async function purgeInsights({ d1 }: Database, at: { before: number; max: number }): Promise<void> {
  const { meta } = await d1
    .prepare('DELETE FROM insights WHERE id IN (SELECT id FROM insights WHERE deleted_at <= ? LIMIT ?)')
    .bind(at.before, at.max)
    .run()
  if (meta.changes > 0) await d1.prepare(deleteOrphanTargetsSql()).run()
}

const contentValues = (insight: Insight): string[] => [
  insight.name,
  nameKey(insight.name),
  insight.description,
  JSON.stringify(insight.plan),
  JSON.stringify(insight.viz),
]
