import { NeedsRows } from './column-table'
import type { ColumnVectors, FilterSource } from './column-vectors'
import { comparedColumns } from './column-comparison'
import { groupedMask } from './group-vectors'
import { above, allOf, among, anyOf, below, emptyNumbers, marked, maskOf, noneOf, within } from './vectors'
import type { Mask, MaybeMask, Numbers } from './vectors'
import { exactOf, INT64_MAX, magnitude, rescale, toNumber } from '../query/expressions/decimal'
import { compareTexts } from '../query/windows/windows'
import { wallOfIso } from '../query/sources/filters'
import { partVectors } from './time-vectors'
import { dayFromIso } from '../../shared/dates'
import { isExistsFilter } from '../../shared/query/plan'
import type { ComparisonOperator, Condition, FieldFilter, Filter, Scalar } from '../../shared/query/plan'

/** Rows that conditions of a plan let through, AND-ed; null: all. What does not fit its column was refused before. */
export const filtersMask = (source: FilterSource, filters: readonly Filter[], path: string): MaybeMask =>
  allOf(filters.map((filter, i) => filterMask(source, filter, `${path}.${i}`)))

function filterMask(source: FilterSource, filter: Filter, path: string): Mask {
  if (isExistsFilter(filter)) return source.exists(filter, path)
  if (filter.grouping) return groupedMask(source.grouped(filter.field, filter.grouping), filter.any)
  const stored = source.field(filter.field)
  const column = filter.part ? partVectors(stored, filter.part, source.calendar) : stored
  const { field } = filter
  const compared = filter.any.flatMap((each) =>
    each.op === 'column' ? [comparedColumns(source, { field, compare: each.compare, other: each.field })] : [],
  )
  const any = filter.any.filter(({ op }) => op !== 'column')
  if (any.length === 0) return anyOf(compared)
  const values = { ...filter, any }
  const own = column.column.type === 'text' ? textMask(column, values) : numberMask(column, values)
  return anyOf([own, ...compared])
}

/** Each different text is looked at once. */
function textMask(column: ColumnVectors, filter: FieldFilter): Mask {
  const tests = filter.any.map(textTest)
  const words = column.words()
  const passes = (word: string | null): number => Number(tests.some((test) => test(word)))
  const marks = new Uint8Array(words.length + 1)
  marks[0] = passes(null)
  for (const [at, word] of words.entries()) marks[at + 1] = passes(word)
  return marked(column.codes(), marks)
}

const textOf = (value: Scalar): string | null => (typeof value === 'string' ? value.normalize('NFC') : null)
const TEXT_ORDER: Record<Exclude<ComparisonOperator, 'eq' | 'ne'>, (order: number) => boolean> = {
  lt: (at) => at < 0,
  le: (at) => at <= 0,
  gt: (at) => at > 0,
  ge: (at) => at >= 0,
}

function textTest(condition: Condition): (word: string | null) => boolean {
  switch (condition.op) {
    case 'empty':
      return (word) => word === null
    case 'notEmpty':
      return (word) => word !== null
    case 'in':
    case 'notIn': {
      const wanted = new Set(condition.values.map(textOf))
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
      const from = textOf(condition.from) ?? ''
      const to = textOf(condition.to) ?? ''
      return (word) => word !== null && compareTexts(word, from) >= 0 && compareTexts(word, to) <= 0
    }
    case 'eq':
    case 'ne': {
      const wanted = textOf(condition.value)
      return condition.op === 'eq' ? (word) => word === wanted : (word) => word !== wanted
    }
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge': {
      const limit = textOf(condition.value) ?? ''
      const fits = TEXT_ORDER[condition.op]
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

function operandOf(column: ColumnVectors, value: Scalar): Operand {
  const { type } = column.column
  if (typeof value === 'boolean') return { numbers: column.numbers(), value: value ? 1 : 0, isListed: true }
  if ((type === 'date' || type === 'datetime') && typeof value === 'string') return moment(column, value)
  if (typeof value === 'number' || typeof value === 'string') return number(column, value)
  throw new NeedsRows()
}
function number(column: ColumnVectors, value: number | string): Operand {
  const numbers = column.numbers()
  const exact = exactOf(value)
  const scale = column.column.type === 'integer' ? 0 : column.column.scale
  if (scale === undefined) return { numbers, value: Number(value), isListed: true }
  const n = exact ? rescale(exact, scale) : null
  if (n !== null && magnitude(n) <= INT64_MAX)
    return { numbers, value: Number(n), isListed: Number.isSafeInteger(Number(n)) }
  return { numbers, value: (exact ? toNumber(exact) : Number(value)) * 10 ** scale, isListed: false }
}
function moment(column: ColumnVectors, value: string): Operand {
  const day = dayFromIso(value)
  if (day !== null) return { numbers: column.days(), value: day, isListed: true }
  const wall = wallOfIso(value)
  if (!wall) throw new NeedsRows()
  return { numbers: wall.zoned ? column.numbers() : column.wall(), value: wall.ms, isListed: true }
}

function numberMask(column: ColumnVectors, filter: FieldFilter): Mask {
  const equals = filter.any.flatMap((each) => (each.op === 'eq' ? [each.value] : []))
  const others = filter.any.filter((each) => each.op !== 'eq')
  return anyOf([
    ...(equals.length > 0 ? [listed(column, equals)] : []),
    ...others.map((condition) => conditionMask(column, condition)),
  ])
}

/** Rows whose value is one of these; null is an empty cell. */
function listed(column: ColumnVectors, values: readonly Scalar[]): Mask {
  const wanted = new Map<Numbers, Set<number>>()
  for (const value of values) {
    if (value === null) continue
    const operand = operandOf(column, value)
    if (!operand.isListed) continue
    const known = wanted.get(operand.numbers) ?? new Set()
    wanted.set(operand.numbers, known.add(operand.value))
  }
  const empties = values.includes(null) ? [emptyNumbers(column.numbers())] : []
  const masks = [...[...wanted].map(([numbers, set]) => among(numbers, set)), ...empties]
  return masks.length === 0 ? nothing : anyOf(masks)
}
const nothing: Mask = maskOf(({ rows }, to) => void to.fill(0, 0, rows))

function conditionMask(column: ColumnVectors, condition: Condition): Mask {
  switch (condition.op) {
    case 'empty':
      return emptyNumbers(column.numbers())
    case 'notEmpty':
      return noneOf(emptyNumbers(column.numbers()))
    case 'in':
      return listed(column, condition.values)
    case 'notIn':
      return noneOf(listed(column, condition.values))
    case 'contains':
    case 'startsWith':
    case 'notContains':
    case 'notStartsWith':
    case 'column':
      throw new NeedsRows()
    case 'between': {
      const low = operandOf(column, condition.from)
      const high = operandOf(column, condition.to)
      return low.numbers === high.numbers
        ? within(low.numbers, low.value, high.value)
        : (allOf([within(low.numbers, low.value, Infinity), within(high.numbers, -Infinity, high.value)]) ?? nothing)
    }
    case 'eq':
      return listed(column, [condition.value])
    case 'ne': {
      if (condition.value === null) return noneOf(emptyNumbers(column.numbers()))
      const { numbers, value } = operandOf(column, condition.value)
      return noneOf(within(numbers, value, value))
    }
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge': {
      const { numbers, value } = operandOf(column, condition.value)
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
