import { DAY_MS } from '../dates'
import { dateFormat, numberFormat } from '../figures/kept-formats'
import { capitalize } from '../text'
import type { DatePart } from './date-range'
import type { Cell, ResultColumn } from './result'

/** 1970-01-05, a Monday. */
const MONDAY = 4 * DAY_MS
const named = (at: number, options: Intl.DateTimeFormatOptions, locale: string): string =>
  capitalize(dateFormat(locale, { timeZone: 'UTC', ...options }).format(new Date(at)))

/** A part of a date or time as it is read, names in the language of `locale`: `Måndag`, `Mars`, `W5`, `14:00`, `31`. */
export function datePartName(value: number, part: DatePart, locale: string): string {
  switch (part) {
    case 'hourOfDay':
      return `${String(value).padStart(2, '0')}:00`
    case 'weekday':
      return named(MONDAY + (value - 1) * DAY_MS, { weekday: 'long' }, locale)
    case 'monthOfYear':
      return named(Date.UTC(1970, value - 1, 1), { month: 'long' }, locale)
    case 'weekOfYear':
      return `W${value}`
    case 'dayOfMonth':
      return String(value)
  }
}

type NamedColumn = Partial<Pick<ResultColumn, 'part' | 'bins' | 'type' | 'names'>>

/** In whose notation: numbers as the workspace writes them, names of days and months as the reader does. */
export interface TextLocale {
  numbers: string
  dates: string
}

/** What a key is called; null where it has no name. An empty cell is no key, whatever a key may read. */
export const nameOfKey = (value: Cell, { of }: NonNullable<ResultColumn['names']>): string | null =>
  value !== null && Object.hasOwn(of, String(value)) ? (of[String(value)] ?? null) : null

/** What a value of a split is called, where it is not what it stands as; null for values that speak for themselves. */
export function dimensionText(
  value: Cell,
  { part, bins, type, names }: NamedColumn,
  locale: TextLocale,
): string | null {
  if (names) return nameOfKey(value, names)
  if (typeof value !== 'number') return null
  if (bins) return binName(value, { ...bins, isWhole: type === 'integer' }, locale.numbers)
  return part ? datePartName(value, part, locale.dates) : null
}

/** What is in a bin: `0 to 9` of whole numbers, `0 to <0,5` of others. */
function binName(edge: number, { width, isWhole }: { width: number; isWhole: boolean }, locale: string): string {
  const decimals = (String(width).split('.')[1] ?? '').length
  const written = (value: number): string =>
    numberFormat(locale, { maximumFractionDigits: Math.min(20, decimals) }).format(value)
  if (!isWhole || !Number.isInteger(width)) return `${written(edge)} to <${written(edge + width)}`
  return width === 1 ? written(edge) : `${written(edge)} to ${written(edge + width - 1)}`
}

type OrderedColumn = Pick<ResultColumn, 'part' | 'firstWeekday' | 'bins'>

/** The place of a value among those of its split, where they have an order of their own; null where they have none. */
export function naturalPlace(value: Cell, { part, firstWeekday = 1, bins }: OrderedColumn): number | null {
  if (typeof value !== 'number') return null
  if (bins) return Math.round(value / bins.width)
  if (!part) return null
  return part === 'weekday' ? (value - firstWeekday + 7) % 7 : value
}

/** The value at a place: {@link naturalPlace} the other way. */
export function valueAtPlace(place: number, { part, firstWeekday = 1, bins }: OrderedColumn): number {
  if (bins) return Number((place * bins.width).toPrecision(12))
  return part === 'weekday' ? ((place + firstWeekday - 1) % 7) + 1 : place
}
