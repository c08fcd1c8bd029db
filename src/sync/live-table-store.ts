import type { Database } from '../db/database'

/** What lists say of tables whose rows stay at their source. */
export const liveTableStore = ({ d1 }: Database, workspaceId: string) => ({
  /** How many rows there are, and that they were looked at. */
  counted: (datasetId: string, of: { rowCount: number; now: number }): D1PreparedStatement =>
    d1
      .prepare('UPDATE datasets SET row_count = ?3, loaded_at = ?4 WHERE workspace_id = ?1 AND id = ?2')
      .bind(workspaceId, datasetId, of.rowCount, of.now),
})
