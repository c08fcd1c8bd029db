import { z } from 'zod'
import { columnFormatSchema, csvSettingsSchema, COLUMN_ROLES, fileColumnSchema, columnKeySchema } from './files'
import type { ColumnMask } from '../data-access/rules'
import type { ColumnFormat, ColumnRole, ColumnType, ColumnKey, CsvSettings } from './files'
import type { ConnectionSummary } from './connections'
import type { SourceState } from './source-states'
import type { ConnectorKind } from './connectors'
import type { ErrorCode } from '../errors'
import { cleaningSchema, type CleaningStep, type StepEffect } from './cleaning'
import { DATASET_MAX_COLUMNS, HEADER_MAX_CHARS, SOURCE_MAX_DATASETS } from '../limits'
import { importChoicesSchema } from './import-choices'
import { idSchema } from '../ids'
import { listQuerySchema, nameSchema, versionSchema } from '../field-schemas'
import type { ReportKind } from '../reports/report-kinds'
import type { Expr } from '../query/expression'

/** What starts a load, and all that its durable state holds of the person who started it. */
export interface LoadFileParams {
  runId: string
  workspaceId: string
  userId: string
  epoch: string
}

export interface DataSource {
  id: string
  name: string
  /** `file`: people bring its files. Else the kind of connection that brings its rows. */
  type: 'file' | ConnectorKind
  state: SourceState
  /** The plan has no room for it: its data can be read and nothing comes in until there is. */
  frozen: boolean
  /** Of the sample company: counts against no limit, and goes with it. */
  sample: boolean
  ownerId: string
  version: number
  createdAt: string
  updatedAt: string
  deletedAt: string | null
  /** Of `lastRuns` the one that says most: one under way, else one that failed, else the newest. */
  lastRun: SyncRun | null
  /** The newest load of each dataset, in the order of `datasets`; none for a dataset that was never loaded. */
  lastRuns: SyncRun[]
  datasets: Dataset[]
  /** Of a connected source. */
  connection: ConnectionSummary | null
}

export interface Dataset {
  id: string
  sourceId: string
  name: string
  rowCount: number
  bytes: number
  /** Increases with every write of rows. */
  dataVersion: number
  columns: Column[]
  /** Keys of the columns an upsert matches on; empty when none was chosen. */
  keyColumns: ColumnKey[]
  /** What the rows of its files go through before they are typed. */
  cleaning: CleaningStep[]
  /** When the rows last changed. */
  loadedAt: string | null
  /** Rows of the files that the rows shown now came from, that could not be read. */
  rowsRejected: number
  /** Rows shown now that were appended although a row with their key was there. */
  rowsDuplicate: number
  /** The editable version of names, roles and formats (not of the rows). */
  version: number
  /** Rules of access leave out rows or columns for who asks: it can be read, and nothing of it be changed. */
  partial?: true
}

export interface Column {
  key: ColumnKey
  label: string
  type: ColumnType
  role: ColumnRole
  /** For `number`: values are integers scaled by 10^scale; absent = floating point. */
  scale?: number
  /** For `datetime`: true = instants (UTC), false = wall-clock times. */
  zoned?: boolean
  format: ColumnFormat
  hidden: boolean
  /** Position in the file the rows came from; −1 for a computed one. */
  fileIndex: number
  /** Worked out from other columns of the same row whenever it is read; no file fills it. */
  computed?: Expr
  /** The column of the same row that says which currency this amount is in. */
  currencyColumn?: ColumnKey
  /** Amounts are whole numbers of the currency's smallest unit: 1250 = 12.50. */
  minorUnits?: true
  /** Rules of access leave this much of each value for who asks: the column is a text then, and cannot be calculated with. */
  mask?: ColumnMask
}

/** Query of the list of sources; `deleted=1` lists what was deleted in the last 30 days instead. */
export const listSourcesSchema = listQuerySchema.extend({
  search: z.string().max(80).optional(),
  deleted: z.enum(['0', '1']).default('0'),
})
export const listRunsSchema = listQuerySchema

/** `DELETE /api/data-sources/{id}?version=&force=1`: `force` once the dependents were seen. */
export const removeSourceSchema = z.strictObject({
  version: z.coerce.number().int().min(1),
  force: z.enum(['0', '1']).default('0'),
})

export const DEPENDENT_TYPES = ['insight', 'metric', 'forecast', 'alert', 'target', 'report'] as const

/** Something that uses a source or a column: listed in `in_use` before it is taken away. */
export interface Dependent {
  type: (typeof DEPENDENT_TYPES)[number]
  id: string
  name: string
  /** Of a report: by it, it has its address. */
  kind?: ReportKind
}

/**
 * How a file's rows come to a dataset. `upsert`: a row takes the place of the one with its key. `replacePart`: the key
 * columns name a part (a company's fiscal year); parts that occur in the file are replaced whole, others stay.
 */
const LOAD_MODES = ['create', 'append', 'replace', 'upsert', 'replacePart'] as const
export type LoadMode = (typeof LOAD_MODES)[number]

const RUN_STATES = ['queued', 'running', 'succeeded', 'unchanged', 'failed', 'cancelled', 'interrupted'] as const
export type RunState = (typeof RUN_STATES)[number]

/** One load of one file into one dataset. */
export interface SyncRun {
  id: string
  sourceId: string
  datasetId: string
  /** Who started it. */
  actorId: string
  trigger: 'upload' | 'retry' | 'rollback' | 'sync'
  mode: LoadMode
  fileName: string
  state: RunState
  startedAt: string
  finishedAt: string | null
  rowsRead: number
  rowsWritten: number
  /** Rows of the file that could not be read; they are in a list of their own. */
  rowsRejected: number
  /** Upsert: rows left out for a later one of the file with their key. Append: rows whose key was there already. */
  rowsDuplicate: number
  /** Rows of the dataset that the file's rows took the place of. */
  rowsUpdated: number
  /** Of a rollback: the data version whose rows it brought back. */
  restoredVersion: number | null
  bytesRead: number
  bytesTotal: number
  error: RunError | null
}
export interface RunError {
  code: ErrorCode
  message: string
  line?: number
}

/**
 * A recipe, and the names of the file's own columns that it begins with, as inspection has them. The columns beside it are
 * those that leave its last step.
 */
const loadCleaningSchema = z.strictObject({
  header: z.array(z.string().min(1).max(HEADER_MAX_CHARS)).min(1).max(DATASET_MAX_COLUMNS),
  steps: cleaningSchema,
})
export type LoadCleaning = z.infer<typeof loadCleaningSchema>

/** One complete upload that becomes a dataset: its name and how its text is read. */
export const newTableSchema = z.strictObject({
  name: nameSchema,
  uploadId: idSchema('upload'),
  settings: csvSettingsSchema,
  columns: z.array(fileColumnSchema).min(1).max(DATASET_MAX_COLUMNS),
  /** Positions of the columns that tell one row from another. */
  keyColumns: z.array(z.int().min(0)).max(10).default([]),
  cleaning: loadCleaningSchema.optional(),
  choices: importChoicesSchema.optional(),
})
export type NewTableInput = z.input<typeof newTableSchema>
const newTablesSchema = z.array(newTableSchema).min(1).max(SOURCE_MAX_DATASETS)

/** `POST /api/data-sources`: a new source; each table becomes a dataset with a load of its own. */
export const createSourceSchema = z.strictObject({ name: nameSchema, tables: newTablesSchema })
export type CreateSourceInput = z.input<typeof createSourceSchema>

/** `POST /api/data-sources/{id}/datasets`: more tables for a source that is there. */
export const addDatasetsSchema = z.strictObject({ tables: newTablesSchema })
export type AddDatasetsInput = z.input<typeof addDatasetsSchema>

export const updateSourceSchema = z.strictObject({ name: nameSchema, version: versionSchema })

/** `POST /api/datasets/{id}/loads`: another file into the same dataset; its identity stays. */
export const createLoadSchema = z.strictObject({
  uploadId: idSchema('upload'),
  mode: z.enum(['append', 'replace', 'upsert', 'replacePart']),
  settings: csvSettingsSchema,
  columns: z.array(fileColumnSchema).min(1).max(DATASET_MAX_COLUMNS),
  /** File column index → existing column; a file column without an entry is added as a new column. */
  mapping: z.array(z.strictObject({ index: z.int().min(0), key: columnKeySchema })).max(DATASET_MAX_COLUMNS),
  /**
   * For upsert: existing columns that identify a row. For append: the same, so that rows that were there already are
   * counted. For replacePart: those that name a part.
   */
  keyColumns: z.array(columnKeySchema).max(10).default([]),
  /** Needed when insights use a column that the new file no longer has. */
  acceptRemoved: z.boolean().default(false),
  /** Needed when the table has a recipe; one without steps takes it away. */
  cleaning: loadCleaningSchema.optional(),
  /**
   * Of books: whether years that the file has figures, but no transactions of, take the place of the same years also where
   * those have transactions.
   */
  replaceComparison: z.boolean().default(false),
  /** What the person decided, to be proposed for the next file. */
  choices: importChoicesSchema.optional(),
})
export type CreateLoadInput = z.input<typeof createLoadSchema>

/** `PUT /api/datasets/{id}`: names, roles, formats and visibility. Types change only by loading again. */
export const updateDatasetSchema = z.strictObject({
  name: nameSchema,
  version: versionSchema,
  columns: z
    .array(
      z.strictObject({
        key: columnKeySchema,
        label: z.string().trim().min(1).max(200),
        role: z.enum(COLUMN_ROLES),
        format: columnFormatSchema,
        hidden: z.boolean(),
        /** Absent = as it is; null = the amounts are in no currency of their row. */
        currencyColumn: columnKeySchema.nullable().optional(),
        /** Absent = as it is. */
        minorUnits: z.boolean().optional(),
      }),
    )
    .max(DATASET_MAX_COLUMNS),
})
export type UpdateDatasetInput = z.input<typeof updateDatasetSchema>

export const rollbackSchema = z.strictObject({ dataVersion: z.int().min(1) })

/** A version of a dataset's rows that can be gone back to. */
export interface DatasetVersion {
  dataVersion: number
  runId: string
  mode: LoadMode
  fileName: string
  rowCount: number
  createdAt: string
  current: boolean
  /** The version whose rows these are, when they were brought back; null when a file brought them. */
  restoredFrom: number | null
  /** The name of whoever began the load or the rollback; null when the account is gone. */
  startedBy: string | null
  /** The recipe that its rows went through. */
  cleaning: CleaningStep[]
  /** `instant`: kept beside; `reload`: the original file is loaded again; `none`: no longer available. */
  rollback: 'instant' | 'reload' | 'none'
}

/** `GET /api/datasets/{id}/cleaning`: the recipe of the rows shown now. */
export interface DatasetCleaning {
  steps: CleaningStep[]
  /** What each step did to those rows; empty where that is not known. */
  effects: StepEffect[]
  /** The one file that all rows came from, while it is stored: it can be imported again with other steps. */
  file: { name: string } | null
  /** A table of books, which is not cleaned: statements rely on its columns. */
  ledger: boolean
}

/** `POST /api/datasets/{id}/reopen`: the stored file as an upload again. */
export interface ReopenedFile {
  uploadId: string
  fileName: string
  size: number
  /** How it was read. */
  settings: CsvSettings
}

export interface RejectedRow {
  line: number
  reason: string
  text: string
}
