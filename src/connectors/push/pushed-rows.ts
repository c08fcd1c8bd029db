import { decimalOf } from '../records'
import {
  booleanParser,
  dateParser,
  dateTimeParser,
  integerParser,
  numberParser,
  textParser,
  type CellParser,
} from '../../shared/values/cell-parsers'
import { utf8Length } from '../../formats/csv/csv-errors'
import type { StreamColumn } from '../../shared/data-sources/connectors'
import { CELL_MAX_BYTES, DATASET_MAX_COLUMNS, HEADER_MAX_CHARS, JSON_DEPTH_MAX } from '../../shared/limits'

export const PUSHED_ROWS_MAX = 5_000
const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/
const NUMBER = /^-?\d{1,30}(\.\d{1,20})?$/

type PushedRow = Record<string, unknown>
/** Rows in the order of `columns`, or what is wrong, by row and field. */
export type PushedRows =
  | { ok: true; columns: StreamColumn[]; cells: (string | null)[][] }
  | { ok: false; fields: Record<string, string> }

/** The rows of a body: a JSON array of objects, one object, or one object a line. Null where it is neither. */
export function parsePushedBody(text: string, isNdjson: boolean): PushedRow[] | null {
  try {
    const values: unknown = isNdjson
      ? text
          .split(/\r?\n/)
          .filter((line) => line.trim() !== '')
          .map((line): unknown => JSON.parse(line))
      : JSON.parse(text)
    const rows: unknown[] = Array.isArray(values) ? values : [values]
    return rows.every(isRow) ? rows : null
  } catch {
    return null
  }
}

const isRow = (value: unknown): value is PushedRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a value is, where nothing is known of its column yet. */
function typeOf(value: unknown): Pick<StreamColumn, 'type' | 'zoned'> {
  if (typeof value === 'boolean') return { type: 'boolean' }
  if (typeof value === 'number') return { type: 'number' }
  if (typeof value === 'string' && DATE.test(value)) return { type: 'date' }
  if (typeof value === 'string' && INSTANT.test(value)) return { type: 'datetime', zoned: true }
  return { type: 'text' }
}

/** As a load reads them: what it would reject is not accepted. */
const READERS: Readonly<Record<StreamColumn['type'], CellParser>> = {
  text: textParser,
  boolean: booleanParser,
  integer: integerParser('.'),
  number: numberParser({ mark: '.', scale: undefined }),
  date: dateParser('ymd', { serialDates: false, months: false }),
  datetime: dateTimeParser('ymd', true),
}

/** A value as canonical text of its column; null where it holds nothing, undefined where it is none of that type. */
function cellOf(value: unknown, type: StreamColumn['type']): string | null | undefined {
  if (value === null || value === undefined || value === '') return null
  const text = spelled(value, type)
  if (text === undefined || utf8Length(text) > CELL_MAX_BYTES) return undefined
  const read = READERS[type].parse(text)
  return read === undefined || read === null ? read : text
}

function spelled(value: unknown, type: StreamColumn['type']): string | undefined {
  if (type === 'text') return typeof value === 'string' ? value : jsonText(value)
  if (type === 'boolean') return typeof value === 'boolean' ? String(value) : undefined
  if (type === 'number' || type === 'integer') {
    if (typeof value === 'number') return decimalOf(value)
    return typeof value === 'string' && NUMBER.test(value) ? value : undefined
  }
  if (typeof value !== 'string') return undefined
  if (type === 'date') return DATE.test(value) ? value : undefined
  return INSTANT.test(value) && !Number.isNaN(Date.parse(value)) ? new Date(value).toISOString() : undefined
}

/** Undefined where lists and objects lie deeper in each other than can be written. */
const jsonText = (value: unknown): string | undefined =>
  isDeeperThan(JSON_DEPTH_MAX, value) ? undefined : JSON.stringify(value)
const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner)))

const TYPE_WORDS = {
  text: 'text',
  integer: 'numbers',
  number: 'numbers',
  boolean: 'true or false',
  date: 'dates such as 2026-01-31',
  datetime: 'times such as 2026-01-31T12:00:00Z',
}

const problemOf = (value: unknown, type: StreamColumn['type']): string => {
  if (type === 'text') return `Takes up to ${CELL_MAX_BYTES / 1024} KB, nested up to ${JSON_DEPTH_MAX} levels.`
  const isTooLarge = type === 'number' && typeof value === 'number'
  return isTooLarge ? 'Too large for a number. Send it as text in a new field.' : `Takes ${TYPE_WORDS[type]}.`
}

/**
 * Rows as the source's columns take them. A field that no row had before is a new column of the type of its first value. A
 * batch is taken whole or not at all: whoever sent it learns of the first things that do not fit.
 */
export function fitPushedRows(
  rows: readonly PushedRow[],
  known: readonly StreamColumn[],
  keys: readonly string[],
): PushedRows {
  const columns = [...known]
  const at = new Map(columns.map(({ name }, index) => [name, index]))
  const fields: Record<string, string> = {}
  const fail = (row: number, field: string, words: string): void => {
    if (Object.keys(fields).length < 20) fields[`${row}.${field}`] = words
  }
  const cells = rows.map((row, index) => {
    const record: (string | null)[] = []
    for (const [name, value] of Object.entries(row)) {
      if (value === null || value === undefined) continue
      let position = at.get(name)
      if (position === undefined) {
        if (name === '' || name.length > HEADER_MAX_CHARS || columns.length >= DATASET_MAX_COLUMNS) {
          fail(index, name.slice(0, HEADER_MAX_CHARS), 'No room for this field.')
          continue
        }
        position = columns.push({ name, ...typeOf(value), ...(keys.includes(name) ? { role: 'id' as const } : {}) }) - 1
        at.set(name, position)
      }
      const column = columns[position]
      const cell = column && cellOf(value, column.type)
      if (!column || cell === undefined) fail(index, name, problemOf(value, column?.type ?? 'text'))
      else record[position] = cell
    }
    for (const key of keys) if ((record[at.get(key) ?? -1] ?? null) === null) fail(index, key, 'Key field missing.')
    return record
  })
  if (Object.keys(fields).length > 0) return { ok: false, fields }
  return { ok: true, columns, cells: cells.map((record) => columns.map((_, position) => record[position] ?? null)) }
}
