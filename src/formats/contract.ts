import type { Column, RejectedRow } from '../shared/sources'
import type { CsvSettings, FileColumn, FileInspection } from '../shared/files'
import type { StorageValue } from '../warehouse/contract'

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
export interface CsvReaderOptions {
  settings: Pick<CsvSettings, 'encoding' | 'delimiter' | 'quote' | 'escape' | 'skipLines' | 'comment' | 'header'>
  /** 0 at the start of the file (BOM, skipped lines and header are dropped there), else a record boundary. */
  startByte: number
  startLine: number
  onRecord: (cells: string[], line: number) => void
}
export type CreateCsvReader = (options: CsvReaderOptions) => CsvReader

/** A typed row, or why it cannot be one. Values are in the order of the typer's columns. */
export type TypedRow = { ok: true; values: (StorageValue | [number])[] } | { ok: false; reject: RejectedRow }

/** How file columns become dataset columns. */
export interface TypedColumn {
  column: Pick<Column, 'key' | 'label' | 'type' | 'scale' | 'zoned'>
  /** Position in the file, or null for a column of the dataset that this file does not have (NULL). */
  file: Pick<FileColumn, 'index' | 'decimalMark' | 'dateOrder'> | null
}
export interface RowTyper {
  type(cells: string[], line: number): TypedRow
  /** `number` columns whose values did not fit their scale so far (see `StageBatch.widened`). */
  widened(): { key: Column['key']; decimals: number | null }[]
}
export type CreateRowTyper = (
  columns: TypedColumn[],
  settings: Pick<CsvSettings, 'decimalMark' | 'dateOrder'> & {
    /** Columns of the file, loaded or not: a row with more values than that is rejected. Absent: not checked. */
    fileWidth?: number
  },
) => RowTyper
