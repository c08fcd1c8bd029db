import { unreadableError } from '../file-errors'
import { DELIMITER_SIGNS, ENCODING_LABELS } from '../../shared/data-sources/files'
import type { CsvSettings, FileColumn, FileWarning } from '../../shared/data-sources/files'
import { columnMapping, findTypeMismatches, settleTypeMismatches } from './type-mismatches'
import { inferColumns } from './infer-columns'
import { findHeading, type Heading } from './heading-lines'
import { createCsvReader } from '../csv/csv-reader'
import { isHeaderRow, makeColumnLabels, type ColumnLabels } from './header'
import { FOOTNOTES_MAX, sampleRows, type RowSample } from '../csv/sample-rows'
import { createRowParser } from '../values/row-parser'
import { buildTypedPreview } from '../../shared/values/typed-preview'
import type { ProductError } from '../../shared/errors'
import { DATASET_MAX_COLUMNS, PREVIEW_ROWS } from '../../shared/limits'
import type { FileSample, InspectFile } from '../contract'
import { tooManyColumnsError } from '../csv/csv-errors'
import { detectDialect, MOST_LINES } from '../csv/dialect'
import type { CsvRecord } from '../csv/dialect-trial'
import { checkDecoding, detectEncoding, decodeStart } from '../encoding/detect-encoding'
import type { LetterEvidence } from '../encoding/letter-statistics'
import { rejectBinaryContent, rejectOtherFormats } from '../csv/reject-other-formats'

const formatLineCount = (n: number): string => (n === 1 ? '1 line' : `${n} lines`)
const formatRowCount = (n: number): string => (n === 1 ? '1 row has' : `${n} rows have`)
const formatLabelList = (labels: string[]): string =>
  labels.length <= 5 ? labels.join(', ') : `${labels.slice(0, 5).join(', ')} and ${labels.length - 5} more`

interface FileShape {
  width: number
  labels: ColumnLabels
  columns: readonly FileColumn[]
  settings: CsvSettings
  bytes: { broken: boolean; nuls: boolean }
  /** Footnotes that the load will not take. */
  rejected?: readonly CsvRecord[]
}

/** Warnings about the shape of the file. */
export function structureWarnings(found: RowSample, at: FileShape): FileWarning[] {
  const { labels, bytes, width, rejected = [] } = at
  const all: FileWarning[] = []
  const { long } = found
  if (long.count > 0)
    all.push({
      code: 'ragged_rows',
      line: long.line,
      message: `${formatRowCount(long.count)} more values than the ${width} columns, first on line ${long.line}. These rows are rejected.`,
    })
  const short = found.short.count - rejected.length
  if (short > 0) {
    const line = rejected.some((record) => record.line === found.short.line) ? undefined : found.short.line
    all.push({
      code: 'ragged_rows',
      ...(line === undefined ? {} : { line }),
      message: `${formatRowCount(short)} fewer values than the ${width} columns${line === undefined ? '' : `, first on line ${line}`}. Missing values are left empty.`,
    })
  }
  const [unfit] = rejected
  if (unfit) all.push({ code: 'ragged_rows', line: unfit.line, message: rejectedMessage(rejected.length, unfit.line) })
  const named = (columns: number[]): string => formatLabelList(columns.map((column) => labels.labels[column] ?? ''))
  if (labels.duplicate.length > 0)
    all.push({
      code: 'duplicate_headers',
      message: `Duplicate column names were renamed: ${named(labels.duplicate)}.`,
    })
  // Of a column that is left out nobody needs the name.
  const unnamed = labels.empty.filter((column) => at.columns[column]?.include !== false)
  if (unnamed.length > 0) all.push({ code: 'empty_headers', message: `Unnamed columns were named: ${named(unnamed)}.` })
  if (found.comments > 0)
    all.push({
      code: 'comment_lines',
      message: `${formatLineCount(found.comments)} starting with ${at.settings.comment ?? '#'} ${found.comments === 1 ? 'was' : 'were'} skipped as comments.`,
    })
  all.push(...quoteWarnings(found.quotes))
  if (bytes.nuls) all.push({ code: 'nul_bytes', message: 'NUL bytes were removed.' })
  if (bytes.broken)
    all.push({
      code: 'invalid_bytes',
      message: 'Some bytes don’t fit the encoding and show as \ufffd. Try another encoding.',
    })
  return [...all, ...rowWarnings(found, at.settings)]
}

function quoteWarnings({ loose, looseLine, unclosed, unclosedLine }: RowSample['quotes']): FileWarning[] {
  const at = (count: number, line: number): string => `${count === 1 ? 'on' : 'first on'} line ${line}`
  const never = unclosed === 1 ? '1 quote is never closed' : `${unclosed} quotes are never closed`
  const after = loose === 1 ? '1 cell has text' : `${loose} cells have text`
  return [
    ...(unclosed === 0
      ? []
      : [quoteWarning(unclosedLine, `${never}, ${at(unclosed, unclosedLine)}, and read as text. Correct the file.`)]),
    ...(loose === 0
      ? []
      : [quoteWarning(looseLine, `${after} after a closing quote, ${at(loose, looseLine)}. Check those rows.`)]),
  ]
}

const quoteWarning = (line: number, message: string): FileWarning => ({ code: 'stray_quotes', line, message })

function rejectedMessage(count: number, line: number): string {
  if (count === 1) return `1 row doesn’t fit the columns, on line ${line}. This row is rejected.`
  const rows = count < FOOTNOTES_MAX ? `${count} rows` : `At least ${count} rows`
  return `${rows} don’t fit the columns, first on line ${line}. These rows are rejected.`
}

function rowWarnings({ count, totals }: RowSample, settings: CsvSettings): FileWarning[] {
  if (count <= (settings.header ? 1 : 0)) return [{ code: 'empty_rows', message: 'Column names but no rows' }]
  if (totals.count === 0) return []
  const many = totals.count > 1
  const where = totals.line === null ? 'near the end of the file' : `${many ? 'first ' : ''}on line ${totals.line}`
  const rows = `${many ? `${totals.count} rows look` : '1 row looks'} like a total of others (“${totals.word}”, ${where})`
  const message = settings.leaveOutTotals
    ? `${rows}. These rows are excluded.`
    : `${rows}. Totals double the sums: add the step “Remove total rows”.`
  return [{ code: 'totals_row', ...(totals.line === null ? {} : { line: totals.line }), message }]
}

const BINARY_CHECK_BYTES = 64 * 1024

export const inspectCsv: InspectFile = (sample, given = {}) => {
  rejectOtherFormats(sample.head)
  const letters = given.encoding ? { encoding: given.encoding, isSure: true } : sampleEncoding(sample)
  const { encoding } = letters
  const start = decodeStart(sample.head.subarray(0, BINARY_CHECK_BYTES), encoding)
  rejectBinaryContent(start)
  const whole = sample.head.length >= sample.size
  const { width: guessedWidth, ...dialect } = detectDialect({ head: sample.head, whole, encoding }, given)
  const reading = { encoding, ...dialect, ...(given.leaveOutTotals ? { leaveOutTotals: given.leaveOutTotals } : {}) }
  const { found, first, header, heading } = readShape(sample, { reading, given, width: guessedWidth })
  const width = header ? Math.max(guessedWidth, first.cells.length) : guessedWidth
  if (width > DATASET_MAX_COLUMNS) throw tooManyColumnsError(first.line)
  const labels = makeColumnLabels(header ? (heading?.names ?? first.cells) : null, width)
  const read = inferColumns(header ? found.rows : [first.cells, ...found.rows], labels.labels, {
    given,
    comma: dialect.delimiter === ';',
  })
  const lines = heading ? { skipLines: heading.from - 1, headerLines: heading.records } : {}
  const repeats = found.repeats.count > 0 ? { repeatedHeader: first.cells } : {}
  const settings: CsvSettings = { ...reading, ...lines, ...repeats, header, ...read.locale }
  const guessed = read.columns.map(({ column }) => column)
  const mismatches = findTypeMismatches(sample, guessed, { settings, found })
  const { columns, ...settled } = settleTypeMismatches(guessed, read.values, { mismatches, exact: whole })
  const checked = checkDecoding(sample.head, encoding, whole)
  const bytes = { ...checked, broken: checked.broken || start.includes('\ufffd') }
  const preview = [...(header ? [] : [first]), ...found.firstRows].slice(0, PREVIEW_ROWS).map(({ cells }) => cells)
  const loads = createRowParser(columns.filter(({ include }) => include).map(columnMapping), settings)
  const rejected = found.footnotes.filter(({ cells, line }) => !loads.parse(cells, line).ok)
  return {
    kind: 'csv',
    settings,
    columns,
    preview,
    typedPreview: buildTypedPreview(preview, columns, settings),
    rows: { count: found.count - (header ? 1 : 0), exact: found.exact },
    warnings: [
      ...encodingWarnings(letters),
      ...repeatWarnings(found),
      ...structureWarnings(found, { width, labels, columns, settings, bytes, rejected }),
      ...singleColumnWarnings(width, [first.cells, ...found.rows]),
      ...settled.warnings,
      ...read.warnings.filter((warning) => !settled.texts.has(warning.column ?? '')),
    ],
  }
}

/** The rows, and what names their columns. */
function readShape(
  sample: FileSample,
  { reading, given, width }: { reading: SampleReading; given: Partial<CsvSettings>; width: number },
): { found: RowSample; first: CsvRecord; header: boolean; heading: Heading | null } {
  const at = { width, previewRows: PREVIEW_ROWS, keepsRepeats: given.header === false }
  const plain = sampleRows(sample, reading, at)
  if (!plain.first) throw emptyFileError()
  const heading = given.header === undefined && given.skipLines === undefined ? headingOf(sample, reading, plain) : null
  const found = heading ? sampleRows(sample, { ...reading, skipLines: heading.to - 1 }, at) : plain
  const first = found.first ?? plain.first
  const header =
    given.header ??
    (heading !== null || isHeaderRow(first.cells, [...found.firstRows.map(({ cells }) => cells), ...found.rows]))
  // A first row that comes again is a row, unless it names the columns.
  if ((header && !heading) || found.repeats.count === 0) return { found, first, header, heading }
  const from = heading ? { ...reading, skipLines: heading.to - 1 } : reading
  return { found: sampleRows(sample, from, { ...at, keepsRepeats: true }), first, header, heading }
}

function repeatWarnings({ repeats: { count, line } }: RowSample): FileWarning[] {
  if (count === 0) return []
  const rows = count === 1 ? '1 row repeats' : `${count} rows repeat`
  const where = line === null ? '' : `, ${count === 1 ? '' : 'first '}on line ${line}`
  const message = `${rows} the header row${where}. ${count === 1 ? 'It is' : 'They are'} excluded.`
  return [{ code: 'repeated_headers', ...(line === null ? {} : { line }), message }]
}

function encodingWarnings({ encoding, isSure }: LetterEvidence): FileWarning[] {
  if (isSure) return []
  const message = `Encoding is unclear, read as ${ENCODING_LABELS[encoding]}. Check letters such as å, é and ö; change “Encoding” if they look wrong.`
  return [{ code: 'encoding_unsure', message }]
}

const SEPARATORS_SHOWN: Record<(typeof DELIMITER_SIGNS)[number], string> = {
  ',': 'a comma',
  ';': 'a semicolon',
  '\t': 'a tab',
  '|': 'a bar',
}

/** Lines that were not divided, though most of them hold the same separator. */
function singleColumnWarnings(width: number, rows: string[][]): FileWarning[] {
  if (width !== 1 || rows.length < 2) return []
  const held = DELIMITER_SIGNS.find(
    (delimiter) => rows.filter(([cell = '']) => cell.includes(delimiter)).length > rows.length * MOST_LINES,
  )
  if (held === undefined) return []
  const message = `Read as one column, though most lines hold ${SEPARATORS_SHOWN[held]}. Change “Delimiter” if it divides them.`
  return [{ code: 'single_column', message }]
}

function sampleEncoding({ head, middle, tail }: FileSample): LetterEvidence {
  return detectEncoding([head, ...(middle ? [middle] : []), ...(tail ? [tail] : [])])
}

const HEADING_BYTES = 64 * 1024
/** What settings take as `skipLines`. */
const SKIP_LINES_MAX = 100
type SampleReading = Parameters<typeof sampleRows>[1]

/** A heading over several lines, also where its upper one was taken for a title. */
function headingOf({ head }: FileSample, reading: SampleReading, plain: RowSample): Heading | null {
  const { first, firstRows, totals, repeats } = plain
  if (!first) return null
  let above: CsvRecord | undefined
  if (reading.skipLines > 0) {
    const onRecord = (cells: string[], line: number): void => {
      if (line < first.line) above = { cells, line }
    }
    const settings = { ...reading, header: false, skipLines: 0, leaveOutTotals: undefined }
    createCsvReader({ settings, startByte: 0, startLine: 1, onRecord }).push(head.subarray(0, HEADING_BYTES))
  }
  const heading = findHeading(first, firstRows, above)
  // Records that are left out may stand between its lines: the load would take one of them for the heading's second.
  const isApart = [totals, repeats].some(({ line }) => heading !== null && line !== null && line < heading.to)
  return isApart || (heading !== null && heading.from - 1 > SKIP_LINES_MAX) ? null : heading
}

function emptyFileError(): ProductError {
  return unreadableError('empty', 'The file is empty. Upload one with a header row and at least one row.')
}
