import { hiddenThings, withoutHiddenNames } from '../../identity/access/hidden-things-store'
import type { Scope } from '../../scope'
import type { Database } from '../../db/database'
import type { Dependent } from '../../shared/data-sources/data-sources'
import { deleteOrphanTargetsSql } from '../../semantic/target-store'

export interface SampleRow {
  state: 'loading' | 'ready' | 'failed' | 'removed'
  jobId: string
  done: number
  error: string | null
  updatedAt: number
}

const SAMPLE_DATASETS_SQL = `
SELECT d.id FROM datasets d JOIN data_sources s ON s.id = d.source_id WHERE s.workspace_id = ?1 AND s.sample = 1`
const SAMPLE_INSIGHTS_SQL = `SELECT insight_id FROM insight_fields WHERE dataset_id IN (${SAMPLE_DATASETS_SQL})`
const SAMPLE_METRICS_SQL = `SELECT metric_id FROM metric_fields WHERE dataset_id IN (${SAMPLE_DATASETS_SQL})`
// A file of tables and its tables stand and fall together: all of a family of which one was loaded or put here.
const SAMPLE_UPLOADS_SQL = `
WITH known AS (
  SELECT u.id, u.parent_id FROM uploads u WHERE u.workspace_id = ?1 AND (
    u.id IN (SELECT value FROM samples, json_each(samples.uploads) WHERE samples.workspace_id = ?1)
    OR u.object_key IN (SELECT object_key FROM runs WHERE workspace_id = ?1 AND dataset_id IN (${SAMPLE_DATASETS_SQL})))
), heads AS (SELECT coalesce(parent_id, id) AS id FROM known)
SELECT id FROM uploads WHERE workspace_id = ?1 AND (id IN (SELECT id FROM heads) OR parent_id IN (SELECT id FROM heads))`
const SAMPLE_OBJECTS_SQL = `
SELECT object_key AS key FROM uploads WHERE id IN (${SAMPLE_UPLOADS_SQL})
UNION SELECT object_key FROM runs WHERE workspace_id = ?1 AND object_key IS NOT NULL AND dataset_id IN (${SAMPLE_DATASETS_SQL})`

/** The sample company of one workspace. Writes are statements for `commit` unless they say otherwise. */
export const sampleStore = ({ d1 }: Database, scope: Scope) => {
  const { workspaceId } = scope
  const prepareBound = (sql: string): D1PreparedStatement => d1.prepare(sql).bind(workspaceId)
  return {
    get: (): Promise<SampleRow | null> =>
      prepareBound(
        'SELECT state, job_id AS jobId, done, error, updated_at AS updatedAt FROM samples WHERE workspace_id = ?1',
      ).first<SampleRow>(),

    async sourceIds(): Promise<string[]> {
      const { results } = await prepareBound(
        'SELECT id FROM data_sources WHERE workspace_id = ?1 AND sample = 1 ORDER BY created_at, id',
      ).all<{ id: string }>()
      return results.map(({ id }) => id)
    },

    /** Changes nothing while a job is at work, unless it has been silent since `silentSince`. */
    startJob: (jobId: string, at: { now: number; silentSince: number }): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO samples (workspace_id, state, job_id, updated_at) VALUES (?1, 'loading', ?2, ?3)
           ON CONFLICT (workspace_id) DO UPDATE SET state = 'loading', job_id = ?2, done = 0, uploads = '[]', error = NULL,
             updated_at = ?3
           WHERE state IN ('removed', 'failed') OR (state = 'loading' AND updated_at < ?4)`,
        )
        .bind(workspaceId, jobId, at.now, at.silentSince),

    /** Written at once: says how far the job is. False when it is not wanted any more. */
    async saveProgress(jobId: string, at: { done: number; uploads?: string[]; now: number }): Promise<boolean> {
      const written = await d1
        .prepare(
          `UPDATE samples SET done = ?3, uploads = coalesce(?4, uploads), updated_at = ?5
           WHERE workspace_id = ?1 AND job_id = ?2 AND state = 'loading'`,
        )
        .bind(workspaceId, jobId, at.done, at.uploads ? JSON.stringify(at.uploads) : null, at.now)
        .run()
      return written.meta.changes > 0
    },

    /** Written at once. */
    async finishJob(
      jobId: string,
      as: { state: 'ready' | 'failed'; error: string | null; now: number },
    ): Promise<void> {
      await d1
        .prepare(
          `UPDATE samples SET state = ?3, error = ?4, updated_at = ?5
           WHERE workspace_id = ?1 AND job_id = ?2 AND state = 'loading'`,
        )
        .bind(workspaceId, jobId, as.state, as.error, as.now)
        .run()
    },

    /** From then on the job finds itself unwanted. */
    markRemoved: (now: number): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO samples (workspace_id, state, job_id, updated_at) VALUES (?1, 'removed', '', ?2)
           ON CONFLICT (workspace_id) DO UPDATE SET state = 'removed', error = NULL, updated_at = ?2`,
        )
        .bind(workspaceId, now),

    /** Whether a dataset is of the sample company, which is still on its way in. */
    async isLoading(datasetId: string): Promise<boolean> {
      const coming = await d1
        .prepare(
          `SELECT 1 FROM datasets d JOIN data_sources s ON s.id = d.source_id AND s.sample = 1
           JOIN samples p ON p.workspace_id = s.workspace_id AND p.state = 'loading' WHERE d.id = ?`,
        )
        .bind(datasetId)
        .first()
      return coming !== null
    },

    async datasetIds(): Promise<string[]> {
      const { results } = await prepareBound(SAMPLE_DATASETS_SQL).all<{ id: string }>()
      return results.map(({ id }) => id)
    },

    /** The same with their sources. */
    async datasets(): Promise<{ id: string; sourceId: string }[]> {
      const { results } = await prepareBound(
        `SELECT id, source_id AS sourceId FROM datasets WHERE id IN (${SAMPLE_DATASETS_SQL})`,
      ).all<{ id: string; sourceId: string }>()
      return results
    },

    async objectKeys(): Promise<string[]> {
      const { results } = await prepareBound(SAMPLE_OBJECTS_SQL).all<{ key: string }>()
      return results.map(({ key }) => key)
    },

    /** Live insights and metrics that a person made or kept and that read the sample's rows. */
    async dependents(): Promise<Dependent[]> {
      const { results } = await prepareBound(
        `SELECT type, id, name FROM (
           SELECT 1 AS rank, 'insight' AS type, id, name FROM insights
           WHERE workspace_id = ?1 AND deleted_at IS NULL AND origin <> 'sample' AND id IN (${SAMPLE_INSIGHTS_SQL})
           UNION ALL SELECT 2, 'metric', id, name FROM metrics WHERE workspace_id = ?1 AND id IN (${SAMPLE_METRICS_SQL}))
         ORDER BY rank, name LIMIT 100`,
      ).all<Dependent>()
      return withoutHiddenNames(await hiddenThings({ d1 }, scope), results)
    },

    /** Everything that names the sample, leaves first. An insight turned to a person's own data stays, as theirs. */
    deleteStatements: (): D1PreparedStatement[] => [
      prepareBound(`DELETE FROM insights WHERE workspace_id = ?1 AND id IN (${SAMPLE_INSIGHTS_SQL})`),
      prepareBound(`DELETE FROM metrics WHERE workspace_id = ?1 AND id IN (${SAMPLE_METRICS_SQL})`),
      prepareBound(deleteOrphanTargetsSql('workspace_id = ?1')),
      prepareBound("UPDATE insights SET origin = 'person' WHERE workspace_id = ?1 AND origin = 'sample'"),
      prepareBound(`DELETE FROM upload_parts WHERE upload_id IN (${SAMPLE_UPLOADS_SQL})`),
      prepareBound(`DELETE FROM uploads WHERE id IN (${SAMPLE_UPLOADS_SQL})`),
      prepareBound(`DELETE FROM runs WHERE workspace_id = ?1 AND dataset_id IN (${SAMPLE_DATASETS_SQL})`),
      prepareBound(`DELETE FROM datasets WHERE workspace_id = ?1 AND id IN (${SAMPLE_DATASETS_SQL})`),
      prepareBound('DELETE FROM data_sources WHERE workspace_id = ?1 AND sample = 1'),
      prepareBound("UPDATE samples SET uploads = '[]' WHERE workspace_id = ?1"),
    ],
  }
}

/** Workspaces in which something of a removed sample is left: its removal was cut short. For the sweep. */
export const interruptedRemovals = ({ d1 }: Database, limit: number) =>
  d1
    .prepare(
      `SELECT w.workspace_id AS workspaceId, min(s.owner_id) AS userId FROM samples w
       JOIN data_sources s ON s.workspace_id = w.workspace_id AND s.sample = 1
       WHERE w.state = 'removed' GROUP BY w.workspace_id LIMIT ?`,
    )
    .bind(limit)
    .all<{ workspaceId: string; userId: string }>()
