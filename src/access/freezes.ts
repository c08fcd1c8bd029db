import { frozenLimit, inOrder } from './frozen'
import type { FrozenKind } from './frozen'
import type { Scope } from './scope'
import type { Database } from '../db/database'
import type { GateName, PlanFeatures } from '../shared/plans'
import type { FreezeList, Freezes } from '../shared/subscription'

interface Row {
  id: string
  name: string
  createdAt: number
  /** 1 = stays whatever the limit. */
  always: number
}
const THINGS = { columns: 'r.id, r.name, r.created_at AS createdAt, 0 AS always', join: '' }
const PEOPLE = {
  columns: "r.user_id AS id, u.name, r.created_at AS createdAt, r.role = 'owner' AS always",
  join: 'JOIN users u ON u.id = r.user_id',
}
const KINDS: readonly FrozenKind[] = ['source', 'analyst', 'user', 'insight', 'grouping', 'forecast']

/**
 * What stops working under limits and gates, as things stand now: everything of a kind whose limit is exceeded, first
 * what stays. Null = nothing does.
 */
export async function freezesUnder(
  { d1 }: Database,
  { workspaceId }: Scope,
  features: PlanFeatures,
): Promise<Freezes | null> {
  const lists = KINDS.map((kind) =>
    d1.prepare(inOrder(kind, '?1', kind === 'user' || kind === 'analyst' ? PEOPLE : THINGS)).bind(workspaceId),
  )
  const groups = d1
    .prepare('SELECT 1 AS id FROM user_groups WHERE workspace_id = ?1 AND deleted_at IS NULL LIMIT 1')
    .bind(workspaceId)
  const results = await d1.batch<Row>([...lists, groups])
  const [sources, analysts, users, insights, groupings, forecasts] = KINDS.map((kind, at) =>
    listOf(results[at]?.results ?? [], frozenLimit(kind, features)),
  )
  const gates: GateName[] = results[KINDS.length]?.results.length && !features.userGrouping ? ['userGrouping'] : []
  const found: Freezes = {
    ...{ sources: sources ?? null, analysts: analysts ?? null },
    ...{ users: users ?? null, insights: insights ?? null, groupings: groupings ?? null },
    ...{ forecasts: forecasts ?? null, gates },
  }
  return gates.length > 0 || sources || analysts || users || insights || groupings || forecasts ? found : null
}

function listOf(rows: Row[], max: number | null): FreezeList | null {
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
