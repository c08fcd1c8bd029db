import { filled } from '../db/filled'
import { ProductError } from '../shared/errors'
import type { Role } from '../shared/permissions'
import type { Limit, PlanFeatures } from '../shared/plans'

/**
 * What is out when a plan has become smaller. Nothing is marked: whatever lies beyond the limit in one fixed order is
 * frozen, and is so no longer once the limit allows it. First come owners, then what people chose to keep, then the
 * oldest.
 */
export type FrozenKind = 'source' | 'insight' | 'grouping' | 'forecast' | 'user' | 'analyst'

interface Kind {
  table: string
  id: string
  kept: 'source' | 'insight' | 'grouping' | 'forecast' | 'member'
  /** The feature that says how many stay. */
  limit: 'dataSources' | 'customInsights' | 'groupings' | 'activeForecasts' | 'users' | 'analysts'
  /** Condition on a row: it counts against the limit. */
  counts: (row: string) => string
  /** 0 = comes before everything that was chosen. */
  first: (row: string) => string
}
const ANALYSTS = "('owner', 'admin', 'analyst')"
const member = (limit: 'users' | 'analysts', holds: (row: string) => string): Kind => ({
  table: 'members',
  id: 'user_id',
  kept: 'member',
  limit,
  counts: (row) => `${row}.status = 'active' AND ${holds(row)}`,
  first: (row) => `${row}.role = 'owner'`,
})
const KINDS: Record<FrozenKind, Kind> = {
  source: {
    ...{ table: 'data_sources', id: 'id', kept: 'source', limit: 'dataSources' },
    counts: (row) => `${row}.deleted_at IS NULL AND ${row}.sample = 0`,
    first: () => 'FALSE',
  },
  insight: {
    ...{ table: 'insights', id: 'id', kept: 'insight', limit: 'customInsights' },
    counts: (row) => `${row}.deleted_at IS NULL AND ${row}.origin = 'person'`,
    first: () => 'FALSE',
  },
  grouping: {
    ...{ table: 'groupings', id: 'id', kept: 'grouping', limit: 'groupings' },
    counts: (row) => `${row}.deleted_at IS NULL`,
    first: () => 'FALSE',
  },
  forecast: {
    ...{ table: 'forecasts', id: 'id', kept: 'forecast', limit: 'activeForecasts' },
    counts: () => 'TRUE',
    first: () => 'FALSE',
  },
  user: member('users', (row) => `${row}.role <> 'client'`),
  analyst: member('analysts', (row) => `${row}.role IN ${ANALYSTS}`),
}

/** The place of a row in the order of what stays: smaller stays longer. */
function placeOf({ id, kept, first }: Kind, { row, workspace }: { row: string; workspace: string }): string {
  const chosen = `EXISTS (SELECT 1 FROM kept k WHERE k.workspace_id = ${workspace} AND k.kind = '${kept}' AND k.entity_id = ${row}.${id})`
  return `CASE WHEN ${first(row)} THEN 0 WHEN ${chosen} THEN 1 ELSE 2 END, ${row}.created_at, ${row}.${id}`
}

/** Names of a statement's parameters, such as `?1`. */
interface Params {
  workspace: string
  /** The plan's limit; NULL = unlimited. */
  max: string
}

/** What counts, in the order of what stays: a query of ids, or of these columns of the row `r` and what is joined. */
export function inOrder(kind: FrozenKind, workspace: string, more: { columns: string; join: string } | null = null) {
  const of = KINDS[kind]
  return `SELECT ${more?.columns ?? `r.${of.id}`} FROM ${of.table} r ${more?.join ?? ''}
    WHERE r.workspace_id = ${workspace} AND ${of.counts('r')} ORDER BY ${placeOf(of, { row: 'r', workspace })}`
}

/** Condition on a row of the kind's table: it is out. Owners never are. */
export function isFrozen(kind: FrozenKind, row: string, { workspace, max }: Params): string {
  const of = KINDS[kind]
  return `(${max} IS NOT NULL AND ${of.counts(row)} AND NOT (${of.first(row)})
    AND ${row}.${of.id} NOT IN (${inOrder(kind, workspace)} LIMIT coalesce(${max}, -1)))`
}

/** The same for a query that is built. */
export const frozenIn = (kind: FrozenKind, row: string, { workspaceId, max }: { workspaceId: string; max: Limit }) =>
  filled(isFrozen(kind, row, { workspace: ':workspace', max: ':max' }), { workspace: workspaceId, max })

/** Condition on an id of the kind's table: the row is there and is out. */
export const frozenId = (kind: 'source' | 'insight' | 'grouping' | 'forecast', id: string, params: Params): string =>
  `EXISTS (SELECT 1 FROM ${KINDS[kind].table} f WHERE f.id = ${id} AND f.workspace_id = ${params.workspace}
    AND ${isFrozen(kind, 'f', params)})`

/** The limit that decides about a kind. */
export const frozenLimit = (kind: FrozenKind, features: PlanFeatures): Limit => features[KINDS[kind].limit]

export const frozen = (message: string): ProductError => new ProductError('read_only', { reason: 'frozen' }, message)

/**
 * How many come before a member, as two columns: `user_rank` of everybody with a seat, `analyst_rank` of the analysts.
 * `me` is a row of members; 0 for whoever no limit can put out.
 */
export const rankColumns = (me: string, workspace: string): string =>
  `CASE WHEN ${me}.role IN ('owner', 'client') THEN 0 ELSE ${countAhead('user', me, workspace)} END AS user_rank,
   CASE WHEN ${me}.role IN ('admin', 'analyst') THEN ${countAhead('analyst', me, workspace)} ELSE 0 END AS analyst_rank`

const countAhead = (kind: 'user' | 'analyst', me: string, workspace: string): string => {
  const of = KINDS[kind]
  return `(SELECT count(*) FROM members o WHERE o.workspace_id = ${workspace} AND ${of.counts('o')}
    AND (${placeOf(of, { row: 'o', workspace })}) < (${placeOf(of, { row: me, workspace })}))`
}

export interface Ranks {
  role: Role
  user_rank: number
  analyst_rank: number
}
/** Whether a member may use the workspace, and as what: beyond the analysts of the plan people act as viewers. */
export interface Standing {
  seat: 'held' | 'none'
  role: Role
}
export function standingUnder(
  { role, user_rank, analyst_rank }: Ranks,
  { users, analysts }: Pick<PlanFeatures, 'users' | 'analysts'>,
): Standing {
  if (role === 'owner' || role === 'client') return { seat: 'held', role }
  return {
    seat: users === null || user_rank < users ? 'held' : 'none',
    role: role === 'viewer' || analysts === null || analyst_rank < analysts ? role : 'viewer',
  }
}
