import type { CsvSettings, DateOrder, DecimalMark, FileColumn, FileWarning } from '../../shared/data-sources/files'
import type { RowSample } from '../csv/sample-rows'
import { isCurrencyCode, rateHeadings } from '../../shared/data-sources/currency-codes'
import { inferRole } from './column-roles'
import {
  closestOrder,
  collectColumnStats,
  inferType,
  type ColumnStats,
  type InferredType,
  type LocaleHint,
} from './column-types'
import { findEmptyMarker } from './empty-marker'
import { currencyInLabel } from './label-currency'

type GivenSettings = Partial<CsvSettings>

const MIXED_MESSAGES: Record<NonNullable<InferredType['mixed']>, string> = {
  numbers: 'mixes number formats, or numbers and words. Read as text.',
  dates: 'mixes date formats, or dates and words. Read as text.',
  currencies: 'mixes currencies. Read as text, so they aren’t added up.',
  percents: 'mixes percentages and plain numbers. Read as text.',
  zones: 'mixes times with and without a time zone. Read as text.',
}

const DATE_ORDER_WORDS = { dmy: 'day first', mdy: 'month first', ymd: 'year first' } as const

/** Warnings about one column. */
function columnWarnings(
  column: FileColumn,
  guess: InferredType,
  { values, reason }: { values: ColumnStats; reason: string },
): FileWarning[] {
  const { label } = column
  const all: FileWarning[] = []
  if (guess.mixed)
    all.push({ code: 'mixed_formats', column: label, message: `“${label}” ${MIXED_MESSAGES[guess.mixed]}` })
  if (!guess.sure.order && guess.dateOrder)
    all.push({
      code: 'ambiguous_dates',
      column: label,
      message: `“${label}” could be ${openOrders(values)}. Read ${DATE_ORDER_WORDS[guess.dateOrder]}, ${reason}. Change it if wrong.`,
    })
  if (!guess.sure.mark && guess.decimalMark)
    all.push({
      code: 'mixed_formats',
      column: label,
      message: `“${label}” could hold decimals or thousands. Read with a decimal ${guess.decimalMark === '.' ? 'point' : 'comma'}. Change it if wrong.`,
    })
  if (guess.oddGroup !== undefined) all.push(oddGroupWarning(label, guess.oddGroup, guess.decimalMark))
  if (column.emptyMarker !== undefined)
    all.push({
      code: 'empty_marker',
      column: label,
      message: `“${label}”: “${column.emptyMarker}” is read as empty. Change it in the column’s settings.`,
    })
  if (guess.serial === true)
    all.push({
      code: 'ambiguous_dates',
      column: label,
      message: `“${label}” holds dates as ${values.shortDates.ymd.fits > 0 ? 'yymmdd (240101' : 'Excel’s day numbers (45292'} is 2024-01-01). Read as dates. Change the type if wrong.`,
    })
  if (column.type !== 'text' && values.gaps.count > 0) all.push(gapWarning(label, values.gaps))
  if (column.role === 'currency')
    all.push({
      code: 'currency_column',
      column: label,
      message: `“${label}” holds currencies. Set it as the currency column of its amounts.`,
    })
  return all
}

const openOrders = ({ dates: { ymd, dmy, mdy } }: ColumnStats): string =>
  ymd.fits >= dmy.fits && ymd.fits >= mdy.fits ? 'year first or day first' : 'day first or month first'

function gapWarning(label: string, { words }: ColumnStats['gaps']): FileWarning {
  const all = words.map((word) => `“${word}”`).join(', ')
  return {
    code: 'empty_marker',
    column: label,
    message: `“${label}”: ${all} ${words.length === 1 ? 'is' : 'are'} read as empty.`,
  }
}

/** `5.555` among `1,25`: five thousand, or five and a half written otherwise. */
function oddGroupWarning(label: string, example: string, mark: DecimalMark = '.'): FileWarning {
  const thousands = example.replaceAll(mark === '.' ? ',' : '.', '')
  return {
    code: 'ambiguous_numbers',
    column: label,
    message: `“${label}”: is “${example}” ${thousands}? It’s read so, as other values have a decimal ${mark === '.' ? 'point' : 'comma'}. If not, correct the file or keep the column as text.`,
    fix: 'text',
  }
}

export interface InferredColumns {
  columns: { column: FileColumn; guess: InferredType }[]
  /** What the values of each column can be read as. */
  values: ColumnStats[]
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
    values,
    alone: independentTypes,
    comma: decimalMark === ',' || at.comma,
    given: at.given.dateOrder,
  })
  const rates = rateHeadings(labels)
  const columns = values.map((found, i) => {
    const label = labels[i] ?? ''
    const guessed = inferType(found, label, { decimalMark, dateOrder: order.order })
    // What a person or the kind of file has settled is no question any more.
    const sure = { ...guessed.sure, mark: guessed.sure.mark || at.given.decimalMark !== undefined }
    const guess: InferredType = { ...guessed, sure }
    if (at.given.decimalMark !== undefined) delete guess.oddGroup
    return { guess, column: toFileColumn({ index: i, label, isRate: rates.has(label) }, guess, found) }
  })
  const datedOrder = columns.find(({ guess }) => guess.dateOrder !== undefined && guess.dateOrder !== 'ymd')?.guess
    .dateOrder
  return {
    columns,
    values,
    locale: { decimalMark, dateOrder: at.given.dateOrder ?? datedOrder ?? 'ymd' },
    warnings: columns.flatMap(({ column, guess }, i) => {
      const stats = values[i]
      return stats ? columnWarnings(column, guess, { values: stats, reason: order.reason }) : []
    }),
  }
}

function toFileColumn(
  { isRate, ...at }: { index: number; label: string; isRate: boolean },
  guess: InferredType,
  values: ColumnStats,
): FileColumn {
  const { type, format, scale, zoned, decimalMark, dateOrder } = guess
  const role = inferRole(type, at.label, values)
  const named = role === 'measure' && format.style === 'plain' && !isRate ? currencyInLabel(at.label) : null
  const marker = type === 'text' && role === 'dimension' ? findEmptyMarker(values) : null
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
    ...(guess.serial === undefined ? {} : { serialDates: guess.serial }),
    ...(guess.months === undefined ? {} : { months: guess.months }),
    ...(marker === null ? {} : { emptyMarker: marker }),
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
  values: readonly ColumnStats[]
  alone: InferredType[]
  comma: boolean
  given: DateOrder | undefined
}): DateOrderChoice {
  if (at.given !== undefined) return { order: at.given, reason: 'as you chose' }
  const proven = at.alone.filter(({ sure, dateOrder }) => sure.order && dateOrder !== undefined && dateOrder !== 'ymd')
  const [known] = proven
  if (known?.dateOrder) return { order: known.dateOrder, reason: 'like the other dates of the file' }
  const open = at.alone.findIndex(({ sure }) => !sure.order)
  const openStats = at.values[open]
  const closest = openStats ? closestOrder(openStats) : null
  if (closest) return { order: closest, reason: 'as its dates then lie closest together' }
  const example = open < 0 ? '' : (at.rows.find((cells) => (cells[open] ?? '') !== '')?.[open] ?? '')
  if (/[ap]\.?m\.?/i.test(example)) return { order: 'mdy', reason: 'as times are written with AM and PM' }
  if (/^\s*\d+\./.test(example)) return { order: 'dmy', reason: 'the usual order with points' }
  if (at.comma) return { order: 'dmy', reason: 'the usual order with decimal commas' }
  if (/^\s*\d+-/.test(example)) return { order: 'dmy', reason: 'the usual order with hyphens' }
  return { order: 'mdy', reason: 'the usual order with slashes' }
}
