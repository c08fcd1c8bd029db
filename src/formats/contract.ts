import type { Column, RejectedRow } from '../shared/data-sources/data-sources'
import type {
  ColumnHint,
  ComparisonYear,
  CsvSettings,
  Encoding,
  FileColumn,
  FileInspection,
  FileKind,
  FileWarning,
  LedgerTable,
} from '../shared/data-sources/files'
import type { StorageValue } from '../lib/storage-value'
import type { InflationBudget } from './inflation-budget'

/** Pieces of a file for inspection. A small file comes whole in `head`; then `middle` and `tail` are absent. */
export interface FileSample {
  fileName: string
  size: number
  head: Uint8Array
  /** Cut anywhere: the reader drops the partial first and last record. */
  middle?: Uint8Array
  tail?: Uint8Array
}

/**
 * Kind, settings, columns and warnings from the bytes alone; `overrides` are what the person corrected.
 * @throws ProductError `file_unreadable` (with line) or `too_large` for what can never be loaded.
 */
export type InspectFile = (sample: FileSample, overrides?: Partial<CsvSettings>) => FileInspection

/** A push reader over bytes. `onRecord` gets the cells of one record (a fresh array) and its 1-based line. */
export interface CsvReader {
  /** Feeds bytes; calls `onRecord` for every record completed by them. */
  push(bytes: Uint8Array): void
  /** No more bytes: the last record needs no line end. */
  end(): void
  /** Where the next unread record begins, in bytes from the first byte pushed: a later reader can start there. */
  consumedBytes(): number
  /** Line at which that record begins (1-based, within the file when `startLine` was given). */
  nextLine(): number
}
/** Settings that say where a record's cells begin and end. */
export type CsvSyntaxSetting =
  | 'delimiter'
  | 'quote'
  | 'escape'
  | 'comment'
  | 'skipInitialSpace'
  | 'wrappedLines'
  | 'columnStarts'
export interface CsvReaderOptions {
  settings: Pick<
    CsvSettings,
    | CsvSyntaxSetting
    | 'encoding'
    | 'skipLines'
    | 'header'
    | 'headerLines'
    | 'numbered'
    | 'leaveOutTotals'
    | 'repeatedHeader'
  >
  /** 0 at the start of the file (BOM, skipped lines and header are dropped there), else a record boundary. */
  startByte: number
  startLine: number
  onRecord: (cells: string[], line: number) => void
}

/** One record where it lies: cells from `starts` to `ends`, of signs that are nothing but themselves. */
export interface ByteRecord {
  bytes: Uint8Array
  starts: Int32Array
  ends: Int32Array
  count: number
}
export type CreateCsvReader = (options: CsvReaderOptions) => CsvReader

/** A typed row, or why it cannot be one. Values are in the order of the typer's columns. */
export type ParsedRow = { ok: true; values: (StorageValue | [number])[] } | { ok: false; reject: RejectedRow }

/** How file columns become dataset columns. */
export interface ColumnMapping {
  column: Pick<Column, 'key' | 'label' | 'type' | 'scale' | 'zoned'>
  /** Position in the file, or null for a column of the dataset that this file does not have (NULL). */
  file: Pick<FileColumn, 'index' | 'decimalMark' | 'dateOrder' | 'serialDates' | 'months' | 'emptyMarker'> | null
}
/** Where typed cells are put, in the order of the typer's columns. */
export interface CellTarget {
  /** A number, NaN where the cell is empty; of a text its number, 0 where the cell is empty. */
  readonly cells: Float64Array
  /** What numbers the texts of each column; null for a column of another type. */
  readonly texts: readonly (TextNumbers | null)[]
}
export interface TextNumbers {
  codeOf(text: string): number
  /** The same of a text in UTF-8. */
  codeOfBytes(bytes: Uint8Array, start: number, end: number): number
}
export interface RowParser {
  parse(cells: string[], line: number): ParsedRow
  /**
   * Of a row that {@link parse} has just rejected: every column with a cell that it cannot read, by its position. Nothing
   * of the row is remembered.
   */
  unfit(cells: string[]): number[]
  /**
   * Types the cells of a record that was not decoded. False: it takes {@link parse} to say what they are, and what was
   * put into `to` counts for nothing.
   */
  parseBytes(record: ByteRecord, to: CellTarget): boolean
}
export type CreateRowParser = (
  columns: ColumnMapping[],
  settings: Pick<CsvSettings, 'decimalMark' | 'dateOrder'> & {
    /** Columns of the file, loaded or not: a row with more values than that is rejected. Absent: not checked. */
    fileWidth?: number
    /** Of records that are not decoded. */
    encoding?: Encoding
  },
) => RowParser

/** A stored file, read at will. Readers do no I/O of their own. */
export interface ByteSource {
  fileName: string
  size: number
  /** Of a file inside an archive: what the whole archive may still grow by. */
  inflation?: InflationBudget
  /** Exactly these bytes; fewer only at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array>
  /** All bytes from an offset on, in pieces of any length. */
  stream(offset?: number): ReadableStream<Uint8Array>
}

/** One table that a reader found in a file. */
export interface TableSpec {
  name: string
  optional?: boolean
  ledger?: LedgerTable
  /** Of a table that is a part of its sheet: its cells. */
  range?: string
}

/** Whole records of canonical text (see `csv/canonical-records.ts`). */
export interface RecordBlock {
  bytes: Uint8Array
  rows: number
  /** Cells of the widest record. */
  columns: number
}

/** Rows of one table, spelled out as text: numbers with a point, dates `2026-01-31`, moments `2026-01-31T12:00:00[Z]`. */
export interface TableRowWriter {
  /** `null` is an empty cell. `line` is the row or line in the file (1-based). Later rows may be wider than earlier ones. */
  add(cells: readonly (string | null)[], line: number): void
  /** Rows that are canonical text already, in order after those before. The bytes are handed over. */
  addRecords(block: RecordBlock): void
  /**
   * What is known of the columns once all rows were seen. When any hint has a label the table has no line of names among
   * its rows; else its names are looked for in them (a sheet).
   */
  describe(known: {
    hints?: ColumnHint[]
    warnings?: FileWarning[]
    optional?: boolean
    comparisonYears?: ComparisonYear[]
  }): void
}

/** Where a reader puts tables. Several may be open at a time. */
export interface TableSink {
  table(spec: TableSpec): TableRowWriter
  /** Stores what has been written so far and lets others have their turn: awaited after every chunk of some 64 kB. */
  flush(): Promise<void>
  /** Whether so much was written since the last flush that a reader flushes before it goes on. Absent: never. */
  isFlushDue?(): boolean
  /**
   * For a reader that holds rows before it hands them over: says how many characters of them are sure to be written.
   * @throws ProductError what writing them would
   */
  assertRoom?(chars: number): void
  /** Lets go of all tables that were begun. Absent: what was begun stays. */
  restart?(): Promise<void>
}

/**
 * Takes a file apart into tables. Bounded memory: what was added and flushed is no longer held.
 * @throws ProductError `file_unreadable` (reason, and line or sheet where known) or `too_large`.
 */
export type ExtractTables = (source: ByteSource, sink: TableSink) => Promise<{ warnings: FileWarning[] }>

/** One kind's reader, as the registry of kinds holds it. */
export interface FormatReader {
  kind: FileKind
  /** Whether these first bytes (up to 64 kB) are of this kind. */
  recognises(head: Uint8Array, fileName: string): boolean
  open: ExtractTables
}
