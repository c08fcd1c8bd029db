import { and, desc, eq, gt, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { Scope } from '../../access/scope'
import type { Database } from '../../db/database'
import { insights, users } from '../../db/schema'
import type { Insight, ListInsightsQuery } from '../../shared/insights'
import type { Limit } from '../../shared/plans'
import type { Page } from '../../shared/names'
import { nameKey } from '../../shared/names'
import { datasetsOf, fieldsOf } from '../../shared/query'
import type { QueryPlan } from '../../shared/query'
import type { Position } from './cursor'
import { cursorOf } from './cursor'

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
}
type Row = Omit<Insight, 'createdAt' | 'updatedAt' | 'deletedAt'> & {
  createdAt: number
  updatedAt: number
  deletedAt: number | null
}
const iso = (at: number): string => new Date(at).toISOString()
const toInsight = (row: Row): Insight => ({
  ...row,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
  deletedAt: row.deletedAt === null ? null : iso(row.deletedAt),
})
const LIVE = "(SELECT count(*) FROM insights WHERE workspace_id = ? AND deleted_at IS NULL AND origin = 'person')"

export interface InsightListing extends Pick<ListInsightsQuery, 'q' | 'limit'> {
  after: Position | null
  /** Null: what is there. A number: what was deleted after this instant. */
  deletedSince: number | null
}

/** The insights of one workspace. Writes are statements for `commit`. */
export const insightStore = ({ orm, d1 }: Database, scope: Scope) => ({
  async get(id: string): Promise<Insight | null> {
    const here = and(eq(insights.id, id), eq(insights.workspaceId, scope.workspaceId))
    const row = await orm
      .select(columns)
      .from(insights)
      .innerJoin(users, eq(users.id, insights.ownerId))
      .where(here)
      .get()
    return row ? toInsight(row) : null
  },

  async list({ q, limit, after, deletedSince }: InsightListing): Promise<Page<Insight>> {
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
      .select(columns)
      .from(insights)
      .innerJoin(users, eq(users.id, insights.ownerId))
      .where(and(eq(insights.workspaceId, scope.workspaceId), state, found, beyond))
      .orderBy(desc(insights.updatedAt), desc(insights.id))
      .limit(limit + 1)
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    const nextCursor = rows.length > limit && last ? cursorOf({ at: last.updatedAt, id: last.id }) : null
    return { items: page.map(toInsight), nextCursor }
  },

  async count(): Promise<number> {
    return (await d1.prepare(`SELECT ${LIVE} AS n`).bind(scope.workspaceId).first<number>('n')) ?? 0
  },

  /** Inserts no row when the workspace already holds `max` insights of its people. */
  insert: (insight: Insight, max: Limit): D1PreparedStatement =>
    d1
      .prepare(
        `INSERT INTO insights (id, workspace_id, name, name_key, description, plan, viz, owner_id, version, created_at, updated_at, origin)
         SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? WHERE ? <> 'person' OR ? IS NULL OR ${LIVE} < ?`,
      )
      .bind(
        insight.id,
        scope.workspaceId,
        ...contentOf(insight),
        insight.ownerId,
        insight.version,
        Date.parse(insight.createdAt),
        Date.parse(insight.updatedAt),
        insight.origin,
        insight.origin,
        max,
        scope.workspaceId,
        max,
      ),

  /** Changes no row when another version is stored. `next.version` is the version after the change. */
  update: (next: Insight): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE insights SET name = ?, name_key = ?, description = ?, plan = ?, viz = ?, version = ?, updated_at = ?
         WHERE id = ? AND workspace_id = ? AND version = ? AND deleted_at IS NULL`,
      )
      .bind(...contentOf(next), next.version, Date.parse(next.updatedAt), next.id, scope.workspaceId, next.version - 1),

  remove: (id: string, at: { version: number; now: number }): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE insights SET deleted_at = ?, version = version + 1
         WHERE id = ? AND workspace_id = ? AND version = ? AND deleted_at IS NULL`,
      )
      .bind(at.now, id, scope.workspaceId, at.version),

  /** Changes no row when the limit is reached, or it was deleted at or before `since`. */
  restore: (id: string, at: { since: number; max: Limit }): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE insights SET deleted_at = NULL, version = version + 1
         WHERE id = ? AND workspace_id = ? AND deleted_at > ? AND (origin <> 'person' OR ? IS NULL OR ${LIVE} < ?)`,
      )
      .bind(id, scope.workspaceId, at.since, at.max, scope.workspaceId, at.max),

  /** What an insight reads, for "used by". A dataset that is only counted has the column ''. */
  fields: (id: string, plan: QueryPlan): D1PreparedStatement[] => [
    d1.prepare('DELETE FROM insight_fields WHERE insight_id = ?').bind(id),
    d1
      .prepare(
        `INSERT OR IGNORE INTO insight_fields (insight_id, dataset_id, column_key)
         SELECT ?, json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)`,
      )
      .bind(id, JSON.stringify(usesOf(plan))),
  ],
})

/** Removes for good, of all workspaces, what was deleted at or before an instant. */
export const purgeInsights = ({ d1 }: Database, at: { before: number; max: number }): D1PreparedStatement =>
  d1
    .prepare('DELETE FROM insights WHERE id IN (SELECT id FROM insights WHERE deleted_at <= ? LIMIT ?)')
    .bind(at.before, at.max)

const contentOf = (insight: Insight): string[] => [
  insight.name,
  nameKey(insight.name),
  insight.description,
  JSON.stringify(insight.plan),
  JSON.stringify(insight.viz),
]

const usesOf = (plan: QueryPlan): [string, string][] => [
  ...datasetsOf(plan).map((dataset): [string, string] => [dataset, '']),
  ...fieldsOf(plan).map((field): [string, string] => [field.dataset, field.column]),
]
