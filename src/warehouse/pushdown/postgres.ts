import { ProductError } from '../../shared/errors'
import type { Dialect } from './dialect'
import { blankPattern } from './imported-texts'
import { joined, listed, sql, written, type Sql } from './sql'

/** PostgreSQL 13 and later. */
const EPOCH = written(`DATE '1970-01-01'`)
const FLOAT_MAX = written(`1.7976931348623157e308::double precision`)
const DAY_MS = 86_400_000
const dateOf = (day: Sql): Sql => sql`(${EPOCH} + (${day})::integer)`
const part = (name: string, day: Sql): Sql => sql`EXTRACT(${written(name)} FROM ${dateOf(day)})::bigint`

/** Texts are compared as bytes, whatever a column's collation takes for the same. */
const byBytes = (cell: Sql): Sql => sql`((${cell})::text COLLATE "C")`
const SPACES = written(`E' \\t\\n\\x0b\\f\\r'`)
const BLANK = written(`E'${blankPattern((hex) => `\\\\u${hex}`)}'`)

/** Years that days are written with: the same that are read where rows are imported. */
const inCalendar = (cell: Sql): Sql => sql`(${cell} >= '0001-01-01' AND ${cell} < '10000-01-01')`

export const POSTGRES: Dialect = {
  name: 'postgres',
  namesPlaces: true,
  quote(name) {
    if (name === '' || name.includes('\0')) throw new ProductError('unknown_field', { field: name })
    return written(`"${name.replaceAll('"', '""')}"`)
  },
  placeholder({ as }, place) {
    const text = `$${place}::text`
    return as === 'text' ? text : as === 'decimal' ? `${text}::numeric` : `${text}::double precision`
  },

  textCell: byBytes,
  importedText(cell) {
    const text = byBytes(cell)
    const ofSingleBytes = sql`CASE WHEN ${text} >= '!' OR BTRIM(${text}, ${SPACES}) <> '' THEN ${text} END`
    // What has letters to compose keeps its texts in UTF-8, and no other can.
    return sql`CASE WHEN OCTET_LENGTH(${text}) = CHAR_LENGTH(${text}) THEN ${ofSingleBytes} WHEN ${text} ~ ${BLANK} THEN NULL WHEN CURRENT_SETTING('server_encoding') = 'UTF8' THEN NORMALIZE(${text}) ELSE ${text} END`
  },
  uncomposed: null,
  bytesCell: (cell) => cell,
  // Neither what is no number nor what has no end is one.
  realCell: (cell) =>
    sql`CASE WHEN (${cell})::double precision BETWEEN -${FLOAT_MAX} AND ${FLOAT_MAX} THEN (${cell})::double precision END`,
  exactCell: (cell) => sql`NULLIF(${cell}, 'NaN'::numeric)`,
  flagCell: (cell) => sql`(${cell})::boolean::integer::bigint`,
  // Without end is a day here, and one that nothing can be subtracted from.
  dayCell: (cell) => sql`CASE WHEN ${inCalendar(cell)} THEN ((${cell})::date - ${EPOCH})::bigint END`,
  momentCell: (cell) => sql`CASE WHEN ${inCalendar(cell)} THEN FLOOR(EXTRACT(EPOCH FROM ${cell}) * 1000)::bigint END`,
  isInCalendar: inCalendar,
  dayBound: (day) => sql`(${EPOCH} + ${day})`,
  momentBound(ms, zoned) {
    const [day, rest] = [Math.floor(ms / DAY_MS), ms - Math.floor(ms / DAY_MS) * DAY_MS]
    const at = sql`((${EPOCH} + ${day})::timestamp + ${rest} * INTERVAL '1 millisecond')`
    return zoned ? sql`(${at} AT TIME ZONE 'UTC')` : at
  },

  keyText: byBytes,
  decimal: (value) => sql`(${value})::numeric`,
  real: (value) => sql`(${value})::double precision`,
  whole: (value) => sql`(${value})::bigint`,
  summable: (value) => value,
  output: (value) => sql`(${value})::text`,

  ordered: byBytes,
  isSame: (left, right) => sql`${left} IS NOT DISTINCT FROM ${right}`,
  isOneOf: (value, list) => sql`${value} IN (${listed(list)})`,
  positionIn: (text, of) => sql`STRPOS(${text}, ${of})`,
  concat: (texts) => sql`(${joined(texts, ' || ')})`,

  floorBy: (value, by) => sql`FLOOR((${value})::double precision / ${by})::bigint`,
  floorOf: (value, by) => sql`FLOOR((${value})::numeric / (${by})::numeric)`,
  floorReal: (value) => sql`FLOOR(${value})`,
  truncate: (value) => sql`TRUNC(${value})`,
  round: (value, decimals) => sql`ROUND(${value}, ${decimals})`,

  year: (day) => part('YEAR', day),
  month: (day) => part('MONTH', day),
  dayOfMonth: (day) => part('DAY', day),
  dayOfYear: (day) => part('DOY', day),
  yearLater: (day) => sql`((${dateOf(day)} + INTERVAL '1 year')::date - ${EPOCH})::bigint`,
  isoDay: (day) => sql`TO_CHAR(${dateOf(day)}, 'YYYY-MM-DD')`,
}
