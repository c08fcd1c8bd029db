import type { ScopeWire } from '../scope'
import type { RateSet } from '../shared/currencies'
import type { DatasetProfile, FoundValue } from '../shared/bot/values'
import type { RpcResult } from '../shared/errors'
import type { LiveKind } from '../connectors/databases/open-database'
import type { ForeignTable } from './pushdown/foreign-table'
import type { GroupingContent } from '../shared/groupings/groupings'
import type { QueryPlan } from '../shared/query/plan'
import type { QueryResult } from '../shared/query/result'
import type { Column, DatasetVersion, LoadMode, RejectedRow } from '../shared/data-sources/data-sources'
import type { CreateRelationInput, Relation, UpdateRelationInput } from '../shared/relations'
import type { Calendar } from '../shared/dates'
import type { ColumnKey } from '../shared/data-sources/files'

/**
 * Bounds of a column in storage units (scaled integers, days, milliseconds; REAL as is): every non-empty value lies
 * within. Exact after a create or replace, possibly too wide after an append, upsert or rollback. Null = no value.
 */
export interface ColumnBounds {
  min: number | null
  max: number | null
}

/** Whether bounds of a column are kept. */
export const hasBounds = ({ type }: Pick<Column, 'type'>): boolean => type !== 'text' && type !== 'boolean'

export interface BeginLoad {
  runId: string
  datasetId: string
  sourceId: string
  datasetName: string
  mode: LoadMode
  /** Columns of the dataset after this load, in key order; existing ones keep their key. */
  columns: Column[]
  /** For upsert: what tells one row from another. For replacePart: what names a part. */
  keyColumns: ColumnKey[]
  /** SHA-256 of the file and of how it is read; equal to the current version's = nothing to do. */
  contentHash: string
  /** Somebody accepted that there are no rows: otherwise that is refused. */
  allowsEmpty?: true
  fileName: string
  /** Where the original lies, for rollback beyond the kept table. */
  objectKey: string
}

/** Rows of a load that were taken in, and rows that could not be read. */
export interface StagedRows {
  staged: number
  rejected: number
}

export interface SegmentStart {
  runId: string
  fence: number
  segment: number
  /** What the segments before it came to: rows behind that are of a try that read the file otherwise. Absent: not known. */
  from?: StagedRows
}

export interface StageBatch {
  runId: string
  /** The lease's fencing number: a load that lost its lease can write nothing. */
  fence: number
  /** What comes before it in the file. Batches that are there already are not taken twice. */
  after: StagedRows
  /** Rows column by column, in the order of `BeginLoad.columns`, as `encodeBatch` makes them. ≤ 1.5 MB. */
  rows: ArrayBuffer
  rowCount: number
  /** Rows of this batch that could not be read, kept up to REJECTS_KEPT_MAX. */
  rejects: RejectedRow[]
  rejectCount: number
}

export interface CompletedLoad {
  dataVersion: number
  rowCount: number
  bytes: number
  columns: Column[]
  rowsWritten: number
  rowsRejected: number
  /**
   * Upsert: rows of the file left out because a later row of it has the same key. Append with a key: rows that are in
   * now although a row with their key was there.
   */
  rowsDuplicate?: number
  /** Upsert, replacePart: rows of the dataset that the file's rows took the place of. */
  rowsReplaced?: number
  /** Rows of the files this version was made of that could not be read. Absent = of loads from before this was kept. */
  datasetRowsRejected?: number
  /** Rows this version holds twice by their key, as far as appends were told a key. */
  datasetRowsDuplicate?: number
}

/** A version as the warehouse knows it; who made it is known outside. */
export type StoredVersion = Omit<DatasetVersion, 'restoredFrom' | 'startedBy' | 'cleaning'> & {
  objectKey: string
  /** What its load came to, but for the state of the dataset after it. */
  counts: Omit<CompletedLoad, 'dataVersion' | 'rowCount' | 'bytes' | 'columns'>
}

/** The catalogue's entry of one dataset. */
export interface CatalogueDataset {
  id: string
  sourceId: string
  name: string
  rowCount: number
  bytes: number
  dataVersion: number
  columns: Column[]
  keyColumns: ColumnKey[]
  loadedAt: number | null
  /** Its rows stay at their source, and `rowCount` is 0. Absent: they lie here. */
  live?: true
}

/** Which version of a grouping is meant. */
export interface GroupingVersion {
  id: string
  version: number
}
/** What a grouping says; it travels once per version. `draft`: not stored anywhere, and soon forgotten. */
export interface GroupingDefinition extends GroupingVersion, GroupingContent {
  name: string
  draft: boolean
}

/** Where the rows of a dataset lie that stay at their source, and what was seen of them when they were last looked at. */
export interface LivePlace {
  sourceId: string
  dialect: 'postgres' | 'mysql' | 'clickhouse'
  table: ForeignTable
}

/** How a source is asked: for one call, and kept nowhere. */
export interface SourceLogin {
  sourceId: string
  kind: LiveKind
  settings: Readonly<Record<string, string>>
  secrets: Readonly<Record<string, string>>
}

/** A question as it is asked of the warehouse. */
export interface AskedQuery {
  plan: QueryPlan
  calendar: Calendar
  rates?: string | undefined
  groupings?: GroupingVersion[] | undefined
  /** Of the sources whose rows stay there. */
  logins?: SourceLogin[] | undefined
  /** Asked by work that nobody waits for at a screen: it comes after all other questions. */
  background?: boolean | undefined
  /** One of the questions of a page that is asked for at once. */
  ofPage?: boolean | undefined
  /** Names the question for `cancelQuery`. */
  ticket?: string | undefined
}

/** Values are asked for by somebody's rights, on the workspace's clock. */
export interface AskedValues {
  calendar: Calendar
  /** Versions of the groupings that rules of access see columns through. */
  groupings?: GroupingVersion[] | undefined
}
export interface FindValues extends AskedValues {
  /** Folded by `foldText`. */
  phrases: string[]
  /** Matches answered for each phrase at most. */
  limit: number
}

/**
 * RPC surface of the Warehouse object. Every method takes the scope first and refuses another workspace's.
 * A writer whose load was stopped, or whose lease ran out or was taken over, gets `expired` (`what: 'load'`).
 */
export interface WarehouseRpc {
  /** Takes the dataset's lease (one load at a time) and makes an empty staging table. `busy` while another holds it. */
  beginLoad(scope: ScopeWire, load: BeginLoad): Promise<RpcResult<{ fence: number; unchanged: boolean }>>
  /** Starts a segment, or starts it again: answers what comes before it, and renews the lease. */
  openSegment(scope: ScopeWire, at: SegmentStart): Promise<RpcResult<StagedRows>>
  /** Takes batches of one load in, each once however often it is sent. `busy` where what comes before the first is not there. */
  stage(scope: ScopeWire, batches: StageBatch[]): Promise<RpcResult<StagedRows>>
  /** Validates and swaps in one transaction; the data version increases there. Repeating it answers the same. */
  finishLoad(
    scope: ScopeWire,
    at: { runId: string; fence: number; staged?: StagedRows },
  ): Promise<RpcResult<CompletedLoad>>
  /** Drops what was staged and frees the lease. Harmless when the load is gone. */
  abortLoad(scope: ScopeWire, at: { runId: string }): Promise<RpcResult<null>>
  /** Staged rows so far, and whether the lease still stands. */
  loadProgress(
    scope: ScopeWire,
    runId: string,
  ): Promise<RpcResult<{ staged: number; rejected: number; alive: boolean } | null>>
  rejects(scope: ScopeWire, at: { runId: string; after: number; limit: number }): Promise<RpcResult<RejectedRow[]>>
  dataset(scope: ScopeWire, datasetId: string): Promise<RpcResult<CatalogueDataset>>
  datasets(scope: ScopeWire): Promise<RpcResult<CatalogueDataset[]>>
  /** Names, roles, formats, visibility (types stay). */
  describeDataset(
    scope: ScopeWire,
    change: {
      datasetId: string
      name: string
      columns: Pick<Column, 'key' | 'label' | 'role' | 'format' | 'hidden' | 'currencyColumn' | 'minorUnits'>[]
    },
  ): Promise<RpcResult<CatalogueDataset>>
  /** Hides a dataset from every query at once and aborts its load; `purge` removes its bytes. */
  deleteDataset(scope: ScopeWire, at: { datasetId: string; purge: boolean }): Promise<RpcResult<null>>
  restoreDataset(scope: ScopeWire, datasetId: string): Promise<RpcResult<CatalogueDataset>>
  versions(scope: ScopeWire, datasetId: string): Promise<RpcResult<StoredVersion[]>>
  /** Goes back at once to a version that is still kept beside; `not_found` when only a reload can bring it. */
  rollback(
    scope: ScopeWire,
    at: { datasetId: string; dataVersion: number; runId: string },
  ): Promise<RpcResult<CompletedLoad>>
  /**
   * `rates`: the version of the rates that amounts are brought to one currency by. `groupings`: the versions of those the
   * plan sees columns through; `expired` (`what: 'grouping'`, `ids`) asks for their definitions first. Questions stand in
   * a line: `busy` and `rate_limited` with `retryAfter` when it is full or a person asks too often, `query_too_complex`
   * when one would take too long. `expired` (`what: 'login'`, `ids`) asks for how sources are asked whose rows stay there.
   */
  query(scope: ScopeWire, ask: AskedQuery): Promise<RpcResult<QueryResult>>
  /** Nobody waits for this question of the scope's actor any more: it leaves the queue. */
  cancelQuery(scope: ScopeWire, ticket: string): Promise<RpcResult<null>>
  /**
   * What is told of the values of every dataset with rows, as far as the scope may see these; `expired` (`what: 'grouping'`)
   * as of questions.
   */
  valueProfiles(scope: ScopeWire, asked: AskedValues): Promise<RpcResult<DatasetProfile[]>>
  /** Values that phrases may mean, the best first; phrases without any are left out. */
  findValues(scope: ScopeWire, asked: FindValues): Promise<RpcResult<{ phrase: string; values: FoundValue[] }[]>>
  /** Takes in a definition that a question was refused for; an older one than is there changes nothing. */
  putGrouping(scope: ScopeWire, definition: GroupingDefinition): Promise<RpcResult<null>>
  /**
   * Says that the rows of a dataset stay at their source, and looks how many there are and between which days they lie;
   * without a place: that they lie here from now on. @throws ProductError `source_failed`
   */
  setLivePlace(
    scope: ScopeWire,
    at: { datasetId: string; place: LivePlace; login: SourceLogin } | { datasetId: string; place: null },
  ): Promise<RpcResult<{ rowCount: number }>>
  /** Takes in the rates that a question was refused for (`no_rate` with `wanted`); ask again then. */
  putRates(scope: ScopeWire, set: RateSet): Promise<RpcResult<null>>
  /** The dataset's computed columns, all of them: those it had and that are not named are gone. */
  setComputed(scope: ScopeWire, to: { datasetId: string; columns: Column[] }): Promise<RpcResult<CatalogueDataset>>
  /** Relations between datasets and columns that exist for the scope; those of one dataset when it is named. */
  relations(scope: ScopeWire, of: { dataset?: string | undefined }): Promise<RpcResult<Relation[]>>
  /** By hand: proven at once, and confirmed. */
  createRelation(scope: ScopeWire, made: { id: string } & CreateRelationInput): Promise<RpcResult<Relation>>
  updateRelation(scope: ScopeWire, change: { id: string } & UpdateRelationInput): Promise<RpcResult<Relation>>
  removeRelation(scope: ScopeWire, at: { id: string; version: number }): Promise<RpcResult<Relation>>
  /** Looks for relations of a dataset again, as after each load. */
  proposeRelations(scope: ScopeWire, datasetId: string): Promise<RpcResult<null>>
  /** Background cleaning in slices: previous versions past 24 h, staging tables of dead loads. */
  sweep(scope: ScopeWire): Promise<RpcResult<{ dropped: number }>>
  /** Removes everything the object holds, for good. For the product itself only; to every other scope it is unknown. */
  erase(scope: ScopeWire): Promise<RpcResult<null>>
}
