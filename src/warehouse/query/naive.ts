import { Temporal } from 'temporal-polyfill'
import { naivePeriod, overlay, naiveBucket } from './naive-calendar'
import type { NaivePeriod } from './naive-calendar'
import type { Cell, Condition, Expr, Filter, Measure, QueryPlan, Scalar } from '../../shared/query'
import type { Column } from '../../shared/sources'
import type { Calendar, StorageValue } from '../contract'

/**
 * What a plan means, said a second time as plainly as possible: every row is looked at, numbers are exact fractions,
 * dates are Temporal's. Only the property test uses it, to hold the compiler's answers against.
 */
export interface Fraction {
  n: bigint
  d: bigint
}
type Value = Fraction | string | boolean | null
type Row = Record<string, StorageValue>

const isFraction = (value: Value | undefined): value is Fraction => typeof value === 'object' && value !== null
const fraction = (n: bigint, d = 1n): Fraction => (d < 0n ? { n: -n, d: -d } : { n, d })
const ofDouble = (value: number): Fraction => fraction(BigInt(Math.round(value * 2 ** 20)), 2n ** 20n)
const add = (a: Fraction, b: Fraction): Fraction => fraction(a.n * b.d + b.n * a.d, a.d * b.d)
const negate = (a: Fraction): Fraction => fraction(-a.n, a.d)
const compare = (a: Fraction, b: Fraction): number => {
  const difference = a.n * b.d - b.n * a.d
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}
const divide = (a: Value, b: Value): Value =>
  isFraction(a) && isFraction(b) && b.n !== 0n ? fraction(a.n * b.d, a.d * b.n) : null
export const numberOf = (a: Fraction): number => Number((a.n * 10n ** 24n) / a.d) / 1e24

export interface NaiveData {
  columns: Column[]
  rows: StorageValue[][]
  calendar: Calendar
}
export interface NaiveAnswer {
  /** Every group in order: keys, then figures. */
  rows: (Cell | Fraction)[][]
  totals: (Cell | Fraction)[]
}

const EPOCH = Temporal.PlainDate.from('1970-01-01')
const FIRST = Temporal.PlainDateTime.from('0001-01-01T00:00')
const LAST = Temporal.PlainDateTime.from('9999-12-31T23:59:59.999')

export function naiveAnswer(data: NaiveData, plan: QueryPlan): NaiveAnswer {
  const world = worldOf(data)
  const rows = data.rows.map((cells, i): Row => ({
    rid: i,
    ...Object.fromEntries(data.columns.map((column, n) => [column.key, cells[n] ?? null])),
  }))
  const passing = rows.filter((row) => plan.filters.every((filter) => world.passes(row, filter)))
  const period = naivePeriod(plan, data.calendar)
  const inside = (row: Row, range: NaivePeriod['range']): boolean => {
    if (!plan.period || !range) return true
    const wall = world.wall(row, plan.period.field.column)
    if (!wall) return false
    const date = wall.toPlainDate()
    return Temporal.PlainDate.compare(date, range.from) >= 0 && Temporal.PlainDate.compare(date, range.to) <= 0
  }
  const now = passing.filter((row) => inside(row, period?.range ?? null))
  const before = period?.compare ? passing.filter((row) => inside(row, period.compare)) : null
  return grouped(world, plan, { period, now, before })
}

type World = ReturnType<typeof worldOf>
function worldOf({ columns, calendar }: NaiveData) {
  const column = (key: string): Column => {
    const found = columns.find((each) => each.key === key)
    if (!found) throw new Error(`no ${key}`)
    return found
  }
  const wall = (row: Row, key: string): Temporal.PlainDateTime | null => {
    const value = row[key]
    const { type } = column(key)
    if (typeof value !== 'number' || (type !== 'date' && type !== 'datetime')) return null
    if (type === 'date') return EPOCH.add({ days: value }).toPlainDateTime()
    const zone = column(key).zoned === true ? calendar.timeZone : 'UTC'
    return Temporal.Instant.fromEpochMilliseconds(value).toZonedDateTimeISO(zone).toPlainDateTime()
  }
  const clamped = (row: Row, key: string): Temporal.PlainDateTime | null => {
    const at = wall(row, key)
    if (!at) return null
    return Temporal.PlainDateTime.compare(at, FIRST) < 0
      ? FIRST
      : Temporal.PlainDateTime.compare(at, LAST) > 0
        ? LAST
        : at
  }
  const value = (row: Row, key: string): Value => {
    const cell = row[key] ?? null
    if (cell === null) return null
    const { type, scale } = column(key)
    if (type === 'boolean') return cell !== 0
    if (typeof cell === 'string') return cell
    if (type === 'number') return scale === undefined ? ofDouble(cell) : fraction(BigInt(cell), 10n ** BigInt(scale))
    return fraction(BigInt(cell))
  }
  const passes = (row: Row, { field, any }: Filter): boolean =>
    any.some((condition) =>
      holds(
        { value: value(row, field.column), wall: clamped(row, field.column), column: column(field.column) },
        condition,
      ),
    )
  return { column, wall: clamped, value, passes, calendar }
}

function holds(
  cell: { value: Value; wall: Temporal.PlainDateTime | null; column: Column },
  condition: Condition,
): boolean {
  const order = (given: Scalar): number | null => {
    const { value, wall } = cell
    if (value === null || given === null) return null
    if (wall && typeof given === 'string') {
      if (given.includes('T')) return Temporal.PlainDateTime.compare(wall, Temporal.PlainDateTime.from(given))
      return Temporal.PlainDate.compare(wall.toPlainDate(), Temporal.PlainDate.from(given))
    }
    if (isFraction(value)) return compare(value, ofDecimal(String(given)))
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
    case 'empty':
      return cell.value === null
    case 'notEmpty':
      return cell.value !== null
  }
}
function ofDecimal(text: string): Fraction {
  const [whole = '0', decimals = ''] = text.split('.')
  return fraction(BigInt(`${whole}${decimals}`), 10n ** BigInt(decimals.length))
}

function evaluate(world: World, row: Row, expr: Expr): Value {
  switch (expr.kind) {
    case 'field':
      return world.value(row, expr.field.column)
    case 'number':
      return ofDecimal(String(expr.value))
    case 'coalesce':
      return expr.items.map((item) => evaluate(world, row, item)).find((value) => value !== null) ?? null
    case 'dateDiff': {
      const [from, to] = [world.wall(row, expr.from.column), world.wall(row, expr.to.column)]
      return from && to ? fraction(BigInt(to.toPlainDate().since(from.toPlainDate()).days)) : null
    }
    case 'binary': {
      const [a, b] = [evaluate(world, row, expr.left), evaluate(world, row, expr.right)]
      if (!isFraction(a) || !isFraction(b)) return null
      if (expr.op === 'divide') return divide(a, b)
      if (expr.op === 'multiply') return fraction(a.n * b.n, a.d * b.d)
      return add(a, expr.op === 'add' ? b : negate(b))
    }
  }
}

const keyText = (value: Value): string => (isFraction(value) ? `${numberOf(value)}` : JSON.stringify(value))

function measured(world: World, plan: QueryPlan, measure: Measure, rows: Row[]): Value {
  if (measure.kind === 'ratio')
    return divide(measured(world, plan, measure.over, rows), measured(world, plan, measure.under, rows))
  const used = rows.filter((row) => (measure.filter ?? []).every((filter) => world.passes(row, filter)))
  if (measure.kind === 'column' && !measure.field) return fraction(BigInt(used.length))
  const of = (row: Row): Value =>
    measure.kind === 'expression' ? evaluate(world, row, measure.row) : world.value(row, measure.field?.column ?? '')
  const filled = used.filter((row) => of(row) !== null)
  const values = filled.map(of)
  const numbers = values.filter(isFraction)
  const sum = numbers.reduce(add, fraction(0n))
  const ordered = values.toSorted(orderOf)
  switch (measure.agg) {
    case 'count':
      return fraction(BigInt(values.length))
    case 'countDistinct':
      return fraction(BigInt(new Set(values.map(keyText)).size))
    case 'sum':
      return numbers.length === 0 ? null : sum
    case 'avg':
      return numbers.length === 0 ? null : divide(sum, fraction(BigInt(numbers.length)))
    case 'median': {
      const [low, high] = [ordered[Math.ceil(ordered.length / 2) - 1], ordered[Math.floor(ordered.length / 2)]]
      return isFraction(low) && isFraction(high) ? divide(add(low, high), fraction(2n)) : null
    }
    case 'min':
      return ordered[0] ?? null
    case 'max':
      return ordered.at(-1) ?? null
    case 'first':
    case 'last': {
      const key = plan.period?.field.column
      const timed = key === undefined ? filled : filled.filter((row) => row[key] !== null)
      const order = timed.toSorted(
        (a, b) => (key === undefined ? 0 : Number(a[key]) - Number(b[key])) || Number(a['rid']) - Number(b['rid']),
      )
      const row = measure.agg === 'first' ? order[0] : order.at(-1)
      return row ? of(row) : null
    }
  }
}

/** Ascending, empty last. */
function orderOf(a: Value, b: Value): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  if (isFraction(a) && isFraction(b)) return compare(a, b)
  return a === b ? 0 : a < b ? -1 : 1
}
const descending = (a: Value, b: Value): number => (a === null || b === null ? orderOf(a, b) : orderOf(b, a))

interface Arms {
  period: NaivePeriod | null
  now: Row[]
  before: Row[] | null
}
interface Group {
  keys: Value[]
  other: boolean[]
  now: Row[]
  before: Row[]
}

function grouped(world: World, plan: QueryPlan, { period, now, before }: Arms): NaiveAnswer {
  const keysOf = (row: Row, laid: boolean): Value[] | null => {
    const keys: Value[] = []
    for (const { field, grain } of plan.dimensions) {
      const wall = world.wall(row, field.column)
      const unit = grain ?? (world.column(field.column).type === 'date' ? 'day' : null)
      if (!unit || !wall) {
        keys.push(unit ? null : world.value(row, field.column))
        continue
      }
      const bucket = naiveBucket(wall, unit, world.calendar)
      const shifted =
        laid && period && plan.period?.field.column === field.column
          ? overlay(bucket, unit, period, world.calendar)
          : bucket
      if (shifted === null) return null
      keys.push(unit === 'hour' ? shifted.toString({ smallestUnit: 'minute' }) : shifted.toPlainDate().toString())
    }
    return keys
  }
  const entries = (rows: Row[], laid: boolean) =>
    rows.flatMap((row) => {
      const keys = keysOf(row, laid)
      return keys ? [{ row, keys }] : []
    })
  const [current, earlier] = [entries(now, false), entries(before ?? [], true)]
  const tops = plan.dimensions.map(({ topN }, i) =>
    topN === undefined ? null : topOf(world, plan, { topN, i, current, earlier }),
  )
  const groups = new Map<string, Group>()
  const put = (entry: { row: Row; keys: Value[] }, arm: 'now' | 'before'): void => {
    const other = entry.keys.map((key, i) => !(tops[i]?.has(keyText(key)) ?? true))
    const keys = entry.keys.map((key, i) => (other[i] === true ? null : key))
    const id = JSON.stringify([keys.map(keyText), other])
    const group = groups.get(id) ?? { keys, other, now: [], before: [] }
    group[arm].push(entry.row)
    groups.set(id, group)
  }
  for (const entry of current) put(entry, 'now')
  for (const entry of earlier) put(entry, 'before')
  if (plan.dimensions.length === 0 && groups.size === 0) groups.set('', { keys: [], other: [], now: [], before: [] })
  const lines = [...groups.values()].map((group) => ({
    ...group,
    values: plan.measures.map((measure) => measured(world, plan, measure, group.now)),
  }))
  const kept = lines.filter(({ values }) =>
    (plan.having ?? []).every(({ measure, op, value }) => {
      const figure = values[measure] ?? null
      return (
        holds({ value: figure, wall: null, column: { ...world.column('c1') } }, { op, value }) &&
        (figure !== null || op === 'ne')
      )
    }),
  )
  const figures = (values: Value[], earlierRows: Row[]): (Cell | Fraction)[] =>
    plan.measures.flatMap((measure, i) => {
      const value = values[i] ?? null
      if (!before) return [momentOf(world, measure, value)]
      const previous = measured(world, plan, measure, earlierRows)
      if (isNumeric(world, measure)) return comparison(value, previous)
      return [momentOf(world, measure, value), momentOf(world, measure, previous)]
    })
  const ordered = kept.toSorted(lineOrder(world, plan))
  const rows = ordered.map(({ keys, other, values, before: rowsBefore }) => [
    ...keys.map((key, i) => (other[i] === true ? 'Other' : rendered(world, plan, { key, i }))),
    ...figures(values, rowsBefore),
  ])
  const totals = figures(
    plan.measures.map((measure) => measured(world, plan, measure, now)),
    before ?? [],
  )
  return { rows, totals: [...plan.dimensions.map(() => null), ...totals] }
}

function rendered(world: World, plan: QueryPlan, { key, i }: { key: Value; i: number }): Cell | Fraction {
  const dimension = plan.dimensions[i]
  return dimension && dimension.grain === undefined ? shown(world.column(dimension.field.column), key) : key
}

/** A date or time as text; other values as they are. */
function shown({ type, zoned }: Column, value: Value): Cell | Fraction {
  if (!isFraction(value) || (type !== 'date' && type !== 'datetime')) return value
  const stored = Number(value.n / value.d)
  if (type === 'date') return EPOCH.add({ days: stored }).toString()
  const instant = Temporal.Instant.fromEpochMilliseconds(stored)
  const text = instant.toString({ smallestUnit: stored % 1000 === 0 ? 'second' : 'millisecond' })
  return zoned === true ? text : text.replace('Z', '')
}
function momentOf(world: World, measure: Measure, value: Value): Cell | Fraction {
  return measure.kind !== 'column' || !measure.field || isNumeric(world, measure)
    ? value
    : shown(world.column(measure.field.column), value)
}

function comparison(now: Value, before: Value): (Cell | Fraction)[] {
  if (!isFraction(now) || !isFraction(before)) return [now, before, null, null]
  const change = add(now, negate(before))
  const size = before.n < 0n ? negate(before) : before
  return [now, before, change, divide(change, size)]
}
function isNumeric(world: World, measure: Measure): boolean {
  if (measure.kind !== 'column' || !measure.field || measure.agg === 'count' || measure.agg === 'countDistinct')
    return true
  const { type } = world.column(measure.field.column)
  return type === 'integer' || type === 'number'
}

function topOf(
  world: World,
  plan: QueryPlan,
  ask: { topN: number; i: number; current: { row: Row; keys: Value[] }[]; earlier: { keys: Value[] }[] },
): Set<string> {
  const { topN, i, current, earlier } = ask
  const [first] = plan.measures
  const byKey = new Map<string, { key: Value; rows: Row[] }>()
  for (const { keys } of earlier) byKey.set(keyText(keys[i] ?? null), { key: keys[i] ?? null, rows: [] })
  for (const { keys } of current) byKey.set(keyText(keys[i] ?? null), { key: keys[i] ?? null, rows: [] })
  for (const { keys, row } of current) byKey.get(keyText(keys[i] ?? null))?.rows.push(row)
  const ranked = [...byKey.values()].map(({ key, rows }) => ({
    key,
    value: first ? measured(world, plan, first, rows) : null,
  }))
  ranked.sort((a, b) => descending(a.value, b.value) || orderOf(a.key, b.key))
  return new Set(ranked.slice(0, topN).map(({ key }) => keyText(key)))
}

type Line = Group & { values: Value[] }
function lineOrder(world: World, plan: QueryPlan): (a: Line, b: Line) => number {
  const byKey =
    (i: number, sign: 'asc' | 'desc') =>
    (a: Line, b: Line): number =>
      Number(a.other[i]) - Number(b.other[i]) ||
      (sign === 'asc' ? orderOf : descending)(a.keys[i] ?? null, b.keys[i] ?? null)
  const [first] = plan.dimensions
  const timed = first && (first.grain !== undefined || world.column(first.field.column).type === 'date')
  const asked = plan.sort?.length ? plan.sort : timed ? [] : [{ by: { measure: 0 }, dir: 'desc' as const }]
  const steps = asked.flatMap(({ by, dir }): ((a: Line, b: Line) => number)[] => {
    if ('dimension' in by) return [byKey(by.dimension, dir)]
    if (!('measure' in by)) return []
    const others = plan.dimensions.map((_, i) => (a: Line, b: Line) => Number(a.other[i]) - Number(b.other[i]))
    return [
      ...others,
      (a, b) => (dir === 'asc' ? orderOf : descending)(a.values[by.measure] ?? null, b.values[by.measure] ?? null),
    ]
  })
  const all = [...steps, ...plan.dimensions.map((_, i) => byKey(i, 'asc'))]
  return (a, b) => {
    for (const step of all) {
      const order = step(a, b)
      if (order !== 0) return order
    }
    return 0
  }
}
