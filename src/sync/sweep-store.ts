import type { Database } from '../db/database'

export interface ChangedDataset {
  id: string
  sourceId: string
  workspaceId: string
  ownerId: string
  deletedAt: number | null
}
const SELECT_DATASETS = `SELECT d.id, s.id AS sourceId, d.workspace_id AS workspaceId, s.owner_id AS ownerId,
  s.deleted_at AS deletedAt FROM data_sources s JOIN datasets d ON d.source_id = s.id`

// The newest successful loads keep their file for rollback, every other run for a day in case it is tried again.
const UNNEEDED_ORIGINALS = `
SELECT DISTINCT r.object_key AS key FROM runs r
WHERE r.object_key IS NOT NULL AND r.started_at <= ?1 AND r.state NOT IN ('queued', 'running')
  AND NOT EXISTS (SELECT 1 FROM uploads u WHERE u.object_key = r.object_key)
  AND NOT EXISTS (
    SELECT 1 FROM runs k WHERE k.object_key = r.object_key AND (
      k.started_at > ?1 OR k.state IN ('queued', 'running') OR (k.state = 'succeeded' AND (
        SELECT count(*) FROM runs n
        WHERE n.dataset_id = k.dataset_id AND n.state = 'succeeded' AND n.data_version > k.data_version) < ?2)))
LIMIT ?3`

/** Loads and datasets of all workspaces, for the scheduled sweep only. */
export const sweepStore = ({ d1 }: Database) => {
  const rows = async <Row>(sql: string, ...values: (string | number)[]): Promise<Row[]> =>
    (
      await d1
        .prepare(sql)
        .bind(...values)
        .all<Row>()
    ).results
  return {
    activeRuns: (limit: number) =>
      rows<{ id: string; workspaceId: string; actorId: string }>(
        `SELECT id, workspace_id AS workspaceId, actor_id AS actorId FROM runs WHERE state IN ('queued', 'running')
         ORDER BY started_at LIMIT ?`,
        limit,
      ),

    changedDatasets: (since: number, limit: number) =>
      rows<ChangedDataset>(`${SELECT_DATASETS} WHERE s.updated_at >= ? AND s.version > 1 LIMIT ?`, since, limit),

    deletedDatasets: (before: number, limit: number) =>
      rows<ChangedDataset>(`${SELECT_DATASETS} WHERE s.deleted_at <= ? LIMIT ?`, before, limit),

    /** Originals of one dataset alone: one file may have been loaded into several. */
    exclusiveObjects: (datasetId: string) =>
      rows<{ key: string }>(
        `SELECT DISTINCT object_key AS key FROM runs WHERE dataset_id = ?1 AND object_key IS NOT NULL
           AND object_key NOT IN (SELECT object_key FROM runs WHERE dataset_id <> ?1 AND object_key IS NOT NULL)`,
        datasetId,
      ),

    deleteDataset: ({ id, sourceId }: ChangedDataset): Promise<unknown> =>
      d1.batch([
        d1.prepare('DELETE FROM runs WHERE dataset_id = ?').bind(id),
        d1.prepare('DELETE FROM datasets WHERE id = ?').bind(id),
        d1
          .prepare(
            'DELETE FROM data_sources WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM datasets WHERE source_id = ?1)',
          )
          .bind(sourceId),
      ]),

    /** Originals of runs before an instant that no rollback and no retry needs any more. */
    unneededObjects: (before: number, of: { retained: number; limit: number }) =>
      rows<{ key: string }>(UNNEEDED_ORIGINALS, before, of.retained, of.limit),

    /** Syncs that ended before an instant, of whose objects nobody has looked what was left. */
    syncsWithObjects: (before: number, limit: number) =>
      rows<{ id: string; workspaceId: string }>(
        `SELECT id, workspace_id AS workspaceId FROM syncs
         WHERE may_hold_objects = 1 AND state <> 'running' AND finished_at <= ? ORDER BY finished_at LIMIT ?`,
        before,
        limit,
      ),

    /** Of some objects those that a load was made from. */
    async loadedObjects(workspaceId: string, keys: readonly string[]): Promise<Set<string>> {
      const sql = `SELECT DISTINCT object_key AS key FROM runs
        WHERE workspace_id = ? AND object_key IN (SELECT value FROM json_each(?))`
      return new Set((await rows<{ key: string }>(sql, workspaceId, JSON.stringify(keys))).map(({ key }) => key))
    },

    setObjectsGone: (syncId: string): Promise<unknown> =>
      d1.prepare('UPDATE syncs SET may_hold_objects = 0 WHERE id = ?').bind(syncId).run(),

    forgetObject: (key: string): Promise<unknown> =>
      d1.prepare('UPDATE runs SET object_key = NULL WHERE object_key = ?').bind(key).run(),
  }
}
