import type { Database } from '../db/database'
import { parseRow } from '../db/rows'
import {
  CONNECTION_COLUMNS,
  SYNC_COLUMNS,
  LIVE_SOURCE,
  toConnection,
  toSync,
  type ConnectionRow,
  type StoredRow,
  type SyncRow,
} from './connection-store'

/** Connections of all workspaces, for the scheduled round only. */
export const dueConnectionStore = ({ d1 }: Database) => {
  const rows = async (sql: string, ...values: (string | number)[]): Promise<StoredRow[]> =>
    (
      await d1
        .prepare(sql)
        .bind(...values)
        .all<StoredRow>()
    ).results
  return {
    /**
     * Those whose time has come, or whose time lies so far ahead that a clock must have been set back; none of which a
     * sync is under way.
     */
    async due(at: { now: number; far: number; limit: number }): Promise<ConnectionRow[]> {
      const sql = `SELECT ${CONNECTION_COLUMNS} FROM connections c ${LIVE_SOURCE}
        WHERE c.kind <> 'push' AND c.paused = 0 AND c.next_at IS NOT NULL AND (c.next_at <= ?1 OR c.next_at > ?2)
          AND NOT EXISTS (SELECT 1 FROM syncs y WHERE y.source_id = c.source_id AND y.state = 'running')
        ORDER BY c.next_at LIMIT ?3`
      return (await rows(sql, at.now, at.far, at.limit)).map(toConnection)
    },

    /** Syncs under way that were not heard of since an instant. */
    async silent(since: number, limit: number): Promise<SyncRow[]> {
      const sql = `SELECT ${SYNC_COLUMNS} FROM syncs y WHERE y.state = 'running' AND y.beat_at <= ?1 ORDER BY y.beat_at LIMIT ?2`
      return (await rows(sql, since, limit)).map(toSync)
    },

    async notSealedWith(
      keyId: string,
      page: { after: string; limit: number },
    ): Promise<{ sourceId: string; workspaceId: string; secrets: string; version: number }[]> {
      const sql = `SELECT source_id AS sourceId, workspace_id AS workspaceId, secrets, secrets_version AS version FROM connections
        WHERE secrets_key IS NOT NULL AND secrets_key <> ?1 AND source_id > ?2 ORDER BY source_id LIMIT ?3`
      return (await rows(sql, keyId, page.after, page.limit)).map((row) => parseRow(row, {}))
    },

    deleteOldSyncs: (before: number, limit: number): Promise<unknown> =>
      d1
        .prepare(
          `DELETE FROM syncs WHERE id IN (SELECT id FROM syncs WHERE state <> 'running' AND started_at < ?1 LIMIT ?2)`,
        )
        .bind(before, limit)
        .run(),
  }
}
