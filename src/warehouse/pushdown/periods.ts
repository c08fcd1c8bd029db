import type { ForeignRows } from './foreign-rows'
import { allOf, sql, type Sql } from './sql'
import { RowValues } from './values'
import type { DayRange } from '../query/time/resolve-period'
import { DAY_MS } from '../../shared/dates'
import type { Field } from '../../shared/query/field'

/** Zones lie up to a day off on either side. */
const ZONES_DAYS = 2

/** Rows of some local days, in a way that an index can be used for. */
export function periodSql(rows: ForeignRows, field: Field, { from, to }: DayRange): Sql {
  const { dialect } = rows
  const placed = rows.field(field)
  const { cell, column } = placed
  if (cell !== null && column.type === 'date')
    return sql`${cell} BETWEEN ${dialect.dayBound(from)} AND ${dialect.dayBound(to)}`
  const day = new RowValues(rows).days(placed)
  const exact = sql`${day} BETWEEN ${from} AND ${to}`
  if (cell === null) return exact
  const bound = (at: number): Sql => dialect.momentBound(at * DAY_MS, column.zoned === true)
  return allOf([
    ...(from - ZONES_DAYS > USUAL.first ? [sql`${cell} >= ${bound(from - ZONES_DAYS)}`] : []),
    ...(to + ZONES_DAYS < USUAL.last ? [sql`${cell} < ${bound(to + 1 + ZONES_DAYS)}`] : []),
    exact,
  ])
}
/** Days that every database can name: those of 1900 to 2199. */
const USUAL = { first: -25_567, last: 84_006 }
