// Over 400 lines: how the naive evaluator reads one cell, with the conditions and formulas over it, which call each other.
import { Temporal } from 'temporal-polyfill'
import { isExistsFilter } from '../../../src/shared/query/plan'
import type {
  ExistsFilter,
  Condition,
  FieldFilter,
  Filter,
  GroupingReference,
  Scalar,
} from '../../../src/shared/query/plan'
import type { Expr } from '../../../src/shared/query/expression'
import type { Field } from '../../../src/shared/query/field'
import type { ComparisonOperator, DateDifferenceUnit } from '../../../src/shared/query/functions'
import type { RelationEdge } from '../../../src/warehouse/query/plan/relation-graph'
import type { Cell } from '../../../src/shared/query/result'
import type { Column } from '../../../src/shared/data-sources/data-sources'
import { naiveGroup, naiveGroupName } from './groupings'
import { naivePart } from './date-parts'
import type { NaiveGrouping } from './groupings'
import type { Calendar } from '../../../src/shared/dates'
import type { StorageValue } from '../../../src/lib/storage-value'

/** Relations, said a second time: every way is tried, every row is compared. */
export function joinsOf({ tables, edges }: NaiveData) {
  const rows = new Map(
    tables.map(({ id, columns, rows: cells }) => [
      id,
      cells.map((row, rid): NaiveRow => ({
        dataset: id,
        rid,
        cells: Object.fromEntries(columns.map(({ key }, n) => [key, row[n] ?? null])),
      })),
    ]),
  )
  const rowsOf = (id: string): NaiveRow[] => rows.get(id) ?? []
  const known = new Map<string, RelationEdge[][]>()
  const waysTo = (from: string, to: string, least: number): RelationEdge[][] => {
    const asked = `${from} ${to} ${least}`
    const forward = known.get(asked) ?? allWays(edges, { from, to, least, most: 4 })
    const ways = forward.length > 0 ? forward : allWays([...edges, ...backward], { from, to, least, most: 6 })
    known.set(asked, ways)
    return ways
  }
  const backward = edges
    .filter(({ oneToOne, from, to }) => oneToOne === true && from.dataset !== to.dataset)
    .map((edge) => ({
      ...edge,
      ...{
        from: edge.to,
        to: edge.from,
        further: edge.further?.map((pair) => ({ from: pair.to, to: pair.from })) ?? [],
      },
    }))
  const allWays = (
    usable: RelationEdge[],
    { from, to, least, most }: { from: string; to: string; least: number; most: number },
  ): RelationEdge[][] => {
    const found: RelationEdge[][] = []
    const walk = (at: string, way: RelationEdge[]): void => {
      if (at === to && way.length >= least) found.push(way)
      if (way.length < most)
        for (const edge of usable)
          if (edge.from.dataset === at && !way.some(({ id }) => id === edge.id)) walk(edge.to.dataset, [...way, edge])
    }
    walk(from, [])
    return found.toSorted((a, b) => a.length - b.length)
  }
  const shortest = (from: string, to: string, least: number): RelationEdge[] => {
    const [way, second] = waysTo(from, to, least)
    if (!way) throw new Error(`nothing leads from ${from} to ${to}`)
    if (second?.length === way.length) throw new Error(`two ways lead from ${from} to ${to}`)
    return way
  }
  const equal = (a: StorageValue, b: StorageValue): boolean => a !== null && String(a) === String(b)
  const along = (naiveRow: NaiveRow, way: RelationEdge[]): NaiveRow | null => {
    let at: NaiveRow | null = naiveRow
    for (const edge of way) {
      const from: NaiveRow | null = at
      const pairs = [{ from: edge.from.key, to: edge.to.key }, ...(edge.further ?? [])]
      const fits = (each: NaiveRow): boolean =>
        pairs.every((pair) => equal(from?.cells[pair.from] ?? null, each.cells[pair.to] ?? null))
      at = rowsOf(edge.to.dataset).find(fits) ?? null
    }
    return at
  }
  /** The row that a field is of; null when some row on the way points at none. */
  const follow = (naiveRow: NaiveRow, { dataset, via = [] }: Field): NaiveRow | null => {
    if (via.length === 0)
      return dataset === naiveRow.dataset ? naiveRow : along(naiveRow, shortest(naiveRow.dataset, dataset, 0))
    const chosen = via.flatMap((id) => edges.filter((edge) => edge.id === id))
    const start = chosen[0]?.from.dataset ?? naiveRow.dataset
    return along(naiveRow, [...(start === naiveRow.dataset ? [] : shortest(naiveRow.dataset, start, 0)), ...chosen])
  }
  /** Rows of the dataset asked for that point at this row, or at the row that both point at. */
  const matching = (naiveRow: NaiveRow, filter: ExistsFilter): NaiveRow[] => {
    const direct = waysTo(filter.dataset, naiveRow.dataset, 1)[0]
    const meeting = direct
      ? { shared: naiveRow.dataset, least: 1 }
      : { shared: nearest(naiveRow.dataset, filter.dataset), least: 1 }
    const theirs = shortest(filter.dataset, meeting.shared, 1)
    const target = direct ? naiveRow : along(naiveRow, shortest(naiveRow.dataset, meeting.shared, 1))
    return target === null ? [] : rowsOf(filter.dataset).filter((each) => along(each, theirs)?.rid === target.rid)
  }
  const nearest = (a: string, b: string): string => {
    const shared = tables.flatMap(({ id }) => {
      const [own, theirs] = [waysTo(a, id, 1)[0], waysTo(b, id, 1)[0]]
      return own && theirs ? [{ id, hops: own.length + theirs.length }] : []
    })
    return shared.toSorted((x, y) => x.hops - y.hops)[0]?.id ?? ''
  }
  const reaches = (from: string, to: string): boolean => from === to || waysTo(from, to, 1).length > 0
  /** The same without turning a relation round. */
  const pointsAt = (from: string, to: string): boolean =>
    from === to || allWays(edges, { from, to, least: 1, most: 4 }).length > 0
  return { rowsOf, follow, matching, reaches, pointsAt }
}

/** Values, rows and conditions of the naive evaluator: exact fractions and Temporal's dates. */
export interface Fraction {
  n: bigint
  d: bigint
}
export type NaiveValue = Fraction | string | boolean | null
/** A row of a dataset. */
export interface NaiveRow {
  dataset: string
  rid: number
  cells: Record<string, StorageValue>
}

export const isFraction = (value: NaiveValue | undefined): value is Fraction =>
  typeof value === 'object' && value !== null
export const fraction = (n: bigint, d = 1n): Fraction => (d < 0n ? { n: -n, d: -d } : { n, d })
const fractionOfDouble = (value: number): Fraction => fraction(BigInt(Math.round(value * 2 ** 20)), 2n ** 20n)
export const add = (a: Fraction, b: Fraction): Fraction => fraction(a.n * b.d + b.n * a.d, a.d * b.d)
export const negate = (a: Fraction): Fraction => fraction(-a.n, a.d)
export const compare = (a: Fraction, b: Fraction): number => {
  const difference = a.n * b.d - b.n * a.d
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}
export const divide = (a: NaiveValue, b: NaiveValue): NaiveValue =>
  isFraction(a) && isFraction(b) && b.n !== 0n ? fraction(a.n * b.d, a.d * b.n) : null
export const numberOf = (a: Fraction): number => Number((a.n * 10n ** 24n) / a.d) / 1e24

/** One dataset: its rows as stored; a computed column's cells are worked out, whatever stands there. */
export interface NaiveTable {
  id: string
  columns: Column[]
  rows: StorageValue[][]
  /** Some of its rows may not be seen, so that nothing is known of where they end. */
  limited?: boolean
}
export interface NaiveData {
  tables: NaiveTable[]
  edges: RelationEdge[]
  calendar: Calendar
  groupings?: NaiveGrouping[]
  /** The column of the plan's period: on which day a row counts. */
  periodField?: Field | undefined
}
export const EPOCH = Temporal.PlainDate.from('1970-01-01')
const FIRST = Temporal.PlainDateTime.from('0001-01-01T00:00')
const LAST = Temporal.PlainDateTime.from('9999-12-31T23:59:59.999')

export type EvaluationContext = ReturnType<typeof createEvaluationContext>
export function createEvaluationContext(data: NaiveData) {
  const { calendar } = data
  const joins = joinsOf(data)
  const column = (field: Field): Column => {
    const found = data.tables.find(({ id }) => id === field.dataset)?.columns.find((each) => each.key === field.column)
    if (!found) throw new Error(`no ${field.dataset}.${field.column}`)
    return found
  }
  const wallOf = (cell: StorageValue, { type, zoned }: Column): Temporal.PlainDateTime | null => {
    if (typeof cell !== 'number' || (type !== 'date' && type !== 'datetime')) return null
    if (type === 'date') return EPOCH.add({ days: cell }).toPlainDateTime()
    const zone = zoned === true ? calendar.timeZone : 'UTC'
    const at = Temporal.Instant.fromEpochMilliseconds(cell).toZonedDateTimeISO(zone).toPlainDateTime()
    if (Temporal.PlainDateTime.compare(at, FIRST) < 0) return FIRST
    return Temporal.PlainDateTime.compare(at, LAST) > 0 ? LAST : at
  }
  /** The stored cell, also of a row that relations lead to. */
  const stored = (naiveRow: NaiveRow, field: Field): StorageValue => {
    const at = joins.follow(naiveRow, field)
    return at?.cells[field.column] ?? null
  }
  const wall = (naiveRow: NaiveRow, field: Field): Temporal.PlainDateTime | null =>
    wallOf(stored(naiveRow, field), column(field))
  const value = (naiveRow: NaiveRow, field: Field): NaiveValue => {
    const { computed } = column(field)
    const at = joins.follow(naiveRow, field)
    if (computed) return at ? evaluate(world, at, computed) : null
    return cellValue(stored(naiveRow, field), column(field))
  }
  const bare = { column, value, wall }
  const grouped = (naiveRow: NaiveRow, seen: { field: Field; grouping: GroupingReference }): NaiveValue =>
    naiveGroup(data, { ...bare, row: naiveRow }, seen)?.key ?? null
  const groupingOf = ({ id }: GroupingReference): NaiveGrouping | undefined =>
    data.groupings?.find((each) => each.id === id)
  /** Whether a row is in any line of a split: some groupings leave out what has no group. */
  const isSplit = (naiveRow: NaiveRow, seen: { field: Field; grouping: GroupingReference }): boolean =>
    groupingOf(seen.grouping)?.fallback.kind !== 'exclude' || grouped(naiveRow, seen) !== null
  const groupName = (key: NaiveValue, grouping: GroupingReference): Cell => naiveGroupName(groupingOf(grouping), key)
  const passes = (naiveRow: NaiveRow, filter: Filter): boolean => {
    if (isExistsFilter(filter)) {
      const there = joins
        .matching(naiveRow, filter)
        .filter((each) => filter.filters.every((inner) => passes(each, inner)))
      return there.length > 0 === (filter.kind === 'exists')
    }
    if (filter.grouping) {
      const id =
        naiveGroup(data, { ...bare, row: naiveRow }, { field: filter.field, grouping: filter.grouping })?.id ?? null
      return filter.any.some((each) => 'values' in each && each.values.includes(id) === (each.op === 'in'))
    }
    if (filter.part) return passesPart(filter, wall(naiveRow, filter.field))
    const cell = {
      value: value(naiveRow, filter.field),
      wall: wall(naiveRow, filter.field),
      column: column(filter.field),
    }
    return filter.any.some((condition) =>
      condition.op === 'column'
        ? meetsComparison(condition.compare, orderOfCells(naiveRow, filter.field, condition.field))
        : meetsCondition(cell, condition),
    )
  }
  /** How two cells of a row lie: empty ones are the same as each other and in no order. */
  const orderOfCells = (naiveRow: NaiveRow, left: Field, right: Field): number | 'empty' | 'unlike' => {
    const [a, b] = [value(naiveRow, left), value(naiveRow, right)]
    if (a === null || b === null) return a === b ? 'empty' : 'unlike'
    const [one, two] = [wall(naiveRow, left), wall(naiveRow, right)]
    if (one && two) {
      const isDay = column(left).type === 'date' || column(right).type === 'date'
      if (isDay) return Temporal.PlainDate.compare(one.toPlainDate(), two.toPlainDate())
      const isInstant = column(left).zoned === true && column(right).zoned === true
      if (!isInstant) return Temporal.PlainDateTime.compare(one, two)
    }
    if (isFraction(a) && isFraction(b)) return compare(a, b)
    return a === b ? 0 : a < b ? -1 : 1
  }
  const meetsComparison = (op: ComparisonOperator, order: number | 'empty' | 'unlike'): boolean => {
    if (op === 'eq') return order === 0 || order === 'empty'
    if (op === 'ne') return order !== 0 && order !== 'empty'
    if (typeof order === 'string') return false
    return { lt: order < 0, le: order <= 0, gt: order > 0, ge: order >= 0 }[op]
  }
  /** Conditions on a part of a date are asked of its number. */
  const passesPart = ({ part, field, any }: FieldFilter, at: Temporal.PlainDateTime | null): boolean => {
    const told = at && part ? fraction(BigInt(naivePart(at, part, calendar).told)) : null
    const number = { ...column(field), type: 'integer' as const }
    return any.some((condition) => meetsCondition({ value: told, wall: null, column: number }, condition))
  }
  const world = {
    column,
    wall,
    value,
    stored,
    passes,
    grouped,
    isSplit,
    groupName,
    calendar,
    rowsOf: joins.rowsOf,
    reaches: joins.reaches,
    pointsAt: joins.pointsAt,
  }
  return world
}

function cellValue(cell: StorageValue, { type, scale }: Column): NaiveValue {
  if (cell === null) return null
  if (type === 'boolean') return cell !== 0
  if (typeof cell === 'string') return cell
  if (type === 'number')
    return scale === undefined ? fractionOfDouble(cell) : fraction(BigInt(cell), 10n ** BigInt(scale))
  return fraction(BigInt(cell))
}

export function meetsCondition(
  cell: { value: NaiveValue; wall: Temporal.PlainDateTime | null; column: Column },
  condition: Condition,
): boolean {
  const order = (given: Scalar): number | null => {
    const { value, wall } = cell
    if (value === null || given === null) return null
    if (wall && typeof given === 'string') {
      if (given.includes('T')) return Temporal.PlainDateTime.compare(wall, Temporal.PlainDateTime.from(given))
      return Temporal.PlainDate.compare(wall.toPlainDate(), Temporal.PlainDate.from(given))
    }
    if (isFraction(value)) return compare(value, fractionOfDecimal(String(given)))
    return value === given ? 0 : String(value) < String(given) ? -1 : 1
  }
  const equal = (given: Scalar): boolean => (given === null ? cell.value === null : order(given) === 0)
  const test = (given: Scalar, right: (o: number) => boolean): boolean => {
    const o = order(given)
    return o !== null && right(o)
  }
  switch (condition.op) {
    case 'eq':
      return equal(condition.value)
    case 'ne':
      return !equal(condition.value)
    case 'lt':
      return test(condition.value, (o) => o < 0)
    case 'le':
      return test(condition.value, (o) => o <= 0)
    case 'gt':
      return test(condition.value, (o) => o > 0)
    case 'ge':
      return test(condition.value, (o) => o >= 0)
    case 'in':
      return condition.values.some(equal)
    case 'notIn':
      return !condition.values.some(equal)
    case 'between':
      return test(condition.from, (o) => o >= 0) && test(condition.to, (o) => o <= 0)
    case 'contains':
      return typeof cell.value === 'string' && cell.value.includes(condition.value)
    case 'startsWith':
      return typeof cell.value === 'string' && cell.value.startsWith(condition.value)
    case 'notContains':
      return typeof cell.value !== 'string' || !cell.value.includes(condition.value)
    case 'notStartsWith':
      return typeof cell.value !== 'string' || !cell.value.startsWith(condition.value)
    case 'column':
      throw new TypeError('Two columns are compared where the row is known.')
    case 'empty':
      return cell.value === null
    case 'notEmpty':
      return cell.value !== null
  }
}
export function fractionOfDecimal(text: string): Fraction {
  const [whole = '0', decimals = ''] = text.split('.')
  return fraction(BigInt(`${whole}${decimals}`), 10n ** BigInt(decimals.length))
}

export function evaluate(context: EvaluationContext, naiveRow: NaiveRow, expr: Expr): NaiveValue {
  const side = (field: Field): NaiveTime => ({
    ...{ wall: context.wall(naiveRow, field), instant: context.stored(naiveRow, field), column: context.column(field) },
  })
  // What lies in a computed column's cell says nothing.
  const isTime = (each: Expr): each is Expr & { kind: 'field' } =>
    each.kind === 'field' && ['date', 'datetime'].includes(context.column(each.field).type)
  const sideOf = (each: Expr): NaiveSide => ({
    value: evaluate(context, naiveRow, each),
    time: isTime(each) ? side(each.field) : null,
  })
  switch (expr.kind) {
    case 'field':
      return context.value(naiveRow, expr.field)
    case 'number':
      return fractionOfDecimal(String(expr.value))
    case 'text':
      return expr.value
    case 'concat': {
      const items = expr.items.map((item) => ({ item, text: textOf(context, naiveRow, item) }))
      const asked = items.filter(({ item }) => item.kind !== 'text' && item.kind !== 'number')
      if (asked.length > 0 && asked.every(({ text }) => text === null)) return null
      return items.map(({ text }) => text ?? '').join('')
    }
    case 'coalesce':
      return expr.items.map((item) => evaluate(context, naiveRow, item)).find((value) => value !== null) ?? null
    case 'dateDiff':
      return dateDifference(
        { unit: expr.unit, isZoned: [expr.from, expr.to].every((field) => context.column(field).zoned === true) },
        side(expr.from),
        side(expr.to),
      )
    case 'compare':
      return compareSides(expr, sideOf(expr.left), sideOf(expr.right))
    case 'function':
      return rowFunction(expr, sideOf)
    case 'binary': {
      const [a, b] = [evaluate(context, naiveRow, expr.left), evaluate(context, naiveRow, expr.right)]
      if (!isFraction(a) || !isFraction(b)) return null
      if (expr.op === 'divide') return divide(a, b)
      if (expr.op === 'multiply') return fraction(a.n * b.n, a.d * b.d)
      return add(a, expr.op === 'add' ? b : negate(b))
    }
  }
}

/** As it is written into a text: whole numbers (no others are let through) as they are, days as ISO text. */
function textOf(context: EvaluationContext, naiveRow: NaiveRow, expr: Expr): string | null {
  if (expr.kind === 'field' && context.column(expr.field).type === 'date')
    return context.wall(naiveRow, expr.field)?.toPlainDate().toString() ?? null
  const value = evaluate(context, naiveRow, expr)
  return value === null ? null : isFraction(value) ? String(value.n / value.d) : String(value)
}

/** A date or a moment: its wall clock, and as it is stored. */
interface NaiveTime {
  wall: Temporal.PlainDateTime | null
  instant: StorageValue
  column: Column
}
interface NaiveSide {
  value: NaiveValue
  time: NaiveTime | null
}
type SideOf = (expr: Expr) => NaiveSide

/** True or false: nothing equals nothing, and is neither less nor more than anything. */
function compareSides({ op, left, right }: Expr & { kind: 'compare' }, a: NaiveSide, b: NaiveSide): boolean {
  const order = orderOfSides(a, b, [left, right])
  if (order === null) {
    const areSame = isNothing(a) && isNothing(b)
    return op === 'eq' ? areSame : op === 'ne' && !areSame
  }
  const tests = { eq: order === 0, ne: order !== 0, lt: order < 0, le: order <= 0, gt: order > 0, ge: order >= 0 }
  return tests[op]
}
const isMoment = ({ time }: NaiveSide): boolean => time?.column.type === 'datetime'
const isNothing = ({ value, time }: NaiveSide): boolean => (time ? time.instant : value) === null
function orderOfSides(a: NaiveSide, b: NaiveSide, [left, right]: [Expr, Expr]): number | null {
  if (isNothing(a) || isNothing(b)) return null
  const areTimes = [a, b].some(({ time }) => time?.column.type === 'date' || time?.column.type === 'datetime')
  if (isMoment(a) && isMoment(b)) {
    if (a.time?.column.zoned === true && b.time?.column.zoned === true)
      return Math.sign(Number(a.time.instant) - Number(b.time.instant))
    return a.time?.wall && b.time?.wall ? Temporal.PlainDateTime.compare(a.time.wall, b.time.wall) : null
  }
  const isDay = areTimes || [left, right].some((expr) => expr.kind === 'function' && expr.fn === 'date')
  const [x, y] = isDay ? [dayOf(a), dayOf(b)] : [a.value, b.value]
  if (isFraction(x) && isFraction(y)) return compare(x, y)
  if (typeof x === 'string' && typeof y === 'string') return Buffer.compare(Buffer.from(x), Buffer.from(y))
  return x === y ? 0 : x === true ? 1 : -1
}
function dayOf({ value, time }: NaiveSide): NaiveValue {
  if (typeof value === 'string') return fraction(BigInt(daysSinceEpoch(Temporal.PlainDate.from(value))))
  return time?.wall ? fraction(BigInt(daysSinceEpoch(time.wall.toPlainDate()))) : value
}
const daysSinceEpoch = (date: Temporal.PlainDate): number => date.since(EPOCH).days

/** A condition that is empty does not hold. */
const holds = ({ value }: NaiveSide): boolean => value === true

function rowFunction({ fn, items }: Expr & { kind: 'function' }, sideOf: SideOf): NaiveValue {
  const sides = items.map(sideOf)
  const [first, second, third] = sides
  if (!first) return null
  switch (fn) {
    case 'if':
      return (holds(first) ? second : third)?.value ?? null
    case 'and':
      return sides.every(holds)
    case 'or':
      return sides.some(holds)
    case 'not':
      return !holds(first)
    case 'isEmpty':
      return isNothing(first)
    case 'abs':
      return isFraction(first.value) && first.value.n < 0n ? negate(first.value) : first.value
    case 'round':
      return isFraction(first.value) ? roundedFraction(first.value, Number(fractionIn(second).n)) : null
    case 'least':
    case 'greatest': {
      const there = sides.flatMap(({ value }) => (isFraction(value) ? [value] : [])).toSorted(compare)
      return (fn === 'least' ? there[0] : there.at(-1)) ?? null
    }
    case 'date':
    case 'hour':
    case 'year':
    case 'quarter':
    case 'month':
    case 'week':
    case 'day':
    case 'weekday':
      return partOfTime(fn, first)
  }
}
const fractionIn = (side: NaiveSide | undefined): Fraction => (isFraction(side?.value) ? side.value : fraction(0n))

function roundedFraction({ n, d }: Fraction, decimals: number): Fraction {
  const by = 10n ** BigInt(decimals)
  const away = ((n < 0n ? -n : n) * by * 2n + d) / (2n * d)
  return fraction(n < 0n ? -away : away, by)
}

type TimePart = Extract<
  Extract<Expr, { kind: 'function' }>['fn'],
  'date' | 'year' | 'quarter' | 'month' | 'week' | 'day' | 'weekday' | 'hour'
>
function partOfTime(part: TimePart, side: NaiveSide): NaiveValue {
  const wall = side.time?.wall
  if (!wall) return null
  const parts: Record<TimePart, number | undefined> = {
    date: daysSinceEpoch(wall.toPlainDate()),
    year: wall.year,
    quarter: Math.ceil(wall.month / 3),
    month: wall.month,
    week: wall.weekOfYear,
    day: wall.day,
    weekday: wall.dayOfWeek,
    hour: wall.hour,
  }
  return fraction(BigInt(parts[part] ?? 0))
}

/** Day by day, so that it is told in another way than the warehouse has it. */
function weekdaysBetween(from: Temporal.PlainDate, to: Temporal.PlainDate): number {
  if (Temporal.PlainDate.compare(from, to) > 0) return -weekdaysBetween(to, from)
  const days = daysSinceEpoch(to) - daysSinceEpoch(from)
  const weeks = Math.floor(days / 7)
  const rest = Array.from({ length: days - weeks * 7 }, (_, i) => from.add({ days: i }))
  return weeks * 5 + rest.filter(({ dayOfWeek }) => dayOfWeek <= 5).length
}

function dateDifference(
  { unit, isZoned }: { unit: DateDifferenceUnit; isZoned: boolean },
  from: NaiveTime,
  to: NaiveTime,
): NaiveValue {
  const [a, b] = [from.wall, to.wall]
  if (!a || !b) return null
  const [first, last] = [a.toPlainDate(), b.toPlainDate()]
  if (unit === 'day') return fraction(BigInt(last.since(first).days))
  if (unit === 'weekday') return fraction(BigInt(weekdaysBetween(first, last)))
  const milliseconds = isZoned ? Number(to.instant) - Number(from.instant) : b.since(a).total('milliseconds')
  return fraction(BigInt(milliseconds), unit === 'hour' ? 3_600_000n : 60_000n)
}
