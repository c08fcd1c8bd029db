import { z } from 'zod'
import { definedOnly } from '../lib/defined'
import type { ColumnMapping } from '../formats/contract'
import {
  COLUMN_ROLES,
  COLUMN_TYPES,
  columnFormatSchema,
  csvSettingsSchema,
  DATE_ORDERS,
  DECIMAL_MARKS,
  columnKeySchema,
  emptyMarkerSchema,
} from '../shared/data-sources/files'
import { cleaningSchema, type CleaningStep } from '../shared/data-sources/cleaning'
import { importChoicesSchema, type ImportChoices } from '../shared/data-sources/import-choices'
import { DATASET_MAX_COLUMNS } from '../shared/limits'
import type { Column } from '../shared/data-sources/data-sources'

const columnSchema = z.strictObject({
  key: columnKeySchema,
  label: z.string(),
  type: z.enum(COLUMN_TYPES),
  role: z.enum(COLUMN_ROLES),
  scale: z.int().optional(),
  zoned: z.boolean().optional(),
  format: columnFormatSchema,
  hidden: z.boolean(),
  fileIndex: z.int(),
  currencyColumn: columnKeySchema.optional(),
  minorUnits: z.literal(true).optional(),
})

const keptPartsSchema = z.strictObject({
  columns: z.array(z.int().min(0)),
  parts: z.array(z.array(z.string())),
  /** The file has no other rows. */
  isWhole: z.boolean(),
})
export type KeptParts = z.infer<typeof keptPartsSchema>

/** Everything a load needs beside its file: stored with the run, so that a step or a retry can start from it. */
const loadRequestSchema = z.strictObject({
  settings: csvSettingsSchema,
  /** The dataset's columns after this load, in key order. */
  columns: z.array(columnSchema).max(DATASET_MAX_COLUMNS),
  /** Beside each of `columns`: where its values come from; `null` = the file has no such column. */
  files: z.array(
    z
      .strictObject({
        index: z.int().min(0),
        decimalMark: z.enum(DECIMAL_MARKS).optional(),
        dateOrder: z.enum(DATE_ORDERS).optional(),
        serialDates: z.boolean().optional(),
        months: z.literal(true).optional(),
        emptyMarker: emptyMarkerSchema.optional(),
      })
      .nullable(),
  ),
  keyColumns: z.array(columnKeySchema),
  /** Columns of the file, loaded or not; where it is cleaned, those that leave the last step. */
  fileWidth: z.int().min(1),
  /** What is known of a table that was taken out of another file (`table_info` of its upload): for opening it again. */
  table: z.record(z.string(), z.unknown()).optional(),
  /** What its rows go through before they are typed, from the names of the file's own columns on. Absent: nothing. */
  cleaning: z.strictObject({ header: z.array(z.string()).max(DATASET_MAX_COLUMNS), steps: cleaningSchema }).optional(),
  /** Rows of the file whose cells at these positions are one of `parts` are not loaded: what is there of them stays. */
  keptParts: keptPartsSchema.optional(),
  /** Somebody accepted that there are no rows: they go from the dataset too. */
  allowsEmpty: z.literal(true).optional(),
  /** What the person decided about the file, for the next one. No load reads it. */
  choices: importChoicesSchema.optional(),
  /** Digest of the file's bytes. */
  fileHash: z.string(),
})
/** Where the values of a column come from; of dates whether bare numbers are days, which every request says today. */
type LoadRequestFile = (Omit<NonNullable<ColumnMapping['file']>, 'serialDates'> & { serialDates?: boolean }) | null
type ParsedLoadRequest = z.infer<typeof loadRequestSchema>
export type LoadRequest = Omit<
  ParsedLoadRequest,
  'columns' | 'files' | 'cleaning' | 'table' | 'choices' | 'keptParts' | 'allowsEmpty'
> & {
  columns: Column[]
  files: LoadRequestFile[]
  table?: Record<string, unknown>
  cleaning?: { header: string[]; steps: CleaningStep[] }
  choices?: ImportChoices
  keptParts?: KeptParts
  allowsEmpty?: true
}

/** The stored request. Absent optional keys stay absent. */
export function parseLoadRequest(stored: unknown): LoadRequest {
  const { columns, files, cleaning, table, choices, keptParts, allowsEmpty, ...rest } = loadRequestSchema.parse(stored)
  return {
    ...rest,
    ...definedOnly({ cleaning, table, choices, keptParts, allowsEmpty }),
    columns: columns.map(({ scale, zoned, currencyColumn, minorUnits, ...column }) => ({
      ...column,
      ...(scale === undefined ? {} : { scale }),
      ...(zoned === undefined ? {} : { zoned }),
      ...(currencyColumn === undefined ? {} : { currencyColumn }),
      ...(minorUnits === undefined ? {} : { minorUnits }),
    })),
    files: files.map(
      (file) =>
        file && {
          index: file.index,
          ...(file.decimalMark === undefined ? {} : { decimalMark: file.decimalMark }),
          ...(file.dateOrder === undefined ? {} : { dateOrder: file.dateOrder }),
          ...(file.serialDates === undefined ? {} : { serialDates: file.serialDates }),
          ...(file.months === undefined ? {} : { months: file.months }),
          ...(file.emptyMarker === undefined ? {} : { emptyMarker: file.emptyMarker }),
        },
    ),
  }
}

export const typedColumns = (request: LoadRequest): ColumnMapping[] =>
  request.columns.map((column, at) => {
    const file = request.files[at]
    if (!file) return { column, file: null }
    // Requests of earlier releases say nothing: they read day numbers in every column of dates.
    const { serialDates = column.type === 'date', ...rest } = file
    return { column, file: serialDates ? { ...rest, serialDates } : rest }
  })
