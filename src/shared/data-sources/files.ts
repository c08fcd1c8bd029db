import { z } from 'zod'
import { DATASET_MAX_COLUMNS, FILE_MAX_BYTES, HEADER_MAX_CHARS } from '../limits'

/** Key of a column inside its dataset: `c0`, `c1` … The header of the file is only its label. */
export type ColumnKey = `c${number}`

export const columnKeySchema = z.templateLiteral([
  'c',
  z
    .int()
    .min(0)
    .max(DATASET_MAX_COLUMNS * 4),
])

/** Bytes to text, and how the file was seen to be written. */
export const ENCODINGS = [
  ...([
    'utf-8',
    'utf-16le',
    'utf-16be',
    'windows-1252',
    'windows-1250',
    'windows-1251',
    'macintosh',
    'shift_jis',
    'iso-8859-15',
    'big5',
  ] as const),
  ...(['cp850', 'cp437'] as const),
] as const
export type Encoding = (typeof ENCODINGS)[number]
/** Encodings as screens call them. */
export const ENCODING_LABELS: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252',
  'windows-1250': 'Windows-1250, Central European',
  'windows-1251': 'Windows-1251, Cyrillic',
  macintosh: 'Mac Roman',
  shift_jis: 'Shift-JIS, Japanese',
  'iso-8859-15': 'ISO 8859-15, Western Europe with €',
  big5: 'Big5, traditional Chinese',
  cp850: 'DOS, CP850',
  cp437: 'DOS, CP437',
}
/** Signs between cells, as nearly all files have them. */
export const DELIMITER_SIGNS = [',', ';', '\t', '|'] as const
/** Those of a few files; the last two are made for it and cannot be seen. */
export const RARE_DELIMITERS = ['~', '^', ':', '\u001f', '\u0001'] as const
export const DELIMITERS = [...DELIMITER_SIGNS, ' ', ...RARE_DELIMITERS] as const
export type Delimiter = (typeof DELIMITERS)[number]
/** Signs that begin a line which is no data. */
export const COMMENT_MARKS = ['#', '//', '--'] as const
export type CommentMark = (typeof COMMENT_MARKS)[number]
export const DECIMAL_MARKS = ['.', ','] as const
export type DecimalMark = (typeof DECIMAL_MARKS)[number]
/** Order of day, month and year in dates that are not ISO. */
export const DATE_ORDERS = ['ymd', 'dmy', 'mdy'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

/** Characters of a line that are looked at for columns without a delimiter. */
export const LINE_MAX_COLUMNS = 4000

/** How a delimited text file is to be read. Every field was guessed from the bytes and can be corrected. */
export const csvSettingsSchema = z.strictObject({
  encoding: z.enum(ENCODINGS),
  delimiter: z.enum(DELIMITERS),
  quote: z.enum(['"', "'", '']),
  /** Escape of a quote inside quotes: doubled quote, or a backslash, which escapes the delimiter outside of them, too. */
  escape: z.enum(['"', "'", '\\']),
  /** Blanks after a delimiter are no part of the cell, quoted or not (`1, "a, b", c`); a delimiter of several blanks is one. */
  skipInitialSpace: z.literal(true).optional(),
  /** Every line is one quoted cell that holds the real ones (`"1,""a, b"",c"`). */
  wrappedLines: z.literal(true).optional(),
  /** Cells stand below each other and no sign divides them: the characters at which all but the first begin, from 0 on. */
  columnStarts: z
    .array(z.int().min(1).max(LINE_MAX_COLUMNS))
    .min(1)
    .max(DATASET_MAX_COLUMNS - 1)
    .refine((starts) => starts.every((start, at) => start > (starts[at - 1] ?? 0)), 'each is past the one before')
    .optional(),
  header: z.boolean(),
  /** Records that the names of columns take, of two or three lines. Absent: one. */
  headerLines: z.int().min(2).max(3).optional(),
  /** Lines before the header (or the first row) that are no data: titles, `sep=;`. */
  skipLines: z.int().min(0).max(100),
  /** Lines that begin with this sign are no data. Absent: every line is. */
  comment: z.enum(COMMENT_MARKS).optional(),
  /** As the step that removes total rows, and older than it: of stored loads, and of calls that still say so. */
  leaveOutTotals: z.boolean().optional(),
  /**
   * Cells of the header, where it comes again amid the rows: files that were glued together. Records that are the same are
   * no data.
   */
  repeatedHeader: z.array(z.string().max(HEADER_MAX_CHARS)).min(2).max(DATASET_MAX_COLUMNS).optional(),
  decimalMark: z.enum(DECIMAL_MARKS),
  dateOrder: z.enum(DATE_ORDERS),
  /**
   * Only of a table taken out of another file (sheet, JSON, Parquet, SIE): the first cell of every record is its row
   * or line in that file, not data.
   */
  numbered: z.literal(true).optional(),
})
export type CsvSettings = z.infer<typeof csvSettingsSchema>

export const COLUMN_TYPES = ['text', 'integer', 'number', 'boolean', 'date', 'datetime'] as const
export type ColumnType = (typeof COLUMN_TYPES)[number]
/** Types as screens call them. */
export const COLUMN_TYPE_LABELS: Record<ColumnType, string> = {
  text: 'Text',
  integer: 'Whole number',
  number: 'Decimal number',
  boolean: 'Yes/No',
  date: 'Date',
  datetime: 'Date and time',
}
export const COLUMN_ROLES = ['measure', 'dimension', 'time', 'id', 'currency'] as const
export type ColumnRole = (typeof COLUMN_ROLES)[number]

/** How a column's values are shown. Parsing never depends on it. */
export const columnFormatSchema = z.discriminatedUnion('style', [
  z.strictObject({ style: z.literal('plain') }),
  z.strictObject({ style: z.literal('percent') }),
  z.strictObject({ style: z.literal('currency'), currency: z.string().regex(/^[A-Z]{3}$/) }),
])
export type ColumnFormat = z.infer<typeof columnFormatSchema>

export const emptyMarkerSchema = z.string().min(1).max(8)

/** One column of a file as it will be loaded: proposed by inspection, editable by the person. */
export const fileColumnSchema = z.strictObject({
  /** 0-based position in the file. */
  index: z
    .int()
    .min(0)
    .max(DATASET_MAX_COLUMNS - 1),
  label: z.string().min(1).max(HEADER_MAX_CHARS),
  type: z.enum(COLUMN_TYPES),
  role: z.enum(COLUMN_ROLES),
  /** Decimals kept as a scaled integer (`number` only). */
  scale: z.int().min(0).max(4).optional(),
  /** True when a datetime carries an offset: an instant. False: a wall-clock time, never shifted. */
  zoned: z.boolean().optional(),
  format: columnFormatSchema,
  /** Position of the column of the file that says, row by row, which currency these amounts are in. */
  currencyIndex: z
    .int()
    .min(0)
    .max(DATASET_MAX_COLUMNS - 1)
    .optional(),
  /** Decimal mark and date order may differ by column. */
  decimalMark: z.enum(DECIMAL_MARKS).optional(),
  dateOrder: z.enum(DATE_ORDERS).optional(),
  /** Of dates: bare numbers are days as spreadsheets count them (45292 is 2024-01-01), or yymmdd (240101). Absent: they are no dates. */
  serialDates: z.literal(true).optional(),
  /** Its texts are months of years (2025-01, jan 2025): as a date each is the first day of its month. */
  months: z.literal(true).optional(),
  /** Of texts: what the file writes where there is no value (`NULL`), found among its values. */
  emptyMarker: emptyMarkerSchema.optional(),
  /** True: the marker is a value like any other. */
  keepsMarker: z.boolean().optional(),
  /** False: the column is not loaded. */
  include: z.boolean(),
})
export type FileColumn = z.infer<typeof fileColumnSchema>

/** Whether a column that is to be of this type holds day numbers: nothing else can be meant by dates of whole numbers. */
export const hasSerialDates = (found: Pick<FileColumn, 'type' | 'serialDates'>, type: ColumnType): boolean =>
  type === 'date' && (found.type === 'integer' || found.serialDates === true)

/** Something the person should know before loading. */
export interface FileWarning {
  code:
    | 'ragged_rows'
    | 'mixed_formats'
    | 'unfit_values'
    | 'ambiguous_numbers'
    | 'single_column'
    | 'duplicate_headers'
    | 'empty_headers'
    | 'comment_lines'
    | 'stray_quotes'
    | 'nul_bytes'
    | 'invalid_bytes'
    | 'empty_rows'
    | 'currency_column'
    | 'empty_marker'
    | 'ambiguous_dates'
    | 'totals_row'
    | 'merged_cells'
    | 'error_cells'
    | 'formulas_without_value'
    | 'durations'
    | 'hidden_sheet'
    | 'skipped_sheet'
    | 'several_tables'
    | 'unbalanced_voucher'
    | 'unbalanced_year'
    | 'undated_voucher'
    | 'voucher_number'
    | 'late_entry'
    | 'swapped_fields'
    | 'checksum'
    | 'encoding_declared'
    | 'encoding_unsure'
    | 'repeated_headers'
    | 'unknown_records'
    | 'nested_values'
    | 'skipped_entry'
  message: string
  line?: number
  column?: string
  /** What a press of a button can do about it: keep the column as text. */
  fix?: 'text'
}

/** What inspection found: everything the preview screen shows. */
export interface FileInspection {
  /** `csv`: a delimited text, whose settings can be corrected. Else the kind of file that the table came out of. */
  kind: FileKind
  settings: CsvSettings
  columns: FileColumn[]
  /** First rows as raw cell text, before typing. */
  preview: string[][]
  /** First rows as they will be loaded; a cell that cannot be read is `{ bad: text }`. */
  typedPreview: PreviewCell[][]
  /** Rows in the file; exact for small files, else estimated from the bytes. */
  rows: { count: number; exact: boolean }
  warnings: FileWarning[]
}
export type PreviewCell = string | number | boolean | null | { bad: string }

/** Kinds of file, each told by its bytes. */
const FILE_KINDS = ['csv', 'xlsx', 'xls', 'ods', 'json', 'ndjson', 'parquet', 'sie', 'zip'] as const
export type FileKind = (typeof FILE_KINDS)[number]

/** What a reader knows of a column without looking at its texts; laid over what inspection guesses from them. */
const columnHintSchema = z.strictObject({
  /** 0-based position in the table. */
  index: z.int().min(0),
  /** The column's name, when the table has no line of names of its own. */
  label: z.string().min(1).max(HEADER_MAX_CHARS).optional(),
  type: z.enum(COLUMN_TYPES).optional(),
  role: z.enum(COLUMN_ROLES).optional(),
  scale: z.int().min(0).max(4).optional(),
  zoned: z.boolean().optional(),
  format: columnFormatSchema.optional(),
})
export type ColumnHint = z.infer<typeof columnHintSchema>

/** One table of an opened file: an upload of its own, complete, inspected and loaded like any delimited text. */
export interface UploadTable {
  uploadId: string
  /** Sheet, child path, ledger table or file name. */
  name: string
  kind: FileKind
  /** For a table out of a zip: the file it came from. */
  entry?: string
  /** For one of several tables on a sheet: its cells, as `B3:E40`; in a text: its lines, as `3:40`. */
  range?: string
  rowCount: number
  columnCount: number
  /** Offered, but not chosen by itself: a hidden sheet, a table without rows, a sheet whose tables are offered. */
  optional: boolean
  /** Which of the ledger's tables this is (SIE). Re-import replaces by company and fiscal year. */
  ledger?: LedgerTable
  /** Of a ledger's table: the years that the file has figures, but no transactions of. Absent: none. */
  comparisonYears?: ComparisonYear[]
  warnings: FileWarning[]
}
/** A fiscal year beside the one that a ledger's file is of, and how many rows of a table are of it. */
export interface ComparisonYear {
  year: string
  rows: number
}
const LEDGER_TABLES = [
  'companies',
  'fiscal_years',
  'accounts',
  'balances',
  'period_balances',
  'budgets',
  'vouchers',
  'entries',
  'dimensions',
  'objects',
] as const
export type LedgerTable = (typeof LEDGER_TABLES)[number]

/** The tables of books, those that most is asked of first, as a person calls them. */
export const LEDGER_TABLE_LABELS: Record<LedgerTable, string> = {
  entries: 'Ledger entries',
  vouchers: 'Vouchers',
  accounts: 'Accounts',
  balances: 'Balances',
  period_balances: 'Period balances',
  budgets: 'Budgets',
  companies: 'Companies',
  fiscal_years: 'Fiscal years',
  dimensions: 'Dimensions',
  objects: 'Objects',
}

/** `POST /api/uploads/{id}/open`: the tables of a complete upload. A delimited text is its own single table. */
export interface OpenedUpload {
  kind: FileKind
  tables: UploadTable[]
  warnings: FileWarning[]
}

export const createUploadSchema = z.strictObject({
  fileName: z.string().min(1).max(300),
  size: z
    .int()
    .min(0)
    .max(FILE_MAX_BYTES * 100),
})
export type CreateUploadInput = z.infer<typeof createUploadSchema>

export interface Upload {
  id: string
  fileName: string
  size: number
  partBytes: number
  partCount: number
  /** Part numbers (1-based) already stored: an interrupted upload goes on after them. */
  received: number[]
  state: 'receiving' | 'complete'
  expiresAt: string
}
