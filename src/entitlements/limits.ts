import { toIso } from '../lib/iso'
import { holdsSeatCondition, type SeatKind } from './seats'
import type { Database } from '../db/database'
import { ProductError } from '../shared/errors'
import type { Role } from '../shared/permissions'
import type { PlanLimit, PlanFeatures, GateName } from '../shared/billing/plans'
import type { Scope } from '../scope'
import type { OverLimitList, OverLimitSummary } from '../shared/billing/subscription'

/**
 * What is out when a plan has become smaller. Nothing is marked: whatever lies beyond the limit in one fixed order is
 * frozen, and is so no longer once the limit allows it. First come owners, then what people chose to keep, then the
 * oldest.
 */
export type LimitedKind = 'source' | 'insight' | 'grouping' | 'forecast' | 'user' | 'analyst'

interface LimitedTable {
  table: string
  id: string
  kept: 'source' | 'insight' | 'grouping' | 'forecast' | 'member'
  /** The feature that says how many stay. */
  limit: 'dataSources' | 'customInsights' | 'groupings' | 'activeForecasts' | 'users' | 'analysts'
  /** Condition on a row: it counts against the limit. */
  countsTowardLimit: (row: string) => string
  /** 0 = comes before everything that was chosen. */
  alwaysRetained: (row: string) => string
}
const memberTable = (limit: SeatKind): LimitedTable => ({
  table: 'members',
  id: 'user_id',
  kept: 'member',
  limit,
  countsTowardLimit: (row) => holdsSeatCondition(limit, row),
  alwaysRetained: (row) => `${row}.role = 'owner'`,
})
const LIMITED_TABLES: Record<LimitedKind, LimitedTable> = {
  source: {
    ...{ table: 'data_sources', id: 'id', kept: 'source', limit: 'dataSources' },
    countsTowardLimit: (row) => `${row}.deleted_at IS NULL AND ${row}.sample = 0`,
    alwaysRetained: () => 'FALSE',
  },
  insight: {
    ...{ table: 'insights', id: 'id', kept: 'insight', limit: 'customInsights' },
    countsTowardLimit: (row) => `${row}.deleted_at IS NULL AND ${row}.origin = 'person'`,
    alwaysRetained: () => 'FALSE',
  },
  grouping: {
    ...{ table: 'groupings', id: 'id', kept: 'grouping', limit: 'groupings' },
    countsTowardLimit: (row) => `${row}.deleted_at IS NULL`,
    alwaysRetained: () => 'FALSE',
  },
  forecast: {
    ...{ table: 'forecasts', id: 'id', kept: 'forecast', limit: 'activeForecasts' },
    countsTowardLimit: () => 'TRUE',
    alwaysRetained: () => 'FALSE',
  },
  user: memberTable('users'),
  analyst: memberTable('analysts'),
}

/** The place of a row in the order of what stays: smaller stays longer. */
function retentionOrder(
  { id, kept, alwaysRetained }: LimitedTable,
  { row, workspace }: { row: string; workspace: string },
): string {
  const chosen = `EXISTS (SELECT 1 FROM kept k WHERE k.workspace_id = ${workspace} AND k.kind = '${kept}' AND k.entity_id = ${row}.${id})`
  return `CASE WHEN ${alwaysRetained(row)} THEN 0 WHEN ${chosen} THEN 1 ELSE 2 END, ${row}.created_at, ${row}.${id}`
}

/** Names of a statement's parameters, such as `?1`. */
interface LimitParams {
  workspace: string
  /** The plan's limit; NULL = unlimited. */
  max: string
}

/** How many rows of a workspace count against the limit of a kind. */
export const countTowardLimitSql = (kind: LimitedKind, workspace: string): string => {
  const { table, countsTowardLimit } = LIMITED_TABLES[kind]
  return `(SELECT count(*) FROM ${table} r WHERE r.workspace_id = ${workspace} AND ${countsTowardLimit('r')})`
}

/** Condition: the limit of a kind has room for one more. */
export const hasRoomSql = (kind: LimitedKind, { workspace, max }: LimitParams): string =>
  `(${max} IS NULL OR ${countTowardLimitSql(kind, workspace)} < ${max})`

/**
 * How many uploads of a workspace were announced and have not arrived. Not of a plan: it bounds what somebody can begin
 * without sending a byte. `since`: those announced before (epoch ms) were left behind.
 */
export const unfinishedUploadsSql = ({ workspace, since }: { workspace: string; since: string }): string =>
  `(SELECT count(*) FROM uploads r WHERE r.workspace_id = ${workspace} AND r.state = 'receiving' AND r.created_at > ${since})`

/** Condition: one more upload may be announced. */
export const mayAnnounceUploadSql = (params: { workspace: string; since: string; max: string }): string =>
  `${unfinishedUploadsSql(params)} < ${params.max}`

/** What counts, in the order of what stays: a query of ids, or of these columns of the row `r` and what is joined. */
function inRetentionOrder(kind: LimitedKind, workspace: string, more: { columns: string; join: string } | null = null) {
  const of = LIMITED_TABLES[kind]
  return `SELECT ${more?.columns ?? `r.${of.id}`} FROM ${of.table} r ${more?.join ?? ''}
    WHERE r.workspace_id = ${workspace} AND ${of.countsTowardLimit('r')} ORDER BY ${retentionOrder(of, { row: 'r', workspace })}`
}

/** Condition on a row of the kind's table: it is out. Owners never are. */
export function overLimitCondition(kind: LimitedKind, row: string, { workspace, max }: LimitParams): string {
  const of = LIMITED_TABLES[kind]
  return `(${max} IS NOT NULL AND ${of.countsTowardLimit(row)} AND NOT (${of.alwaysRetained(row)})
    AND ${row}.${of.id} NOT IN (${inRetentionOrder(kind, workspace)} LIMIT coalesce(${max}, -1)))`
}

/** Condition on an id of the kind's table: the row is there and is out. */
export const idOverLimitCondition = (
  kind: 'source' | 'insight' | 'grouping' | 'forecast',
  id: string,
  limitParams: LimitParams,
): string =>
  `EXISTS (SELECT 1 FROM ${LIMITED_TABLES[kind].table} f WHERE f.id = ${id} AND f.workspace_id = ${limitParams.workspace}
    AND ${overLimitCondition(kind, 'f', limitParams)})`

/** The limit that decides about a kind. */
const limitOfKind = (kind: LimitedKind, features: PlanFeatures): PlanLimit => features[LIMITED_TABLES[kind].limit]

export const overLimit = (message: string): ProductError => new ProductError('read_only', { reason: 'frozen' }, message)

/**
 * How many come before a member, as two columns: `user_rank` of everybody with a seat, `analyst_rank` of the analysts.
 * `me` is a row of members; 0 for whoever no limit can put out.
 */
export const memberRankColumns = (me: string, workspace: string): string =>
  `CASE WHEN ${me}.role IN ('owner', 'client') THEN 0 ELSE ${countRankedAhead('user', me, workspace)} END AS user_rank,
   CASE WHEN ${me}.role IN ('admin', 'analyst') THEN ${countRankedAhead('analyst', me, workspace)} ELSE 0 END AS analyst_rank`

const countRankedAhead = (kind: 'user' | 'analyst', me: string, workspace: string): string => {
  const of = LIMITED_TABLES[kind]
  return `(SELECT count(*) FROM members o WHERE o.workspace_id = ${workspace} AND ${of.countsTowardLimit('o')}
    AND (${retentionOrder(of, { row: 'o', workspace })}) < (${retentionOrder(of, { row: me, workspace })}))`
}

export interface MemberRanks {
  role: Role
  user_rank: number
  analyst_rank: number
}
/** Whether a member may use the workspace, and as what: beyond the analysts of the plan people act as viewers. */
export interface EffectiveMembership {
  seat: 'held' | 'none'
  role: Role
}
export function effectiveMembership(
  { role, user_rank, analyst_rank }: MemberRanks,
  { users, analysts }: Pick<PlanFeatures, 'users' | 'analysts'>,
): EffectiveMembership {
  if (role === 'owner' || role === 'client') return { seat: 'held', role }
  return {
    seat: users === null || user_rank < users ? 'held' : 'none',
    role: role === 'viewer' || analysts === null || analyst_rank < analysts ? role : 'viewer',
  }
}

interface RetentionRow {
  id: string
  name: string
  createdAt: number
  /** 1 = stays whatever the limit. */
  always: number
  /** Of people. */
  role: Role | null
}
const ITEM_COLUMNS = { columns: 'r.id, r.name, r.created_at AS createdAt, 0 AS always, NULL AS role', join: '' }
const MEMBER_COLUMNS = {
  columns: "r.user_id AS id, u.name, r.created_at AS createdAt, r.role = 'owner' AS always, r.role",
  join: 'JOIN users u ON u.id = r.user_id',
}
const LIMITED_KINDS: readonly LimitedKind[] = ['source', 'analyst', 'user', 'insight', 'grouping', 'forecast']

/**
 * What stops working under limits and gates, as things stand now: everything of a kind whose limit is exceeded, first
 * what stays. Null = nothing does.
 */
export async function readOverLimitSummary(
  { d1 }: Database,
  { workspaceId }: Scope,
  features: PlanFeatures,
): Promise<OverLimitSummary | null> {
  const lists = LIMITED_KINDS.map((kind) =>
    d1
      .prepare(inRetentionOrder(kind, '?1', kind === 'user' || kind === 'analyst' ? MEMBER_COLUMNS : ITEM_COLUMNS))
      .bind(workspaceId),
  )
  const groups = d1
    .prepare('SELECT 1 AS id FROM user_groups WHERE workspace_id = ?1 AND deleted_at IS NULL LIMIT 1')
    .bind(workspaceId)
  const results = await d1.batch<RetentionRow>([...lists, groups])
  const [sources, analysts, users, insights, groupings, forecasts] = LIMITED_KINDS.map((kind, at) =>
    overLimitList(results[at]?.results ?? [], limitOfKind(kind, features)),
  )
  const gates: GateName[] =
    results[LIMITED_KINDS.length]?.results.length && !features.userGrouping ? ['userGrouping'] : []
  const found: OverLimitSummary = {
    ...{ sources: sources ?? null, analysts: analysts ?? null },
    ...{ users: users ?? null, insights: insights ?? null, groupings: groupings ?? null },
    ...{ forecasts: forecasts ?? null, gates },
  }
  return gates.length > 0 || sources || analysts || users || insights || groupings || forecasts ? found : null
}

function overLimitList(rows: RetentionRow[], max: number | null): OverLimitList | null {
  if (max === null) return null
  const items = rows.map(({ id, name, createdAt, always, role }, at) => ({
    id,
    name,
    createdAt: toIso(createdAt),
    stays: always === 1 || at < max,
    ...(always === 1 ? { always: true } : {}),
    ...(role === null ? {} : { role }),
  }))
  return items.every(({ stays }) => stays) ? null : { max, items }
}
