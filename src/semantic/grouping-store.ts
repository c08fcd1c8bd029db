import type { GroupingContent } from '../shared/groupings/groupings'
import type { GroupingDefinition, GroupingVersion } from '../warehouse/contract'
import type { Scope } from '../scope'
import type { Database } from '../db/database'

/** The groupings of a workspace, each with the version that figures are seen through now. */
export async function readGroupingVersions({ d1 }: Database, { workspaceId }: Scope): Promise<GroupingVersion[]> {
  const { results } = await d1
    .prepare('SELECT id, version FROM groupings WHERE workspace_id = ? AND deleted_at IS NULL ORDER BY id')
    .bind(workspaceId)
    .all<GroupingVersion>()
  return results
}

/** The versions of those among some groupings that are there. */
export async function findGroupingVersions(
  { d1 }: Database,
  { workspaceId }: Scope,
  ids: readonly string[],
): Promise<GroupingVersion[]> {
  const { results } = await d1
    .prepare(
      `SELECT id, version FROM groupings
       WHERE workspace_id = ?1 AND deleted_at IS NULL AND id IN (SELECT value FROM json_each(?2))`,
    )
    .bind(workspaceId, JSON.stringify(ids))
    .all<GroupingVersion>()
  return results
}

/** What some groupings mean now, as the warehouse takes it. */
export async function readGroupingDefinitions(
  { d1 }: Database,
  { workspaceId }: Scope,
  ids: readonly string[],
): Promise<GroupingDefinition[]> {
  const { results } = await d1
    .prepare(
      `SELECT id, version, name, fallback, eras FROM groupings
       WHERE workspace_id = ?1 AND deleted_at IS NULL AND id IN (SELECT value FROM json_each(?2))`,
    )
    .bind(workspaceId, JSON.stringify(ids))
    .all<{ id: string; version: number; name: string; fallback: string; eras: string }>()
  return results.map(({ id, version, name, fallback, eras }) => {
    const content: GroupingContent = { fallback: JSON.parse(fallback), eras: JSON.parse(eras) }
    return { id, version, name, draft: false, ...content }
  })
}
