import { ProductError } from '../shared/errors'
import type { CsvSettings, DateOrder, DecimalMark, FileColumn, FileWarning } from '../shared/files'
import { DATASET_MAX_COLUMNS, PREVIEW_ROWS } from '../shared/limits'
import type { FileSample, InspectFile } from './contract'
import { tooManyColumns } from './csv-faults'
import { guessRole } from './column-roles'
import { guessType } from './column-types'
import type { GuessedType, Leaning } from './column-types'
import { countValues } from './column-values'
import type { ColumnValues } from './column-values'
import { detectDialect } from './dialect'
import { checkBytes, detectEncoding, textOf } from './encoding'
import { columnWarnings, shapeWarnings } from './file-warnings'
import { isHeader, labelsFrom } from './header'
import { currencyInLabel } from './label-currency'
import { isCurrencyCode } from './number-text'
import { typedPreview } from './preview'
import { sampleRows } from './sample-rows'
import type { SampledRows } from './sample-rows'
import { refuseNoise, refuseOtherKinds } from './sniff'

const NOISE_BYTES = 64 * 1024
type Given = Partial<CsvSettings>

export const inspectCsv: InspectFile = (sample, given = {}) => {
  refuseOtherKinds(sample.head)
  const encoding = given.encoding ?? encodingOf(sample)
  const start = textOf(sample.head.subarray(0, NOISE_BYTES), encoding)
  refuseNoise(start)
  const whole = sample.head.length >= sample.size
  const { width: guessedWidth, ...dialect } = detectDialect({ head: sample.head, whole, encoding }, given)
  const reading = { encoding, ...dialect, ...(given.leaveOutTotals ? { leaveOutTotals: given.leaveOutTotals } : {}) }
  const found = sampleRows(sample, reading, { width: guessedWidth, previewRows: PREVIEW_ROWS })
  const { first } = found
  if (!first) throw emptyFile()
  const header = given.header ?? isHeader(first.cells, [...found.firstRows.map(({ cells }) => cells), ...found.rows])
  const width = header ? Math.max(guessedWidth, first.cells.length) : guessedWidth
  if (width > DATASET_MAX_COLUMNS) throw tooManyColumns(first.line)
  const labels = labelsFrom(header ? first.cells : null, width)
  const read = readColumns(header ? found.rows : [first.cells, ...found.rows], labels.labels, {
    given,
    comma: dialect.delimiter === ';',
  })
  const settings: CsvSettings = { ...reading, header, ...read.leaning }
  const columns = read.columns.map(({ column }) => column)
  const checked = checkBytes(sample.head, encoding, whole)
  const bytes = { ...checked, broken: checked.broken || start.includes('\ufffd') }
  const preview = [...(header ? [] : [first]), ...found.firstRows].slice(0, PREVIEW_ROWS).map(({ cells }) => cells)
  return {
    kind: 'csv',
    settings,
    columns,
    preview,
    typedPreview: typedPreview(preview, columns, settings),
    rows: { count: found.count - (header ? 1 : 0), exact: found.exact },
    warnings: [...shapeWarnings(found, { width, labels, settings, bytes }), ...read.warnings],
  }
}

function encodingOf({ head, middle, tail }: FileSample): CsvSettings['encoding'] {
  return detectEncoding([head, ...(middle ? [middle] : []), ...(tail ? [tail] : [])])
}

function emptyFile(): ProductError {
  return new ProductError(
    'file_unreadable',
    { reason: 'empty' },
    'The file is empty. Upload one with a line of headings and at least one row.',
  )
}

export interface ReadColumns {
  columns: { column: FileColumn; guess: GuessedType }[]
  leaning: { decimalMark: DecimalMark; dateOrder: DateOrder }
  warnings: FileWarning[]
}

/** Types every column twice: what some columns prove settles what others leave open. */
export function readColumns(
  rows: SampledRows['rows'],
  labels: string[],
  at: { given: Given; comma: boolean },
): ReadColumns {
  const values = labels.map((_, i) =>
    countValues(
      rows.map((cells) => cells[i] ?? ''),
      isCurrencyCode,
    ),
  )
  const start: Leaning = {
    decimalMark: at.given.decimalMark ?? (at.comma ? ',' : '.'),
    dateOrder: at.given.dateOrder ?? null,
  }
  const alone = values.map((found, i) => guessType(found, labels[i] ?? '', start))
  const decimalMark = at.given.decimalMark ?? provenMark(values, alone) ?? start.decimalMark
  const order = leaningOrder({ rows, alone, comma: decimalMark === ',' || at.comma, given: at.given.dateOrder })
  const columns = values.map((found, i) => {
    const label = labels[i] ?? ''
    const guessed = guessType(found, label, { decimalMark, dateOrder: order.order })
    // What a person or the kind of file has settled is no question any more.
    const sure = { ...guessed.sure, mark: guessed.sure.mark || at.given.decimalMark !== undefined }
    const guess = { ...guessed, sure }
    return { guess, column: fileColumn({ index: i, label }, guess, found) }
  })
  const dated = columns.find(({ guess }) => guess.dateOrder !== undefined && guess.dateOrder !== 'ymd')?.guess.dateOrder
  return {
    columns,
    leaning: { decimalMark, dateOrder: at.given.dateOrder ?? dated ?? 'ymd' },
    warnings: columns.flatMap(({ column, guess }) => columnWarnings(column, guess, order.reason)),
  }
}

function fileColumn(at: { index: number; label: string }, guess: GuessedType, values: ColumnValues): FileColumn {
  const { type, format, scale, zoned, decimalMark, dateOrder } = guess
  const role = guessRole(type, at.label, values)
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
function provenMark(values: ColumnValues[], guesses: GuessedType[]): DecimalMark | null {
  let lead = 0
  values.forEach((found, i) => {
    if (guesses[i]?.type === 'number') lead += Math.sign(found.numbers['.'].marked - found.numbers[','].marked)
  })
  return lead === 0 ? null : lead > 0 ? '.' : ','
}

interface OrderLeaning {
  order: DateOrder
  reason: string
}

/** Which order to take where the values allow both, and why, in words. */
function leaningOrder(at: {
  rows: string[][]
  alone: GuessedType[]
  comma: boolean
  given: DateOrder | undefined
}): OrderLeaning {
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
