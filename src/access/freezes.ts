import { limitOfKind, inRetentionOrder } from './frozen'
import type { LimitedKind } from './frozen'
import type { Scope } from './scope'
import type { Database } from '../db/database'
import type { GateName, PlanFeatures } from '../shared/plans'
import type { OverLimitList, OverLimitSummary } from '../shared/subscription'

interface RetentionRow {
  id: string
  name: string
  createdAt: number
  /** 1 = stays whatever the limit. */
  always: number
}
const ITEM_COLUMNS = { columns: 'r.id, r.name, r.created_at AS createdAt, 0 AS always', join: '' }
const MEMBER_COLUMNS = {
  columns: "r.user_id AS id, u.name, r.created_at AS createdAt, r.role = 'owner' AS always",
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
  const items = rows.map(({ id, name, createdAt, always }, at) => ({
    id,
    name,
    createdAt: new Date(createdAt).toISOString(),
    stays: always === 1 || at < max,
    ...(always === 1 ? { always: true } : {}),
  }))
  return items.every(({ stays }) => stays) ? null : { max, items }
}
