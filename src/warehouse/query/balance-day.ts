import { dayFromIso } from './days'
import type { ExecuteSql } from './execute'
import type { DayRange } from './period'
import { columnAt, refOf, sourceOf } from './source'
import type { QuerySource, CompileContext } from './source'
import { bind, int, sql } from './sql'
import type { Sql } from './sql'
import type { LiveDataset } from '../physical'
import type { ColumnKey } from '../../shared/sources'

/** Columns that say of when a balance of an account is: its fiscal year, and whether it opens or closes it. */
interface BalanceColumns {
  year: ColumnKey
  kind: ColumnKey
}
const KNOWN_BY = ['account', 'amount']

/** Balances of accounts as books are read: their rows have no day of their own. Null for other datasets. */
function balanceKeys({ columns }: Pick<LiveDataset, 'columns'>): BalanceColumns | null {
  const find = (label: string): ColumnKey | undefined =>
    columns.find((column) => column.type === 'text' && column.label.toLowerCase().replaceAll(' ', '_') === label)?.key
  const [year, kind] = [find('fiscal_year'), find('kind')]
  const isKnown = KNOWN_BY.every((label) => columns.some((column) => column.label.toLowerCase() === label))
  return year !== undefined && kind !== undefined && isKnown ? { year, kind } : null
}

/**
 * The day that a balance is of: the last of its fiscal year, of an opening balance the last before it; today for a year
 * that has not ended, and for one that is not known. Years are named as books name them: `2024`, `2024-07/2025-06`.
 */
export function balanceDaySql({ root, calendar }: Pick<QuerySource, 'root' | 'calendar'>): Sql | null {
  const keys = balanceKeys(root.dataset)
  if (!keys) return null
  const [year, kind] = [refOf(columnAt(root, keys.year)), refOf(columnAt(root, keys.kind))]
  const today = int(dayFromIso(calendar.today) ?? 0)
  const start = sql`CASE length(${year}) WHEN 4 THEN ${year} || ${bind('-01-01')} WHEN 15 THEN substr(${year}, 1, 7) || ${bind('-01')} END`
  const after = sql`CASE length(${year}) WHEN 4 THEN date(${year} || ${bind('-01-01')}, '+1 year') WHEN 15 THEN date(substr(${year}, 9) || ${bind('-01')}, '+1 month') END`
  const next = sql`unixepoch(CASE ${kind} WHEN 'IB' THEN ${start} ELSE ${after} END) / 86400`
  return sql`coalesce(min(${next} - 1, ${today}), ${today})`
}

/** The first and the last day that balances of a dataset are of; empty for other datasets. */
export function balanceDays(context: CompileContext, fact: string, executeSql: ExecuteSql): DayRange[] {
  const source = sourceOf(context, fact)
  const day = balanceDaySql(source)
  if (!day) return []
  const [row] = executeSql(sql`SELECT min(d), max(d) FROM (SELECT ${day} AS d FROM ${context.from(source)})`)
  const [from, to] = [row?.[0], row?.[1]]
  return typeof from === 'number' && typeof to === 'number' ? [{ from, to }] : []
}
