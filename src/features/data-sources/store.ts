import { readDependentReports } from '../../semantic/dependent-reports-store'
import { hiddenThings, withoutHiddenNames } from '../../identity/access/hidden-things-store'
import { countTowardLimitSql, hasRoomSql, idOverLimitCondition, overLimitCondition } from '../../entitlements/limits'
import { hiddenJson, visibleParts, visibleSourceSql } from './visible-parts'
import type { Scope } from '../../scope'
import type { Database } from '../../db/database'
import { parseRow } from '../../db/rows'
import { SOURCE_MAX_DATASETS } from '../../shared/limits'
import { nameKey } from '../../shared/field-schemas'
import { columnNumber } from './model/columns'
import { CANONICAL_CSV } from '../../formats/csv/canonical-csv'
import { ProductError } from '../../shared/errors'
import type { CleaningStep } from '../../shared/data-sources/cleaning'
import type { CsvSettings, ColumnKey, FileKind } from '../../shared/data-sources/files'
import type { ConnectionFailure } from '../../shared/data-sources/connections'
import type { PlanLimit } from '../../shared/billing/plans'
import type { Column, DataSource, Dependent } from '../../shared/data-sources/data-sources'
import type { SourceState } from '../../shared/data-sources/source-states'
import { lastRunsSql, toRunSummary, type RunSummary, type StoredRow } from '../../sync/store'

/** Reports that use a source which are named before it is deleted. */
const REPORTS_LISTED = 20

/** A source as stored, and whether the plan has no room for it. */
export interface SourceRow {
  id: string
  workspaceId: string
  type: DataSource['type']
  name: string
  nameKey: string
  state: SourceState
  ownerId: string
  version: number
  createdAt: number
  updatedAt: number
  deletedAt: number | null
  sample: boolean
  frozen: boolean
  /** Of a connected source; null for files. */
  connection: ConnectionFacts | null
}
/** What lists need of a connection. */
export interface ConnectionFacts {
  paused: 0 | 1
  failures: number
  failure: ConnectionFailure | null
  failedSince: number | null
  nextAt: number | null
  syncedAt: number | null
  succeededAt: number | null
  syncing: 0 | 1
  /** Of the source, whoever may see them. */
  tables: number
}
export interface DatasetRow {
  id: string
  workspaceId: string
  sourceId: string
  name: string
  rowCount: number
  bytes: number
  dataVersion: number
  columns: Column[]
  keyColumns: ColumnKey[]
  cleaning: CleaningStep[]
  loadedAt: number | null
  rowsRejected: number
  rowsDuplicate: number
  version: number
  /** Set where rules of access leave out a part of it for who asks. */
  partial?: true
}
/** A dataset of a live source, and whether that is frozen. */
export type LiveDataset = DatasetRow & { frozen: boolean }
/** Whose sources, and how many of them the plan has; null = unlimited. */
export interface StoreContext {
  scope: Scope
  max: PlanLimit
}
export interface SourcePageQuery {
  search: string | undefined
  deleted: boolean
  before: { at: number; id: string } | null
  limit: number
}

/** A file that is wholly here, and how it is read. */
export interface LoadableUpload {
  id: string
  objectKey: string
  fileName: string
  size: number
  contentHash: string
  settings: CsvSettings
  /** Of a table out of another file: what is known of it. */
  origin: { table?: Record<string, unknown> }
}

interface FoundUpload extends Omit<LoadableUpload, 'settings' | 'origin'> {
  openedKind: FileKind | null
  tableKind: FileKind | null
  tableInfo: Record<string, unknown> | null
}

/** A table out of another file is in canonical text, whatever is asked; only its names and totals can be corrected. */
function loadSettings(tableKind: FileKind | null, requested: CsvSettings): CsvSettings {
  const { numbered: _numbered, ...text } = requested
  if (tableKind === null || tableKind === 'csv') return text
  const { header, skipLines, leaveOutTotals } = requested
  return { ...CANONICAL_CSV, header, skipLines, ...(leaveOutTotals === undefined ? {} : { leaveOutTotals }) }
}

/** Sources with their datasets and the newest run of each of these. */
export interface SourcesWithRuns {
  rows: SourceRow[]
  datasets: DatasetRow[]
  lastRuns: RunSummary[]
}

/** What of the workspace `?1` reads the datasets that `where` names; of them one of the columns `?3`, unless it is null. */
const dependentsSql = (where: string): string => {
  const reading = `${where} AND (?3 IS NULL OR read.column_key IN (SELECT value FROM json_each(?3)))`
  return `SELECT type, id, name FROM (
    SELECT 1 AS rank, 'insight' AS type, id, name FROM insights WHERE workspace_id = ?1 AND deleted_at IS NULL
      AND id IN (SELECT insight_id FROM insight_fields read WHERE ${reading})
    UNION ALL SELECT 2, 'metric', id, name FROM metrics WHERE workspace_id = ?1
      AND id IN (SELECT metric_id FROM metric_fields read WHERE ${reading}))
    ORDER BY rank, name, id LIMIT 100`
}

const FROZEN = `${overLimitCondition('source', 's', { workspace: '?1', max: '?2' })} AS frozen`
const CONNECTION = `(SELECT json_object('paused', c.paused, 'failures', c.failures, 'failure', json(c.failure), 'failedSince', c.failed_since,
  'nextAt', c.next_at, 'syncedAt', c.synced_at, 'succeededAt', c.succeeded_at, 'tables', (SELECT count(*) FROM datasets d WHERE d.source_id = c.source_id),
  'syncing', EXISTS (SELECT 1 FROM syncs y WHERE y.source_id = c.source_id AND y.state = 'running'))
  FROM connections c WHERE c.source_id = s.id) AS connection`
const SELECT_SOURCES = `SELECT s.id, s.workspace_id AS workspaceId, s.type, s.name, s.name_key AS nameKey, s.state,
  s.owner_id AS ownerId, s.version, s.created_at AS createdAt, s.updated_at AS updatedAt, s.deleted_at AS deletedAt,
  s.sample, ${FROZEN}, ${CONNECTION} FROM data_sources s WHERE s.workspace_id = ?1`
const DATASET_COLUMNS = `d.id, d.workspace_id AS workspaceId, d.source_id AS sourceId, d.name, d.row_count AS rowCount,
  d.bytes, d.data_version AS dataVersion, d.columns, d.key_columns AS keyColumns, d.cleaning, d.loaded_at AS loadedAt,
  d.rows_rejected AS rowsRejected, d.rows_duplicate AS rowsDuplicate, d.version`
/** `sources`: a subquery of ids. As they came: ids are random. */
const datasetsSql = (sources: string): string =>
  `SELECT ${DATASET_COLUMNS} FROM datasets d WHERE d.workspace_id = ?1 AND d.source_id IN (${sources}) ORDER BY d.rowid`

const toSourceRow = (row: StoredRow): SourceRow => parseRow(row, { json: ['connection'], flags: ['sample', 'frozen'] })
const toDatasetRow = (row: StoredRow): DatasetRow => parseRow(row, { json: ['columns', 'keyColumns', 'cleaning'] })

/** Sources of one workspace and their datasets' projection. */
export const sourceStore = ({ d1 }: Database, { scope, max }: StoreContext) => {
  const { visible, visibleRun } = visibleParts(scope)
  const bind = (sql: string, ...values: (string | number | null)[]): D1PreparedStatement =>
    d1.prepare(sql).bind(scope.workspaceId, ...values)

  /** The sources that `where` names, with the datasets and newest runs of those, in one round trip. */
  async function withRuns(where: string, ...values: (string | number | null)[]): Promise<SourcesWithRuns> {
    const ids = `SELECT s.id FROM data_sources s WHERE s.workspace_id = ?1 AND ${where}`
    const statements = [`${SELECT_SOURCES} AND ${where}`, datasetsSql(ids), lastRunsSql(ids)]
    const [rows, datasets, lastRuns] = await d1.batch<StoredRow>(statements.map((sql) => bind(sql, max, ...values)))
    return {
      rows: rows?.results.map(toSourceRow) ?? [],
      datasets: datasets?.results.map(toDatasetRow).flatMap(visible) ?? [],
      lastRuns: lastRuns?.results.map(toRunSummary).flatMap(visibleRun) ?? [],
    }
  }

  return {
    /** Newest first, after the cursor; deleted ones by the time of their deletion. */
    list({ search, deleted, before, limit }: SourcePageQuery): Promise<SourcesWithRuns> {
      const at = deleted ? 's.deleted_at' : 's.created_at'
      return withRuns(
        `s.deleted_at IS ${deleted ? 'NOT NULL' : 'NULL'} AND (?3 IS NULL OR instr(s.name_key, ?3) > 0)
         AND (?4 IS NULL OR (${at}, s.id) < (?4, ?5)) AND ${visibleSourceSql('?7')}
         ORDER BY ${at} DESC, s.id DESC LIMIT ?6`,
        search ? nameKey(search) : null,
        before?.at ?? null,
        before?.id ?? null,
        limit,
        hiddenJson(scope),
      )
    },

    /** One source with everything that is shown of it. */
    getWithRuns: (id: string): Promise<SourcesWithRuns> =>
      withRuns(`s.deleted_at IS NULL AND s.id = ?3 AND ${visibleSourceSql('?4')}`, id, hiddenJson(scope)),

    async get(id: string, which: 'live' | 'deleted' = 'live'): Promise<SourceRow | null> {
      const state = which === 'live' ? 'NULL' : 'NOT NULL'
      const where = `s.deleted_at IS ${state} AND s.id = ?3 AND ${visibleSourceSql('?4')}`
      const row = await bind(`${SELECT_SOURCES} AND ${where}`, max, id, hiddenJson(scope)).first<StoredRow>()
      return row && toSourceRow(row)
    },

    async datasetsOf(sourceIds: string[]): Promise<DatasetRow[]> {
      const statement = bind(datasetsSql('SELECT value FROM json_each(?2)'), JSON.stringify(sourceIds))
      return (await statement.all<StoredRow>()).results.map(toDatasetRow).flatMap(visible)
    },

    /** Of a source, whoever may see them. */
    async countDatasets(sourceId: string): Promise<number> {
      const sql = 'SELECT count(*) AS n FROM datasets WHERE workspace_id = ?1 AND source_id = ?2'
      return (await bind(sql, sourceId).first<number>('n')) ?? 0
    },

    /** A dataset of a live source. */
    async dataset(id: string): Promise<LiveDataset | null> {
      const row = await bind(
        `SELECT ${DATASET_COLUMNS}, ${FROZEN} FROM datasets d JOIN data_sources s ON s.id = d.source_id
         WHERE s.workspace_id = ?1 AND s.deleted_at IS NULL AND d.workspace_id = ?1 AND d.id = ?3`,
        max,
        id,
      ).first<StoredRow>()
      const json = ['columns', 'keyColumns', 'cleaning'] as const
      const [found] = row ? visible(parseRow<LiveDataset>(row, { json: [...json], flags: ['frozen'] })) : []
      return found ?? null
    },

    async countLive(): Promise<number> {
      return (await bind(`SELECT ${countTowardLimitSql('source', '?1')} AS n`).first<number>('n')) ?? 0
    },

    /**
     * A file of this workspace that is wholly here, and how it is read.
     * @throws ProductError `invalid_input` for a file of tables: one of its tables is meant.
     */
    async findLoadableUpload(id: string, now: number, settings: CsvSettings): Promise<LoadableUpload | null> {
      const row = await bind(
        `SELECT id, object_key AS objectKey, file_name AS fileName, size, content_hash AS contentHash,
           opened ->> 'kind' AS openedKind, table_info ->> 'kind' AS tableKind,
           CASE WHEN table_info ->> 'kind' <> 'csv' THEN table_info END AS tableInfo
         FROM uploads WHERE workspace_id = ?1 AND id = ?2 AND state = 'complete' AND content_hash IS NOT NULL
           AND expires_at > ?3`,
        id,
        now,
      ).first<StoredRow>()
      if (!row) return null
      const { openedKind, tableKind, tableInfo, ...upload } = parseRow<FoundUpload>(row, { json: ['tableInfo'] })
      if (openedKind !== null && openedKind !== 'csv')
        throw new ProductError('invalid_input', { fields: { uploadId: 'Choose one of the tables in this file.' } })
      return { ...upload, settings: loadSettings(tableKind, settings), origin: tableInfo ? { table: tableInfo } : {} }
    },

    /** An upload of these bytes that is there at least until an instant. */
    uploadOf: (objectKey: string, until: number): Promise<string | null> =>
      bind(
        `SELECT id FROM uploads WHERE workspace_id = ?1 AND object_key = ?2 AND state = 'complete' AND expires_at > ?3
         ORDER BY expires_at DESC LIMIT 1`,
        objectKey,
        until,
      ).first<string>('id'),

    /** The file of a load as an upload of its own. Its bytes count once, however many know them. */
    reopenUpload: (runId: string, as: { id: string; now: number; expiresAt: number }): D1PreparedStatement =>
      bind(
        `INSERT INTO uploads (workspace_id, id, user_id, file_name, size, object_key, state, content_hash, table_info,
           created_at, expires_at)
         SELECT ?1, ?3, ?4, file_name, bytes_total, object_key, 'complete', request ->> '$.fileHash', request -> '$.table', ?5, ?6
         FROM runs WHERE workspace_id = ?1 AND id = ?2 AND object_key IS NOT NULL`,
        runId,
        as.id,
        scope.actorId,
        as.now,
        as.expiresAt,
      ),

    /** Writes nothing when the plan's number of live sources is reached; the sample counts not. */
    insert: (row: SourceRow): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO data_sources (workspace_id, id, type, name, name_key, state, owner_id, version, created_at, updated_at, sample)
           SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, ?11 WHERE ?11 = 1 OR ${hasRoomSql('source', { workspace: '?1', max: '?10' })}`,
        )
        .bind(
          scope.workspaceId,
          row.id,
          row.type,
          row.name,
          row.nameKey,
          row.state,
          row.ownerId,
          row.version,
          row.createdAt,
          max,
          row.sample ? 1 : 0,
        ),

    /** All or none: writes nothing when the source is gone or frozen, or would hold more datasets than a source may. */
    insertDatasets: (sourceId: string, rows: DatasetRow[]): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO datasets (workspace_id, source_id, id, name, columns, key_columns, cleaning)
           SELECT ?1, ?2, d.value ->> 'id', d.value ->> 'name', d.value -> 'columns', d.value -> 'keyColumns', d.value -> 'cleaning'
           FROM json_each(?3) d
           WHERE EXISTS (SELECT 1 FROM data_sources WHERE id = ?2 AND workspace_id = ?1 AND deleted_at IS NULL)
             AND (SELECT count(*) FROM datasets WHERE source_id = ?2) + json_array_length(?3) <= ?4
             AND NOT ${idOverLimitCondition('source', '?2', { workspace: '?1', max: '?5' })}`,
        )
        .bind(scope.workspaceId, sourceId, JSON.stringify(rows), SOURCE_MAX_DATASETS, max),

    /** Changes nothing when another version is stored. */
    rename: (id: string, to: { name: string; version: number; now: number }): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE data_sources SET name = ?4, name_key = ?5, version = version + 1, updated_at = ?6
           WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND deleted_at IS NULL`,
        )
        .bind(scope.workspaceId, id, to.version, to.name, nameKey(to.name), to.now),

    remove: (id: string, at: { version: number; now: number }): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE data_sources SET deleted_at = ?4, version = version + 1, updated_at = ?4
           WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND deleted_at IS NULL`,
        )
        .bind(scope.workspaceId, id, at.version, at.now),

    /** Changes nothing when it was not deleted after `since`, or when the plan's number is reached. */
    restore: (id: string, at: { now: number; since: number }): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE data_sources SET deleted_at = NULL, version = version + 1, updated_at = ?3
           WHERE workspace_id = ?1 AND id = ?2 AND deleted_at > ?5
             AND (sample = 1 OR ${hasRoomSql('source', { workspace: '?1', max: '?4' })})`,
        )
        .bind(scope.workspaceId, id, at.now, max, at.since),

    /** Changes nothing when another version is stored, or when its source is frozen. */
    updateDataset: (id: string, to: { name: string; version: number; columns: Column[] }): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE datasets SET name = ?4, columns = ?5, version = version + 1
           WHERE workspace_id = ?1 AND id = ?2 AND version = ?3
             AND NOT ${idOverLimitCondition('source', 'datasets.source_id', { workspace: '?1', max: '?6' })}`,
        )
        .bind(scope.workspaceId, id, to.version, to.name, JSON.stringify(to.columns), max),

    setKeyColumns: (id: string, keys: ColumnKey[]): D1PreparedStatement =>
      d1
        .prepare('UPDATE datasets SET key_columns = ?3 WHERE workspace_id = ?1 AND id = ?2')
        .bind(scope.workspaceId, id, JSON.stringify(keys)),

    /** Live insights, and metrics, that use a dataset of this source; with `keys`, only those that use one of the columns. */
    async dependents(of: { sourceId: string; keys?: ColumnKey[] }): Promise<Dependent[]> {
      const { results } = await d1
        .prepare(
          dependentsSql('read.dataset_id IN (SELECT id FROM datasets WHERE workspace_id = ?1 AND source_id = ?2)'),
        )
        .bind(scope.workspaceId, of.sourceId, of.keys ? JSON.stringify(of.keys) : null)
        .all<Dependent>()
      const reports = of.keys
        ? []
        : await readDependentReports({ d1 }, scope, { source: of.sourceId, most: REPORTS_LISTED })
      return withoutHiddenNames(await hiddenThings({ d1 }, scope), [...results, ...reports])
    },

    /** Live insights, and metrics, that use one of a dataset's columns. */
    async columnDependents(of: { datasetId: string; keys: ColumnKey[] }): Promise<Dependent[]> {
      const { results } = await d1
        .prepare(dependentsSql('read.dataset_id = ?2'))
        .bind(scope.workspaceId, of.datasetId, JSON.stringify(of.keys))
        .all<Dependent>()
      return withoutHiddenNames(await hiddenThings({ d1 }, scope), results)
    },

    /** The first key number that no column of this dataset ever had, in any load. */
    async nextColumnNumber(dataset: DatasetRow): Promise<number> {
      const used = await d1
        .prepare(
          `SELECT max(CAST(substr(json_extract(c.value, '$.key'), 2) AS INTEGER)) AS last
           FROM runs, json_each(runs.request, '$.columns') c WHERE workspace_id = ? AND dataset_id = ?`,
        )
        .bind(scope.workspaceId, dataset.id)
        .first<number | null>('last')
      // Computed columns count from the other end.
      const stored = dataset.columns.filter(({ computed }) => computed === undefined)
      return 1 + Math.max(used ?? -1, ...stored.map(({ key }) => columnNumber(key)), -1)
    },
  }
}

export const newSourceRow = (
  scope: Scope,
  made: { id: string; name: string; now: number; sample?: boolean; type?: DataSource['type'] },
): SourceRow => ({
  id: made.id,
  workspaceId: scope.workspaceId,
  type: made.type ?? 'file',
  name: made.name,
  nameKey: nameKey(made.name),
  // Derived from its runs whenever it is shown; the column keeps what no run can say.
  state: 'draft',
  ownerId: scope.actorId,
  version: 1,
  createdAt: made.now,
  updatedAt: made.now,
  deletedAt: null,
  sample: made.sample ?? false,
  frozen: false,
  connection: null,
})
