import type { ColumnVectors, FilterSource } from './column-vectors'
import { comparedColumns } from './column-comparison'
import { groupedMask } from './group-vectors'
import { above, allOf, among, anyOf, below, emptyNumbers, maskOf, noneOf, within } from './vectors'
import type { Mask, MaybeMask, Numbers } from './vectors'
import { exactOf, INT64_MAX, magnitude, rescale, toNumber } from '../query/expressions/decimal'
import { compareTexts } from '../query/aggregates/group-order'
import { checkAlike, checkNoPart, checkPart } from '../query/plan/filter-fit'
import { invalidPlan } from '../query/plan/plan-errors'
import { wallOfIso } from '../query/time/wall-clock'
import { partVectors } from './time-vectors'
import { dayFromIso } from '../../shared/dates'
import { isExistsFilter } from '../../shared/query/plan'
import type { Condition, FieldFilter, Filter, Scalar } from '../../shared/query/plan'
import type { Field } from '../../shared/query/field'
import type { ComparisonOperator } from '../../shared/query/functions'

/** Rows that conditions of a plan let through, AND-ed; null: all. What does not fit its column was refused before. */
export const filtersMask = (source: FilterSource, filters: readonly Filter[], path: string): MaybeMask =>
  allOf(filters.map((filter, i) => filterMask(source, filter, `${path}.${i}`)))

export function filterMask(source: FilterSource, filter: Filter, path: string): Mask {
  if (isExistsFilter(filter)) return source.exists(filter, path)
  if (filter.grouping) return groupedMask(source.grouped(filter.field, filter.grouping), filter.any, path)
  const stored = source.field(filter.field)
  if (filter.part) checkPart(filter.part, stored.column.type, path)
  const column = filter.part ? partVectors(stored, filter.part, source.calendar) : stored
  const compared = filter.any.flatMap((each) =>
    each.op === 'column' ? [columnsMask(source, filter, { compare: each.compare, other: each.field, path })] : [],
  )
  const any = filter.any.filter(({ op }) => op !== 'column')
  if (any.length === 0) return anyOf(compared)
  const values = { ...filter, any }
  const asked = { column, path }
  const own = column.column.type === 'text' ? textMask(asked, values) : numberMask(asked, values)
  return anyOf([own, ...compared])
}

function columnsMask(
  source: FilterSource,
  { field, part }: FieldFilter,
  { compare, other, path }: { compare: ComparisonOperator; other: Field; path: string },
): Mask {
  checkNoPart(part, path)
  checkAlike(source.field(field).column.type, source.field(other).column.type, path)
  return comparedColumns(source, { field, compare, other })
}

function textMask({ column, path }: AskedColumn, filter: FieldFilter): Mask {
  const tests = filter.any.map((condition) => textTest(condition, path))
  return column.texts().passing((text) => tests.some((test) => test(text)))
}

/** A column, and where the plan asks for it. */
interface AskedColumn {
  column: ColumnVectors
  path: string
}
const typeMismatch = (path: string): Error => invalidPlan(path, 'The value doesn’t match the column type.')

/** A text that is compared with; null is an empty cell. @throws ProductError `invalid_input` for what is no text */
function textOf(value: Scalar, path: string): string | null {
  if (value !== null && typeof value !== 'string') throw typeMismatch(path)
  return value?.normalize('NFC') ?? null
}
const TEXT_ORDER: Record<Exclude<ComparisonOperator, 'eq' | 'ne'>, (order: number) => boolean> = {
  lt: (at) => at < 0,
  le: (at) => at <= 0,
  gt: (at) => at > 0,
  ge: (at) => at >= 0,
}

function textTest(condition: Condition, path: string): (word: string | null) => boolean {
  switch (condition.op) {
    case 'empty':
      return (word) => word === null
    case 'notEmpty':
      return (word) => word !== null
    case 'in':
    case 'notIn': {
      const wanted = new Set(condition.values.map((value) => textOf(value, path)))
      return condition.op === 'in' ? (word) => wanted.has(word) : (word) => !wanted.has(word)
    }
    case 'contains':
    case 'startsWith': {
      const part = condition.value.normalize('NFC')
      return condition.op === 'contains'
        ? (word) => word !== null && word.includes(part)
        : (word) => word !== null && word.startsWith(part)
    }
    case 'notContains':
    case 'notStartsWith': {
      const part = condition.value.normalize('NFC')
      return condition.op === 'notContains'
        ? (word) => word === null || !word.includes(part)
        : (word) => word === null || !word.startsWith(part)
    }
    case 'column':
      throw new TypeError('Columns are compared before values are.')
    case 'between': {
      const from = textOf(condition.from, path)
      const to = textOf(condition.to, path)
      if (from === null || to === null) throw typeMismatch(path)
      return (word) => word !== null && compareTexts(word, from) >= 0 && compareTexts(word, to) <= 0
    }
    case 'eq':
    case 'ne': {
      const wanted = textOf(condition.value, path)
      return condition.op === 'eq' ? (word) => word === wanted : (word) => word !== wanted
    }
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge': {
      const limit = textOf(condition.value, path)
      const fits = TEXT_ORDER[condition.op]
      if (limit === null) throw typeMismatch(path)
      return (word) => word !== null && fits(compareTexts(word, limit))
    }
  }
}

/** A value beside what it is compared with. `isListed`: whether a stored value can equal it. */
interface Operand {
  numbers: Numbers
  value: number
  isListed: boolean
}

/** @throws ProductError `invalid_input` for a value that the column's type cannot have */
function operandOf({ column, path }: AskedColumn, value: Scalar): Operand {
  const { type } = column.column
  const found =
    type === 'boolean'
      ? typeof value === 'boolean'
        ? { numbers: column.numbers(), value: value ? 1 : 0, isListed: true }
        : null
      : type === 'date' || type === 'datetime'
        ? moment(column, value)
        : number(column, value)
  if (!found) throw typeMismatch(path)
  return found
}
function number(column: ColumnVectors, value: Scalar): Operand | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null
  const exact = exactOf(value)
  if (typeof value === 'string' && !exact) return null
  const numbers = column.numbers()
  const scale = column.column.type === 'integer' ? 0 : column.column.scale
  if (scale === undefined) return { numbers, value: Number(value), isListed: true }
  const n = exact ? rescale(exact, scale) : null
  if (n !== null && magnitude(n) <= INT64_MAX)
    return { numbers, value: Number(n), isListed: Number.isSafeInteger(Number(n)) }
  return { numbers, value: (exact ? toNumber(exact) : Number(value)) * 10 ** scale, isListed: false }
}
function moment(column: ColumnVectors, value: Scalar): Operand | null {
  if (typeof value !== 'string') return null
  const day = dayFromIso(value)
  if (day !== null) return { numbers: column.days(), value: day, isListed: true }
  const wall = column.column.type === 'datetime' ? wallOfIso(value) : null
  if (!wall || (wall.zoned && column.column.zoned !== true)) return null
  return { numbers: wall.zoned ? column.numbers() : column.wall(), value: wall.ms, isListed: true }
}

function numberMask(asked: AskedColumn, filter: FieldFilter): Mask {
  const equals = filter.any.flatMap((each) => (each.op === 'eq' ? [each.value] : []))
  const others = filter.any.filter((each) => each.op !== 'eq')
  return anyOf([
    ...(equals.length > 0 ? [listed(asked, equals)] : []),
    ...others.map((condition) => conditionMask(asked, condition)),
  ])
}

/** Rows whose value is one of these; null is an empty cell. */
function listed(asked: AskedColumn, values: readonly Scalar[]): Mask {
  const wanted = new Map<Numbers, Set<number>>()
  for (const value of values) {
    if (value === null) continue
    const operand = operandOf(asked, value)
    if (!operand.isListed) continue
    const known = wanted.get(operand.numbers) ?? new Set()
    wanted.set(operand.numbers, known.add(operand.value))
  }
  const empties = values.includes(null) ? [emptyNumbers(asked.column.numbers())] : []
  const masks = [...[...wanted].map(([numbers, set]) => among(numbers, set)), ...empties]
  return masks.length === 0 ? nothing : anyOf(masks)
}
const nothing: Mask = maskOf(({ rows }, to) => void to.fill(0, 0, rows))

function conditionMask(asked: AskedColumn, condition: Condition): Mask {
  switch (condition.op) {
    case 'empty':
      return emptyNumbers(asked.column.numbers())
    case 'notEmpty':
      return noneOf(emptyNumbers(asked.column.numbers()))
    case 'in':
      return listed(asked, condition.values)
    case 'notIn':
      return noneOf(listed(asked, condition.values))
    case 'contains':
    case 'startsWith':
    case 'notContains':
    case 'notStartsWith':
      throw invalidPlan(asked.path, 'Search works on text only.')
    case 'column':
      throw new TypeError('Columns are compared before values are.')
    case 'between': {
      const low = operandOf(asked, condition.from)
      const high = operandOf(asked, condition.to)
      return low.numbers === high.numbers
        ? within(low.numbers, low.value, high.value)
        : (allOf([within(low.numbers, low.value, Infinity), within(high.numbers, -Infinity, high.value)]) ?? nothing)
    }
    case 'eq':
      return listed(asked, [condition.value])
    case 'ne': {
      if (condition.value === null) return noneOf(emptyNumbers(asked.column.numbers()))
      const { numbers, value } = operandOf(asked, condition.value)
      return noneOf(within(numbers, value, value))
    }
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge': {
      const { numbers, value } = operandOf(asked, condition.value)
      return ordered(condition.op, numbers, value)
    }
  }
}
function ordered(op: 'lt' | 'le' | 'gt' | 'ge', numbers: Numbers, value: number): Mask {
  switch (op) {
    case 'lt':
      return below(numbers, value)
    case 'le':
      return within(numbers, -Infinity, value)
    case 'gt':
      return above(numbers, value)
    case 'ge':
      return within(numbers, value, Infinity)
  }
}
