import { and, desc, eq, getTableColumns, inArray, lt, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { parseLoadRequest } from './load-request'
import type { LoadRequest } from './load-request'
import { idOverLimitCondition } from '../entitlements/over-limit'
import type { Scope } from '../identity/scope'
import type { Database } from '../db/database'
import { runs } from '../db/schema'
import type { CompletedLoad } from '../warehouse/contract'
import type { PlanLimit } from '../shared/billing/plans'
import type { RunError, RunState, SyncRun } from '../shared/data-sources/data-sources'

export type RunRow = typeof runs.$inferSelect
/** A run without the request it was started with, which may be long. */
export type RunSummary = Omit<RunRow, 'request'>
const { request: _long, ...SUMMARY_COLUMNS } = getTableColumns(runs)
export type ActiveState = Extract<RunState, 'queued' | 'running'>
export const isActive = (state: RunState): state is ActiveState => state === 'queued' || state === 'running'

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

export const toSyncRun = (row: RunSummary): SyncRun => ({
  id: row.id,
  sourceId: row.sourceId,
  datasetId: row.datasetId,
  trigger: row.trigger,
  mode: row.mode,
  fileName: row.fileName,
  state: row.state,
  startedAt: new Date(row.startedAt).toISOString(),
  finishedAt: iso(row.finishedAt),
  rowsRead: row.rowsRead,
  rowsWritten: row.rowsWritten,
  rowsRejected: row.rowsRejected,
  bytesRead: row.bytesRead,
  bytesTotal: row.bytesTotal,
  error: row.error,
})

/** What a new run starts from; the rest begins empty. */
export interface NewRun {
  id: string
  sourceId: string
  datasetId: string
  trigger: SyncRun['trigger']
  mode: SyncRun['mode']
  uploadId: string | null
  objectKey: string | null
  fileName: string
  request: LoadRequest
  bytesTotal: number
  now: number
}

export const newRunRow = (scope: Scope, run: NewRun): RunRow => ({
  id: run.id,
  workspaceId: scope.workspaceId,
  sourceId: run.sourceId,
  datasetId: run.datasetId,
  actorId: scope.actorId,
  trigger: run.trigger,
  mode: run.mode,
  uploadId: run.uploadId,
  objectKey: run.objectKey,
  fileName: run.fileName,
  request: run.request,
  state: 'queued',
  startedAt: run.now,
  finishedAt: null,
  rowsRead: 0,
  rowsWritten: 0,
  rowsRejected: 0,
  bytesRead: 0,
  bytesTotal: run.bytesTotal,
  dataVersion: null,
  error: null,
})

/** Loads of one workspace. */
export const runStore = ({ orm, d1 }: Database, scope: Scope) => {
  const mine = eq(runs.workspaceId, scope.workspaceId)
  const lastIn = (sources: SQL) => {
    const last = sql`(SELECT (SELECT r.id FROM runs r WHERE r.dataset_id = d.id
      ORDER BY r.started_at DESC, r.id DESC LIMIT 1) FROM datasets d WHERE d.source_id IN ${sources})`
    return orm
      .select(SUMMARY_COLUMNS)
      .from(runs)
      .where(and(mine, sql`${runs.id} IN ${last}`))
  }
  return {
    async get(id: string): Promise<RunRow | null> {
      return (
        (await orm
          .select()
          .from(runs)
          .where(and(mine, eq(runs.id, id)))
          .get()) ?? null
      )
    },

    /** Newest first, after the cursor. */
    list: (sourceId: string, page: { before: { startedAt: number; id: string } | null; limit: number }) => {
      const { before, limit } = page
      const older = before
        ? or(lt(runs.startedAt, before.startedAt), and(eq(runs.startedAt, before.startedAt), lt(runs.id, before.id)))
        : undefined
      return orm
        .select()
        .from(runs)
        .where(and(mine, eq(runs.sourceId, sourceId), older))
        .orderBy(desc(runs.startedAt), desc(runs.id))
        .limit(limit)
        .all()
    },

    /** The newest run of each dataset of these sources. */
    lastRuns: (sourceIds: string[]): Promise<RunSummary[]> =>
      lastIn(sql`(SELECT value FROM json_each(${JSON.stringify(sourceIds)}))`).all(),

    /** The same as a query for a batch; `sources`: a subquery of ids, in brackets. */
    lastIn,

    /**
     * Writes nothing while another load of the dataset is under way, or when its source is gone, or frozen because the
     * plan has room for `max` sources only.
     */
    insert: (row: RunRow, max: PlanLimit): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO runs (workspace_id, id, source_id, dataset_id, actor_id, "trigger", mode, upload_id, object_key,
             file_name, request, state, started_at, bytes_total)
           SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14
           WHERE NOT EXISTS (SELECT 1 FROM runs WHERE dataset_id = ?4 AND state IN ('queued', 'running'))
             AND EXISTS (SELECT 1 FROM data_sources WHERE id = ?3 AND workspace_id = ?1 AND deleted_at IS NULL)
             AND NOT ${idOverLimitCondition('source', '?3', { workspace: '?1', max: '?15' })}`,
        )
        .bind(
          ...[scope.workspaceId, row.id, row.sourceId, row.datasetId, row.actorId, row.trigger, row.mode],
          ...[row.uploadId, row.objectKey, row.fileName, JSON.stringify(row.request), row.state, row.startedAt],
          ...[row.bytesTotal, max],
        ),

    /** Marks an unfinished run as ended; changes nothing when it has ended otherwise. */
    end: (
      id: string,
      as: { state: Exclude<RunState, ActiveState | 'succeeded'>; error: RunError | null; now: number },
    ): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE runs SET state = ?3, error = ?4, finished_at = ?5
           WHERE workspace_id = ?1 AND id = ?2 AND state IN ('queued', 'running')`,
        )
        .bind(scope.workspaceId, id, as.state, as.error && JSON.stringify(as.error), as.now),

    /** Ends every unfinished run of a source: its loads stop with it. */
    cancelForSource: (sourceId: string, now: number): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE runs SET state = 'cancelled', finished_at = ?3
           WHERE workspace_id = ?1 AND source_id = ?2 AND state IN ('queued', 'running')`,
        )
        .bind(scope.workspaceId, sourceId, now),

    activeForSource: (sourceId: string): Promise<RunRow[]> =>
      orm
        .select()
        .from(runs)
        .where(and(mine, eq(runs.sourceId, sourceId), inArray(runs.state, ['queued', 'running'])))
        .all(),

    async start(id: string): Promise<void> {
      await d1
        .prepare("UPDATE runs SET state = 'running' WHERE workspace_id = ? AND id = ? AND state = 'queued'")
        .bind(scope.workspaceId, id)
        .run()
    },

    async progress(id: string, at: { bytesRead: number; rowsRead: number; rowsRejected: number }): Promise<void> {
      await d1
        .prepare(
          `UPDATE runs SET bytes_read = ?3, rows_read = ?4, rows_rejected = ?5
           WHERE workspace_id = ?1 AND id = ?2 AND state IN ('queued', 'running')`,
        )
        .bind(scope.workspaceId, id, at.bytesRead, at.rowsRead, at.rowsRejected)
        .run()
    },

    /**
     * Says of a swapped load what it wrote, whatever was thought of it before: the warehouse is right.
     * The second statement projects the dataset, never back to an older version.
     */
    succeed: (id: string, done: CompletedLoad & { datasetId: string; now: number }): D1PreparedStatement[] => [
      d1
        .prepare(
          `UPDATE runs SET state = 'succeeded', error = NULL, finished_at = ?3, rows_written = ?4, rows_rejected = ?5,
             bytes_read = bytes_total, data_version = ?6
           WHERE workspace_id = ?1 AND id = ?2 AND state <> 'succeeded'`,
        )
        .bind(scope.workspaceId, id, done.now, done.rowsWritten, done.rowsRejected, done.dataVersion),
      projectDataset(d1, scope, done),
    ],

    projectDataset: (done: DatasetProjection): D1PreparedStatement => projectDataset(d1, scope, done),
  }
}

type DatasetProjection = Pick<CompletedLoad, 'rowCount' | 'bytes' | 'dataVersion' | 'columns'> & {
  datasetId: string
  now: number
}

const projectDataset = (d1: D1Database, scope: Scope, done: DatasetProjection): D1PreparedStatement =>
  d1
    .prepare(
      `UPDATE datasets SET row_count = ?3, bytes = ?4, data_version = ?5, columns = ?6, loaded_at = ?7,
         version = version + (columns <> ?6)
       WHERE workspace_id = ?1 AND id = ?2 AND data_version < ?5`,
    )
    .bind(
      ...[scope.workspaceId, done.datasetId, done.rowCount, done.bytes, done.dataVersion],
      ...[JSON.stringify(done.columns), done.now],
    )

export const loadRequestOf = (row: RunRow): LoadRequest => parseLoadRequest(row.request)
