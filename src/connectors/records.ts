import type { Cell } from './contract'
import type { StreamColumn } from '../shared/data-sources/connectors'

/** A column of a stream whose records are JSON: where its value stands in a record. */
export interface RecordColumn extends StreamColumn {
  /** Names of properties, from the outside in, with points between them. */
  from: string
  /** Makes what the vendor writes otherwise into a value of the column's type. */
  convert?: (value: unknown, record: unknown) => unknown
}

/** A record of a vendor's answer, of which nothing is known yet. */
export type VendorRecord = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is VendorRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What stands at a path such as `total_price_set.shop_money.amount` or `items.0.id`; undefined where there is nothing. */
export function valueAt(record: unknown, path: string): unknown {
  let at: unknown = record
  for (const name of path.split('.')) at = Array.isArray(at) ? at[Number(name)] : isRecord(at) ? at[name] : undefined
  return at
}

const WITH_EXPONENT = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/

/** A finite number without an exponent, with every digit: `0.0000001`, never `1e-7`. */
export function decimalOf(value: number): string {
  const text = String(value)
  const [, sign = '', first = '', rest = '', exponent] = WITH_EXPONENT.exec(text) ?? []
  if (exponent === undefined) return text
  const [digits, shift] = [first + rest, Number(exponent)]
  return shift < 0 ? `${sign}0.${'0'.repeat(-shift - 1)}${digits}` : sign + digits.padEnd(shift + 1, '0')
}

/** A value of JSON as canonical text, by the type of its column; null where it is empty. Lists and objects become their JSON. */
export function cellOf(value: unknown, type: StreamColumn['type']): Cell {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'number') return Number.isFinite(value) ? decimalOf(value) : null
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? stringCell(value, type) : JSON.stringify(value)
}

const DAY = /^\d{4}-\d{2}-\d{2}/
const MOMENT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(\.\d+)?(Z|[+-]\d{2}:?\d{2})?$/

function stringCell(text: string, type: StreamColumn['type']): Cell {
  if (type === 'date') return DAY.exec(text)?.[0] ?? text
  if (type !== 'datetime') return text
  const found = MOMENT.exec(text)
  if (!found) return DAY.test(text) && text.length === 10 ? `${text}T00:00:00` : text
  const [, day = '', time = '', fraction = '', zone] = found
  if (zone === undefined || zone === 'Z') return `${day}T${time}${fraction}${zone ?? ''}`
  // An offset is brought to UTC, so that one column has one spelling. What is no moment is told by the load.
  return isoOf(Date.parse(text.replace(' ', 'T'))) ?? text
}

const isoOf = (ms: number): string | null => {
  const at = new Date(ms)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}

/** Seconds since 1970 as an instant. */
export const instantOfSeconds = (value: unknown): string | null =>
  typeof value === 'number' ? isoOf(value * 1000) : null
/** A code in capitals. */
export const inCapitals = (value: unknown): unknown => (typeof value === 'string' ? value.toUpperCase() : value)

/** One row of a record, in the order of its columns. */
export const rowOf = (record: unknown, columns: readonly RecordColumn[]): Cell[] =>
  columns.map(({ from, type, convert }) => {
    const value = valueAt(record, from)
    return cellOf(convert ? convert(value, record) : value, type)
  })

/** Columns as a stream declares them. */
export const declared = (columns: readonly RecordColumn[]): StreamColumn[] =>
  columns.map(({ from: _from, convert: _convert, ...column }) => column)
