import { ProductError } from '../shared/errors'
import type { CsvSettings, DateOrder, DecimalMark, FileColumn, FileWarning } from '../shared/files'
import { DATASET_MAX_COLUMNS, PREVIEW_ROWS } from '../shared/limits'
import type { FileSample, InspectFile } from './contract'
import { tooManyColumnsError } from './csv-faults'
import { inferRole } from './column-roles'
import { inferType } from './column-types'
import type { InferredType, LocaleHint } from './column-types'
import { collectColumnStats } from './column-values'
import type { ColumnStats } from './column-values'
import { detectDialect } from './dialect'
import { checkDecoding, detectEncoding, decodeStart } from './encoding'
import { columnWarnings, structureWarnings } from './file-warnings'
import { isHeaderRow, makeColumnLabels } from './header'
import { currencyInLabel } from './label-currency'
import { isCurrencyCode } from './number-text'
import { buildTypedPreview } from './preview'
import { sampleRows } from './sample-rows'
import type { RowSample } from './sample-rows'
import { rejectBinaryContent, rejectOtherFormats } from './sniff'

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
  return {
    kind: 'csv',
    settings,
    columns,
    preview,
    typedPreview: buildTypedPreview(preview, columns, settings),
    rows: { count: found.count - (header ? 1 : 0), exact: found.exact },
    warnings: [...structureWarnings(found, { width, labels, settings, bytes }), ...read.warnings],
  }
}

function sampleEncoding({ head, middle, tail }: FileSample): CsvSettings['encoding'] {
  return detectEncoding([head, ...(middle ? [middle] : []), ...(tail ? [tail] : [])])
}

function emptyFileError(): ProductError {
  return new ProductError(
    'file_unreadable',
    { reason: 'empty' },
    'The file is empty. Upload one with a line of headings and at least one row.',
  )
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
  if (/^\s*\d+\./.test(example)) return { order: 'dmy', reason: 'as is usual with points' }
  if (at.comma) return { order: 'dmy', reason: 'as is usual where decimals have a comma' }
  if (/^\s*\d+-/.test(example)) return { order: 'dmy', reason: 'as is usual with hyphens' }
  return { order: 'mdy', reason: 'as is usual with slashes' }
}
