import { filtersSql } from './conditions'
import { compiled, statementOf } from './folded-statement'
import { readRows, type ForeignDatabase } from './foreign-database'
import { ForeignRows, type Compilation } from './foreign-rows'
import { periodSql } from './periods'
import { notLive } from './refusals'
import { allOf, listed, sql, written, type Sql, type Statement } from './sql'
import { RowValues } from './values'
import { exactOf, pow10, rescale } from '../query/expressions/decimal'
import { cellOf, realFrom, valueFrom } from '../query/aggregates/amount'
import { recordFields, type RecordPage, type RecordsRequest } from '../query/plan/record-fields'
import type { PlanContext } from '../query/query-context'
import type { QuerySteps } from '../scheduling/query-scheduler'
import { QUERY_ROWS_MAX } from '../../shared/limits'
import type { Column } from '../../shared/data-sources/data-sources'
import type { ColumnKey } from '../../shared/data-sources/files'
import type { ColumnBounds } from '../contract'
import type { Cell } from '../../shared/query/result'

/** One page of records. @throws ProductError `query_too_complex` */
export function* foreignRecords(
  planContext: PlanContext,
  ask: RecordsRequest,
  database: ForeignDatabase,
): QuerySteps<RecordPage> {
  const fields = recordFields(planContext, ask)
  if (fields.some(({ applied }) => applied)) throw notLive('Currency conversion')
  const page = yield* compiled({ planContext, database }, (compilation) =>
    recordsStatement(planContext, ask, compilation),
  )
  const found = yield* readRows(database, page.records, QUERY_ROWS_MAX)
  const [counted] = yield* readRows(database, page.count, 1)
  const rows = found.map((cells) => fields.map(({ column }, i) => shownCell(column, cells[i] ?? null)))
  const columns = fields.map(({ column, field }) => ({ column, field, converted: null }))
  return { columns, rows, count: Number(counted?.[0] ?? 0) }
}

function recordsStatement(
  planContext: PlanContext,
  ask: RecordsRequest,
  compilation: Compilation,
): { records: Statement; count: Statement } {
  const { plan, home, period } = ask
  const { database } = compilation
  const { dialect } = database
  const rows = new ForeignRows(planContext, compilation, home)
  const values = new RowValues(rows)
  const placed = recordFields(planContext, ask).map(({ field }) => rows.field(field))
  const conditions = [
    filtersSql(rows, plan.filters, 'filters'),
    ...(period?.range && plan.period ? [periodSql(rows, plan.period.field, period.range)] : []),
  ]
  const order = (plan.sort ?? []).flatMap(({ by, dir }): Sql[] => {
    const column = 'column' in by ? placed[by.column] : undefined
    if (!column) return []
    const value = values.column(column)
    const ordered = column.column.type === 'text' ? dialect.ordered(value) : value
    // Empty values come last, whichever way.
    return [sql`CASE WHEN ${value} IS NULL THEN 1 ELSE 0 END`, dir === 'desc' ? sql`${ordered} DESC` : ordered]
  })
  const key = rows.own.table.rowKey.map((name) => sql`${rows.own.alias}.${dialect.quote(name)}`)
  const shown = placed.map((each) =>
    dialect.output(values.column(each), each.column.type === 'text' ? 'text' : 'number'),
  )
  const by = [...order, ...key]
  const ordered = by.length === 0 ? written('') : sql` ORDER BY ${listed(by)}`
  const from = sql` FROM ${rows.from()} WHERE ${allOf(conditions)}`
  const page = sql` LIMIT ${plan.limit ?? QUERY_ROWS_MAX} OFFSET ${plan.offset ?? 0}`
  return {
    records: statementOf(database, sql`SELECT ${listed(shown)}${from}${ordered}${page}`),
    count: statementOf(database, sql`SELECT ${dialect.output(sql`COUNT(*)`, 'number')}${from}`),
  }
}

function shownCell(column: Column, cell: string | null): Cell {
  if (cell === null) return null
  if (column.type === 'text') return cell
  if (column.type === 'number' && column.scale === undefined) return realFrom(Number(cell))
  const stored =
    column.type === 'number' || column.type === 'integer' ? scaledCell(cell, column.scale ?? 0) : Number(cell)
  return cellOf(valueFrom(column, stored))
}
/** As it would be stored: a whole number of the column's scale. */
function scaledCell(cell: string, scale: number): string | null {
  const exact = exactOf(cell)
  return exact && String(rescale(exact, scale) ?? exact.n / pow10(exact.scale - scale))
}

/** How many rows of a dataset the asker may see, and between which values some of their columns lie. */
export function* foreignVisible(
  planContext: PlanContext,
  { dataset, columns }: { dataset: string; columns: readonly ColumnKey[] },
  database: ForeignDatabase,
): QuerySteps<{ count: number; bounds: Partial<Record<ColumnKey, ColumnBounds>> }> {
  const statement = yield* compiled({ planContext, database }, (compilation) => {
    const rows = new ForeignRows(planContext, compilation, dataset)
    const values = new RowValues(rows)
    const { dialect } = database
    const ends = columns.flatMap((key) => {
      const value = values.field({ dataset, column: key })
      return [sql`MIN(${value})`, sql`MAX(${value})`].map((end) => dialect.output(end, 'number'))
    })
    return statementOf(
      database,
      sql`SELECT ${listed([dialect.output(sql`COUNT(*)`, 'number'), ...ends])} FROM ${rows.from()}`,
    )
  })
  const [row = []] = yield* readRows(database, statement, 1)
  const numberAt = (i: number): number | null => {
    const cell = row[i] ?? null
    return cell === null ? null : Number(cell)
  }
  const bounds = columns.map((key, i) => [key, { min: numberAt(1 + 2 * i), max: numberAt(2 + 2 * i) }] as const)
  return { count: numberAt(0) ?? 0, bounds: Object.fromEntries(bounds) }
}
