import { ProductError } from '../../shared/errors'
import type { Dialect } from './dialect'
import { blankPattern } from './imported-texts'
import { anyOf, listed, sql, written, type Sql } from './sql'

/**
 * ClickHouse 24.8 and later, asked over HTTPS. Its dates end in 2299 and begin in 1900, as the columns they come from do.
 * Settings of each question: `join_use_nulls`, `transform_null_in` off, `aggregate_functions_null_for_empty`.
 */
const dateOf = (day: Sql): Sql => sql`toDate32(toInt32(${day}))`
const BLANK = written(`'${blankPattern((hex) => `\\\\x{${hex}}`)}'`)
/** Digits behind the point that a decimal of 76 digits keeps. */
const SCALE_MAX = 30

export const CLICKHOUSE: Dialect = {
  name: 'clickhouse',
  namesPlaces: true,
  quote(name) {
    if (name === '' || name.includes('\0')) throw new ProductError('unknown_field', { field: name })
    return written(`\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``)
  },
  placeholder({ as, value }, place) {
    const text = `{p${place}:String}`
    if (as === 'text') return text
    return as === 'decimal'
      ? `toDecimal256(${text}, ${Math.min(SCALE_MAX, value.split('.')[1]?.length ?? 0)})`
      : `toFloat64(${text})`
  },

  textCell: (cell) => sql`toString(${cell})`,
  importedText: (cell) =>
    sql`if(match(toString(${cell}), ${BLANK}), NULL, normalizeUTF8NFC(toValidUTF8(toString(${cell}))))`,
  uncomposed: null,
  bytesCell: (cell) => cell,
  realCell: (cell) => sql`if(isFinite(toFloat64(${cell})), toFloat64(${cell}), NULL)`,
  exactCell: (cell) => cell,
  isInCalendar: () => null,
  flagCell: (cell) => sql`toInt64(${cell})`,
  dayCell: (cell) => sql`toInt64(toInt32(toDate32(${cell})))`,
  momentCell: (cell) => sql`toUnixTimestamp64Milli(toDateTime64(${cell}, 3, 'UTC'))`,
  dayBound: (day) => sql`toDate32(${day})`,
  momentBound: (ms) => sql`fromUnixTimestamp64Milli(toInt64(${ms}), 'UTC')`,

  keyText: (cell) => sql`toString(${cell})`,
  decimal: (value, scale) => sql`toDecimal256(${value}, ${Math.min(scale, SCALE_MAX)})`,
  real: (value) => sql`toFloat64(${value})`,
  whole: (value) => sql`toInt64(${value})`,
  // Sums of whole numbers would run over without a word.
  summable: (value, scale) => sql`toDecimal256(${value}, ${Math.min(scale, SCALE_MAX)})`,
  output: (value) => sql`toString(${value})`,

  ordered: (text) => text,
  isSame: (left, right) => sql`isNotDistinctFrom(${left}, ${right})`,
  // A list has to be of the value's own type; what is compared does not.
  isOneOf: (value, list) => anyOf(list.map((one) => sql`${value} = ${one}`)),
  positionIn: (text, part) => sql`position(${text}, ${part})`,
  concat: (texts) => sql`concat(${listed(texts)}, '')`,

  floorBy: (value, by) => sql`toInt64(floor(toFloat64(${value}) / ${by}))`,
  // Its quotient of decimals has no more digits than they have, and is cut: -0.07 / 10 would be 0.
  floorOf: (value, by) =>
    sql`toInt64(intDiv(toInt256(${value}), ${by}) - if(modulo(toInt256(${value}), ${by}) < 0, 1, 0))`,
  floorReal: (value) => sql`floor(${value})`,
  truncate: (value) => sql`trunc(${value})`,
  round(value, decimals) {
    const by = sql`toDecimal256(1${written('0'.repeat(decimals))}, 0)`
    return sql`(if(${value} < 0, -1, 1) * floor(abs(${value}) * ${by} + toDecimal256('0.5', 1)) / ${by})`
  },

  year: (day) => sql`toInt64(toYear(${dateOf(day)}))`,
  month: (day) => sql`toInt64(toMonth(${dateOf(day)}))`,
  dayOfMonth: (day) => sql`toInt64(toDayOfMonth(${dateOf(day)}))`,
  dayOfYear: (day) => sql`toInt64(toDayOfYear(${dateOf(day)}))`,
  yearLater: (day) => sql`toInt64(toInt32(addYears(${dateOf(day)}, 1)))`,
  isoDay: (day) => sql`toString(${dateOf(day)})`,
}
