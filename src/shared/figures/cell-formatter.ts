import { DAY_MS } from '../dates'
import { dimensionText, type TextLocale } from '../query/dimension-text'
import type { Grain } from '../query/date-range'
import { isMoney } from '../data-sources/key-columns'
import type { ColumnFormat } from '../data-sources/files'
import type { Cell, ResultColumn } from '../query/result'
import { MISSING_VALUE, roundToWhole, sentenceDecimals, type NumericValue } from './figures'
import { formatLocalDate, type Formatter } from './formatter'
import { bucketEnd, dayOf } from './time-buckets'

/** What is needed of a column to show one of its values. */
export type FormattedColumn = Pick<
  ResultColumn,
  'type' | 'format' | 'scale' | 'grain' | 'kind' | 'part' | 'bins' | 'names'
> & {
  /** By it money is told from other figures, where its format says nothing. */
  label?: string
  /** Every amount shows its minor units, so that those of a table line up. */
  minor?: boolean
  /** Every figure shows so many decimals, so that those of a table line up. */
  decimals?: number
  /** Every figure of a sentence shows so many decimals; set by `inOneSentence`. */
  sentenceDecimals?: number
}

/** Turns values of an answer into text, by the workspace's number locale. Never answers "NaN", "null" or nothing. */
export interface CellFormatter {
  /** The whole figure, as in tables, tooltips and key figures: `1 234 567,50 kr`. */
  full(value: Cell, column: FormattedColumn): string
  /** As a large figure: decimals only where they matter beside it. */
  round(value: Cell, column: FormattedColumn): string
  /** Within a sentence: from 100 000 on three digits and a unit, `1,28 Mkr`. */
  sentence(value: Cell, column: FormattedColumn): string
  /** The same of figures that are held against each other: in one unit, `0,07 Mkr` and `1,28 Mkr`. */
  alikeInSentence(values: readonly number[], column: FormattedColumn): string[]
  /** The same with its sign; a change of per cent in points: `+553 tkr`, `−0,3 pp`. */
  signedSentence(value: Cell, column: FormattedColumn): string
  /** "up 12,4 % (+553 tkr) vs Oct 2025". From a base of zero or less the amount only. */
  change(change: { now: Cell; before: Cell; period: string }, column: FormattedColumn): string
  /** As on a mark: `1,2 Mkr`. */
  short(value: number, column: FormattedColumn, like?: number): string
  /** Marks one below the other, with the same unit and decimals: `15,49 Mkr` above `8,23 Mkr`. */
  shortList(values: readonly number[], column: FormattedColumn): string[]
  /** A mark of an axis, with the decimals of its step, in the unit of the largest. */
  tick(value: number, column: FormattedColumn, scale: { like: number; step: number }): string
  /** With its sign: `−184 230 kr`; a change of per cent in points: `−0,3 pp`. */
  signed(value: Cell, column: FormattedColumn): string
  signedRound(value: Cell, column: FormattedColumn): string
  /** A level or a limit, with no more decimals than it has: `80 %`, `12,5 %`. */
  percent(fraction: number): string
  /** A share worked out from figures, in one form beside others: `12,4 %`, `5,0 %`, `120 %`. */
  share(fraction: number, signed?: boolean): string
  /** A period by its first day, as on an axis. */
  bucket: (start: string, grain: Grain) => string
  /** A value of a dimension: `Jan 2026`, `Sweden`, `No value`. */
  label(value: Cell, column: FormattedColumn): string
  count(value: number): string
  /** In whose notation. */
  textLocale: TextLocale
  /** What parts whole and fraction: `,` in Sweden. */
  decimalMark: string
  /** A day (ISO) as the person writes it. */
  day: (iso: string) => string
}

export const NO_VALUE = 'No value'

const isDecimal = (text: string): text is `${number}` => /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)

/** A cell as a number for drawing; exact decimal text loses what a pixel cannot show. */
export function toNumber(value: Cell | undefined): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'string' && isDecimal(value)) return Number(value)
  return null
}

const GRAIN_DATE_FORMATS: Partial<Record<Grain, Intl.DateTimeFormatOptions>> = {
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  month: { month: 'short', year: 'numeric' },
  year: { year: 'numeric' },
}

const MONDAY = 1
/** As parts of dates are numbered: weeks from Monday by ISO 8601, others so that week 1 has 1 January. */
function weekLabel(firstDay: string): string {
  const date = new Date(`${firstDay}T00:00:00Z`)
  // The day whose year the week belongs to: its Thursday, or its last one.
  date.setUTCDate(date.getUTCDate() + (date.getUTCDay() === MONDAY ? 3 : 6))
  const first = Date.UTC(date.getUTCFullYear(), 0, 1)
  return `W${Math.floor((date.getTime() - first) / DAY_MS / 7) + 1} ${date.getUTCFullYear()}`
}

/**
 * A bucket of time by its first day: `Jan 2026`, `Q1 2026`, `W5 2026`, `FY 2025/26`. Months as `dateLocale` writes them,
 * in English without one, as in sentences.
 */
export function bucketLabel(value: string, grain: Grain, dateLocale: string | null = null): string {
  const day = dayOf(value)
  if (day === null) return value
  const date = new Date(`${day}T00:00:00Z`)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth()
  const write = (one: Date, options: Intl.DateTimeFormatOptions): string =>
    formatLocalDate(one, { timeZone: 'UTC', ...options }, dateLocale)
  const style = GRAIN_DATE_FORMATS[grain]
  if (style) return write(date, style)
  if (grain === 'hour') return `${write(date, { day: 'numeric', month: 'short' })} ${value.slice(11, 16) || '00:00'}`
  if (grain === 'week') return weekLabel(day)
  if (grain === 'quarter') return `Q${Math.floor(month / 3) + 1} ${year}`
  const monthOf = (one: Date): string => write(one, { month: 'short' })
  const end = new Date(`${bucketEnd(day, grain)}T00:00:00Z`)
  if (grain === 'fiscalQuarter') return `${monthOf(date)}–${monthOf(end)} ${end.getUTCFullYear()}`
  return month === 0 ? `FY ${year}` : `FY ${year}/${String(end.getUTCFullYear()).slice(2)}`
}

function formatDimensionValue(value: Cell, column: FormattedColumn, format: Formatter): string {
  if (value === null || value === '') return NO_VALUE
  const called = dimensionText(value, column, format.textLocale)
  if (called !== null) return called
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (column.grain && typeof value === 'string') return bucketLabel(value, column.grain, format.dateLocale)
  if (typeof value === 'string' && column.type === 'date') return bucketLabel(value, 'day', format.dateLocale)
  if (typeof value === 'string' && column.type === 'datetime' && dayOf(value) !== null) return format.moment(value)
  return String(value)
}

const FIGURE_DECIMALS_MAX = 2
/** How a figure is called of no name of its own: the column after it says what it is. */
const SUM_PREFIX = /^sum of /i

/**
 * Decimals worth showing: of a figure at most two, all of them where its column keeps any, so that they line up; of a
 * value of a row what the file has. Money with decimals has both of them: `5 287 852,00`.
 */
function decimalsOf({ kind, type, scale, label, format }: FormattedColumn): { most: number; least: number } {
  if (kind === 'column' && scale !== undefined) return { most: scale, least: Math.min(scale, FIGURE_DECIMALS_MAX) }
  if (scale === 1 && label !== undefined && isMoney({ label: label.replace(SUM_PREFIX, ''), format, scale }))
    return { most: FIGURE_DECIMALS_MAX, least: FIGURE_DECIMALS_MAX }
  if (scale !== undefined)
    return { most: Math.min(scale, FIGURE_DECIMALS_MAX), least: Math.min(scale, FIGURE_DECIMALS_MAX) }
  return { most: type === 'integer' ? 0 : FIGURE_DECIMALS_MAX, least: 0 }
}
/** Amounts one below the other that no column of an answer holds: all with decimals where any has some. */
export function amountColumn(format: ColumnFormat, values: readonly Cell[]): FormattedColumn {
  const isWhole = values.every((value) => Number.isInteger(toNumber(value) ?? 0))
  return { type: 'number', kind: 'measure', format, decimals: isWhole ? 0 : FIGURE_DECIMALS_MAX, minor: !isWhole }
}
/** A column whose figures stand in one sentence: all with the same decimals. */
export const inOneSentence = (column: FormattedColumn, values: readonly Cell[]): FormattedColumn => ({
  ...column,
  ...(column.sentenceDecimals === undefined ? sentenceDecimalsOf(column, values) : {}),
})
function sentenceDecimalsOf(column: FormattedColumn, values: readonly Cell[]): { sentenceDecimals?: number } {
  const decimals = sentenceDecimals(values.map(numericValue), column.format, decimalsOf(column).least)
  return decimals === undefined ? {} : { sentenceDecimals: decimals }
}
/** Of figures that stand by themselves unless `inOneSentence` said otherwise. */
function decimalsIn(column: FormattedColumn, ...values: readonly Cell[]): { decimals?: number } {
  const { sentenceDecimals: decimals } = inOneSentence(column, values)
  return decimals === undefined ? {} : { decimals }
}
const isNumericColumn = (column: FormattedColumn): boolean =>
  column.kind !== 'dimension' && (column.type === 'number' || column.type === 'integer')

const ROUND_FROM = 1000

/** From a thousand on, a fraction is noise in a large figure; exact text past 2^53 stays as it is. */
function roundLargeValue(value: Cell, column: FormattedColumn): Cell {
  const number = toNumber(value)
  if (number === null || column.format.style === 'percent') return value
  return Math.abs(number) >= ROUND_FROM && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? roundToWhole(number) : value
}

const numericValue = (value: Cell): NumericValue => (typeof value === 'boolean' ? null : value)

export function createCellFormatter(format: Formatter): CellFormatter {
  const figure = (value: number | string, column: FormattedColumn, fixed: boolean): string => {
    if (column.format.style === 'currency')
      return format.money(value, column.format.currency, fixed && column.minor === true)
    if (column.format.style === 'percent') return format.percent(value, { even: true })
    if (fixed && column.decimals !== undefined) return format.fixed(value, column.decimals)
    const { most, least } = decimalsOf(column)
    return format.decimal(value, most, fixed ? least : 0)
  }
  const plus = (value: Cell, text: string): string => ((toNumber(value) ?? 0) > 0 ? `+${text}` : text)
  const text = (value: Cell, column: FormattedColumn, fixed: boolean): string => {
    if (value === null) return MISSING_VALUE
    return isNumericColumn(column) && typeof value !== 'boolean'
      ? figure(value, column, fixed)
      : formatDimensionValue(value, column, format)
  }
  // Figures of a column that keeps decimals all show them, so that they line up.
  const full = (value: Cell, column: FormattedColumn): string => text(value, column, true)
  const round = (value: Cell, column: FormattedColumn): string => text(roundLargeValue(value, column), column, false)
  const isShare = (value: Cell, column: FormattedColumn): boolean =>
    column.format.style === 'percent' && toNumber(value) !== null
  return {
    full,
    round,
    sentence: (value, column) => format.sentence(numericValue(value), column.format, decimalsIn(column, value)),
    alikeInSentence: (values, column) =>
      format.alikeInSentence(values, column.format, inOneSentence(column, values).sentenceDecimals),
    signedSentence: (value, column) =>
      format.sentence(numericValue(value), column.format, { signed: true, ...decimalsIn(column, value) }),
    change: ({ now, before, period }, column) =>
      format.change({
        ...{ now: numericValue(now), before: numericValue(before), period, format: column.format },
        ...decimalsIn(column, (toNumber(now) ?? 0) - (toNumber(before) ?? 0)),
      }),
    short(value, column, like) {
      if (column.format.style === 'currency') return format.shortMoney(value, column.format.currency, like)
      return column.format.style === 'percent' ? format.percent(value) : format.short(value, like)
    },
    shortList: (values, { format: { style, ...how } }) =>
      style === 'percent'
        ? values.map((value) => format.percent(value, { even: true }))
        : format.shortList(values, 'currency' in how ? how.currency : undefined),
    tick: (value, column, scale) => format.tick(value, column.format, scale),
    signed: (value, column) =>
      isShare(value, column) ? format.points(numericValue(value)) : plus(value, full(value, column)),
    signedRound: (value, column) =>
      isShare(value, column) ? format.points(numericValue(value)) : plus(value, round(value, column)),
    percent: (fraction) => format.percent(fraction),
    share: (fraction, signed = false) => format.percent(fraction, { signed, even: true }),
    label: (value, column) => formatDimensionValue(value, column, format),
    bucket: (start, grain) => bucketLabel(start, grain, format.dateLocale),
    count: format.count,
    textLocale: format.textLocale,
    decimalMark: format.fixed(0, 1).replace(/\p{N}/gu, ''),
    day: format.date,
  }
}
