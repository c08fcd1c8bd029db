import { operandOf } from './literal'
import type { FilterOperand } from './literal'
import { existsJoinOf } from './graph'
import { groupedFilter } from './grouped'
import { invalidPlan } from './refuse'
import { columnAt, columnOf, keySql, nodeAt, refOf, sourceOf } from './source'
import type { QuerySource, SourceColumn } from './source'
import { all, any, bind, sql } from './sql'
import type { Sql } from './sql'
import { isExistsFilter } from '../../shared/query'
import type { ComparisonOperator, Condition, ExistsFilter, Filter, Scalar } from '../../shared/query'

/** Conditions of a plan, AND-ed. @throws ProductError when a value does not fit its column */
export const filtersSql = (querySource: QuerySource, filters: readonly Filter[], path: string): Sql =>
  all(filters.map((filter, i) => filterSql(querySource, filter, `${path}.${i}`)))

function filterSql(querySource: QuerySource, filter: Filter, path: string): Sql {
  if (isExistsFilter(filter)) return existsSql(querySource, filter, path)
  if (filter.grouping) return groupedFilter(querySource, filter, path)
  const column = columnOf(querySource, filter.field)
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
function existsSql(querySource: QuerySource, filter: ExistsFilter, path: string): Sql {
  const { graph } = querySource.world
  const { inner, outer } = existsJoinOf(graph, querySource.root.dataset.id, { filter, at: path })
  const last = inner.at(-1)
  if (!last) throw invalidPlan(path, 'No relation leads here.')
  const there = sourceOf(querySource.world, filter.dataset)
  const theirs = columnAt(nodeAt(there, inner.slice(0, -1)), last.from.key)
  const ours = columnAt(nodeAt(querySource, outer), last.to.key)
  const key = keySql(theirs, ours)
  const passing = filtersSql(there, filter.filters, `${path}.filters`)
  const keys = sql`SELECT ${key} FROM ${querySource.world.from(there)} WHERE ${key} IS NOT NULL AND ${passing}`
  const found = sql`coalesce(${keySql(ours, theirs)} IN (${keys}), 0)`
  return filter.kind === 'exists' ? found : sql`NOT ${found}`
}

interface FilterPlace {
  column: SourceColumn
  path: string
}

function conditionSql(filterPlace: FilterPlace, condition: Condition): Sql {
  const ref = refOf(filterPlace.column)
  switch (condition.op) {
    case 'empty':
      return sql`${ref} IS NULL`
    case 'notEmpty':
      return sql`${ref} IS NOT NULL`
    case 'in':
      return inList(filterPlace, condition.values)
    case 'notIn':
      return sql`NOT coalesce(${inList(filterPlace, condition.values)}, 0)`
    case 'contains':
      return sql`instr(${ref}, ${bind(condition.value.normalize('NFC'))}) > 0`
    case 'startsWith':
      return sql`instr(${ref}, ${bind(condition.value.normalize('NFC'))}) = 1`
    case 'between': {
      const [low, high] = [operand(filterPlace, condition.from), operand(filterPlace, condition.to)]
      return sql`(${low.left} >= ${low.right} AND ${high.left} <= ${high.right})`
    }
    case 'eq':
      return inList(filterPlace, [condition.value])
    case 'ne':
      if (condition.value === null) return sql`${ref} IS NOT NULL`
      return compareSql('ne', operand(filterPlace, condition.value))
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
      return compareSql(condition.op, operand(filterPlace, condition.value))
  }
}

function operand({ column, path }: FilterPlace, value: Scalar): FilterOperand {
  const found = operandOf(column, value)
  if (!found) throw invalidPlan(path, 'This value does not fit the column.')
  return found
}

/** "Is not" includes empty cells: they are not that value either. */
export function compareSql(op: ComparisonOperator, { left, right }: Pick<FilterOperand, 'left' | 'right'>): Sql {
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
function inList(filterPlace: FilterPlace, values: readonly Scalar[]): Sql {
  const operands = values.flatMap((value) => (value === null ? [] : [operand(filterPlace, value)]))
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
  if (values.includes(null)) pieces.push(sql`${refOf(filterPlace.column)} IS NULL`)
  return any(pieces)
}
