import { toIso } from '../../lib/iso'
import type { Scope } from '../../scope'
import type { StoredViewAs } from '../../identity/access/view-as'
import type { Database } from '../../db/database'
import type { Column } from '../../shared/data-sources/data-sources'
import type { AccessHistoryItem } from '../../shared/data-access/data-access'
import {
  accessPolicySchema,
  type AccessPolicy,
  type AttributeHolder,
  type AttributeValue,
} from '../../shared/data-access/rules'

/** How many earlier revisions can be gone back to. */
const REVISIONS_KEPT = 100

/** A dataset of a live source, and its columns as they were loaded. */
export interface GuardedDataset {
  id: string
  name: string
  sourceId: string
  sourceName: string
  rowCount: number
  columns: Column[]
}
type NamedThing = { kind: 'source' | 'metric' | 'category' | 'group'; id: string; name: string }

/** Who sees what in one workspace. Writes are statements for `commit`. */
export const dataAccessStore = ({ d1 }: Database, scope: Scope) => {
  const { workspaceId, actorId } = scope
  return {
    /** By source and name. */
    async datasets(): Promise<GuardedDataset[]> {
      const { results } = await d1
        .prepare(
          `SELECT d.id, d.name, s.id AS sourceId, s.name AS sourceName, d.row_count AS rowCount, d.columns
           FROM datasets d JOIN data_sources s ON s.id = d.source_id AND s.deleted_at IS NULL
           WHERE d.workspace_id = ? AND d.data_version > 0 ORDER BY s.name COLLATE NOCASE, s.id, d.rowid`,
        )
        .bind(workspaceId)
        .all<Omit<GuardedDataset, 'columns'> & { columns: string }>()
      return results.map(({ columns, ...row }) => {
        const parsed: Column[] = JSON.parse(columns)
        return { ...row, columns: parsed }
      })
    },

    /** What rules may name beside datasets and people. */
    async names(): Promise<NamedThing[]> {
      const { results } = await d1
        .prepare(
          `SELECT 'source' AS kind, id, name FROM data_sources WHERE workspace_id = ?1 AND deleted_at IS NULL
           UNION ALL SELECT 'metric', id, name FROM metrics WHERE workspace_id = ?1
           UNION ALL SELECT 'category', id, name FROM categories WHERE workspace_id = ?1
           UNION ALL SELECT 'group', id, name FROM user_groups WHERE workspace_id = ?1 AND deleted_at IS NULL`,
        )
        .bind(workspaceId)
        .all<NamedThing>()
      return results
    },

    /** Changes no row when another revision is the newest. */
    savePolicy: (
      policy: AccessPolicy,
      at: { revision: number; changes: string[]; now: number },
    ): D1PreparedStatement[] => [
      d1
        .prepare(
          `INSERT INTO access_policies (workspace_id, revision, policy, change, actor_id, at)
           SELECT ?1, ?2, ?3, ?4, ?5, ?6
           WHERE (SELECT coalesce(max(revision), 0) FROM access_policies WHERE workspace_id = ?1) = ?2 - 1`,
        )
        .bind(workspaceId, at.revision, JSON.stringify(policy), JSON.stringify(at.changes), actorId, at.now),
      d1
        .prepare('DELETE FROM access_policies WHERE workspace_id = ? AND revision <= ?')
        .bind(workspaceId, at.revision - REVISIONS_KEPT),
      d1
        .prepare(
          `DELETE FROM attribute_values WHERE workspace_id = ?
             AND attribute_id NOT IN (SELECT json_extract(value, '$.id') FROM json_each(?))`,
        )
        .bind(workspaceId, JSON.stringify(policy.attributes)),
      raiseEpoch(d1, workspaceId),
    ],

    /** The newest first. */
    async history(): Promise<AccessHistoryItem[]> {
      const { results } = await d1
        .prepare(
          `SELECT p.revision, p.at, p.actor_id, u.name, p.change FROM access_policies p JOIN users u ON u.id = p.actor_id
           WHERE p.workspace_id = ? ORDER BY p.revision DESC LIMIT ${REVISIONS_KEPT}`,
        )
        .bind(workspaceId)
        .all<{ revision: number; at: number; actor_id: string; name: string; change: string }>()
      return results.map(({ revision, at, actor_id: userId, name, change }) => {
        const changes: string[] = JSON.parse(change)
        return { revision, at: toIso(at), by: { userId, name }, changes }
      })
    },

    async policyAt(revision: number): Promise<AccessPolicy | null> {
      const policy = await d1
        .prepare('SELECT policy FROM access_policies WHERE workspace_id = ? AND revision = ?')
        .bind(workspaceId, revision)
        .first<string>('policy')
      return policy === null ? null : accessPolicySchema.parse(JSON.parse(policy))
    },

    /** Of members and groups of this workspace; an empty list of values takes them away. */
    saveValues: (
      attributeId: string,
      values: readonly { holder: AttributeHolder; values: AttributeValue[] }[],
    ): D1PreparedStatement[] => {
      const given = JSON.stringify(values.map(({ holder, values: own }) => ({ ...holder, own })))
      return [
        d1
          .prepare(
            `DELETE FROM attribute_values WHERE workspace_id = ?1 AND attribute_id = ?2 AND (holder_kind, holder_id) IN
               (SELECT json_extract(value, '$.kind'), json_extract(value, '$.id') FROM json_each(?3))`,
          )
          .bind(workspaceId, attributeId, given),
        d1
          .prepare(
            `INSERT INTO attribute_values (workspace_id, attribute_id, holder_kind, holder_id, value)
             SELECT ?1, ?2, json_extract(value, '$.kind'), json_extract(value, '$.id'), json_extract(value, '$.own')
             FROM json_each(?3) WHERE json_array_length(value, '$.own') > 0`,
          )
          .bind(workspaceId, attributeId, given),
        raiseEpoch(d1, workspaceId),
      ]
    },

    /** Null ends it. */
    setViewAs: (sessionHash: string, view: StoredViewAs | null): D1PreparedStatement =>
      d1
        .prepare('UPDATE sessions SET view_as = ? WHERE hash = ? AND user_id = ?')
        .bind(view && JSON.stringify(view), sessionHash, actorId),
  }
}

/** From here on everybody's rights are read anew. */
const raiseEpoch = (d1: D1Database, workspaceId: string): D1PreparedStatement =>
  d1.prepare('UPDATE workspaces SET access_epoch = access_epoch + 1 WHERE id = ?').bind(workspaceId)
