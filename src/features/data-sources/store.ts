import { and, desc, eq, getTableColumns, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { idOverLimitCondition, overLimitExpression } from '../../entitlements/over-limit'
import type { Scope } from '../../identity/scope'
import type { Database } from '../../db/database'
import { datasets, dataSources, uploads } from '../../db/schema'
import { SOURCE_MAX_DATASETS } from '../../shared/limits'
import { nameKey } from '../../shared/field-schemas'
import { columnNumber } from './model/columns'
import { CANONICAL_CSV } from '../../formats/csv/canonical-csv'
import { ProductError } from '../../shared/errors'
import type { CsvSettings } from '../../shared/data-sources/files'
import type { PlanLimit } from '../../shared/billing/plans'
import type { Column, ColumnKey, Dependent } from '../../shared/data-sources/data-sources'
import { runStore } from '../../sync/store'
import type { RunSummary } from '../../sync/store'

/** A source as stored, and whether the plan has no room for it. */
export type SourceRow = typeof dataSources.$inferSelect & { frozen: boolean }
export type DatasetRow = typeof datasets.$inferSelect
/** A dataset of a live source, and whether that is frozen. */
export type LiveDataset = DatasetRow & { frozen: boolean }
export type UploadRow = typeof uploads.$inferSelect
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

export interface LoadableUpload extends UploadRow {
  contentHash: string
  settings: CsvSettings
}

/** A table out of another file is in canonical text, whatever is asked; only its names and totals can be corrected. */
function loadSettings({ tableInfo }: UploadRow, asked: CsvSettings): CsvSettings {
  const { numbered: _numbered, ...text } = asked
  if (!tableInfo || tableInfo.kind === 'csv') return text
  const { header, skipLines, leaveOutTotals } = asked
  return { ...CANONICAL_CSV, header, skipLines, ...(leaveOutTotals === undefined ? {} : { leaveOutTotals }) }
}

const LIVE_SOURCES = 'SELECT count(*) FROM data_sources WHERE workspace_id = ?1 AND deleted_at IS NULL AND sample = 0'

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

/** Sources of one workspace and their datasets' projection. */
export const sourceStore = ({ orm, d1 }: Database, { scope, max }: StoreContext) => {
  const mine = eq(dataSources.workspaceId, scope.workspaceId)
  const live = and(mine, isNull(dataSources.deletedAt))
  /** `sources`: a subquery of ids, in brackets. */
  const datasetsIn = (sources: SQL) =>
    orm
      .select()
      .from(datasets)
      .where(and(eq(datasets.workspaceId, scope.workspaceId), sql`${datasets.sourceId} IN ${sources}`))
      // As they came: ids are random.
      .orderBy(sql`${datasets}.rowid`)
  const frozen = overLimitExpression('source', 'data_sources', { workspaceId: scope.workspaceId, max }).mapWith(Boolean)
  const source = { ...getTableColumns(dataSources), frozen }
  const lastRunsIn = runStore({ orm, d1 }, scope).lastIn
  return {
    /** Newest first, after the cursor; deleted ones by the time of their deletion. */
    async list({ search, deleted, before, limit }: SourcePageQuery): Promise<SourcesWithRuns> {
      const at = deleted ? dataSources.deletedAt : dataSources.createdAt
      const after = before ? or(lt(at, before.at), and(eq(at, before.at), lt(dataSources.id, before.id))) : undefined
      const found = search ? sql`instr(${dataSources.nameKey}, ${nameKey(search)}) > 0` : undefined
      const wanted = and(deleted ? and(mine, isNotNull(dataSources.deletedAt)) : live, found, after)
      const order = [desc(at), desc(dataSources.id)]
      const page = orm
        .select(source)
        .from(dataSources)
        .where(wanted)
        .orderBy(...order)
        .limit(limit)
      const ids = orm
        .select({ id: dataSources.id })
        .from(dataSources)
        .where(wanted)
        .orderBy(...order)
        .limit(limit)
      const [rows, datasetRows, lastRuns] = await orm.batch([page, datasetsIn(sql`${ids}`), lastRunsIn(sql`${ids}`)])
      return { rows, datasets: datasetRows, lastRuns }
    },

    /** One source with everything that is shown of it, in one round trip. */
    async getWithRuns(id: string): Promise<SourcesWithRuns> {
      const one = orm
        .select(source)
        .from(dataSources)
        .where(and(live, eq(dataSources.id, id)))
      const [rows, datasetRows, lastRuns] = await orm.batch([one, datasetsIn(sql`(${id})`), lastRunsIn(sql`(${id})`)])
      return { rows, datasets: datasetRows, lastRuns }
    },

    async get(id: string, which: 'live' | 'deleted' = 'live'): Promise<SourceRow | null> {
      const where = which === 'live' ? live : and(mine, isNotNull(dataSources.deletedAt))
      return (
        (await orm
          .select(source)
          .from(dataSources)
          .where(and(where, eq(dataSources.id, id)))
          .get()) ?? null
      )
    },

    datasetsOf: (sourceIds: string[]): Promise<DatasetRow[]> =>
      datasetsIn(sql`(SELECT value FROM json_each(${JSON.stringify(sourceIds)}))`).all(),

    /** A dataset of a live source. */
    async dataset(id: string): Promise<LiveDataset | null> {
      const row = await orm
        .select({ dataset: datasets, frozen })
        .from(datasets)
        .innerJoin(dataSources, eq(dataSources.id, datasets.sourceId))
        .where(and(live, eq(datasets.workspaceId, scope.workspaceId), eq(datasets.id, id)))
        .get()
      return row ? { ...row.dataset, frozen: row.frozen } : null
    },

    async countLive(): Promise<number> {
      return (await d1.prepare(LIVE_SOURCES).bind(scope.workspaceId).first<number>('count(*)')) ?? 0
    },

    /**
     * A file of this workspace that is wholly here, and how it is read.
     * @throws ProductError `invalid_input` for a file of tables: one of its tables is meant.
     */
    async findLoadableUpload(id: string, now: number, settings: CsvSettings): Promise<LoadableUpload | null> {
      const row = await orm
        .select()
        .from(uploads)
        .where(and(eq(uploads.workspaceId, scope.workspaceId), eq(uploads.id, id), eq(uploads.state, 'complete')))
        .get()
      if (!row || row.contentHash === null || row.expiresAt <= now) return null
      if (row.opened && row.opened.kind !== 'csv')
        throw new ProductError('invalid_input', { fields: { uploadId: 'Choose one of the tables in this file.' } })
      return { ...row, contentHash: row.contentHash, settings: loadSettings(row, settings) }
    },

    /** Writes nothing when the plan's number of live sources is reached; the sample counts not. */
    insert: (row: SourceRow): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO data_sources (workspace_id, id, type, name, name_key, state, owner_id, version, created_at, updated_at, sample)
           SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, ?11 WHERE ?11 = 1 OR ?10 IS NULL OR (${LIVE_SOURCES}) < ?10`,
        )
        .bind(
          ...[scope.workspaceId, row.id, row.type, row.name, row.nameKey, row.state, row.ownerId, row.version],
          ...[row.createdAt, max, row.sample ? 1 : 0],
        ),

    /** All or none: writes nothing when the source is gone or frozen, or would hold more datasets than a source may. */
    insertDatasets: (sourceId: string, rows: DatasetRow[]): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO datasets (workspace_id, source_id, id, name, columns, key_columns)
           SELECT ?1, ?2, d.value ->> 'id', d.value ->> 'name', d.value -> 'columns', d.value -> 'keyColumns'
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
             AND (sample = 1 OR ?4 IS NULL OR (${LIVE_SOURCES}) < ?4)`,
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
      return results
    },

    /** Live insights, and metrics, that use one of a dataset's columns. */
    async columnDependents(of: { datasetId: string; keys: ColumnKey[] }): Promise<Dependent[]> {
      const { results } = await d1
        .prepare(dependentsSql('read.dataset_id = ?2'))
        .bind(scope.workspaceId, of.datasetId, JSON.stringify(of.keys))
        .all<Dependent>()
      return results
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
  made: { id: string; name: string; now: number; sample?: boolean },
): SourceRow => ({
  id: made.id,
  workspaceId: scope.workspaceId,
  type: 'file',
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
})

export const isNameTaken = (error: unknown): boolean =>
  error instanceof Error && /UNIQUE constraint failed: data_sources\.workspace_id/.test(error.message)
