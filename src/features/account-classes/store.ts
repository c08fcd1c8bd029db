import type { Database } from '../../db/database'
import type { Scope } from '../../scope'
import type { AccountRange } from '../../shared/account-classes'

/** Null: the BAS chart as it is. Changes no row when another version is stored. */
export const saveRangesStatement = (
  { d1 }: Database,
  { workspaceId }: Scope,
  { ranges, version, now }: { ranges: readonly AccountRange[] | null; version: number; now: number },
): D1PreparedStatement =>
  d1
    .prepare(
      `INSERT INTO account_classes (workspace_id, ranges, version, updated_at) VALUES (?1, ?2, ?3 + 1, ?4)
       ON CONFLICT (workspace_id) DO UPDATE SET ranges = ?2, version = ?3 + 1, updated_at = ?4 WHERE version = ?3`,
    )
    .bind(workspaceId, ranges && JSON.stringify(ranges), version, now)
