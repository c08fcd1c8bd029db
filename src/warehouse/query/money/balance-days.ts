import { bind, int, sql, type ExecuteSql, type Sql } from '../sources/sql'
import { columnAt, refOf, sourceOf, type CompileContext, type QuerySource } from '../sources/source'
import type { DayRange } from '../time/resolve-period'
import type { LiveDataset } from '../../physical-layout'
import { addMonths, dayFromIso } from '../../../shared/dates'
import type { ColumnKey } from '../../../shared/data-sources/files'

/** Columns that say of when a balance of an account is: its fiscal year, and whether it opens or closes it. */
export interface BalanceColumns {
  year: ColumnKey
  kind: ColumnKey
}
const KNOWN_BY = ['account', 'amount']
/** What the kind of a balance that opens its year is called. */
export const OPENING_KIND = 'IB'

/** Balances of accounts as books are read: their rows have no day of their own. Null for other datasets. */
export function balanceColumns({ columns }: Pick<LiveDataset, 'columns'>): BalanceColumns | null {
  const find = (label: string): ColumnKey | undefined =>
    columns.find((column) => column.type === 'text' && column.label.toLowerCase().replaceAll(' ', '_') === label)?.key
  const [year, kind] = [find('fiscal_year'), find('kind')]
  const isKnown = KNOWN_BY.every((label) => columns.some((column) => column.label.toLowerCase() === label))
  return year !== undefined && kind !== undefined && isKnown ? { year, kind } : null
}

/**
 * The days that the balances of a fiscal year are of: closing ones the last of it, opening ones the last before it; today for
 * a year that has not ended, and for one that is not known. Years are named as books name them: `2024`, `2024-07/2025-06`.
 */
export function daysOfBalances(year: string | null, today: number): { opening: number; closing: number } {
  const lastBefore = (day: number | null): number => (day === null ? today : Math.min(day - 1, today))
  const chars = Array.from(year ?? '')
  const first = (month: string, months: number): number | null => {
    const day = dayFromIso(`${month}-01`)
    return day === null ? null : addMonths(day, months)
  }
  if (chars.length === 4)
    return { opening: lastBefore(first(`${year}-01`, 0)), closing: lastBefore(first(`${year}-01`, 12)) }
  if (chars.length !== 15) return { opening: today, closing: today }
  return {
    opening: lastBefore(first(chars.slice(0, 7).join(''), 0)),
    closing: lastBefore(first(chars.slice(8).join(''), 1)),
  }
}

/** The same as SQL: the day that each balance is of. */
export function balanceDaySql({ root, calendar }: Pick<QuerySource, 'root' | 'calendar'>): Sql | null {
  const keys = balanceColumns(root.dataset)
  if (!keys) return null
  const [year, kind] = [refOf(columnAt(root, keys.year)), refOf(columnAt(root, keys.kind))]
  const today = int(dayFromIso(calendar.today) ?? 0)
  const start = sql`CASE length(${year}) WHEN 4 THEN ${year} || ${bind('-01-01')} WHEN 15 THEN substr(${year}, 1, 7) || ${bind('-01')} END`
  const after = sql`CASE length(${year}) WHEN 4 THEN date(${year} || ${bind('-01-01')}, '+1 year') WHEN 15 THEN date(substr(${year}, 9) || ${bind('-01')}, '+1 month') END`
  const next = sql`unixepoch(CASE ${kind} WHEN ${bind(OPENING_KIND)} THEN ${start} ELSE ${after} END) / 86400`
  return sql`coalesce(min(${next} - 1, ${today}), ${today})`
}

/** The first and the last day that balances of a dataset are of, from its rows; empty for other datasets. */
export function balanceDaysInRows(context: CompileContext, fact: string, executeSql: ExecuteSql): DayRange[] {
  const source = sourceOf(context, fact)
  const day = balanceDaySql(source)
  if (!day) return []
  const [row] = executeSql(sql`SELECT min(d), max(d) FROM (SELECT ${day} AS d FROM ${context.from(source)})`)
  const [from, to] = [row?.[0], row?.[1]]
  return typeof from === 'number' && typeof to === 'number' ? [{ from, to }] : []
}
