import { SAFE_MAX } from '../expressions/decimal'
import { exprNumber, textSql } from '../expressions/expr'
import { asReal } from '../expressions/row-number'
import { localSource, nodeOf, columnAt, keySql, refName, wallName } from './source'
import type { JoinNode, QuerySource, CompileContext } from './source'
import { all, int, join, name, sql, type Sql, type RowNumber } from './sql'
import { typeOfExpression, type ValueType } from '../../../shared/query/expression-types'
import { computedDays } from '../time/computed-days'
import type { Expr, Filter } from '../../../shared/query/plan'
import type { Column } from '../../../shared/data-sources/data-sources'
import type { LiveDataset } from '../../physical-layout'
import { filtersSql } from './filters'
import { minorSql } from '../money/minor-units'
import { notFromColumns, queryTooComplex, unknownField } from '../plan/plan-errors'
import { offsetSql } from '../time/zone-offsets'
import type { ColumnKey } from '../../../shared/data-sources/files'

const typeIn = (dataset: LiveDataset, expr: Expr): ValueType =>
  typeOfExpression(expr, (field) => dataset.columns.find(({ key }) => key === field.column)?.type)

/** A computed column as SQL over the plain names of its node's stored columns. */
function computedSql(querySource: QuerySource, joinNode: JoinNode, expr: Expr): Sql {
  const local = localSource(querySource, joinNode, true)
  if (typeIn(joinNode.dataset, expr) === 'text') return textSql(local, expr)
  const value = exprNumber(local, expr)
  return isKept(value) ? value.sql : asReal(value)
}

/** Whether it stays exact: bounds of columns reach to 2^53. */
const isKept = (value: RowNumber): value is Extract<RowNumber, { kind: 'exact' }> =>
  value.kind === 'exact' && value.bound <= SAFE_MAX

/**
 * A dataset whose computed columns say what they come out as: their type, scale and bounds follow those of the columns
 * they are made of, which loads may widen.
 */
export function withComputed(world: Omit<CompileContext, 'find'>, dataset: LiveDataset): LiveDataset {
  if (!dataset.columns.some(({ computed }) => computed)) return dataset
  const root = nodeOf(dataset, { alias: 0, link: null })
  const inside = {
    world: { ...world, find: () => null },
    calendar: world.calendar,
    root,
    nodes: new Map<string, JoinNode>(),
  }
  const local = localSource({ ...inside, inline: true }, root, true)
  const bounds: LiveDataset['bounds'] = { ...dataset.bounds }
  const columns = dataset.columns.map((column): Column => {
    if (!column.computed) return column
    const { scale: _scale, zoned: _zoned, ...rest } = column
    const type = typeIn(dataset, column.computed)
    if (type === 'date') bounds[column.key] = computedDays(dataset, column.computed)
    if (type === 'text' || type === 'date' || type === 'boolean') return { ...rest, type }
    const value = exprNumber(local, column.computed)
    if (!isKept(value)) return { ...rest, type: 'number' }
    const limit = Number(value.bound)
    bounds[column.key] = { min: -limit, max: limit }
    return value.scale === 0 ? { ...rest, type: 'integer' } : { ...rest, type: 'number', scale: value.scale }
  })
  return { ...dataset, columns, bounds }
}

/** Joins in one statement: SQLite stops at expressions a hundred deep, and each join adds to the depth. */
const JOINED_MAX = 24

/**
 * The only way to rows: those asked about, beside each the rows that relations lead to, at most one each. A row that
 * points at nothing the asker may see stays, with empty cells beside it.
 */
export function from(querySource: QuerySource): Sql {
  if (querySource.nodes.size > JOINED_MAX) throw queryTooComplex('related data', JOINED_MAX)
  // Children before their parents: what a node is joined by is then known to be read.
  const joins = [...querySource.nodes.values()].toReversed().map((node) => joinSql(querySource, node))
  const root = rowsOf(querySource, querySource.root)
  return joins.length === 0 ? root : sql`(SELECT * FROM ${root} ${join(joins.toReversed(), ' ')})`
}

const joinKey = (joinNode: JoinNode): Sql => name(`jk${joinNode.alias}`)

/** The keys that a node is joined by, each as its side names it; inside the node, columns have their plain names. */
function keysOf({ edge, parent }: NonNullable<JoinNode['link']>, joinNode: JoinNode): { theirs: Sql; own: Sql } {
  const [from, to] = [columnAt(parent, edge.from.key), columnAt(joinNode, edge.to.key)]
  return { theirs: keySql(from, to), own: keySql({ ...to, node: { ...joinNode, alias: 0 } }, from) }
}

/** A joined node's rows under the names the question uses. */
function joinSql(querySource: QuerySource, joinNode: JoinNode): Sql {
  if (!joinNode.link) return sql``
  const { theirs, own } = keysOf(joinNode.link, joinNode)
  const rows = rowsOf(querySource, joinNode)
  const local = { alias: 0 }
  const columns = [...joinNode.used].map((key) => sql`${refName(local, key)} AS ${refName(joinNode, key)}`)
  const walls = [...joinNode.walls].map((key) => sql`${wallName(local, key)} AS ${wallName(joinNode, key)}`)
  const selected = join([sql`${own} AS ${joinKey(joinNode)}`, ...columns, ...walls], ', ')
  return sql`LEFT JOIN (SELECT ${selected} FROM ${rows}) ON ${theirs} = ${joinKey(joinNode)}`
}

/**
 * One dataset's rows: stored columns innermost, computed ones around them, then the scope's row filters, before
 * anything the plan says. What a filter of the scope names and the dataset does not have lets no row through, nor does
 * a rule without filters.
 */
function rowsOf(querySource: QuerySource, joinNode: JoinNode): Sql {
  const local = localSource(querySource, joinNode, false)
  const guards = querySource.world.scope.rowFilters
    .filter((entry) => entry.dataset === joinNode.dataset.id)
    .map((entry) => failClosed(() => ruleSql(local, entry.filters)))
  const computed = joinNode.dataset.columns.flatMap((column) =>
    column.computed && joinNode.used.has(column.key)
      ? [sql`${computedSql(querySource, joinNode, column.computed)} AS ${name(column.key)}`]
      : [],
  )
  const stored = storedSql(querySource, joinNode)
  const rows = computed.length === 0 ? stored : sql`(SELECT *, ${join(computed, ', ')} FROM ${stored})`
  return sql`(SELECT * FROM ${rows} WHERE ${all(guards)})`
}

function storedSql(querySource: QuerySource, joinNode: JoinNode): Sql {
  const { dataset, physical } = joinNode
  // Such rows lie in no table: what columns do not answer is refused.
  if (dataset.manifest) throw notFromColumns()
  for (const { key, currencyColumn, minorUnits } of dataset.columns)
    if (minorUnits && currencyColumn !== undefined && joinNode.used.has(key)) joinNode.used.add(currencyColumn)
  const isComputed = new Set(dataset.columns.flatMap(({ key, computed }) => (computed ? [key] : [])))
  const keys = [...joinNode.used].filter((key) => !isComputed.has(key))
  const storedAt = (key: ColumnKey): Sql => {
    const at = physical.columns.get(key)
    if (!at) throw unknownField({ dataset: dataset.id, column: key })
    return sql`${name(at.table)}.${name(at.column)}`
  }
  const minor = new Map(dataset.columns.flatMap((column) => (column.minorUnits ? [[column.key, column] as const] : [])))
  const selected = keys.map((key) => {
    const stored = storedAt(key)
    const column = minor.get(key)
    const by = column ? minorSql(joinNode, column, storedAt) : null
    const plain = sql`${by ? sql`(${stored} * ${by})` : stored} AS ${name(key)}`
    if (!joinNode.walls.has(key)) return plain
    const segments = querySource.world.segments(joinNode, { key, ofPeriod: joinNode.periodKey === key })
    return sql`${plain}, (${stored} + ${offsetSql(stored, segments)}) AS ${wallName({ alias: 0 }, key)}`
  })
  const [first, ...others] = physical.tables
  const needed = others.filter((table) => keys.some((key) => physical.columns.get(key)?.table === table))
  const joins = needed.map((table) => sql`JOIN ${name(table)} ON ${name(table)}.rowid = ${name(first)}.rowid`)
  const tables = join([name(first), ...joins], ' ')
  return sql`(SELECT ${join([sql`${name(first)}.rowid AS rid`, ...selected], ', ')} FROM ${tables})`
}

const ruleSql = (local: QuerySource, filters: readonly Filter[]): Sql =>
  filters.length === 0 ? int(0) : filtersSql(local, filters, 'filters')

function failClosed(compile: () => Sql): Sql {
  try {
    return compile()
  } catch {
    return int(0)
  }
}
