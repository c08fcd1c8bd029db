import { parseLoadRequest, type LoadRequest } from './load-request'
import { idOverLimitCondition } from '../entitlements/limits'
import type { Scope } from '../scope'
import type { Database } from '../db/database'
import { parseRow } from '../db/rows'
import { toIso, toIsoOrNull } from '../lib/iso'
import type { Clock, Ids } from '../shared/ids'
import type { CompletedLoad } from '../warehouse/contract'
import type { StepEffect } from '../shared/data-sources/cleaning'
import type { PlanLimit } from '../shared/billing/plans'
import type { DatasetVersion, LoadMode, RunError, RunState, SyncRun } from '../shared/data-sources/data-sources'

/** A run without the request it was started with, which may be long. */
export interface RunSummary {
  id: string
  workspaceId: string
  sourceId: string
  datasetId: string
  actorId: string
  trigger: SyncRun['trigger']
  mode: LoadMode
  uploadId: string | null
  objectKey: string | null
  fileName: string
  state: RunState
  startedAt: number
  finishedAt: number | null
  rowsRead: number
  rowsWritten: number
  rowsRejected: number
  rowsDuplicate: number
  rowsUpdated: number
  bytesRead: number
  bytesTotal: number
  dataVersion: number | null
  restoredVersion: number | null
  error: RunError | null
}
export interface RunRow extends RunSummary {
  request: unknown
}
const SUMMARY_COLUMNS = `r.id, r.workspace_id AS workspaceId, r.source_id AS sourceId, r.dataset_id AS datasetId,
  r.actor_id AS actorId, r."trigger", r.mode, r.upload_id AS uploadId, r.object_key AS objectKey, r.file_name AS fileName,
  r.state, r.started_at AS startedAt, r.finished_at AS finishedAt, r.rows_read AS rowsRead, r.rows_written AS rowsWritten,
  r.rows_rejected AS rowsRejected, r.rows_duplicate AS rowsDuplicate, r.rows_updated AS rowsUpdated,
  r.restored_version AS restoredVersion, r.bytes_read AS bytesRead, r.bytes_total AS bytesTotal, r.data_version AS dataVersion,
  r.error`
const SELECT_RUNS = `SELECT ${SUMMARY_COLUMNS}, r.request FROM runs r WHERE r.workspace_id = ?1`
export type StoredRow = Record<string, unknown>
const toRunRow = (row: StoredRow): RunRow => parseRow(row, { json: ['error', 'request'] })
export const toRunSummary = (row: StoredRow): RunSummary => parseRow(row, { json: ['error'] })

/** The newest run of each dataset of the workspace `?1` whose source is in a subquery of ids; for {@link toRunSummary}. */
export const lastRunsSql = (sources: string): string => `SELECT ${SUMMARY_COLUMNS} FROM runs r
  WHERE r.workspace_id = ?1 AND r.id IN (SELECT (SELECT l.id FROM runs l WHERE l.dataset_id = d.id
    ORDER BY l.started_at DESC, l.id DESC LIMIT 1) FROM datasets d WHERE d.source_id IN (${sources}))`

export type ActiveState = Extract<RunState, 'queued' | 'running'>
export const isActive = (state: RunState): state is ActiveState => state === 'queued' || state === 'running'

export const toSyncRun = (row: RunSummary): SyncRun => ({
  id: row.id,
  sourceId: row.sourceId,
  datasetId: row.datasetId,
  actorId: row.actorId,
  trigger: row.trigger,
  mode: row.mode,
  fileName: row.fileName,
  state: row.state,
  startedAt: toIso(row.startedAt),
  finishedAt: toIsoOrNull(row.finishedAt),
  rowsRead: row.rowsRead,
  rowsWritten: row.rowsWritten,
  rowsRejected: row.rowsRejected,
  rowsDuplicate: row.rowsDuplicate,
  rowsUpdated: row.rowsUpdated,
  restoredVersion: row.restoredVersion,
  bytesRead: row.bytesRead,
  bytesTotal: row.bytesTotal,
  error: row.error,
})

/** Names of what a load failed for; `batchId`: the first of the loads that were started with it, such as tables of one drop. */
export interface LoadFailureFacts {
  source: string
  dataset: string
  /** Whether rows of an earlier load are there: 0 or 1. */
  hasRows: number
  workspace: string
  batchId: string
}
/** Loads of one source that one person started within this time belong together. */
const BATCH_MS = 60_000

/** Who began a run, by name, the version that it brought back, and the recipe of its rows. */
export type RunOrigin = Pick<DatasetVersion, 'restoredFrom' | 'startedBy' | 'cleaning'>

/** What a new run starts from; the rest begins empty. */
export interface NewRun extends Pick<
  RunRow,
  'sourceId' | 'datasetId' | 'trigger' | 'mode' | 'uploadId' | 'objectKey' | 'fileName' | 'bytesTotal'
> {
  request: LoadRequest
  /** Of a rollback: the data version that it brings back. */
  restoredVersion?: number | null
}

export const newRunRow = ({ ids, clock }: { ids: Ids; clock: Clock }, scope: Scope, run: NewRun): RunRow => ({
  id: ids.next('run'),
  workspaceId: scope.workspaceId,
  actorId: scope.actorId,
  sourceId: run.sourceId,
  datasetId: run.datasetId,
  trigger: run.trigger,
  mode: run.mode,
  uploadId: run.uploadId,
  objectKey: run.objectKey,
  fileName: run.fileName,
  request: run.request,
  bytesTotal: run.bytesTotal,
  state: 'queued',
  startedAt: clock.now(),
  finishedAt: null,
  rowsRead: 0,
  rowsWritten: 0,
  rowsRejected: 0,
  rowsDuplicate: 0,
  rowsUpdated: 0,
  restoredVersion: run.restoredVersion ?? null,
  bytesRead: 0,
  dataVersion: null,
  error: null,
})

/** Loads of one workspace. */
export const runStore = ({ d1 }: Database, scope: Scope) => {
  const select = async (where: string, ...values: (string | number | null)[]): Promise<RunRow[]> => {
    const statement = d1.prepare(`${SELECT_RUNS} AND ${where}`).bind(scope.workspaceId, ...values)
    return (await statement.all<StoredRow>()).results.map(toRunRow)
  }
  return {
    async get(id: string): Promise<RunRow | null> {
      return (await select('r.id = ?2', id))[0] ?? null
    },

    /** Newest first, after the cursor. */
    list: (sourceId: string, page: { before: { at: number; id: string } | null; limit: number }): Promise<RunRow[]> =>
      select(
        `r.source_id = ?2 AND (?3 IS NULL OR (r.started_at, r.id) < (?3, ?4)) ORDER BY r.started_at DESC, r.id DESC LIMIT ?5`,
        sourceId,
        page.before?.at ?? null,
        page.before?.id ?? null,
        page.limit,
      ),

    /** The newest run of each dataset of these sources. */
    async lastRuns(sourceIds: string[]): Promise<RunSummary[]> {
      const { results } = await d1
        .prepare(lastRunsSql('SELECT value FROM json_each(?2)'))
        .bind(scope.workspaceId, JSON.stringify(sourceIds))
        .all<StoredRow>()
      return results.map(toRunSummary)
    },

    /** What is said of a run that failed; null when its source is deleted. */
    failureFacts: (run: Pick<RunSummary, 'id' | 'actorId' | 'startedAt'>): Promise<LoadFailureFacts | null> =>
      d1
        .prepare(
          `SELECT s.name AS source, d.name AS dataset, d.data_version > 0 AS hasRows, w.name AS workspace,
             (SELECT b.id FROM runs b WHERE b.workspace_id = ?1 AND b.source_id = s.id AND b.actor_id = ?3
                AND b.started_at BETWEEN ?4 - ${BATCH_MS} AND ?4 ORDER BY b.started_at, b.id LIMIT 1) AS batchId
           FROM runs r JOIN data_sources s ON s.id = r.source_id AND s.deleted_at IS NULL
             JOIN datasets d ON d.id = r.dataset_id JOIN workspaces w ON w.id = r.workspace_id AND w.deleted_at IS NULL
           WHERE r.workspace_id = ?1 AND r.id = ?2`,
        )
        .bind(scope.workspaceId, run.id, run.actorId, run.startedAt)
        .first<LoadFailureFacts>(),

    /** Who started a run that is under way for a source that is not deleted, and by what; null when there is none any more. */
    active: (id: string): Promise<Pick<RunRow, 'actorId' | 'trigger' | 'sourceId'> | null> =>
      d1
        .prepare(
          `SELECT r.actor_id AS actorId, r."trigger", r.source_id AS sourceId FROM runs r
             JOIN data_sources s ON s.id = r.source_id AND s.deleted_at IS NULL
           WHERE r.workspace_id = ? AND r.id = ? AND r.state IN ('queued', 'running')`,
        )
        .bind(scope.workspaceId, id)
        .first(),

    /** Whether a source is frozen, because the plan has room for `max` sources only. */
    async isFrozen(sourceId: string, max: PlanLimit): Promise<boolean> {
      const sql = `SELECT ${idOverLimitCondition('source', '?2', { workspace: '?1', max: '?3' })} AS frozen`
      return (await d1.prepare(sql).bind(scope.workspaceId, sourceId, max).first<number>('frozen')) === 1
    },

    datasetName: (id: string): Promise<string | null> =>
      d1
        .prepare('SELECT name FROM datasets WHERE workspace_id = ? AND id = ?')
        .bind(scope.workspaceId, id)
        .first<string>('name'),

    /**
     * Writes nothing while another load of the dataset is under way, or when its source is gone, or frozen because the
     * plan has room for `max` sources only.
     */
    insert: (row: RunRow, max: PlanLimit): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO runs (workspace_id, id, source_id, dataset_id, actor_id, "trigger", mode, upload_id, object_key,
             file_name, request, state, started_at, bytes_total, restored_version)
           SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?16
           WHERE NOT EXISTS (SELECT 1 FROM runs WHERE dataset_id = ?4 AND state IN ('queued', 'running'))
             AND EXISTS (SELECT 1 FROM data_sources WHERE id = ?3 AND workspace_id = ?1 AND deleted_at IS NULL)
             AND NOT ${idOverLimitCondition('source', '?3', { workspace: '?1', max: '?15' })}`,
        )
        .bind(
          scope.workspaceId,
          row.id,
          row.sourceId,
          row.datasetId,
          row.actorId,
          row.trigger,
          row.mode,
          row.uploadId,
          row.objectKey,
          row.fileName,
          JSON.stringify(row.request),
          row.state,
          row.startedAt,
          row.bytesTotal,
          max,
          row.restoredVersion,
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
      select("r.source_id = ?2 AND r.state IN ('queued', 'running')", sourceId),

    /** Of runs of a dataset by their ids: who began each, which version it brought back, and by which recipe. */
    async origins(runIds: readonly string[]): Promise<Map<string, RunOrigin>> {
      const { results } = await d1
        .prepare(
          `SELECT r.id, r.restored_version AS restoredFrom, u.name AS startedBy,
             COALESCE(r.request -> '$.cleaning.steps', '[]') AS cleaning FROM runs r LEFT JOIN users u ON u.id = r.actor_id
           WHERE r.workspace_id = ?1 AND r.id IN (SELECT value FROM json_each(?2))`,
        )
        .bind(scope.workspaceId, JSON.stringify(runIds))
        .all<StoredRow>()
      const rows = results.map((row) => parseRow<RunOrigin & { id: string }>(row, { json: ['cleaning'] }))
      return new Map(rows.map(({ id, ...origin }) => [id, origin]))
    },

    async start(id: string): Promise<void> {
      await d1
        .prepare("UPDATE runs SET state = 'running' WHERE workspace_id = ? AND id = ? AND state = 'queued'")
        .bind(scope.workspaceId, id)
        .run()
    },

    async progress(
      id: string,
      at: { bytesRead: number; rowsRead: number; rowsRejected: number; effects: StepEffect[] | null },
    ): Promise<void> {
      await d1
        .prepare(
          `UPDATE runs SET bytes_read = ?3, rows_read = ?4, rows_rejected = ?5, cleaning_effects = ?6
           WHERE workspace_id = ?1 AND id = ?2 AND state IN ('queued', 'running')`,
        )
        .bind(
          scope.workspaceId,
          id,
          at.bytesRead,
          at.rowsRead,
          at.rowsRejected,
          at.effects && JSON.stringify(at.effects),
        )
        .run()
    },

    /**
     * Says of a swapped load what it wrote, whatever was thought of it before: the warehouse is right.
     * The second statement projects the dataset, never back to an older version; the third its recipe.
     */
    succeed: (id: string, done: CompletedLoad & { datasetId: string; now: number }): D1PreparedStatement[] => [
      d1
        .prepare(
          `UPDATE runs SET state = 'succeeded', error = NULL, finished_at = ?3, rows_written = ?4, rows_rejected = ?5,
             bytes_read = bytes_total, data_version = ?6, rows_duplicate = ?7, rows_updated = ?8
           WHERE workspace_id = ?1 AND id = ?2 AND state <> 'succeeded'`,
        )
        .bind(
          scope.workspaceId,
          id,
          done.now,
          done.rowsWritten,
          done.rowsRejected,
          done.dataVersion,
          done.rowsDuplicate ?? 0,
          done.rowsReplaced ?? 0,
        ),
      projectDataset(d1, scope, done),
      d1
        .prepare(
          `UPDATE datasets SET cleaning = COALESCE((SELECT r.request -> '$.cleaning.steps' FROM runs r WHERE r.id = ?3), '[]')
           WHERE workspace_id = ?1 AND id = ?2 AND data_version = ?4`,
        )
        .bind(scope.workspaceId, done.datasetId, id, done.dataVersion),
    ],

    /**
     * The load whose rows a version of a dataset has: of a version that was brought back, the one that first brought it.
     * Null when it is not known any more.
     */
    async loadOfVersion(datasetId: string, dataVersion: number): Promise<(RunRow & { effects: StepEffect[] }) | null> {
      const row = await d1
        .prepare(
          `WITH RECURSIVE origin(id, restored, depth) AS (
             SELECT id, restored_version, 0 FROM runs
               WHERE workspace_id = ?1 AND dataset_id = ?2 AND data_version = ?3 AND state = 'succeeded'
             UNION ALL SELECT r.id, r.restored_version, depth + 1 FROM origin o JOIN runs r ON r.dataset_id = ?2
               AND r.workspace_id = ?1 AND r.data_version = o.restored AND r.state = 'succeeded' WHERE depth < 100)
           SELECT ${SUMMARY_COLUMNS}, r.request, COALESCE(r.cleaning_effects, '[]') AS effects FROM runs r
           WHERE r.id = (SELECT id FROM origin WHERE restored IS NULL LIMIT 1)`,
        )
        .bind(scope.workspaceId, datasetId, dataVersion)
        .first<StoredRow>()
      return row && parseRow<RunRow & { effects: StepEffect[] }>(row, { json: ['error', 'request', 'effects'] })
    },

    projectDataset: (done: DatasetProjection): D1PreparedStatement => projectDataset(d1, scope, done),
  }
}

type DatasetProjection = Pick<
  CompletedLoad,
  'rowCount' | 'bytes' | 'dataVersion' | 'columns' | 'datasetRowsRejected' | 'datasetRowsDuplicate'
> & {
  datasetId: string
  now: number
}

const projectDataset = (d1: D1Database, scope: Scope, done: DatasetProjection): D1PreparedStatement =>
  d1
    .prepare(
      `UPDATE datasets SET row_count = ?3, bytes = ?4, data_version = ?5, columns = ?6, loaded_at = ?7,
         rows_rejected = COALESCE(?8, rows_rejected), rows_duplicate = COALESCE(?9, rows_duplicate),
         version = version + (columns <> ?6)
       WHERE workspace_id = ?1 AND id = ?2 AND data_version < ?5`,
    )
    .bind(
      scope.workspaceId,
      done.datasetId,
      done.rowCount,
      done.bytes,
      done.dataVersion,
      JSON.stringify(done.columns),
      done.now,
      done.datasetRowsRejected ?? null,
      done.datasetRowsDuplicate ?? null,
    )

export const loadRequestOf = (row: RunRow): LoadRequest => parseLoadRequest(row.request)
