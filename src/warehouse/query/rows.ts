import { cellOf, valueFrom } from './amount'
import { inDays, markPeriod, sourceRows } from './aggregate'
import { ANSWER_MAX_CHARS, VALUE_CHARS } from './execute'
import type { Execute } from './execute'
import type { Resolved } from './period'
import { tooComplex } from './refuse'
import { columnOf, refOf, sourceOf, usedColumns } from './source'
import type { Node, Source, World } from './source'
import { all, bind, int, join, sql } from './sql'
import type { Sql } from './sql'
import { QUERY_ROWS_MAX } from '../../shared/limits'
import type { Field, QueryPlan } from '../../shared/query'
import type { Cell } from '../../shared/query-result'
import type { Column } from '../../shared/sources'

/** Columns read by one statement; SQLite here allows 100 in a result. */
const COLUMNS_PER_READ = 60
/** With the keys that join. */
const COLUMNS_MAX = 95
const COLUMNS_SHOWN_MAX = 100

/** The columns of a drill: the plan's, else the first hundred that can be seen. */
const fieldsShown = ({ dataset }: Node, plan: QueryPlan): Field[] =>
  plan.columns && plan.columns.length > 0
    ? plan.columns
    : dataset.columns
        .filter((column) => !column.hidden)
        .slice(0, COLUMNS_SHOWN_MAX)
        .map(({ key }) => ({ dataset: dataset.id, column: key }))

/**
 * One page of records, in the order asked for, else as loaded. Pages are found first, then read by column groups. A
 * page too large for an answer ends early: with at least one row, and the next page begins where this one ended.
 */
export function readRows(
  world: World,
  ask: { home: string; plan: QueryPlan; period: Resolved | null },
  execute: Execute,
): { columns: Column[]; fields: Field[]; rows: Cell[][]; count: number } {
  const { home, plan, period } = ask
  const source = sourceOf(world, home)
  const fields = fieldsShown(source.root, plan)
  if (plan.period) markPeriod(source, plan.period.field)
  const inPeriod = period?.range && plan.period ? [inDays(columnOf(source, plan.period.field), period.range)] : []
  const order = (plan.sort ?? []).flatMap(({ by, dir }) => {
    const field = 'column' in by ? fields[by.column] : undefined
    return field ? [sql`${refOf(columnOf(source, field))} ${dir === 'asc' ? sql`ASC` : sql`DESC`} NULLS LAST`] : []
  })
  const matching = sql`FROM ${sourceRows(source, plan)} AND ${all(inPeriod)}`
  const counted = execute(sql`SELECT count(*) ${matching}`)
  const page = sql`LIMIT ${int(plan.limit ?? QUERY_ROWS_MAX)} OFFSET ${int(plan.offset ?? 0)}`
  const found = execute(sql`SELECT rid ${matching} ORDER BY ${join([...order, sql`rid`], ', ')} ${page}`)
  const ids = found.map(([rid]) => Number(rid))
  const fit = idsThatFit({ world, home, fields, ids }, execute)
  return {
    columns: fields.map((field) => columnOf(source, field)),
    fields,
    rows: readColumns({ world, home, fields, ids: fit }, execute),
    count: Number(counted[0]?.[0] ?? 0),
  }
}

interface Asked {
  world: World
  home: string
  fields: Field[]
  ids: number[]
}

/** The rows of the page, up to what one answer may hold; the first in any case. Sizes are read without the texts. */
function idsThatFit(ask: Asked, execute: Execute): number[] {
  const { ids, fields } = ask
  const sizes = new Map<number, number>()
  const probe = sourceOf(ask.world, ask.home)
  const texts = fields.filter((field) => columnOf(probe, field).type === 'text')
  for (const part of parts(texts)) {
    const source = sourceOf(ask.world, ask.home)
    const bytes = sum(part.map((field) => sql`ifnull(octet_length(${refOf(columnOf(source, field))}), 0)`))
    for (const [rid, size] of execute(sql`SELECT rid, ${bytes} FROM ${someRows(source, ids)}`))
      sizes.set(Number(rid), (sizes.get(Number(rid)) ?? 0) + Number(size))
  }
  let left = ANSWER_MAX_CHARS
  const past = ids.findIndex((id) => {
    left -= (fields.length + 1) * VALUE_CHARS + (sizes.get(id) ?? 0)
    return left < 0
  })
  return past < 0 ? ids : ids.slice(0, Math.max(1, past))
}
const parts = (fields: readonly Field[]): Field[][] =>
  Array.from({ length: Math.ceil(fields.length / COLUMNS_PER_READ) }, (_, i) =>
    fields.slice(i * COLUMNS_PER_READ, (i + 1) * COLUMNS_PER_READ),
  )
/** A balanced tree: SQLite refuses expressions deeper than 100. */
function sum(pieces: readonly Sql[]): Sql {
  const [first, second] = pieces
  if (!first) return int(0)
  if (!second) return first
  const half = Math.ceil(pieces.length / 2)
  return sql`(${sum(pieces.slice(0, half))} + ${sum(pieces.slice(half))})`
}

/** The rows with these ids, with the columns that were named before. */
const someRows = (source: Source, ids: readonly number[]): Sql =>
  sql`${source.world.from(source)} WHERE rid IN (SELECT value FROM json_each(${bind(JSON.stringify(ids))}))`

function readColumns(ask: Asked, execute: Execute): Cell[][] {
  const rows = new Map(ask.ids.map((id): [number, Cell[]] => [id, []]))
  for (const part of parts(ask.fields)) {
    const source = sourceOf(ask.world, ask.home)
    const columns = part.map((field) => columnOf(source, field))
    const names = join([sql`rid`, ...columns.map((column) => refOf(column))], ', ')
    if (usedColumns(source) > COLUMNS_MAX) throw tooComplex('columns', COLUMNS_MAX)
    for (const [rid, ...cells] of execute(sql`SELECT ${names} FROM ${someRows(source, ask.ids)}`))
      rows.get(Number(rid))?.push(...columns.map((column, i) => cellOf(valueFrom(column, cells[i]))))
  }
  return ask.ids.map((id) => rows.get(id) ?? [])
}
