import { operandOf } from './literal'
import type { Operand } from './literal'
import { meetingOf } from './graph'
import { groupedFilter } from './grouped'
import { invalid } from './refuse'
import { columnAt, columnOf, keySql, nodeAt, refOf, sourceOf } from './source'
import type { Source, SourceColumn } from './source'
import { all, any, bind, sql } from './sql'
import type { Sql } from './sql'
import { isExists } from '../../shared/query'
import type { Compare, Condition, ExistsFilter, Filter, Scalar } from '../../shared/query'

/** Conditions of a plan, AND-ed. @throws ProductError when a value does not fit its column */
export const filtersSql = (source: Source, filters: readonly Filter[], path: string): Sql =>
  all(filters.map((filter, i) => filterSql(source, filter, `${path}.${i}`)))

function filterSql(source: Source, filter: Filter, path: string): Sql {
  if (isExists(filter)) return existsSql(source, filter, path)
  if (filter.grouping) return groupedFilter(source, filter, path)
  const column = columnOf(source, filter.field)
  // Equalities become one list: it costs one bound value instead of twenty.
  const equals = filter.any.flatMap((each) => (each.op === 'eq' ? [each.value] : []))
  const others = filter.any.filter((each) => each.op !== 'eq')
  const one = { column, path }
  return any([
    ...(equals.length > 0 ? [inList(one, equals)] : []),
    ...others.map((condition) => conditionSql(one, condition)),
  ])
}

/** Rows of the dataset asked for are found once, as the keys they point at; a row without a key has none. */
function existsSql(source: Source, filter: ExistsFilter, path: string): Sql {
  const { graph } = source.world
  const { inner, outer } = meetingOf(graph, source.root.dataset.id, { filter, at: path })
  const last = inner.at(-1)
  if (!last) throw invalid(path, 'No relation leads here.')
  const there = sourceOf(source.world, filter.dataset)
  const theirs = columnAt(nodeAt(there, inner.slice(0, -1)), last.from.key)
  const ours = columnAt(nodeAt(source, outer), last.to.key)
  const key = keySql(theirs, ours)
  const passing = filtersSql(there, filter.filters, `${path}.filters`)
  const keys = sql`SELECT ${key} FROM ${source.world.from(there)} WHERE ${key} IS NOT NULL AND ${passing}`
  const found = sql`coalesce(${keySql(ours, theirs)} IN (${keys}), 0)`
  return filter.kind === 'exists' ? found : sql`NOT ${found}`
}

interface Place {
  column: SourceColumn
  path: string
}

function conditionSql(place: Place, condition: Condition): Sql {
  const ref = refOf(place.column)
  switch (condition.op) {
    case 'empty':
      return sql`${ref} IS NULL`
    case 'notEmpty':
      return sql`${ref} IS NOT NULL`
    case 'in':
      return inList(place, condition.values)
    case 'notIn':
      return sql`NOT coalesce(${inList(place, condition.values)}, 0)`
    case 'contains':
      return sql`instr(${ref}, ${bind(condition.value.normalize('NFC'))}) > 0`
    case 'startsWith':
      return sql`instr(${ref}, ${bind(condition.value.normalize('NFC'))}) = 1`
    case 'between': {
      const [low, high] = [operand(place, condition.from), operand(place, condition.to)]
      return sql`(${low.left} >= ${low.right} AND ${high.left} <= ${high.right})`
    }
    case 'eq':
      return inList(place, [condition.value])
    case 'ne':
      if (condition.value === null) return sql`${ref} IS NOT NULL`
      return compareSql('ne', operand(place, condition.value))
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
      return compareSql(condition.op, operand(place, condition.value))
  }
}

function operand({ column, path }: Place, value: Scalar): Operand {
  const found = operandOf(column, value)
  if (!found) throw invalid(path, 'This value does not fit the column.')
  return found
}

/** "Is not" includes empty cells: they are not that value either. */
export function compareSql(op: Compare, { left, right }: Pick<Operand, 'left' | 'right'>): Sql {
  switch (op) {
    case 'eq':
      return sql`${left} = ${right}`
    case 'ne':
      return sql`${left} IS NOT ${right}`
    case 'lt':
      return sql`${left} < ${right}`
    case 'le':
      return sql`${left} <= ${right}`
    case 'gt':
      return sql`${left} > ${right}`
    case 'ge':
      return sql`${left} >= ${right}`
  }
}

/** Lists travel as one JSON value each, so their length costs no parameters. */
function inList(place: Place, values: readonly Scalar[]): Sql {
  const operands = values.flatMap((value) => (value === null ? [] : [operand(place, value)]))
  const pieces: Sql[] = []
  for (const over of ['value', 'day', 'wall'] as const) {
    const listed = operands.filter((each) => each.over === over && each.json !== null)
    const [first, second] = listed
    if (!first) continue
    if (!second) pieces.push(compareSql('eq', first))
    else {
      const json = JSON.stringify(listed.map((each) => each.json))
      pieces.push(sql`${first.left} IN (SELECT value FROM json_each(${bind(json)}))`)
    }
  }
  // What JSON cannot carry exactly (1.005 of a column with two decimals) equals no stored value.
  if (values.includes(null)) pieces.push(sql`${refOf(place.column)} IS NULL`)
  return any(pieces)
}
