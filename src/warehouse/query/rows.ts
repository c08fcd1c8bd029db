import { cellOf, valueFrom } from './amount'
import { inDays, sourceRows } from './aggregate'
import { from } from './from'
import type { Resolved } from './period'
import { columnOf, refOf } from './source'
import type { Source } from './source'
import { all, bind, int, join, name, sql } from './sql'
import type { Sql } from './sql'
import type { ScopeWire } from '../../access/scope'
import { QUERY_ROWS_MAX } from '../../shared/limits'
import type { Cell, QueryPlan } from '../../shared/query'
import type { Column } from '../../shared/sources'

/** Columns read by one statement; SQLite here allows 100 in a result. */
const COLUMNS_PER_READ = 80
const COLUMNS_SHOWN_MAX = 100

export type Execute = (query: Sql) => SqlStorageValue[][]

/** The columns of a drill: the plan's, else the first hundred that can be seen. */
export const columnsShown = (source: Source, plan: QueryPlan): Column[] =>
  plan.columns && plan.columns.length > 0
    ? plan.columns.map((field) => columnOf(source, field))
    : source.dataset.columns.filter((column) => !column.hidden).slice(0, COLUMNS_SHOWN_MAX)

/** One page of records, in the order asked for, else as loaded. Pages are found first, then read by column groups. */
export function readRows(
  source: Source,
  ask: { scope: ScopeWire; plan: QueryPlan; period: Resolved | null },
  execute: Execute,
): { columns: Column[]; rows: Cell[][]; count: number } {
  const { scope, plan, period } = ask
  const columns = columnsShown(source, plan)
  const range = period?.range
  const inPeriod = range && plan.period ? [inDays(source, columnOf(source, plan.period.field), range)] : []
  const order = (plan.sort ?? []).flatMap(({ by, dir }) => {
    const column = 'column' in by ? columns[by.column] : undefined
    return column ? [sql`${refOf(source, column)} ${dir === 'asc' ? sql`ASC` : sql`DESC`} NULLS LAST`] : []
  })
  const matching = sql`FROM ${sourceRows(source, scope, plan)} AND ${all(inPeriod)}`
  const counted = execute(sql`SELECT count(*) ${matching}`)
  const page = sql`LIMIT ${int(plan.limit ?? QUERY_ROWS_MAX)} OFFSET ${int(plan.offset ?? 0)}`
  const found = execute(sql`SELECT rid ${matching} ORDER BY ${join([...order, sql`rid`], ', ')} ${page}`)
  const ids = found.map(([rid]) => Number(rid))
  return { columns, rows: readColumns(source, { scope, columns, ids }, execute), count: Number(counted[0]?.[0] ?? 0) }
}

function readColumns(
  source: Source,
  ask: { scope: ScopeWire; columns: Column[]; ids: number[] },
  execute: Execute,
): Cell[][] {
  const { scope, columns, ids } = ask
  const rows = new Map(ids.map((id): [number, Cell[]] => [id, []]))
  for (let start = 0; start < columns.length; start += COLUMNS_PER_READ) {
    const part = columns.slice(start, start + COLUMNS_PER_READ)
    const reading: Source = { ...source, used: new Set(part.map((column) => column.key)), walls: new Set() }
    const names = join([sql`rid`, ...part.map((column) => name(column.key))], ', ')
    const listed = sql`SELECT value FROM json_each(${bind(JSON.stringify(ids))})`
    for (const [rid, ...cells] of execute(sql`SELECT ${names} FROM ${from(reading, scope)} WHERE rid IN (${listed})`))
      rows.get(Number(rid))?.push(...part.map((column, i) => cellOf(valueFrom(column, cells[i]))))
  }
  return ids.map((id) => rows.get(id) ?? [])
}
