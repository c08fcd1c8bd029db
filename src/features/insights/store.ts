import { and, desc, eq, gt, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import { definitionFingerprint, readMetricDefinitions } from '../../semantic/metric-definitions'
import type { MetricDefinitions } from '../../semantic/metric-definitions'
import type { QueryPlan } from '../../shared/query/plan'
import { canonicalJson, sha256HexSync } from '../../lib/hash'
import {
  countTowardLimitSql,
  hasRoomSql,
  idOverLimitCondition,
  overLimitExpression,
} from '../../entitlements/over-limit'
import type { ColumnReference } from '../../semantic/query-service'
import type { Scope } from '../../identity/scope'
import { encodeCursor } from '../../http/pagination'
import type { CursorPosition } from '../../http/pagination'
import { sqlWithParams } from '../../db/database'
import type { Database } from '../../db/database'
import { insights, users } from '../../db/schema'
import { STARTERS_MAX } from '../../shared/insights'
import type { Insight, ListInsightsQuery } from '../../shared/insights'
import type { PlanLimit } from '../../shared/billing/plans'
import { nameKey } from '../../shared/field-schemas'
import type { ListPage } from '../../shared/field-schemas'
import { datasetIdsOf, planFieldsOf } from '../../shared/query/plan-fields'

/**
 * What somebody vouches for: the question, and what the metrics that it names mean. Another name or chart of the insight,
 * or another order of keys, changes nothing.
 */
export const verificationHash = (plan: QueryPlan, definitions: MetricDefinitions): string =>
  sha256HexSync(
    canonicalJson({
      plan,
      meaning: plan.measures.map((measure) => definitionFingerprint({ measure, filters: [] }, definitions)),
    }),
  )

const columns = {
  id: insights.id,
  name: insights.name,
  description: insights.description,
  plan: insights.plan,
  viz: insights.viz,
  ownerId: insights.ownerId,
  ownerName: users.name,
  origin: insights.origin,
  version: insights.version,
  createdAt: insights.createdAt,
  updatedAt: insights.updatedAt,
  deletedAt: insights.deletedAt,
  categoryId: insights.categoryId,
  findings: insights.findings,
  verifiedBy: insights.verifiedBy,
  verifiedByName: sql<string | null>`(SELECT v.name FROM users v WHERE v.id = insights.verified_by)`,
  verifiedAt: insights.verifiedAt,
  verifiedHash: insights.verifiedHash,
}
type InsightRow = Omit<Insight, 'createdAt' | 'updatedAt' | 'deletedAt' | 'verified'> & {
  createdAt: number
  updatedAt: number
  deletedAt: number | null
  verifiedBy: string | null
  verifiedByName: string | null
  verifiedAt: number | null
  verifiedHash: string | null
}
const iso = (at: number): string => new Date(at).toISOString()
/** Rows as they are told: who vouched for another question, or for another meaning of its metrics, vouches no more. */
async function toInsights(db: Database, scope: Scope, rows: readonly InsightRow[]): Promise<Insight[]> {
  const vouched = rows.filter(({ verifiedHash }) => verifiedHash !== null)
  const measures = vouched.flatMap(({ plan }) => plan.measures)
  const definitions = await readMetricDefinitions({ db }, scope, measures)
  return rows.map((row) => toInsight(row, definitions))
}
const toInsight = (
  { verifiedBy, verifiedByName, verifiedAt, verifiedHash, ...row }: InsightRow,
  definitions: MetricDefinitions,
): Insight => ({
  ...row,
  verified:
    verifiedBy !== null && verifiedAt !== null && verifiedHash === verificationHash(row.plan, definitions)
      ? { by: verifiedBy, byName: verifiedByName ?? '', at: iso(verifiedAt) }
      : null,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
  deletedAt: row.deletedAt === null ? null : iso(row.deletedAt),
})
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
const selectedColumns = ({ scope, max }: StoreContext) => ({
  ...columns,
  frozen: overLimitExpression('insight', 'insights', { workspaceId: scope.workspaceId, max }).mapWith(Boolean),
  following: sqlWithParams(
    'EXISTS (SELECT 1 FROM insight_follows f WHERE f.insight_id = insights.id AND f.user_id = :me)',
    {
      me: scope.actorId,
    },
  ).mapWith(Boolean),
})
const inCategory = (category: string | undefined) =>
  category === undefined
    ? undefined
    : category === 'none'
      ? isNull(insights.categoryId)
      : eq(insights.categoryId, category)

/** The insights of one workspace. Writes are statements for `commit`. */
export const insightStore = ({ orm, d1 }: Database, { scope, max }: StoreContext) => ({
  async get(id: string): Promise<Insight | null> {
    const here = and(eq(insights.id, id), eq(insights.workspaceId, scope.workspaceId))
    const row = await orm
      .select(selectedColumns({ scope, max }))
      .from(insights)
      .innerJoin(users, eq(users.id, insights.ownerId))
      .where(here)
      .get()
    return row ? ((await toInsights({ orm, d1 }, scope, [row]))[0] ?? null) : null
  },

  async list({ q, category, limit, after, deletedSince }: InsightListQuery): Promise<ListPage<Insight>> {
    const found = q === undefined || q === '' ? undefined : sql`instr(${insights.nameKey}, ${nameKey(q)}) > 0`
    const state =
      deletedSince === null
        ? isNull(insights.deletedAt)
        : and(isNotNull(insights.deletedAt), gt(insights.deletedAt, deletedSince))
    const beyond =
      after === null
        ? undefined
        : or(lt(insights.updatedAt, after.at), and(eq(insights.updatedAt, after.at), lt(insights.id, after.id)))
    const rows = await orm
      .select(selectedColumns({ scope, max }))
      .from(insights)
      .innerJoin(users, eq(users.id, insights.ownerId))
      .where(and(eq(insights.workspaceId, scope.workspaceId), state, found, inCategory(category), beyond))
      .orderBy(desc(insights.updatedAt), desc(insights.id))
      .limit(limit + 1)
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    const nextCursor = rows.length > limit && last ? encodeCursor({ at: last.updatedAt, id: last.id }) : null
    return { items: await toInsights({ orm, d1 }, scope, page), nextCursor }
  },

  async count(): Promise<number> {
    return (
      (await d1
        .prepare(`SELECT ${countTowardLimitSql('insight', '?1')} AS n`)
        .bind(scope.workspaceId)
        .first<number>('n')) ?? 0
    )
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
    const rows = await orm
      .select({ nameKey: insights.nameKey, origin: insights.origin })
      .from(insights)
      .where(and(eq(insights.workspaceId, scope.workspaceId), isNull(insights.deletedAt)))
    const starters = rows.filter(({ origin }) => origin === 'starter').length
    return { names: new Set(rows.map((row) => row.nameKey)), starters }
  },

  /**
   * What an insight reads, for "used by": also the keys of the relations it goes along. A dataset that is only counted
   * has the column ''.
   */
  saveFields: (id: string, plan: QueryPlan, relationColumns: ColumnReference[]): D1PreparedStatement[] => [
    d1.prepare('DELETE FROM insight_fields WHERE insight_id = ?').bind(id),
    d1
      .prepare(
        `INSERT OR IGNORE INTO insight_fields (insight_id, dataset_id, column_key)
         SELECT ?, json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)`,
      )
      .bind(id, JSON.stringify(fieldUses(plan, relationColumns))),
  ],
})

/** Removes for good, of all workspaces, what was deleted at or before an instant. */
export const purgeInsights = ({ d1 }: Database, at: { before: number; max: number }): D1PreparedStatement =>
  d1
    .prepare('DELETE FROM insights WHERE id IN (SELECT id FROM insights WHERE deleted_at <= ? LIMIT ?)')
    .bind(at.before, at.max)

const contentValues = (insight: Insight): string[] => [
  insight.name,
  nameKey(insight.name),
  insight.description,
  JSON.stringify(insight.plan),
  JSON.stringify(insight.viz),
]

const fieldUses = (plan: QueryPlan, columnUses: ColumnReference[]): [string, string][] => [
  ...columnUses.map(({ dataset, key }): [string, string] => [dataset, key]),
  ...datasetIdsOf(plan).map((dataset): [string, string] => [dataset, '']),
  ...planFieldsOf(plan).map((field): [string, string] => [field.dataset, field.column]),
]
