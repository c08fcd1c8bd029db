import { cellOf, valueFrom } from './amount'
import { inDays, sourceRows } from './aggregate'
import { ANSWER_MAX_CHARS, VALUE_CHARS } from './execute'
import type { Execute } from './execute'
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

/** The columns of a drill: the plan's, else the first hundred that can be seen. */
export const columnsShown = (source: Source, plan: QueryPlan): Column[] =>
  plan.columns && plan.columns.length > 0
    ? plan.columns.map((field) => columnOf(source, field))
    : source.dataset.columns.filter((column) => !column.hidden).slice(0, COLUMNS_SHOWN_MAX)

/**
 * One page of records, in the order asked for, else as loaded. Pages are found first, then read by column groups. A
 * page too large for an answer ends early: with at least one row, and the next page begins where this one ended.
 */
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
  const fit = idsThatFit(source, { scope, columns, ids }, execute)
  return {
    columns,
    rows: readColumns(source, { scope, columns, ids: fit }, execute),
    count: Number(counted[0]?.[0] ?? 0),
  }
}

interface Asked {
  scope: ScopeWire
  columns: Column[]
  ids: number[]
}

/** The rows of the page, up to what one answer may hold; the first in any case. Sizes are read without the texts. */
function idsThatFit(source: Source, ask: Asked, execute: Execute): number[] {
  const { scope, ids } = ask
  const sizes = new Map<number, number>()
  const texts = ask.columns.filter(({ type }) => type === 'text')
  for (let start = 0; start < texts.length; start += COLUMNS_PER_READ) {
    const part = texts.slice(start, start + COLUMNS_PER_READ)
    const bytes = sum(part.map((column) => sql`ifnull(octet_length(${name(column.key)}), 0)`))
    for (const [rid, size] of execute(
      sql`SELECT rid, ${bytes} FROM ${someRows(source, { scope, columns: part, ids })}`,
    ))
      sizes.set(Number(rid), (sizes.get(Number(rid)) ?? 0) + Number(size))
  }
  let left = ANSWER_MAX_CHARS
  const past = ids.findIndex((id) => {
    left -= (ask.columns.length + 1) * VALUE_CHARS + (sizes.get(id) ?? 0)
    return left < 0
  })
  return past < 0 ? ids : ids.slice(0, Math.max(1, past))
}
/** A balanced tree: SQLite refuses expressions deeper than 100. */
function sum(pieces: readonly Sql[]): Sql {
  const [first, second] = pieces
  if (!first) return int(0)
  if (!second) return first
  const half = Math.ceil(pieces.length / 2)
  return sql`(${sum(pieces.slice(0, half))} + ${sum(pieces.slice(half))})`
}

/** Some columns of the rows with these ids. */
function someRows(source: Source, { scope, columns, ids }: Asked): Sql {
  const reading: Source = { ...source, used: new Set(columns.map((column) => column.key)), walls: new Set() }
  const listed = sql`SELECT value FROM json_each(${bind(JSON.stringify(ids))})`
  return sql`${from(reading, scope)} WHERE rid IN (${listed})`
}

function readColumns(source: Source, ask: Asked, execute: Execute): Cell[][] {
  const { scope, columns, ids } = ask
  const rows = new Map(ids.map((id): [number, Cell[]] => [id, []]))
  for (let start = 0; start < columns.length; start += COLUMNS_PER_READ) {
    const part = columns.slice(start, start + COLUMNS_PER_READ)
    const names = join([sql`rid`, ...part.map((column) => name(column.key))], ', ')
    for (const [rid, ...cells] of execute(sql`SELECT ${names} FROM ${someRows(source, { scope, columns: part, ids })}`))
      rows.get(Number(rid))?.push(...part.map((column, i) => cellOf(valueFrom(column, cells[i]))))
  }
  return ids.map((id) => rows.get(id) ?? [])
}
