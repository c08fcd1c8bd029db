import { currencySql, rateDaySql } from './conversion-sql'
import type { MoneyUse } from './money-columns'
import { inDays, markPeriod, sourceRows } from '../aggregates/compile-aggregate'
import { numbersOf, sum, type AggregationSql } from '../aggregates/aggregation'
import { columnNumber } from '../expressions/expr'
import { filtersSql } from '../sources/filters'
import { any, join, name, sql, type ExecuteSql, type Sql } from '../sources/sql'
import { columnOf, sourceOf, type CompileContext, type QuerySource } from '../sources/source'
import { amountGroups, type AmountGroup, type AmountRequest } from '../../columns/money/amount-groups'
import type { ColumnSources } from '../../columns/column-table'
import type { QuerySteps } from '../../scheduling/query-scheduler'

/** Where amounts lie, and the world in which they are as they lie. */
export interface AmountSource {
  world: CompileContext
  execute: ExecuteSql
  /** Where rows are kept in columns, too. */
  columns?: ColumnSources | undefined
}

/** What amounts come to by currency, or by currency and the day of their rate. */
export function* addedAmounts(
  { world, execute, columns }: AmountSource,
  request: AmountRequest,
): QuerySteps<AmountGroup[]> {
  const found = columns ? yield* amountGroups(world, request, columns) : null
  return found ?? amountsInRows(world, request, execute)
}

function amountsInRows(world: CompileContext, request: AmountRequest, execute: ExecuteSql): AmountGroup[] {
  const { rows, total } = amountRows(world, request)
  const outputs = total.read(total.pieces([])).outputs
  const selected = join([sql`c, d, count(*)`, ...outputs], ', ')
  const found = execute(sql`SELECT ${selected} FROM ${rows} WHERE v0 IS NOT NULL GROUP BY c, d`)
  return found.map(([currency, day, count, ...cells]) => ({
    currency: typeof currency === 'string' ? currency : null,
    day: typeof day === 'number' ? day : null,
    rows: Number(count),
    amount: total.decode(cells),
  }))
}

/** A line per row with an amount: its currency `c`, the amount `v0`, the day `d` of its rate. */
function amountRows(
  world: CompileContext,
  { use, plan, ranges, byDay }: AmountRequest,
): { rows: Sql; total: AggregationSql } {
  const source = sourceOf(world, use.fact)
  if (plan.period) markPeriod(source, plan.period.field)
  const column = columnOf(source, use.field)
  const number = columnNumber(source, column)
  const columns = [
    sql`${currencySql(column, use.money)} AS c`,
    sql`${number.sql} AS v0`,
    sql`${byDay ? rateDaySql(source, plan) : sql`NULL`} AS d`,
  ]
  const dated = plan.period && ranges.length > 0 ? columnOf(source, plan.period.field) : null
  const days = dated ? [any(ranges.map((range) => inDays(dated, range)))] : []
  const conditions = join(
    [...days, ...passing(source, use)].map((each) => sql` AND ${each}`),
    ' ',
  )
  // Rows are read of columns that were named: they come last.
  const rows = sql`(SELECT ${join(columns, ', ')} FROM ${sourceRows(source, plan)}${conditions})`
  const base = { column: (piece: Sql): Sql => piece, window: (): Sql => name('w0'), time: null }
  const total = sum({ source, base, when: [], format: { style: 'plain' } }, numbersOf(number, name('v0')))
  return { rows, total }
}

/** Rows that any measure counts. */
function passing(querySource: QuerySource, { filters }: MoneyUse): Sql[] {
  if (filters.some((each) => each.length === 0)) return []
  return [any(filters.map((each) => filtersSql(querySource, each, 'measures')))]
}
