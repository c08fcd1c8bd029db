import { computedSql } from './computed'
import { filtersSql } from './filter'
import { minorSql } from './money'
import { tooComplex, unknownField } from './refuse'
import { columnAt, keySql, localSource, refName, wallName } from './source'
import type { Node, Source } from './source'
import { all, int, join, name, sql } from './sql'
import type { Sql } from './sql'
import { offsetSql } from './zone'
import type { Filter } from '../../shared/query'
import type { ColumnKey } from '../../shared/sources'

/** Joins in one statement: SQLite stops at expressions a hundred deep, and each join adds to the depth. */
const JOINED_MAX = 24

/**
 * The only way to rows: those asked about, beside each the rows that relations lead to, at most one each. A row that
 * points at nothing the asker may see stays, with empty cells beside it.
 */
export function from(source: Source): Sql {
  if (source.nodes.size > JOINED_MAX) throw tooComplex('related data', JOINED_MAX)
  // Children before their parents: what a node is joined by is then known to be read.
  const joins = [...source.nodes.values()].toReversed().map((node) => joinSql(source, node))
  const root = rowsOf(source, source.root)
  return joins.length === 0 ? root : sql`(SELECT * FROM ${root} ${join(joins.toReversed(), ' ')})`
}

const joinKey = (node: Node): Sql => name(`jk${node.alias}`)

/** The keys that a node is joined by, each as its side names it; inside the node, columns have their plain names. */
function keysOf({ edge, parent }: NonNullable<Node['link']>, node: Node): { theirs: Sql; own: Sql } {
  const [from, to] = [columnAt(parent, edge.from.key), columnAt(node, edge.to.key)]
  return { theirs: keySql(from, to), own: keySql({ ...to, node: { ...node, alias: 0 } }, from) }
}

/** A joined node's rows under the names the question uses. */
function joinSql(source: Source, node: Node): Sql {
  if (!node.link) return sql``
  const { theirs, own } = keysOf(node.link, node)
  const rows = rowsOf(source, node)
  const local = { alias: 0 }
  const columns = [...node.used].map((key) => sql`${refName(local, key)} AS ${refName(node, key)}`)
  const walls = [...node.walls].map((key) => sql`${wallName(local, key)} AS ${wallName(node, key)}`)
  const selected = join([sql`${own} AS ${joinKey(node)}`, ...columns, ...walls], ', ')
  return sql`LEFT JOIN (SELECT ${selected} FROM ${rows}) ON ${theirs} = ${joinKey(node)}`
}

/**
 * One dataset's rows: stored columns innermost, computed ones around them, then the scope's row filters, before
 * anything the plan says. What a filter of the scope names and the dataset does not have lets no row through, nor does
 * a rule without filters.
 */
function rowsOf(source: Source, node: Node): Sql {
  const local = localSource(source, node, false)
  const guards = source.world.scope.rowFilters
    .filter((entry) => entry.dataset === node.dataset.id)
    .map((entry) => failClosed(() => ruleSql(local, entry.filters)))
  const computed = node.dataset.columns.flatMap((column) =>
    column.computed && node.used.has(column.key)
      ? [sql`${computedSql(source, node, column.computed)} AS ${name(column.key)}`]
      : [],
  )
  const stored = storedSql(source, node)
  const rows = computed.length === 0 ? stored : sql`(SELECT *, ${join(computed, ', ')} FROM ${stored})`
  return sql`(SELECT * FROM ${rows} WHERE ${all(guards)})`
}

function storedSql(source: Source, node: Node): Sql {
  const { dataset, physical } = node
  for (const { key, currencyColumn, minorUnits } of dataset.columns)
    if (minorUnits && currencyColumn !== undefined && node.used.has(key)) node.used.add(currencyColumn)
  const isComputed = new Set(dataset.columns.flatMap(({ key, computed }) => (computed ? [key] : [])))
  const keys = [...node.used].filter((key) => !isComputed.has(key))
  const storedAt = (key: ColumnKey): Sql => {
    const at = physical.columns.get(key)
    if (!at) throw unknownField({ dataset: dataset.id, column: key })
    return sql`${name(at.table)}.${name(at.column)}`
  }
  const minor = new Map(dataset.columns.flatMap((column) => (column.minorUnits ? [[column.key, column] as const] : [])))
  const selected = keys.map((key) => {
    const stored = storedAt(key)
    const column = minor.get(key)
    const by = column ? minorSql(node, column, storedAt) : null
    const plain = sql`${by ? sql`(${stored} * ${by})` : stored} AS ${name(key)}`
    if (!node.walls.has(key)) return plain
    const segments = source.world.segments(node, { key, ofPeriod: node.periodKey === key })
    return sql`${plain}, (${stored} + ${offsetSql(stored, segments)}) AS ${wallName({ alias: 0 }, key)}`
  })
  const [first, ...others] = physical.tables
  const needed = others.filter((table) => keys.some((key) => physical.columns.get(key)?.table === table))
  const joins = needed.map((table) => sql`JOIN ${name(table)} ON ${name(table)}.rowid = ${name(first)}.rowid`)
  const tables = join([name(first), ...joins], ' ')
  return sql`(SELECT ${join([sql`${name(first)}.rowid AS rid`, ...selected], ', ')} FROM ${tables})`
}

const ruleSql = (local: Source, filters: readonly Filter[]): Sql =>
  filters.length === 0 ? int(0) : filtersSql(local, filters, 'filters')

function failClosed(compile: () => Sql): Sql {
  try {
    return compile()
  } catch {
    return int(0)
  }
}
