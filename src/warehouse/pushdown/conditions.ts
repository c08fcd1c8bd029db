import { ForeignRows, type Compilation, type PlacedColumn } from './foreign-rows'
import { partNumber } from './date-splits'
import { notLive } from './refusals'
import { allOf, anyOf, FALSE, listed, not, parameter, sql, type Sql } from './sql'
import { compared, RowValues } from './values'
import type { RowRule } from '../../scope'
import type { PlanContext } from '../query/query-context'
import { exactOf } from '../query/expressions/decimal'
import { checkAlike, checkNoPart, checkPart, isSearch } from '../query/plan/filter-fit'
import { invalidPlan } from '../query/plan/plan-errors'
import { existsJoinOf } from '../query/plan/relation-graph'
import { wallOfIso } from '../query/time/wall-clock'
import { dayFromIso } from '../../shared/dates'
import { ProductError } from '../../shared/errors'
import { isExistsFilter } from '../../shared/query/plan'
import type { Condition, ExistsFilter, FieldFilter, Filter, Scalar } from '../../shared/query/plan'
import type { ComparisonOperator } from '../../shared/query/functions'
import { keyPairsOf } from '../../shared/query/relation-paths'

/** Conditions of plans and of rules of access as conditions of a statement. */
export const filtersSql = (rows: ForeignRows, filters: readonly Filter[], path: string): Sql =>
  allOf(filters.map((filter, i) => filterSql(rows, filter, `${path}.${i}`)))

function filterSql(rows: ForeignRows, filter: Filter, path: string): Sql {
  if (isExistsFilter(filter)) return existsSql(rows, filter, path)
  if (filter.grouping) throw notLive('Groupings')
  const placed = rows.field(filter.field)
  if (filter.part) checkPart(filter.part, placed.column.type, path)
  const asked = new AskedColumn(rows, placed, { filter, path })
  return anyOf(filter.any.map((condition) => asked.condition(condition)))
}

type Value = Exclude<Scalar, null>

/** A column, or a part of its dates, that conditions are asked of. */
class AskedColumn {
  readonly #rows: ForeignRows
  readonly #values: RowValues
  readonly #placed: PlacedColumn
  readonly #filter: FieldFilter
  readonly #path: string

  constructor(rows: ForeignRows, placed: PlacedColumn, { filter, path }: { filter: FieldFilter; path: string }) {
    this.#rows = rows
    this.#values = new RowValues(rows)
    this.#placed = placed
    this.#filter = filter
    this.#path = path
  }

  condition(condition: Condition): Sql {
    const { type } = this
    if (isSearch(condition.op) && type !== 'text') throw invalidPlan(this.#path, 'Search works on text only.')
    switch (condition.op) {
      case 'eq':
        return this.#equals(condition.value)
      case 'ne':
        return not(this.#equals(condition.value))
      case 'lt':
      case 'le':
      case 'gt':
      case 'ge':
        return this.#compared(condition.op, condition.value)
      case 'in':
        return this.#isOneOf(condition.values)
      case 'notIn':
        return not(this.#isOneOf(condition.values))
      case 'between':
        return allOf([this.#compared('ge', condition.from), this.#compared('le', condition.to)])
      case 'contains':
        return sql`${this.#positionOf(condition.value)} > 0`
      case 'startsWith':
        return sql`${this.#positionOf(condition.value)} = 1`
      case 'notContains':
        return not(sql`${this.#positionOf(condition.value)} > 0`)
      case 'notStartsWith':
        return not(sql`${this.#positionOf(condition.value)} = 1`)
      case 'column':
        return this.#comparedWith(condition)
      case 'empty':
        return this.#isEmpty()
      case 'notEmpty':
        return sql`NOT (${this.#isEmpty()})`
    }
  }

  get type(): PlacedColumn['column']['type'] {
    return this.#filter.part ? 'integer' : this.#placed.column.type
  }
  get #isOfTime(): boolean {
    const { type } = this.#placed.column
    return type === 'date' || type === 'datetime'
  }
  #typeMismatch(): ProductError {
    return invalidPlan(this.#path, 'The value doesn’t match the column type.')
  }
  #value(): Sql {
    const { part } = this.#filter
    return part ? partNumber(this.#values, this.#placed, part) : this.#values.column(this.#placed)
  }
  #isEmpty(): Sql {
    const { cell } = this.#placed
    const isInCalendar = cell && this.#isOfTime ? this.#rows.dialect.isInCalendar(cell) : null
    return isInCalendar ? not(isInCalendar) : sql`${cell ?? this.#value()} IS NULL`
  }
  #positionOf(text: string): Sql {
    return this.#rows.dialect.positionIn(this.#value(), this.#text(text))
  }
  #text(text: string): Sql {
    return this.#rows.dialect.textCell(parameter(text.normalize('NFC'), 'text'))
  }

  #equals(value: Scalar): Sql {
    if (value === null) return this.#isEmpty()
    const [own, other] = this.#sides(value)
    return compared('eq', own, other)
  }
  #isOneOf(values: readonly Scalar[]): Sql {
    const there = values.filter((value) => value !== null)
    const empty = values.includes(null) ? [this.#isEmpty()] : []
    const sides = there.map((value) => this.#sides(value))
    // A day and a moment are compared with different things.
    const byOwn = Map.groupBy(sides, ([own]) => JSON.stringify(own))
    const lists = [...byOwn.values()].map((some) => {
      const [own] = some[0] ?? [FALSE]
      return this.#rows.dialect.isOneOf(
        own,
        some.map(([, other]) => other),
      )
    })
    return anyOf([...lists, ...empty])
  }
  #compared(op: ComparisonOperator, value: Scalar): Sql {
    if (value === null) throw this.#typeMismatch()
    const [own, other] = this.#sides(value)
    const { dialect } = this.#rows
    if (this.type === 'text') return compared(op, dialect.ordered(own), dialect.ordered(other))
    const { cell } = this.#placed
    // Days without end are later than all others.
    const isInCalendar = own === cell && this.#isOfTime ? dialect.isInCalendar(cell) : null
    return allOf([compared(op, own, other), ...(isInCalendar ? [isInCalendar] : [])])
  }

  /** The column and a value, as they are compared. @throws ProductError `invalid_input` for what the type cannot have */
  #sides(value: Value): [Sql, Sql] {
    switch (this.type) {
      case 'text':
        if (typeof value !== 'string') throw this.#typeMismatch()
        return [this.#value(), this.#text(value)]
      case 'boolean':
        if (typeof value !== 'boolean') throw this.#typeMismatch()
        return [this.#value(), sql`${value ? 1 : 0}`]
      case 'date':
      case 'datetime':
        if (typeof value !== 'string') throw this.#typeMismatch()
        return this.#momentSides(value)
      case 'integer':
      case 'number':
        return this.#numberSides(value)
    }
  }
  #numberSides(value: Value): [Sql, Sql] {
    const exact = typeof value === 'boolean' ? null : exactOf(value)
    if (typeof value === 'boolean' || (typeof value === 'string' && !exact)) throw this.#typeMismatch()
    const { column } = this.#placed
    const isReal = (column.type === 'number' && column.scale === undefined && !this.#filter.part) || !exact
    const own = isReal ? this.#rows.dialect.real(this.#value()) : this.#value()
    return [own, parameter(String(value), isReal ? 'real' : 'decimal')]
  }
  #momentSides(value: string): [Sql, Sql] {
    const { cell, column } = this.#placed
    const day = dayFromIso(value)
    if (day !== null) {
      if (cell && column.type === 'date') return [cell, this.#rows.dialect.dayBound(day)]
      return [this.#values.days(this.#placed), sql`${day}`]
    }
    const wall = column.type === 'datetime' ? wallOfIso(value) : null
    if (!wall || (wall.zoned && column.zoned !== true)) throw this.#typeMismatch()
    return [wall.zoned ? this.#value() : this.#rows.wall(this.#placed), sql`${wall.ms}`]
  }

  #comparedWith({ compare, field }: Condition & { op: 'column' }): Sql {
    checkNoPart(this.#filter.part, this.#path)
    checkAlike(this.#placed.column.type, this.#rows.field(field).column.type, this.#path)
    const side = (of: FieldFilter['field']) => ({ kind: 'field' as const, field: of })
    const sides = { left: side(this.#filter.field), right: side(field) }
    return this.#values.expression().comparison({ op: compare, ...sides })
  }
}

/** Rows of another dataset that lead to where these rows lead, looked for by their keys. */
function existsSql(rows: ForeignRows, filter: ExistsFilter, path: string): Sql {
  const { inner, outer } = existsJoinOf(rows.planContext.graph, rows.own.dataset.id, { filter, at: path })
  const last = inner.at(-1)
  if (!last) throw invalidPlan(path, 'No relation leads here.')
  const there = new ForeignRows(rows.planContext, rows.compilation, filter.dataset)
  const [theirs, ours] = [there.along(inner.slice(0, -1)), rows.along(outer)]
  const keys = keyPairsOf(last).map((pair) => there.keyPair(there.at(theirs, pair.from), rows.at(ours, pair.to)))
  const asked = [...keys.map(([key]) => sql`${key} IS NOT NULL`), filtersSql(there, filter.filters, `${path}.filters`)]
  const own = listed(keys.map(([, key]) => key))
  const found = sql`SELECT ${listed(keys.map(([key]) => key))} FROM ${there.from()} WHERE ${allOf(asked)}`
  const exists = keys.length === 1 ? sql`${own} IN (${found})` : sql`(${own}) IN (${found})`
  return filter.kind === 'exists' ? exists : not(exists)
}

/**
 * A dataset's rows that rules of access let through, in brackets; null: they leave out none. Rules are asked of all rows and
 * of all that they point at; what they name and nothing has lets no row through.
 */
export function ruledRows(planContext: PlanContext, compilation: Compilation, datasetId: string): Sql | null {
  const rules = planContext.scope.rowFilters.filter(({ dataset }) => dataset === datasetId)
  if (rules.every(({ anyOf: open, noneOf: closed }) => open === 'all' && closed.length === 0)) return null
  const rows = new ForeignRows(planContext.unrestricted(), compilation, datasetId)
  const passing = allOf(rules.map((rule) => oneRule(rows, rule)))
  return sql`(SELECT ${rows.ownColumns()} FROM ${rows.from()} WHERE ${passing})`
}

function oneRule(rows: ForeignRows, { anyOf: open, noneOf: closed }: RowRule): Sql {
  try {
    const passing = (filters: readonly Filter[]): Sql =>
      filters.length === 0 ? FALSE : filtersSql(rows, filters, 'filters')
    const parts = open === 'all' ? [] : [anyOf(open.map(passing))]
    return allOf([...parts, ...(closed.length === 0 ? [] : [not(anyOf(closed.map(passing)))])])
  } catch (error) {
    if (error instanceof ProductError && RULES_OF_NOTHING.has(error.code)) return FALSE
    throw error
  }
}
const RULES_OF_NOTHING: ReadonlySet<string> = new Set(['unknown_field', 'invalid_input', 'not_found'])
