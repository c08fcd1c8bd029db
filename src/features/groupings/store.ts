import { hiddenThings } from '../../identity/access/hidden-things-store'
import { isVisibleTarget, withoutUnseenValues } from './restricted'
import { toIso } from '../../lib/iso'
import type { QueryPlan } from '../../shared/query/plan'
import { idOverLimitCondition, overLimitCondition, countTowardLimitSql } from '../../entitlements/limits'
import { accessFingerprint, type Scope } from '../../scope'
import type { Database } from '../../db/database'
import { groupingSize, GROUPINGS_MAX, GROUPS_TOTAL_MAX, MEMBERS_MAX } from '../../shared/groupings/groupings'
import type {
  ValidityPeriod,
  GroupingFallback,
  Grouping,
  GroupingSummary,
  GroupingTarget,
  GroupingDependent,
} from '../../shared/groupings/groupings'
import { nameKey } from '../../shared/field-schemas'
import type { PlanLimit } from '../../shared/billing/plans'

export interface DependentPlan {
  type: GroupingDependent['type']
  id: string
  name: string
  /** A plan; of a metric the one that asks for it alone. */
  plan: string
  version: number
}

export interface ReplacedPlan extends Omit<DependentPlan, 'plan'> {
  plan: QueryPlan
}

/** What names groupings or groups: insights by their plans, metrics by what they measure and of which rows. */
const PLANS_NAMING_GROUPINGS = `(
  SELECT 'insight' AS type, id, name, plan, version, workspace_id FROM insights WHERE deleted_at IS NULL
  UNION ALL SELECT 'metric', id, name, json_object('v', 2, 'kind', 'aggregate', 'dataset', dataset_id,
    'measures', json_array(json(measure)), 'dimensions', json_array(), 'filters', json(filters)), version, workspace_id
  FROM metrics)`

/** Live insights and metrics that name any of these ids: of a grouping, or of its groups. Ids are random: no text holds one by chance. */
export async function findDependentPlans(
  { d1 }: Database,
  scope: Scope,
  ids: readonly string[],
): Promise<DependentPlan[]> {
  const { results } = await d1
    .prepare(
      `SELECT x.type, x.id, x.name, x.plan, x.version FROM ${PLANS_NAMING_GROUPINGS} x
       WHERE x.workspace_id = ?1
         AND EXISTS (SELECT 1 FROM json_each(?2) WHERE instr(x.plan, value) > 0) ORDER BY x.type, x.name, x.id`,
    )
    .bind(scope.workspaceId, JSON.stringify(ids))
    .all<DependentPlan>()
  return results
}

type GroupingRow = Omit<GroupingSummary, 'target' | 'fallback' | 'unmatched' | 'frozen' | 'createdAt' | 'updatedAt'> & {
  target: string
  fallback: string
  unmatched: string | null
  unmatchedAt: number | null
  frozen: number
  createdAt: number
  updatedAt: number
}
/** What a count was taken of: another version of the definition, or other rights, have another. */
interface UnmatchedCount {
  values: number
  rows: number
  rights: string
  version: number
}

const SUMMARY_COLUMNS = `g.id, g.name, g.description, g.kind, g.target, g.fallback, g.group_count AS groupCount,
  g.member_count AS memberCount, g.era_count AS eraCount, g.unmatched, g.unmatched_at AS unmatchedAt, g.owner_id AS ownerId,
  u.name AS ownerName, g.version, ${overLimitCondition('grouping', 'g', { workspace: '?1', max: '?2' })} AS frozen,
  g.created_at AS createdAt, g.updated_at AS updatedAt`
const FROM = 'FROM groupings g JOIN users u ON u.id = g.owner_id WHERE g.workspace_id = ?1 AND g.deleted_at IS NULL'

/** Our own writing, read back. */
const parseTarget = (text: string): GroupingTarget => JSON.parse(text)
const parseFallback = (text: string): GroupingFallback => JSON.parse(text)
const parseEras = (text: string): ValidityPeriod[] => JSON.parse(text)
const parseUnmatched = (text: string): UnmatchedCount => JSON.parse(text)

function toSummary({ unmatchedAt, ...row }: GroupingRow, rights: string): GroupingSummary {
  const last = row.unmatched === null ? null : parseUnmatched(row.unmatched)
  const isKnown = last?.rights === rights && last.version === row.version && unmatchedAt !== null
  return {
    ...row,
    target: parseTarget(row.target),
    fallback: parseFallback(row.fallback),
    unmatched: isKnown ? { values: last.values, rows: last.rows, at: toIso(unmatchedAt) } : null,
    frozen: row.frozen === 1,
    createdAt: toIso(row.createdAt),
    updatedAt: toIso(row.updatedAt),
  }
}

const LIVE = 'FROM groupings WHERE workspace_id = ?1 AND deleted_at IS NULL'
/** Whether the workspace has room: `others` are those that count beside this one. */
const withinSizeLimits = (size: { groups: string; members: string }, others = ''): string =>
  `(SELECT coalesce(sum(group_count), 0) ${LIVE}${others}) + ${size.groups} <= ${GROUPS_TOTAL_MAX}
   AND (SELECT coalesce(sum(member_count), 0) ${LIVE}${others}) + ${size.members} <= ${MEMBERS_MAX}`
const withinGroupingLimit = (max: string): string =>
  `${countTowardLimitSql('grouping', '?1')} < min(coalesce(${max}, ${GROUPINGS_MAX}), ${GROUPINGS_MAX})`

/** The groupings of one workspace; `max`: how many its plan has. Writes are statements for `commit`. */
export const groupingStore = ({ d1 }: Database, { scope, max }: { scope: Scope; max: PlanLimit }) => {
  const { workspaceId } = scope
  const contentOf = (grouping: Grouping): (string | number)[] => {
    const { groups, members } = groupingSize(grouping)
    return [
      ...[grouping.id, grouping.name, nameKey(grouping.name), grouping.description, grouping.kind],
      ...[JSON.stringify(grouping.target), JSON.stringify(grouping.fallback), JSON.stringify(grouping.eras)],
      ...[groups, members, grouping.eras.length, Date.parse(grouping.updatedAt)],
    ]
  }
  return {
    /** By name. */
    async list(): Promise<GroupingSummary[]> {
      const { results } = await d1
        .prepare(`SELECT ${SUMMARY_COLUMNS} ${FROM} ORDER BY g.name_key, g.id`)
        .bind(workspaceId, max)
        .all<GroupingRow>()
      const rights = accessFingerprint(scope)
      const hidden = await hiddenThings({ d1 }, scope)
      return results.map((row) => toSummary(row, rights)).filter(({ target }) => isVisibleTarget(scope, target, hidden))
    },

    async get(id: string): Promise<Grouping | null> {
      const row = await d1
        .prepare(`SELECT ${SUMMARY_COLUMNS}, g.eras ${FROM} AND g.id = ?3`)
        .bind(workspaceId, max, id)
        .first<GroupingRow & { eras: string }>()
      if (!row) return null
      const { eras, ...summary } = row
      const found = { ...toSummary(summary, accessFingerprint(scope)), eras: parseEras(eras) }
      if (!isVisibleTarget(scope, found.target, await hiddenThings({ d1 }, scope))) return null
      return withoutUnseenValues(scope, found)
    },

    /** What is used of the limits; `without`: a grouping that does not count. */
    async usage(without = ''): Promise<{ groupings: number; groups: number; members: number }> {
      const row = await d1
        .prepare(
          `SELECT count(*) AS groupings, coalesce(sum(group_count), 0) AS groups, coalesce(sum(member_count), 0) AS members
           ${LIVE} AND id <> ?2`,
        )
        .bind(workspaceId, without)
        .first<{ groupings: number; groups: number; members: number }>()
      return row ?? { groupings: 0, groups: 0, members: 0 }
    },

    /** When it was deleted, if that was after `since`. */
    async deleted(id: string, since: number): Promise<{ version: number } | null> {
      return d1
        .prepare('SELECT version FROM groupings WHERE workspace_id = ? AND id = ? AND deleted_at > ?')
        .bind(workspaceId, id, since)
        .first<{ version: number }>()
    },

    /** Inserts no row when one of the limits is reached. */
    insert: (grouping: Grouping): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO groupings (workspace_id, id, name, name_key, description, kind, target, fallback, eras, group_count,
             member_count, era_count, updated_at, created_at, owner_id)
           SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?13, ?14
           WHERE ${withinGroupingLimit('?15')} AND ${withinSizeLimits({ groups: '?10', members: '?11' })}`,
        )
        .bind(workspaceId, ...contentOf(grouping), grouping.ownerId, max),

    /**
     * Changes no row when another version is stored, a limit is reached, it is frozen, or something names a group of
     * `gone` (ids as JSON).
     */
    update: (grouping: Grouping, gone: readonly string[]): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE groupings SET name = ?3, name_key = ?4, description = ?5, kind = ?6, target = ?7, fallback = ?8,
             eras = ?9, group_count = ?10, member_count = ?11, era_count = ?12, updated_at = ?13, version = ?14
           WHERE workspace_id = ?1 AND id = ?2 AND version = ?14 - 1 AND deleted_at IS NULL
             AND ${withinSizeLimits({ groups: '?10', members: '?11' }, ' AND id <> ?2')}
             AND NOT EXISTS (SELECT 1 FROM json_each(?15) gone JOIN ${PLANS_NAMING_GROUPINGS} x ON instr(x.plan, gone.value) > 0
               WHERE x.workspace_id = ?1)
             AND NOT ${idOverLimitCondition('grouping', '?2', { workspace: '?1', max: '?16' })}`,
        )
        .bind(workspaceId, ...contentOf(grouping), grouping.version, JSON.stringify(gone), max),

    /** What was counted of a version; one that came between keeps its own. */
    saveUnmatched: (
      id: string,
      at: { version: number; values: number; rows: number; now: number },
    ): D1PreparedStatement =>
      d1
        .prepare(
          'UPDATE groupings SET unmatched = ?3, unmatched_at = ?4 WHERE workspace_id = ?1 AND id = ?2 AND version = ?5',
        )
        .bind(
          ...[workspaceId, id],
          JSON.stringify({ values: at.values, rows: at.rows, rights: accessFingerprint(scope), version: at.version }),
          ...[at.now, at.version],
        ),

    /** Changes no row when another version is stored, or insights use it beside those in `seen` (`[id, version]` as JSON). */
    remove: (
      id: string,
      at: { version: number; now: number; force: boolean; seen: readonly [string, number][] },
    ): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE groupings SET deleted_at = ?4, version = version + 1
           WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND deleted_at IS NULL
             AND (?5 = 1 OR NOT EXISTS (SELECT 1 FROM ${PLANS_NAMING_GROUPINGS} x
               WHERE x.workspace_id = ?1 AND instr(x.plan, ?2) > 0
                 AND NOT EXISTS (SELECT 1 FROM json_each(?6) seen
                   WHERE seen.value ->> 0 = x.id AND seen.value ->> 1 = x.version)))`,
        )
        .bind(workspaceId, id, at.version, at.now, at.force ? 1 : 0, JSON.stringify(at.seen)),

    /** What sees through another grouping from now on; of an insight also the version that stands in its history. */
    replacePlan: ({ type, id, plan }: ReplacedPlan, now: number): D1PreparedStatement[] =>
      type === 'metric'
        ? [
            d1
              .prepare(
                `UPDATE metrics SET measure = ?3, filters = ?4, version = version + 1, updated_at = ?5
                 WHERE workspace_id = ?1 AND id = ?2`,
              )
              .bind(workspaceId, id, JSON.stringify(plan.measures[0]), JSON.stringify(plan.filters), now),
          ]
        : [
            d1
              .prepare(
                'UPDATE insights SET plan = ?3, version = version + 1, updated_at = ?4 WHERE workspace_id = ?1 AND id = ?2',
              )
              .bind(workspaceId, id, JSON.stringify(plan), now),
            d1
              .prepare(
                `INSERT INTO insight_versions (workspace_id, insight_id, version, name, description, plan, viz, saved_by, saved_at)
                 SELECT workspace_id, id, version, name, description, plan, viz, ?3, updated_at
                 FROM insights WHERE workspace_id = ?1 AND id = ?2`,
              )
              .bind(workspaceId, id, scope.actorId),
          ],

    /** Changes no row when a limit is reached, or it was deleted at or before `since`. */
    restore: (id: string, since: number): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE groupings SET deleted_at = NULL, version = version + 1
           WHERE workspace_id = ?1 AND id = ?2 AND deleted_at > ?3 AND ${withinGroupingLimit('?4')}
             AND ${withinSizeLimits({ groups: 'group_count', members: 'member_count' })}`,
        )
        .bind(workspaceId, id, since, max),
  }
}

/** Removes for good, of all workspaces, what was deleted at or before an instant. */
export const purgeGroupings = ({ d1 }: Database, at: { before: number; max: number }): D1PreparedStatement =>
  d1
    .prepare('DELETE FROM groupings WHERE id IN (SELECT id FROM groupings WHERE deleted_at <= ? LIMIT ?)')
    .bind(at.before, at.max)
