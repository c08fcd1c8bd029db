import { cellOf, exactFrom, realFrom, valueFrom, type Amount } from '../aggregates/amount'
import { inDays, markPeriod, sourceRows } from '../aggregates/compile-aggregate'
import { ANSWER_MAX_CHARS, VALUE_CHARS, all, bind, int, join, sql, type ExecuteSql, type Sql } from './sql'
import { columnNumber } from '../expressions/expr'
import type { AbsolutePeriod } from '../time/resolve-period'
import { queryTooComplex } from '../plan/plan-errors'
import { columnOf, refOf, sourceOf, usedColumns } from './source'
import type { MoneyConversion, QuerySource, CompileContext } from './source'
import { QUERY_ROWS_MAX } from '../../../shared/limits'
import type { ColumnFormat } from '../../../shared/data-sources/files'
import type { Field, QueryPlan } from '../../../shared/query/plan'
import type { Cell } from '../../../shared/query/result'
import type { Column } from '../../../shared/data-sources/data-sources'
import type { LiveDataset } from '../../physical-layout'

/** Columns read by one statement; SQLite here allows 100 in a result. */
const COLUMNS_PER_READ = 60
/** With the keys that join. */
const COLUMNS_MAX = 95
const COLUMNS_SHOWN_MAX = 100

/** The columns of a drill: the plan's, else the first hundred that can be seen. */
export const fieldsShown = (dataset: Pick<LiveDataset, 'id' | 'columns'>, plan: Pick<QueryPlan, 'columns'>): Field[] =>
  plan.columns && plan.columns.length > 0
    ? plan.columns
    : dataset.columns
        .filter((column) => !column.hidden)
        .slice(0, COLUMNS_SHOWN_MAX)
        .map(({ key }) => ({ dataset: dataset.id, column: key }))

/** One column of the records: as it lies, or a column of amounts once more, brought to one currency. */
export interface RecordColumn {
  column: Column
  field: Field
  converted: ColumnFormat | null
}
interface RecordField extends RecordColumn {
  /** What brings it to one currency; null: as it lies. */
  money: MoneyConversion | null
}
export interface RecordsRequest {
  home: string
  plan: QueryPlan
  period: AbsolutePeriod | null
  money: MoneyConversion | undefined
}
export interface RecordPage {
  columns: RecordColumn[]
  rows: Cell[][]
  /** Of all pages. */
  count: number
}

/** Every amount that is in another currency stands beside what it comes to in the one that is asked for. */
export function recordFields(context: CompileContext, { home, plan, money }: RecordsRequest): RecordField[] {
  const source = sourceOf(context, home)
  return fieldsShown(source.root.dataset, plan).flatMap((field): RecordField[] => {
    const column = columnOf(source, field)
    const isConverted = money && money.factor(source, column) !== null
    const format = money?.format(column) ?? null
    return [
      { column, field, converted: null, money: null },
      ...(isConverted ? [{ column, field, converted: format, money }] : []),
    ]
  })
}

/**
 * One page of records, in the order asked for, else as loaded. Pages are found first, then read by column groups. A
 * page too large for an answer ends early: with at least one row, and the next page begins where this one ended.
 */
export function readRows(context: CompileContext, ask: RecordsRequest, executeSql: ExecuteSql): RecordPage {
  const { home, plan, period } = ask
  const source = sourceOf(context, home)
  const fields = fieldsShown(source.root.dataset, plan)
  const wanted = recordFields(context, ask)
  if (plan.period) markPeriod(source, plan.period.field)
  const inPeriod = period?.range && plan.period ? [inDays(columnOf(source, plan.period.field), period.range)] : []
  const order = (plan.sort ?? []).flatMap(({ by, dir }) => {
    const field = 'column' in by ? fields[by.column] : undefined
    return field ? [sql`${refOf(columnOf(source, field))} ${dir === 'asc' ? sql`ASC` : sql`DESC`} NULLS LAST`] : []
  })
  const matching = sql`FROM ${sourceRows(source, plan)} AND ${all(inPeriod)}`
  const counted = executeSql(sql`SELECT count(*) ${matching}`)
  const page = sql`LIMIT ${int(plan.limit ?? QUERY_ROWS_MAX)} OFFSET ${int(plan.offset ?? 0)}`
  const found = executeSql(sql`SELECT rid ${matching} ORDER BY ${join([...order, sql`rid`], ', ')} ${page}`)
  const ids = found.map(([rid]) => Number(rid))
  const fit = idsThatFit({ world: context, home, fields, ids }, executeSql)
  return {
    columns: wanted.map(({ column, field, converted }) => ({ column, field, converted })),
    rows: readColumns({ world: context, home, wanted, ids: fit }, executeSql),
    count: Number(counted[0]?.[0] ?? 0),
  }
}

interface PageRequest {
  world: CompileContext
  home: string
  fields: Field[]
  ids: number[]
}

/** The rows of the page, up to what one answer may hold; the first in any case. Sizes are read without the texts. */
function idsThatFit(ask: PageRequest, executeSql: ExecuteSql): number[] {
  const { ids, fields } = ask
  const sizes = new Map<number, number>()
  const probe = sourceOf(ask.world, ask.home)
  const texts = fields.filter((field) => columnOf(probe, field).type === 'text')
  for (const part of columnBatches(texts)) {
    const source = sourceOf(ask.world, ask.home)
    const bytes = sumSql(part.map((field) => sql`ifnull(octet_length(${refOf(columnOf(source, field))}), 0)`))
    for (const [rid, size] of executeSql(sql`SELECT rid, ${bytes} FROM ${someRows(source, ids)}`))
      sizes.set(Number(rid), (sizes.get(Number(rid)) ?? 0) + Number(size))
  }
  let left = ANSWER_MAX_CHARS
  const past = ids.findIndex((id) => {
    left -= (fields.length + 1) * VALUE_CHARS + (sizes.get(id) ?? 0)
    return left < 0
  })
  return past < 0 ? ids : ids.slice(0, Math.max(1, past))
}
const columnBatches = <T>(fields: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(fields.length / COLUMNS_PER_READ) }, (_, i) =>
    fields.slice(i * COLUMNS_PER_READ, (i + 1) * COLUMNS_PER_READ),
  )
/** A balanced tree: SQLite refuses expressions deeper than 100. */
function sumSql(pieces: readonly Sql[]): Sql {
  const [first, second] = pieces
  if (!first) return int(0)
  if (!second) return first
  const half = Math.ceil(pieces.length / 2)
  return sql`(${sumSql(pieces.slice(0, half))} + ${sumSql(pieces.slice(half))})`
}

/** The rows with these ids, with the columns that were named before. */
const someRows = (querySource: QuerySource, ids: readonly number[]): Sql =>
  sql`${querySource.world.from(querySource)} WHERE rid IN (SELECT value FROM json_each(${bind(JSON.stringify(ids))}))`

function readColumns(
  { world, home, wanted, ids }: Omit<PageRequest, 'fields'> & { wanted: readonly RecordField[] },
  executeSql: ExecuteSql,
): Cell[][] {
  const rows = new Map(ids.map((id): [number, Cell[]] => [id, []]))
  for (const part of columnBatches(wanted)) {
    const source = sourceOf(world, home)
    const read = part.map((each) => cellSql(source, each))
    const names = join([sql`rid`, ...read.map(({ piece }) => piece)], ', ')
    if (usedColumns(source) > COLUMNS_MAX) throw queryTooComplex('columns', COLUMNS_MAX)
    for (const [rid, ...cells] of executeSql(sql`SELECT ${names} FROM ${someRows(source, ids)}`))
      rows.get(Number(rid))?.push(...read.map(({ decode }, i) => cellOf(decode(cells[i]))))
  }
  return ids.map((id) => rows.get(id) ?? [])
}

interface CellSql {
  piece: Sql
  decode: (cell: SqlStorageValue | undefined) => Amount
}

function cellSql(querySource: QuerySource, { field, money }: Pick<RecordField, 'field' | 'money'>): CellSql {
  const column = columnOf(querySource, field)
  if (!money) return { piece: refOf(column), decode: (cell) => valueFrom(column, cell) }
  const number = columnNumber({ ...querySource, world: { ...querySource.world, money } }, column)
  if (number.kind === 'real') return { piece: number.sql, decode: realFrom }
  // Integers past 2^53 travel as text.
  return { piece: sql`CAST(${number.sql} AS TEXT)`, decode: (cell) => exactFrom(cell, number.scale) }
}
