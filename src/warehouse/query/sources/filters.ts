import { checkAlike, checkNoPart, checkPart, isSearch } from '../plan/filter-fit'
import { exactOf, INT64_MAX, magnitude, rescale, toNumber } from '../expressions/decimal'
import { partNumberSql, partSql } from '../time/date-parts'
import { dayFromIso, DAY_MS, type Calendar } from '../../../shared/dates'
import { bind, int, sql, all, any, type Sql } from './sql'
import { dayNumberOf, refOf, wallOf, columnAt, columnOf, keySql, nodeAt, sourceOf } from './source'
import type { SourceColumn, QuerySource } from './source'
import { isExistsFilter } from '../../../shared/query/plan'
import type {
  Scalar,
  ComparisonOperator,
  Condition,
  DatePart,
  ExistsFilter,
  Field,
  Filter,
} from '../../../shared/query/plan'
import { existsJoinOf } from '../plan/relation-graph'
import { comparedColumnsSql } from './column-comparison'
import { groupedFilter } from './groupings'
import { invalidPlan } from '../plan/plan-errors'

/** A value of a filter beside the expression it is compared with. A day is compared with days, a time with times. */
export interface FilterOperand {
  /** Operands with the same `over` are compared with the same left side. */
  over: 'value' | 'day' | 'wall'
  left: Sql
  right: Sql
  /** For lists: the value as JSON carries it; null when it needs a bound value of its own. */
  json: string | number | null
}

const WALL =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,3}))?)?(Z|[+-](?:0\d|1[0-4]):[0-5]\d)?$/

/** A date and time; `zoned` when it names its offset. Null when the text is none. */
export function wallOfIso(text: string): { ms: number; zoned: boolean } | null {
  const found = WALL.exec(text)
  const day = found ? dayFromIso(found[1] ?? '') : null
  if (!found || day === null) return null
  const [, , hour, minute, second = '0', fraction = '0', zone] = found
  const clock = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 + Number(fraction.padEnd(3, '0'))
  const wall = day * DAY_MS + clock
  if (zone === undefined) return { ms: wall, zoned: false }
  const [hours = 0, minutes = 0] = zone === 'Z' ? [] : zone.slice(1).split(':').map(Number)
  const offset = (hours * 60 + minutes) * 60_000
  return { ms: zone.startsWith('-') ? wall + offset : wall - offset, zoned: true }
}

/** Reads a filter's value as the column's type; null when it cannot be one. `null` itself is no operand. */
function operandOf(column: SourceColumn, value: Scalar): FilterOperand | null {
  switch (column.type) {
    case 'text':
      return typeof value === 'string' ? text(column, value.normalize('NFC')) : null
    case 'boolean':
      return typeof value === 'boolean' ? integer(refOf(column), 'value', value ? 1 : 0) : null
    case 'integer':
    case 'number':
      return typeof value === 'number' || typeof value === 'string' ? number(column, value) : null
    case 'date':
    case 'datetime':
      return typeof value === 'string' ? moment(column, value) : null
  }
}

const text = (column: SourceColumn, value: string): FilterOperand => ({
  over: 'value',
  left: refOf(column),
  right: bind(value),
  json: value,
})
const integer = (left: Sql, over: FilterOperand['over'], value: number): FilterOperand => ({
  over,
  left,
  right: int(value),
  json: value,
})

function number(column: SourceColumn, value: number | string): FilterOperand | null {
  const left = refOf(column)
  const exact = exactOf(value)
  if (typeof value === 'string' && !exact) return null
  const scale = column.type === 'integer' ? 0 : column.scale
  if (scale === undefined) return { over: 'value', left, right: bind(Number(value)), json: Number(value) }
  const n = exact ? rescale(exact, scale) : null
  if (n !== null && magnitude(n) <= INT64_MAX) {
    // 2^53 and more cannot be carried by a JSON number, and no stored value is that large.
    return { over: 'value', left, right: int(n), json: Number.isSafeInteger(Number(n)) ? Number(n) : null }
  }
  const approximate = (exact ? toNumber(exact) : Number(value)) * 10 ** scale
  return { over: 'value', left, right: sql`CAST(${bind(approximate)} AS REAL)`, json: null }
}

function moment(column: SourceColumn, value: string): FilterOperand | null {
  const day = dayFromIso(value)
  if (day !== null) return integer(dayNumberOf(column), 'day', day)
  const wall = column.type === 'datetime' ? wallOfIso(value) : null
  if (!wall) return null
  if (!wall.zoned) return integer(wallOf(column), 'wall', wall.ms)
  return column.zoned === true ? integer(refOf(column), 'value', wall.ms) : null
}

/** A part of a date as a column of whole numbers. */
function partColumn(column: SourceColumn, part: DatePart, calendar: Calendar): SourceColumn {
  const piece = partNumberSql(partSql(column, part, calendar), part, calendar)
  return { ...column, type: 'integer', piece }
}

/** Conditions of a plan, AND-ed. @throws ProductError when a value does not fit its column */
export const filtersSql = (querySource: QuerySource, filters: readonly Filter[], path: string): Sql =>
  all(filters.map((filter, i) => filterSql(querySource, filter, `${path}.${i}`)))

function filterSql(querySource: QuerySource, filter: Filter, path: string): Sql {
  if (isExistsFilter(filter)) return existsSql(querySource, filter, path)
  if (filter.grouping) return groupedFilter(querySource, filter, path)
  const stored = columnOf(querySource, filter.field)
  if (filter.part) checkPart(filter.part, stored.type, path)
  const column = filter.part ? partColumn(stored, filter.part, querySource.calendar) : stored
  // Equalities become one list: it costs one bound value instead of twenty.
  const equals = filter.any.flatMap((each) => (each.op === 'eq' ? [each.value] : []))
  const others = filter.any.filter((each) => each.op !== 'eq')
  const one = { column, path, source: querySource, field: filter.field, part: filter.part }
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
  if (!last) throw invalidPlan(path, 'No relationship leads here.')
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
  source: QuerySource
  field: Field
  part: DatePart | undefined
}

function conditionSql(filterPlace: FilterPlace, condition: Condition): Sql {
  if (isSearch(condition.op) && filterPlace.column.type !== 'text')
    throw invalidPlan(filterPlace.path, 'Search works on text only.')
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
    case 'notContains':
      return sql`(${ref} IS NULL OR instr(${ref}, ${bind(condition.value.normalize('NFC'))}) = 0)`
    case 'notStartsWith':
      return sql`(${ref} IS NULL OR instr(${ref}, ${bind(condition.value.normalize('NFC'))}) <> 1)`
    case 'column': {
      const { source, column, field, path, part } = filterPlace
      checkNoPart(part, path)
      checkAlike(column.type, columnOf(source, condition.field).type, path)
      return comparedColumnsSql(source, column, { field, compare: condition.compare, other: condition.field })
    }
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
  if (!found) throw invalidPlan(path, 'The value doesn’t match the column type.')
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
