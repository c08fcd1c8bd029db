import { unreadableError } from '../file-errors'
import type {
  CsvSettings,
  FileColumn,
  FileWarning,
  PreviewCell,
  DateOrder,
  DecimalMark,
} from '../../shared/data-sources/files'
import { inferType, collectColumnStats, type InferredType, type LocaleHint, type ColumnStats } from './column-types'
import { isHeaderRow, makeColumnLabels, type ColumnLabels } from './header'
import { FOOTNOTES_MAX, sampleRows, type RowSample } from '../csv/sample-rows'
import { formatIsoDateTime } from '../values/parse-date'
import { isoFromDay } from '../../shared/dates'
import { createRowParser } from '../values/row-parser'
import type { ProductError } from '../../shared/errors'
import { DATASET_MAX_COLUMNS, PREVIEW_ROWS } from '../../shared/limits'
import type { ColumnMapping, FileSample, InspectFile } from '../contract'
import { tooManyColumnsError } from '../csv/csv-errors'
import { inferRole } from './column-roles'
import { detectDialect, type CsvRecord } from '../csv/dialect'
import { checkDecoding, detectEncoding, decodeStart } from '../encoding/detect-encoding'
import { currencyInLabel } from './label-currency'
import { isCurrencyCode } from '../values/parse-number'
import { rejectBinaryContent, rejectOtherFormats } from '../csv/reject-other-formats'

const formatLineCount = (n: number): string => (n === 1 ? '1 line' : `${n} lines`)
const formatRowCount = (n: number): string => (n === 1 ? '1 row has' : `${n} rows have`)
const formatLabelList = (labels: string[]): string =>
  labels.length <= 5 ? labels.join(', ') : `${labels.slice(0, 5).join(', ')} and ${labels.length - 5} more`

interface FileShape {
  width: number
  labels: ColumnLabels
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
  if (labels.empty.length > 0)
    all.push({ code: 'empty_headers', message: `Unnamed columns were named: ${named(labels.empty)}.` })
  if (found.comments > 0)
    all.push({
      code: 'comment_lines',
      message: `${formatLineCount(found.comments)} starting with # were skipped as comments.`,
    })
  if (bytes.nuls) all.push({ code: 'nul_bytes', message: 'NUL bytes were removed.' })
  if (bytes.broken)
    all.push({
      code: 'invalid_bytes',
      message: 'Some bytes don’t fit the encoding and show as \ufffd. Try another encoding.',
    })
  return [...all, ...rowWarnings(found, at.settings)]
}

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
    : `${rows}. Totals double the sums: set “Total rows” to “Exclude”.`
  return [{ code: 'totals_row', ...(totals.line === null ? {} : { line: totals.line }), message }]
}

const MIXED_MESSAGES: Record<NonNullable<InferredType['mixed']>, string> = {
  numbers: 'mixes number formats, or numbers and words. Kept as text.',
  dates: 'mixes date formats, or dates and words. Kept as text.',
  currencies: 'mixes currencies. Kept as text, so they aren’t added up.',
  percents: 'mixes percentages and plain numbers. Kept as text.',
  zones: 'mixes times with and without a time zone. Kept as text.',
}

const DATE_ORDER_WORDS = { dmy: 'day first', mdy: 'month first', ymd: 'year first' } as const

/** Warnings about one column. */
function columnWarnings(column: FileColumn, guess: InferredType, reason: string): FileWarning[] {
  const { label } = column
  const all: FileWarning[] = []
  if (guess.mixed)
    all.push({ code: 'mixed_formats', column: label, message: `“${label}” ${MIXED_MESSAGES[guess.mixed]}` })
  if (!guess.sure.order && guess.dateOrder)
    all.push({
      code: 'ambiguous_dates',
      column: label,
      message: `“${label}” could be day first or month first. Read ${DATE_ORDER_WORDS[guess.dateOrder]}, ${reason}. Change it if wrong.`,
    })
  if (!guess.sure.mark && guess.decimalMark)
    all.push({
      code: 'mixed_formats',
      column: label,
      message: `“${label}” could hold decimals or thousands. Read with a decimal ${guess.decimalMark === '.' ? 'point' : 'comma'}. Change it if wrong.`,
    })
  if (column.role === 'currency')
    all.push({
      code: 'currency_column',
      column: label,
      message: `“${label}” holds currencies. Set it as the currency column of its amounts.`,
    })
  return all
}

type PreviewDefaults = Pick<CsvSettings, 'decimalMark' | 'dateOrder'>
type CellFormatter = (cells: string[]) => PreviewCell

const columnMapping = ({ index, label, type, scale, zoned, decimalMark, dateOrder }: FileColumn): ColumnMapping => ({
  column: {
    ...{ key: 'c0', label, type },
    ...(scale === undefined ? {} : { scale }),
    ...(zoned === undefined ? {} : { zoned }),
  },
  file: { index, decimalMark, dateOrder },
})

/** Reads cells of one column as the load will, and shows them as values. */
function columnFormatter(column: FileColumn, defaults: PreviewDefaults): CellFormatter {
  const { index, type, scale, zoned } = column
  const typer = createRowParser([columnMapping(column)], defaults)
  return (cells) => {
    const typed = typer.parse(cells, 1)
    if (!typed.ok) return { bad: cells[index] ?? '' }
    const [value = null] = typed.values
    if (Array.isArray(value)) return value[0]
    if (typeof value !== 'number') return value
    switch (type) {
      case 'boolean':
        return value === 1
      case 'date':
        return isoFromDay(value)
      case 'datetime':
        return formatIsoDateTime(value, zoned === true)
      case 'number':
        return scale === undefined ? value : value / 10 ** scale
      case 'integer':
      case 'text':
        return value
    }
  }
}

/** First rows as they will be loaded; a cell that cannot be read is `{ bad: text }`. */
export function buildTypedPreview(rows: string[][], columns: FileColumn[], defaults: PreviewDefaults): PreviewCell[][] {
  const shows = columns.map((column) => columnFormatter(column, defaults))
  return rows.map((cells) => shows.map((show) => show(cells)))
}

const BINARY_CHECK_BYTES = 64 * 1024
type GivenSettings = Partial<CsvSettings>

export const inspectCsv: InspectFile = (sample, given = {}) => {
  rejectOtherFormats(sample.head)
  const encoding = given.encoding ?? sampleEncoding(sample)
  const start = decodeStart(sample.head.subarray(0, BINARY_CHECK_BYTES), encoding)
  rejectBinaryContent(start)
  const whole = sample.head.length >= sample.size
  const { width: guessedWidth, ...dialect } = detectDialect({ head: sample.head, whole, encoding }, given)
  const reading = { encoding, ...dialect, ...(given.leaveOutTotals ? { leaveOutTotals: given.leaveOutTotals } : {}) }
  const found = sampleRows(sample, reading, { width: guessedWidth, previewRows: PREVIEW_ROWS })
  const { first } = found
  if (!first) throw emptyFileError()
  const header = given.header ?? isHeaderRow(first.cells, [...found.firstRows.map(({ cells }) => cells), ...found.rows])
  const width = header ? Math.max(guessedWidth, first.cells.length) : guessedWidth
  if (width > DATASET_MAX_COLUMNS) throw tooManyColumnsError(first.line)
  const labels = makeColumnLabels(header ? first.cells : null, width)
  const read = inferColumns(header ? found.rows : [first.cells, ...found.rows], labels.labels, {
    given,
    comma: dialect.delimiter === ';',
  })
  const settings: CsvSettings = { ...reading, header, ...read.locale }
  const columns = read.columns.map(({ column }) => column)
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
    warnings: [...structureWarnings(found, { width, labels, settings, bytes, rejected }), ...read.warnings],
  }
}

function sampleEncoding({ head, middle, tail }: FileSample): CsvSettings['encoding'] {
  return detectEncoding([head, ...(middle ? [middle] : []), ...(tail ? [tail] : [])])
}

function emptyFileError(): ProductError {
  return unreadableError('empty', 'The file is empty. Upload one with a header row and at least one row.')
}

export interface InferredColumns {
  columns: { column: FileColumn; guess: InferredType }[]
  locale: { decimalMark: DecimalMark; dateOrder: DateOrder }
  warnings: FileWarning[]
}

/** Types every column twice: what some columns prove settles what others leave open. */
export function inferColumns(
  rows: RowSample['rows'],
  labels: string[],
  at: { given: GivenSettings; comma: boolean },
): InferredColumns {
  const values = labels.map((_, i) =>
    collectColumnStats(
      rows.map((cells) => cells[i] ?? ''),
      isCurrencyCode,
    ),
  )
  const start: LocaleHint = {
    decimalMark: at.given.decimalMark ?? (at.comma ? ',' : '.'),
    dateOrder: at.given.dateOrder ?? null,
  }
  const independentTypes = values.map((found, i) => inferType(found, labels[i] ?? '', start))
  const decimalMark = at.given.decimalMark ?? majorityDecimalMark(values, independentTypes) ?? start.decimalMark
  const order = chooseDateOrder({
    rows,
    alone: independentTypes,
    comma: decimalMark === ',' || at.comma,
    given: at.given.dateOrder,
  })
  const columns = values.map((found, i) => {
    const label = labels[i] ?? ''
    const guessed = inferType(found, label, { decimalMark, dateOrder: order.order })
    // What a person or the kind of file has settled is no question any more.
    const sure = { ...guessed.sure, mark: guessed.sure.mark || at.given.decimalMark !== undefined }
    const guess = { ...guessed, sure }
    return { guess, column: toFileColumn({ index: i, label }, guess, found) }
  })
  const datedOrder = columns.find(({ guess }) => guess.dateOrder !== undefined && guess.dateOrder !== 'ymd')?.guess
    .dateOrder
  return {
    columns,
    locale: { decimalMark, dateOrder: at.given.dateOrder ?? datedOrder ?? 'ymd' },
    warnings: columns.flatMap(({ column, guess }) => columnWarnings(column, guess, order.reason)),
  }
}

function toFileColumn(at: { index: number; label: string }, guess: InferredType, values: ColumnStats): FileColumn {
  const { type, format, scale, zoned, decimalMark, dateOrder } = guess
  const role = inferRole(type, at.label, values)
  const named = role === 'measure' && format.style === 'plain' ? currencyInLabel(at.label) : null
  const nameless = at.label === `Column ${at.index + 1}`
  return {
    ...at,
    type,
    role,
    format: named === null ? format : { style: 'currency', currency: named },
    // A column with neither name nor value is what a separator at the line's end leaves behind.
    include: !(nameless && values.filled === 0),
    ...(scale === undefined ? {} : { scale }),
    ...(zoned === undefined ? {} : { zoned }),
    ...(decimalMark === undefined ? {} : { decimalMark }),
    ...(dateOrder === undefined ? {} : { dateOrder }),
  }
}

/** The mark that more columns prove by values that only it can read. */
function majorityDecimalMark(values: ColumnStats[], guesses: InferredType[]): DecimalMark | null {
  let lead = 0
  values.forEach((found, i) => {
    if (guesses[i]?.type === 'number') lead += Math.sign(found.numbers['.'].marked - found.numbers[','].marked)
  })
  return lead === 0 ? null : lead > 0 ? '.' : ','
}

interface DateOrderChoice {
  order: DateOrder
  reason: string
}

/** Which order to take where the values allow both, and why, in words. */
function chooseDateOrder(at: {
  rows: string[][]
  alone: InferredType[]
  comma: boolean
  given: DateOrder | undefined
}): DateOrderChoice {
  if (at.given !== undefined) return { order: at.given, reason: 'as you chose' }
  const proven = at.alone.filter(({ sure, dateOrder }) => sure.order && dateOrder !== undefined && dateOrder !== 'ymd')
  const [known] = proven
  if (known?.dateOrder) return { order: known.dateOrder, reason: 'like the other dates of the file' }
  const open = at.alone.findIndex(({ sure }) => !sure.order)
  const example = open < 0 ? '' : (at.rows.find((cells) => (cells[open] ?? '') !== '')?.[open] ?? '')
  if (/[ap]\.?m\.?/i.test(example)) return { order: 'mdy', reason: 'as times are written with AM and PM' }
  if (/^\s*\d+\./.test(example)) return { order: 'dmy', reason: 'the usual order with points' }
  if (at.comma) return { order: 'dmy', reason: 'the usual order with decimal commas' }
  if (/^\s*\d+-/.test(example)) return { order: 'dmy', reason: 'the usual order with hyphens' }
  return { order: 'mdy', reason: 'the usual order with slashes' }
}
