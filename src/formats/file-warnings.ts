import type { CsvSettings, FileColumn, FileWarning } from '../shared/files'
import type { InferredType } from './column-types'
import type { ColumnLabels } from './header'
import type { RowSample } from './sample-rows'

const formatLineCount = (n: number): string => (n === 1 ? '1 line' : `${n} lines`)
const formatRowCount = (n: number): string => (n === 1 ? '1 row has' : `${n} rows have`)
const formatLabelList = (labels: string[]): string =>
  labels.length <= 5 ? labels.join(', ') : `${labels.slice(0, 5).join(', ')} and ${labels.length - 5} more`

/** Warnings about the shape of the file. */
export function structureWarnings(
  found: RowSample,
  at: { width: number; labels: ColumnLabels; settings: CsvSettings; bytes: { broken: boolean; nuls: boolean } },
): FileWarning[] {
  const { labels, bytes, width } = at
  const all: FileWarning[] = []
  const { long, short } = found
  if (long.count > 0)
    all.push({
      code: 'ragged_rows',
      line: long.line,
      message: `${formatRowCount(long.count)} more values than the ${width} columns, first on line ${long.line}. Such rows are rejected.`,
    })
  if (short.count > 0)
    all.push({
      code: 'ragged_rows',
      line: short.line,
      message: `${formatRowCount(short.count)} fewer values than the ${width} columns, first on line ${short.line}. What is missing is left empty.`,
    })
  const named = (columns: number[]): string => formatLabelList(columns.map((column) => labels.labels[column] ?? ''))
  if (labels.duplicate.length > 0)
    all.push({
      code: 'duplicate_headers',
      message: `Headings that appear twice were told apart: ${named(labels.duplicate)}.`,
    })
  if (labels.empty.length > 0)
    all.push({ code: 'empty_headers', message: `Columns without a heading were given one: ${named(labels.empty)}.` })
  if (found.comments > 0)
    all.push({
      code: 'comment_lines',
      message: `${formatLineCount(found.comments)} beginning with # were left out as comments.`,
    })
  if (bytes.nuls) all.push({ code: 'nul_bytes', message: 'The file holds NUL bytes. They are left out.' })
  if (bytes.broken)
    all.push({
      code: 'invalid_bytes',
      message: 'Some bytes do not fit the encoding and show as \ufffd. Try another encoding if words look wrong.',
    })
  return [...all, ...rowWarnings(found, at.settings)]
}

function rowWarnings({ count, totals }: RowSample, settings: CsvSettings): FileWarning[] {
  if (count <= (settings.header ? 1 : 0)) return [{ code: 'empty_rows', message: 'The file has headings and no rows.' }]
  if (totals.count === 0) return []
  const many = totals.count > 1
  const where = totals.line === null ? 'near the end of the file' : `${many ? 'first ' : ''}on line ${totals.line}`
  const rows = `${many ? `${totals.count} rows look` : '1 row looks'} like a total of others (“${totals.word}”, ${where})`
  const message = settings.leaveOutTotals
    ? `${rows}. Such rows are left out.`
    : `${rows}. Counted as a row it doubles the sums: choose “Leave out” under “Total rows”, unless it is data.`
  return [{ code: 'totals_row', ...(totals.line === null ? {} : { line: totals.line }), message }]
}

const MIXED_MESSAGES: Record<NonNullable<InferredType['mixed']>, string> = {
  numbers: 'mixes ways of writing numbers, or numbers and words. It stays text.',
  dates: 'mixes ways of writing dates, or dates and words. It stays text.',
  currencies: 'mixes currencies. It stays text, so that they are not added up.',
  percents: 'mixes percentages and plain numbers. It stays text.',
  zones: 'mixes times with and without a time zone. It stays text.',
}

const DATE_ORDER_WORDS = { dmy: 'day first', mdy: 'month first', ymd: 'year first' } as const

/** Warnings about one column. */
export function columnWarnings(column: FileColumn, guess: InferredType, reason: string): FileWarning[] {
  const { label } = column
  const all: FileWarning[] = []
  if (guess.mixed)
    all.push({ code: 'mixed_formats', column: label, message: `“${label}” ${MIXED_MESSAGES[guess.mixed]}` })
  if (!guess.sure.order && guess.dateOrder)
    all.push({
      code: 'ambiguous_dates',
      column: label,
      message: `“${label}” can be read day first or month first. It is read ${DATE_ORDER_WORDS[guess.dateOrder]}, ${reason}. Change it if that is wrong.`,
    })
  if (!guess.sure.mark && guess.decimalMark)
    all.push({
      code: 'mixed_formats',
      column: label,
      message: `“${label}” can be read with decimals or with thousands. It is read with a decimal ${guess.decimalMark === '.' ? 'point' : 'comma'}. Change it if that is wrong.`,
    })
  if (column.role === 'currency')
    all.push({
      code: 'currency_column',
      column: label,
      message: `“${label}” holds currencies. Amounts stay plain numbers until you say which of them it belongs to.`,
    })
  return all
}
