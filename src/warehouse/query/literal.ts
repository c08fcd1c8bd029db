import { exactOf, INT64_MAX, magnitude, rescale, toNumber } from './decimal'
import { dayFromIso, DAY_MS } from './days'
import { bind, int, sql } from './sql'
import type { Sql } from './sql'
import { dayNumberOf, refOf, wallOf } from './source'
import type { SourceColumn } from './source'
import type { Scalar } from '../../shared/query'

/** A value of a filter beside the expression it is compared with. A day is compared with days, a time with times. */
export interface FilterOperand {
  /** Operands with the same `over` are compared with the same left side. */
  over: 'value' | 'day' | 'wall'
  left: Sql
  right: Sql
  /** For lists: the value as JSON carries it; null when it needs a bound value of its own. */
  json: string | number | null
}

const WALL =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,3}))?)?(Z|[+-](?:0\d|1[0-4]):[0-5]\d)?$/

/** A date and time; `zoned` when it names its offset. Null when the text is none. */
function wallOfIso(text: string): { ms: number; zoned: boolean } | null {
  const found = WALL.exec(text)
  const day = found ? dayFromIso(found[1] ?? '') : null
  if (!found || day === null) return null
  const [, , hour, minute, second = '0', fraction = '0', zone] = found
  const clock = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 + Number(fraction.padEnd(3, '0'))
  const wall = day * DAY_MS + clock
  if (zone === undefined) return { ms: wall, zoned: false }
  const [hours = 0, minutes = 0] = zone === 'Z' ? [] : zone.slice(1).split(':').map(Number)
  const offset = (hours * 60 + minutes) * 60_000
  return { ms: zone.startsWith('-') ? wall + offset : wall - offset, zoned: true }
}

/** Reads a filter's value as the column's type; null when it cannot be one. `null` itself is no operand. */
export function operandOf(column: SourceColumn, value: Scalar): FilterOperand | null {
  switch (column.type) {
    case 'text':
      return typeof value === 'string' ? text(column, value.normalize('NFC')) : null
    case 'boolean':
      return typeof value === 'boolean' ? integer(refOf(column), 'value', value ? 1 : 0) : null
    case 'integer':
    case 'number':
      return typeof value === 'number' || typeof value === 'string' ? number(column, value) : null
    case 'date':
    case 'datetime':
      return typeof value === 'string' ? moment(column, value) : null
  }
}

const text = (column: SourceColumn, value: string): FilterOperand => ({
  over: 'value',
  left: refOf(column),
  right: bind(value),
  json: value,
})
const integer = (left: Sql, over: FilterOperand['over'], value: number): FilterOperand => ({
  over,
  left,
  right: int(value),
  json: value,
})

function number(column: SourceColumn, value: number | string): FilterOperand | null {
  const left = refOf(column)
  const exact = exactOf(value)
  if (typeof value === 'string' && !exact) return null
  const scale = column.type === 'integer' ? 0 : column.scale
  if (scale === undefined) return { over: 'value', left, right: bind(Number(value)), json: Number(value) }
  const n = exact ? rescale(exact, scale) : null
  if (n !== null && magnitude(n) <= INT64_MAX) {
    // 2^53 and more cannot be carried by a JSON number, and no stored value is that large.
    return { over: 'value', left, right: int(n), json: Number.isSafeInteger(Number(n)) ? Number(n) : null }
  }
  const approximate = (exact ? toNumber(exact) : Number(value)) * 10 ** scale
  return { over: 'value', left, right: sql`CAST(${bind(approximate)} AS REAL)`, json: null }
}

function moment(column: SourceColumn, value: string): FilterOperand | null {
  const day = dayFromIso(value)
  if (day !== null) return integer(dayNumberOf(column), 'day', day)
  const wall = column.type === 'datetime' ? wallOfIso(value) : null
  if (!wall) return null
  if (!wall.zoned) return integer(wallOf(column), 'wall', wall.ms)
  return column.zoned === true ? integer(refOf(column), 'value', wall.ms) : null
}
