import { useMemo } from 'react'
import type { Grain } from '../../../src/shared/query'
import type { Cell, ResultColumn } from '../../../src/shared/query-result'
import { englishDate, NOTHING, useFormat } from '../../lib/format'
import type { Formatter } from '../../lib/format'
import { bucketEnd, dayOf } from './time-buckets'

/** What is needed of a column to show one of its values. */
export type FigureColumn = Pick<ResultColumn, 'type' | 'format' | 'scale' | 'grain' | 'kind'> & {
  /** Every amount shows its minor units, so that those of a table line up. */
  minor?: boolean
}

/** Turns values of an answer into text, by the workspace's number locale. Never answers "NaN", "null" or nothing. */
export interface FigureFormat {
  /** The whole figure, as in tables and tooltips: `1 234 567,50 kr`. */
  full(value: Cell, column: FigureColumn): string
  /** As a large figure: decimals only where they matter beside it. */
  round(value: Cell, column: FigureColumn): string
  /** As on axes: `1,2 Mkr`. */
  short(value: number, column: FigureColumn, like?: number): string
  /** With its sign: `−184 230 kr`; a change of per cent in points: `−0,3 pp`. */
  signed(value: Cell, column: FigureColumn): string
  signedRound(value: Cell, column: FigureColumn): string
  /** 0.124 → `12,4 %`. */
  percent(fraction: number, signed?: boolean): string
  /** A value of a dimension: `Jan 2026`, `Sweden`, `No value`. */
  label(value: Cell, column: FigureColumn): string
  count(value: number): string
}

export const NO_VALUE = 'No value'

const isDecimal = (text: string): text is `${number}` => /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)

/** A cell as a number for drawing; exact decimal text loses what a pixel cannot show. */
export function numeric(value: Cell | undefined): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'string' && isDecimal(value)) return Number(value)
  return null
}

const DATE_STYLE: Partial<Record<Grain, Intl.DateTimeFormatOptions>> = {
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  month: { month: 'short', year: 'numeric' },
  year: { year: 'numeric' },
}

function isoWeek(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7))
  const first = Date.UTC(date.getUTCFullYear(), 0, 1)
  return `W${Math.ceil(((date.getTime() - first) / 86_400_000 + 1) / 7)} ${date.getUTCFullYear()}`
}

const inWords = (date: Date, options: Intl.DateTimeFormatOptions): string =>
  englishDate(date, { timeZone: 'UTC', ...options })

/** A bucket of time by its first day: `Jan 2026`, `Q1 2026`, `W5 2026`, `FY 2025/26`. */
export function bucketLabel(value: string, grain: Grain): string {
  const day = dayOf(value)
  if (day === null) return value
  const date = new Date(`${day}T00:00:00Z`)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth()
  const style = DATE_STYLE[grain]
  if (style) return inWords(date, style)
  if (grain === 'hour') return `${inWords(date, { day: 'numeric', month: 'short' })} ${value.slice(11, 16) || '00:00'}`
  if (grain === 'week') return isoWeek(day)
  if (grain === 'quarter') return `Q${Math.floor(month / 3) + 1} ${year}`
  const monthOf = (one: Date): string => inWords(one, { month: 'short' })
  const end = new Date(`${bucketEnd(day, grain)}T00:00:00Z`)
  if (grain === 'fiscalQuarter') return `${monthOf(date)}–${monthOf(end)} ${end.getUTCFullYear()}`
  return month === 0 ? `FY ${year}` : `FY ${year}/${String(end.getUTCFullYear()).slice(2)}`
}

function labelOf(value: Cell, column: FigureColumn, format: Formatter): string {
  if (value === null || value === '') return NO_VALUE
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (column.grain && typeof value === 'string') return bucketLabel(value, column.grain)
  if (typeof value === 'string' && column.type === 'date') return bucketLabel(value, 'day')
  if (typeof value === 'string' && column.type === 'datetime' && dayOf(value) !== null) return format.moment(value)
  return String(value)
}

/** Decimals worth showing: what the column keeps, at most two otherwise. */
function decimalsOf(column: FigureColumn, value: number | string): number {
  if (column.scale !== undefined) return column.scale
  if (column.type === 'integer') return 0
  return Math.abs(Number(value)) < 1 ? 4 : 2
}
const isFigure = (column: FigureColumn): boolean =>
  column.kind !== 'dimension' && (column.type === 'number' || column.type === 'integer')

const ROUND_FROM = 1000

/** From a thousand on, a fraction is noise in a large figure; exact text past 2^53 stays as it is. */
function rounded(value: Cell, column: FigureColumn): Cell {
  const number = numeric(value)
  if (number === null || column.format.style === 'percent') return value
  return Math.abs(number) >= ROUND_FROM && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? Math.round(number) : value
}

export function figureFormat(format: Formatter): FigureFormat {
  const figure = (value: number | string, column: FigureColumn, fixed: boolean): string => {
    if (column.format.style === 'currency')
      return format.money(value, column.format.currency, fixed && column.minor === true)
    return column.format.style === 'percent'
      ? format.percent(value, 1, fixed ? 1 : 0)
      : format.decimal(value, decimalsOf(column, value), fixed ? (column.scale ?? 0) : 0)
  }
  const plus = (value: Cell, text: string): string => ((numeric(value) ?? 0) > 0 ? `+${text}` : text)
  const text = (value: Cell, column: FigureColumn, fixed: boolean): string => {
    if (value === null) return NOTHING
    return isFigure(column) && typeof value !== 'boolean'
      ? figure(value, column, fixed)
      : labelOf(value, column, format)
  }
  // Figures of a column that keeps decimals all show them, so that they line up.
  const full = (value: Cell, column: FigureColumn): string => text(value, column, true)
  const round = (value: Cell, column: FigureColumn): string => text(rounded(value, column), column, false)
  /** A change of a share is said in points: "2 %" would be read as a share of the share. */
  const points = (value: Cell, column: FigureColumn, [one, many]: readonly [string, string]): string | null => {
    const share = numeric(value)
    if (share === null || column.format.style !== 'percent') return null
    // Never a nought with a sign.
    const said = format.decimal(Math.round(share * 1000) / 10 || 0, 1)
    return `${said}\u00a0${said === '1' || said === '−1' ? one : many}`
  }
  return {
    full,
    round,
    short(value, column, like) {
      if (column.format.style === 'currency') return format.shortMoney(value, column.format.currency, like)
      return column.format.style === 'percent' ? format.percent(value) : format.short(value, like)
    },
    signed: (value, column) => plus(value, points(value, column, ['pp', 'pp']) ?? full(value, column)),
    signedRound: (value, column) =>
      plus(value, points(value, column, ['percentage point', 'percentage points']) ?? round(value, column)),
    percent: (fraction, signed = false) => {
      const text = format.percent(fraction, Math.abs(fraction) >= 10 ? 0 : 1)
      return signed ? plus(fraction, text) : text
    },
    label: (value, column) => labelOf(value, column, format),
    count: format.count,
  }
}

/** The figures of this tab's workspace. */
export function useFigureFormat(): FigureFormat {
  const format = useFormat()
  return useMemo(() => figureFormat(format), [format])
}
