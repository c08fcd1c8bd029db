import { ProductError } from '../../shared/errors'
import type { Dialect } from './dialect'
import { blankPattern, inBraces, UNCOMPOSED_PATTERN } from './imported-texts'
import { isoFromDay, DAY_MS } from '../../shared/dates'
import { joined, listed, parameter, sql, written, type Sql } from './sql'

/**
 * MySQL 8 and MariaDB 10.6 and later; the session's clock is UTC. Texts are compared as bytes: what a collation takes for
 * the same are different values here.
 */
const EPOCH = written(`DATE '1970-01-01'`)
const dateOf = (day: Sql): Sql => sql`DATE_ADD(${EPOCH}, INTERVAL (${day}) DAY)`
const unicode = (text: Sql): Sql => sql`CONVERT(${text} USING utf8mb4)`
const bytes = (text: Sql): Sql => sql`CAST(${unicode(text)} AS BINARY)`
const bytesOf = (text: string): Sql => bytes(parameter(text, 'text'))
const BLANK = blankPattern(inBraces)
/** First letters of blank texts that are no plain blanks, by their bytes: U+00A0 and U+202F. */
const NO_BREAK_SPACES = listed([0xc2a0, 0xe280af].map((code) => sql`${code}`))
const DIGITS_MAX = 65
const SCALE_MAX = 30

export const MYSQL: Dialect = {
  name: 'mysql',
  namesPlaces: false,
  quote(name) {
    if (name === '' || name.includes('\0')) throw new ProductError('unknown_field', { field: name })
    return written(`\`${name.replaceAll('`', '``')}\``)
  },
  placeholder({ as, value }) {
    if (as === 'text') return '?'
    // Decimals keep those that they have.
    if (as === 'decimal') return `CAST(? AS DECIMAL(${DIGITS_MAX}, ${decimalsOf(value)}))`
    return '(? + 0e0)'
  },

  textCell: bytes,
  importedText(cell, spellings) {
    const [text, stored] = [unicode(cell), bytes(cell)]
    const composed = [...spellings].map(([from, to]) => sql`WHEN ${bytesOf(from)} THEN ${bytesOf(to)}`)
    const value = composed.length === 0 ? stored : sql`CASE ${stored} ${joined(composed, ' ')} ELSE ${stored} END`
    const isWord = sql`ORD(${text}) > 32 AND ORD(${text}) NOT IN (${NO_BREAK_SPACES})`
    return sql`CASE WHEN ${isWord} THEN ${value} WHEN ${text} REGEXP ${parameter(BLANK, 'text')} THEN NULL ELSE ${value} END`
  },
  uncomposed(cell) {
    const text = unicode(cell)
    return sql`LENGTH(${text}) > CHAR_LENGTH(${text}) AND ${text} REGEXP ${parameter(UNCOMPOSED_PATTERN, 'text')}`
  },
  bytesCell: (cell) => sql`HEX(${cell})`,
  realCell: (cell) => sql`(${cell} + 0e0)`,
  exactCell: (cell) => cell,
  // The day 0 of some databases is none.
  isInCalendar: (cell) => sql`${cell} >= '0001-01-01'`,
  flagCell: (cell) => sql`CASE WHEN ${cell} IS NULL THEN NULL WHEN ${cell} <> 0 THEN 1 ELSE 0 END`,
  dayCell: (cell) => sql`DATEDIFF(${cell}, ${EPOCH})`,
  momentCell: (cell) => sql`FLOOR(TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', ${cell}) / 1000e0)`,
  dayBound: (day) => written(`DATE '${isoFromDay(day)}'`),
  momentBound(ms) {
    const day = Math.floor(ms / DAY_MS)
    const clock = new Date(ms - day * DAY_MS).toISOString().slice(11, 23)
    return written(`TIMESTAMP '${isoFromDay(day)} ${clock}'`)
  },

  keyText: (cell) => bytes(sql`CAST(${cell} AS CHAR)`),
  decimal: (value, scale) => sql`CAST(${value} AS DECIMAL(${DIGITS_MAX}, ${Math.min(scale, SCALE_MAX)}))`,
  real: (value) => sql`(${value} + 0e0)`,
  whole: (value) => sql`CAST(${value} AS SIGNED)`,
  summable: (value, scale) => sql`CAST(${value} AS DECIMAL(${DIGITS_MAX}, ${Math.min(scale, SCALE_MAX)}))`,
  output: (value, kind) => (kind === 'text' ? sql`CONVERT(${value} USING utf8mb4)` : sql`CAST(${value} AS CHAR)`),

  ordered: (text) => text,
  isSame: (left, right) => sql`${left} <=> ${right}`,
  isOneOf: (value, list) => sql`${value} IN (${listed(list)})`,
  positionIn: (text, part) => sql`LOCATE(${part}, ${text})`,
  concat: (texts) => sql`CONCAT(${listed(texts)})`,

  // Beside floating point, a quotient is not rounded to four decimals.
  floorBy: (value, by) => sql`CAST(FLOOR((${value}) / (${by} + 0e0)) AS SIGNED)`,
  floorOf: (value, by) => sql`((${value}) - MOD(MOD(${value}, ${by}) + ${by}, ${by})) DIV ${by}`,
  floorReal: (value) => sql`FLOOR(${value})`,
  truncate: (value) => sql`TRUNCATE(${value}, 0)`,
  round: (value, decimals) => sql`ROUND(${value}, ${decimals})`,

  year: (day) => sql`YEAR(${dateOf(day)})`,
  month: (day) => sql`MONTH(${dateOf(day)})`,
  dayOfMonth: (day) => sql`DAYOFMONTH(${dateOf(day)})`,
  dayOfYear: (day) => sql`DAYOFYEAR(${dateOf(day)})`,
  yearLater: (day) => sql`DATEDIFF(DATE_ADD(${dateOf(day)}, INTERVAL 1 YEAR), ${EPOCH})`,
  isoDay: (day) => sql`DATE_FORMAT(${dateOf(day)}, '%Y-%m-%d')`,
}

const decimalsOf = (value: string): number => Math.min(SCALE_MAX, value.split('.')[1]?.length ?? 0)
