import { unreadableError } from '../file-errors'
import { CANONICAL_CSV } from '../csv/canonical-csv'
import type { FileSample } from '../contract'
import { findTypeMismatches, settleTypeMismatches } from './type-mismatches'
import { inferColumns } from './infer-columns'
import { structureWarnings } from './inspect-csv'
import { buildTypedPreview } from '../../shared/values/typed-preview'
import { createDiagnosticCsvReader } from '../csv/csv-reader'
import type { CsvRecord } from '../csv/dialect-trial'
import { isHeaderRow, makeColumnLabels, looksLikeLabels, type ColumnLabels } from './header'
import { sampleRows, type RowSample } from '../csv/sample-rows'
import type { ProductError } from '../../shared/errors'
import type { ColumnHint, CsvSettings, FileColumn, FileInspection, UploadTable } from '../../shared/data-sources/files'
import { PREVIEW_ROWS } from '../../shared/limits'

/** What is known of a table that was taken out of another file. */
export interface TableMetadata extends Pick<UploadTable, 'kind' | 'rowCount' | 'columnCount' | 'warnings'> {
  hints: ColumnHint[]
  /** How numbers and dates may be written, where its texts are those of a file; absent: as canonical text has them. */
  locale?: { given: Partial<CsvSettings>; comma: boolean }
}
type TableOverrides = Pick<Partial<CsvSettings>, 'header' | 'skipLines' | 'leaveOutTotals'>

const START_BYTES = 256 * 1024
const START_RECORDS = 400
/** What settings take as `skipLines`. */
const TITLE_LINES_MAX = 100

/**
 * Columns of a table in canonical text: what its reader knew is laid over what its texts look like. Only its names can be
 * corrected (`header`, `skipLines`), and only when the reader did not know them; totals can be left out.
 * @throws ProductError `file_unreadable` for a table without names and rows.
 */
export function inspectTable(sample: FileSample, table: TableMetadata, overrides: TableOverrides = {}): FileInspection {
  const named = table.hints.some(({ label }) => label !== undefined)
  const titles = named ? { lines: 0, records: 0 } : findTitleRows(sample, overrides)
  const totals = overrides.leaveOutTotals ? { leaveOutTotals: overrides.leaveOutTotals } : {}
  const start = { ...CANONICAL_CSV, skipLines: titles.lines, ...totals }
  const found = sampleRows(sample, start, { width: table.columnCount, previewRows: PREVIEW_ROWS })
  const { first } = found
  if (table.columnCount === 0 || (!first && !named)) throw emptyTableError()
  const header = !named && (overrides.header ?? (first !== null && hasHeaderRow(first, found)))
  const labels = tableLabels(table, header ? (first?.cells ?? null) : null)
  const rows = first && !header ? [first.cells, ...found.rows] : found.rows
  // Dates of the file itself are ISO; in its texts they may be written in any order.
  const locale = table.locale ?? { given: { decimalMark: CANONICAL_CSV.decimalMark }, comma: false }
  const read = inferColumns(rows, labels.labels, locale)
  const hints = new Map(table.hints.map((hint) => [hint.index, hint]))
  const guessed = read.columns.map(({ column }) => applyColumnHint(column, hints.get(column.index)))
  const known = new Set<string | undefined>(
    guessed.flatMap(({ index, label }) => (hints.get(index)?.type ? [label] : [])),
  )
  const settings: CsvSettings = { ...start, header }
  const mismatches = findTypeMismatches(sample, guessed, { settings, found })
  const exact = sample.head.length >= sample.size
  const { columns, ...settled } = settleTypeMismatches(guessed, read.values, { mismatches, exact })
  const preview = [...(first && !header ? [first] : []), ...found.firstRows].slice(0, PREVIEW_ROWS)
  const cells = preview.map((record) => record.cells)
  const leftOut = overrides.leaveOutTotals ? found.totals.count : 0
  const count = Math.max(0, table.rowCount - titles.records - (header ? 1 : 0) - leftOut)
  const shape = { ...found, ...NOT_RAGGED, count: header ? count + 1 : count }
  return {
    kind: table.kind,
    settings,
    columns,
    preview: cells,
    typedPreview: buildTypedPreview(cells, columns, settings),
    rows: { count, exact: true },
    warnings: [
      ...table.warnings,
      ...structureWarnings(shape, { width: table.columnCount, labels, columns, settings, bytes: INTACT_BYTES }),
      ...settled.warnings,
      ...read.warnings.filter(({ column }) => !known.has(column) && !settled.texts.has(column ?? '')),
    ],
  }
}

/** Rows of a table may be shorter than it is wide: cells that are empty to the end need not be there. */
const NOT_RAGGED = { short: { count: 0, line: 0 }, long: { count: 0, line: 0 } }
const INTACT_BYTES = { broken: false, nuls: false }

const emptyTableError = (): ProductError => unreadableError('empty', 'This table has no rows. Choose another table.')

const hasHeaderRow = (first: CsvRecord, found: RowSample): boolean =>
  isHeaderRow(first.cells, [...found.firstRows.map(({ cells }) => cells), ...found.rows])

function tableLabels({ hints, columnCount }: TableMetadata, first: string[] | null): ColumnLabels {
  const names: string[] | null = first && [...first]
  const known = hints.filter(({ label }) => label !== undefined)
  if (!names && known.length === 0) return makeColumnLabels(null, columnCount)
  const all = names ?? Array.from({ length: columnCount }, () => '')
  for (const { index, label } of known) all[index] = label ?? ''
  return makeColumnLabels(all, columnCount)
}

/** Titles above the names of a sheet, in lines of the canonical text and in records. */
function findTitleRows({ head }: FileSample, overrides: TableOverrides): { lines: number; records: number } {
  const records: CsvRecord[] = []
  const reader = createDiagnosticCsvReader({
    // As plain text: the lines counted are those of this text, and the first cell is the number.
    settings: { ...CANONICAL_CSV, numbered: undefined, header: false, skipLines: 0 },
    startByte: 0,
    startLine: 1,
    onRecord: ([, ...cells], line) => records.push({ cells, line }),
  })
  reader.push(head.subarray(0, START_BYTES))
  if (overrides.skipLines !== undefined) {
    const { skipLines } = overrides
    return { lines: skipLines, records: records.filter(({ line }) => line <= skipLines).length }
  }
  const count = countSheetTitleRows(records.slice(0, START_RECORDS))
  const lines = (records[count]?.line ?? 1) - 1
  return lines > TITLE_LINES_MAX ? { lines: 0, records: 0 } : { lines, records: count }
}

const filledCellCount = ({ cells }: CsvRecord): number => cells.filter((cell) => cell !== '').length

/** Rows at the top that fill at most half as many cells as most rows do, before one of names that fills more. */
function countSheetTitleRows(records: CsvRecord[]): number {
  const counts = records.map(filledCellCount).sort((a, b) => a - b)
  const typical = counts[Math.floor(counts.length * 0.75)] ?? 0
  if (typical < 2) return 0
  const count = records.findIndex((record) => filledCellCount(record) > typical / 2)
  const first = records[count]
  const below = records.slice(count + 1).map(({ cells }) => cells)
  return first && (looksLikeLabels(first.cells) || isHeaderRow(first.cells, below)) ? count : 0
}

/** A column as its reader knows it. The guess fills what the reader left open. */
function applyColumnHint(column: FileColumn, hint: ColumnHint | undefined): FileColumn {
  if (!hint) return column
  const type = hint.type ?? column.type
  const {
    scale: guessedScale,
    zoned: guessedZone,
    decimalMark,
    dateOrder,
    serialDates,
    months,
    emptyMarker,
    ...rest
  } = column
  const wholes = column.type === 'integer' ? 0 : guessedScale
  const scale = type === 'number' ? (hint.scale ?? wholes) : undefined
  const zoned = type === 'datetime' ? (hint.zoned ?? guessedZone ?? false) : undefined
  return {
    ...rest,
    type,
    role: hint.role ?? roleForType(column, type),
    format: hint.format ?? (hint.type === undefined || hint.type === column.type ? column.format : { style: 'plain' }),
    ...(scale === undefined ? {} : { scale }),
    ...(zoned === undefined ? {} : { zoned }),
    // What the reader itself spelled out needs neither; texts of the file may be written in any way.
    ...(hint.type !== undefined || decimalMark === undefined ? {} : { decimalMark }),
    ...(hint.type !== undefined || dateOrder === undefined ? {} : { dateOrder }),
    ...(hint.type !== undefined || serialDates === undefined ? {} : { serialDates }),
    ...(hint.type !== undefined || months === undefined ? {} : { months }),
    ...(hint.type !== undefined || emptyMarker === undefined ? {} : { emptyMarker }),
  }
}

function roleForType(column: FileColumn, type: FileColumn['type']): FileColumn['role'] {
  if (type === column.type) return column.role
  if (type === 'date' || type === 'datetime') return 'time'
  return (type === 'number' || type === 'integer') && column.role !== 'id' ? 'measure' : 'dimension'
}
