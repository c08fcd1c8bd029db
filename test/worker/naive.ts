// Over 300 lines: one evaluator, kept in one place so that it can be read against the plan it answers.
import { Temporal } from 'temporal-polyfill'
import { naivePeriod, overlay, naiveBucket } from './naive-calendar'
import type { NaivePeriod } from './naive-calendar'
import {
  add,
  compare,
  divide,
  EPOCH,
  evaluate,
  fraction,
  holds,
  isFraction,
  negate,
  numberOf,
  ofDecimal,
  worldOf,
} from './naive-values'
import type { Fraction, NaiveData, Row, Value, World } from './naive-values'
import { axisOf, elsewhere, firstPart, looksElsewhere, ofWhole } from './naive-windows'
import type { Windowed } from './naive-windows'
import { fieldsOfExpr, isLeaf, leavesOf, sameField } from '../../src/shared/plan-fields'
import type { CalcMeasure, CalcOperand, LeafMeasure, Measure, QueryPlan, RatioMeasure } from '../../src/shared/query'
import type { Cell } from '../../src/shared/query-result'
import type { Column } from '../../src/shared/sources'

type Leaf = LeafMeasure
/** What limits on figures are compared as. */
const FIGURE: Column = {
  key: 'c0',
  label: '',
  type: 'number',
  role: 'measure',
  format: { style: 'plain' },
  hidden: false,
  fileIndex: 0,
}

/**
 * What a plan means, said a second time as plainly as possible: every row is looked at, numbers are exact fractions,
 * dates are Temporal's. Only the property test uses it, to hold the compiler's answers against.
 */
export interface NaiveAnswer {
  /** Every group in order: keys, then figures. */
  rows: (Cell | Fraction)[][]
  totals: (Cell | Fraction)[]
}

export function naiveAnswer(data: NaiveData, plan: QueryPlan): NaiveAnswer {
  const world = worldOf({ ...data, periodField: plan.period?.field })
  // Rows of every fact, side by side: a measure looks at those of its own only.
  const facts = [...new Set(plan.measures.flatMap(leavesOf).map((leaf) => factOf(world, plan, leaf)))]
  const passing = facts
    .flatMap(world.rowsOf)
    .filter((row) => plan.filters.every((filter) => world.passes(row, filter)))
    .filter((row) =>
      plan.dimensions.every(({ field, grouping }) => !grouping || world.isSplit(row, { field, grouping })),
    )
  const period = naivePeriod(plan, data.calendar)
  const inside = (row: Row, range: NaivePeriod['range']): boolean => {
    if (!plan.period || !range) return true
    const wall = world.wall(row, plan.period.field)
    if (!wall) return false
    const date = wall.toPlainDate()
    return Temporal.PlainDate.compare(date, range.from) >= 0 && Temporal.PlainDate.compare(date, range.to) <= 0
  }
  const now = passing.filter((row) => inside(row, period?.range ?? null))
  const before = period?.compare ? passing.filter((row) => inside(row, period.compare)) : null
  return grouped(world, plan, { period, now, before })
}

/** Whose rows a measure is over. */
function factOf(world: World, plan: QueryPlan, leaf: Leaf): string {
  const home = plan.dataset ?? ''
  if (leaf.kind === 'column') return leaf.dataset ?? leaf.field?.dataset ?? home
  const named = fieldsOfExpr(leaf.row).map(({ dataset }) => dataset)
  return named.find((id) => named.every((other) => world.reaches(id, other))) ?? home
}

const keyText = (value: Value): string => (isFraction(value) ? `${numberOf(value)}` : JSON.stringify(value))

/** A figure made of others. */
function combined(measure: RatioMeasure | CalcMeasure, of: (part: Measure) => Value): Value {
  if (measure.kind === 'ratio') return divide(of(measure.over), of(measure.under))
  const side = (operand: CalcOperand): Value =>
    operand.kind === 'number' ? ofDecimal(String(operand.value)) : of(operand)
  return calculated(measure, side(measure.left), side(measure.right))
}

function measured(world: World, plan: QueryPlan, measure: Measure, rows: Row[]): Value {
  if (measure.kind === 'ratio' || measure.kind === 'calc')
    return combined(measure, (part) => measured(world, plan, part, rows))
  if (!isLeaf(measure)) throw new TypeError('A figure of other groups than its own.')
  const fact = factOf(world, plan, measure)
  const own = rows.filter((row) => row.dataset === fact)
  const used = own.filter((row) => (measure.filter ?? []).every((filter) => world.passes(row, filter)))
  if (measure.kind === 'column' && !measure.field) return fraction(BigInt(used.length))
  const of = (row: Row): Value =>
    measure.kind === 'expression'
      ? evaluate(world, row, measure.row)
      : measure.field
        ? world.value(row, measure.field)
        : null
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
      const key = plan.period?.field
      const timed = key === undefined ? filled : filled.filter((row) => world.stored(row, key) !== null)
      const order = timed.toSorted(
        (a, b) =>
          (key === undefined ? 0 : Number(world.stored(a, key)) - Number(world.stored(b, key))) || a.rid - b.rid,
      )
      const row = measure.agg === 'first' ? order[0] : order.at(-1)
      return row ? of(row) : null
    }
  }
}

/** Whether a figure that is not there counts as 0 in a sum. */
function isAdditive(measure: CalcOperand): boolean {
  if (measure.kind === 'calc')
    return /add|subtract/.test(measure.op) && isAdditive(measure.left) && isAdditive(measure.right)
  if (measure.kind === 'cumulative') return isAdditive(measure.of)
  return (measure.kind === 'column' || measure.kind === 'expression') && /^(sum|count)/.test(measure.agg)
}
function calculated({ op, left, right }: CalcMeasure, a: Value, b: Value): Value {
  if (op === 'divide') return divide(a, b)
  if (op === 'multiply') return isFraction(a) && isFraction(b) ? fraction(a.n * b.n, a.d * b.d) : null
  const isThere = (value: Value, operand: CalcOperand): boolean => value !== null && operand.kind !== 'number'
  const one = a === null && isAdditive(left) && isThere(b, right) ? fraction(0n) : a
  const two = b === null && isAdditive(right) && isThere(a, left) ? fraction(0n) : b
  return isFraction(one) && isFraction(two) ? add(one, op === 'add' ? two : negate(two)) : null
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

/** The group of a row; null for a comparison's row past the period's end. */
function keysOf(world: World, plan: QueryPlan, at: { row: Row; laid: NaivePeriod | null }): Value[] | null {
  const { row, laid } = at
  const keys: Value[] = []
  for (const { field, grain, grouping } of plan.dimensions) {
    if (grouping) {
      keys.push(world.grouped(row, { field, grouping }))
      continue
    }
    const wall = world.wall(row, field)
    const unit = grain ?? (world.column(field).type === 'date' ? 'day' : null)
    if (!unit || !wall) {
      keys.push(unit ? null : world.value(row, field))
      continue
    }
    const bucket = naiveBucket(wall, unit, world.calendar)
    const shifted =
      laid && plan.period && sameField(plan.period.field, field) ? overlay(bucket, unit, laid, world.calendar) : bucket
    if (shifted === null) return null
    keys.push(unit === 'hour' ? shifted.toString({ smallestUnit: 'minute' }) : shifted.toPlainDate().toString())
  }
  return keys
}

function grouped(world: World, plan: QueryPlan, { period, now, before }: Arms): NaiveAnswer {
  const entries = (rows: Row[], laid: boolean) =>
    rows.flatMap((row) => {
      const keys = keysOf(world, plan, { row, laid: laid ? period : null })
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
  const all = [...groups.values()]
  const of = figuresOf(world, plan, { period, groups: all, now, before, current, earlier })
  const lines = all.map((group) => ({
    ...group,
    group,
    values: plan.measures.map((measure) => of.group(measure, group, 'now')),
  }))
  const kept = lines.filter(({ values }) =>
    (plan.having ?? []).every(({ measure, op, value }) => {
      const figure = values[measure] ?? null
      return holds({ value: figure, wall: null, column: FIGURE }, { op, value }) && (figure !== null || op === 'ne')
    }),
  )
  const figures = (figure: (measure: Measure, arm: 'now' | 'before') => Value): (Cell | Fraction)[] =>
    plan.measures.flatMap((measure) => {
      const value = figure(measure, 'now')
      if (!before) return [momentOf(world, measure, value)]
      const previous = figure(measure, 'before')
      if (isNumeric(world, measure)) return comparison(value, previous)
      return [momentOf(world, measure, value), momentOf(world, measure, previous)]
    })
  const ordered = kept.toSorted(lineOrder(world, plan))
  const rows = ordered.map((line) => [
    ...line.keys.map((key, i) => (line.other[i] === true ? 'Other' : rendered(world, plan, { key, i }))),
    ...figures((measure, arm) => of.group(measure, line.group, arm)),
  ])
  const totals = figures((measure, arm) => of.whole(measure, arm))
  return { rows, totals: [...plan.dimensions.map(() => null), ...totals] }
}

interface Entry {
  row: Row
  keys: Value[]
}
/** Figures of a group and of everything, those that look at other groups included. */
function figuresOf(world: World, plan: QueryPlan, at: Arms & { groups: Group[]; current: Entry[]; earlier: Entry[] }) {
  const own = axisOf(world, plan, at.period)
  const over = (groups: Group[], arm: 'now' | 'before', axis = own) => {
    const among: Windowed<Group> = {
      groups,
      keysOf: ({ keys }) => keys,
      otherOf: ({ other }) => other,
      figure: (measure, group) => {
        if (!looksElsewhere(measure)) return measured(world, plan, measure, group[arm])
        if (measure.kind === 'ratio' || measure.kind === 'calc')
          return combined(measure, (part) => among.figure(part, group))
        if ((measure.kind !== 'prev' && measure.kind !== 'cumulative') || !axis) throw new TypeError('No such figure.')
        return elsewhere(measure, group, { world, axis, among, isComparison: arm === 'before' })
      },
    }
    return among
  }
  const whole = (measure: Measure, arm: 'now' | 'before'): Value => {
    if (!looksElsewhere(measure)) return measured(world, plan, measure, (arm === 'now' ? at.now : at.before) ?? [])
    if (measure.kind === 'ratio' || measure.kind === 'calc') return combined(measure, (part) => whole(part, arm))
    if ((measure.kind !== 'prev' && measure.kind !== 'cumulative') || !own) throw new TypeError('No such figure.')
    const axis = { ...own, at: 0 }
    return ofWhole(measure, { axis, among: over(byTime(at, own.at), arm, axis) })
  }
  return {
    group: (measure: Measure, group: Group, arm: 'now' | 'before') => over(at.groups, arm).figure(measure, group),
    whole,
  }
}

/** Everything by time alone. */
function byTime({ current, earlier }: { current: Entry[]; earlier: Entry[] }, index: number): Group[] {
  const groups = new Map<string, Group>()
  for (const [arm, entries] of [
    ['now', current],
    ['before', earlier],
  ] as const)
    for (const { row, keys } of entries) {
      const key = keys[index] ?? null
      const group = groups.get(keyText(key)) ?? { keys: [key], other: [], now: [], before: [] }
      group[arm].push(row)
      groups.set(keyText(key), group)
    }
  return [...groups.values()]
}

function rendered(world: World, plan: QueryPlan, { key, i }: { key: Value; i: number }): Cell | Fraction {
  const dimension = plan.dimensions[i]
  if (dimension?.grouping) return world.groupName(key, dimension.grouping)
  return dimension && dimension.grain === undefined ? shown(world.column(dimension.field), key) : key
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
  if (measure.kind === 'prev') return momentOf(world, measure.of, value)
  return measure.kind !== 'column' || !measure.field || isNumeric(world, measure)
    ? value
    : shown(world.column(measure.field), value)
}

function comparison(now: Value, before: Value): (Cell | Fraction)[] {
  if (!isFraction(now) || !isFraction(before)) return [now, before, null, null]
  const change = add(now, negate(before))
  const size = before.n < 0n ? negate(before) : before
  return [now, before, change, divide(change, size)]
}
function isNumeric(world: World, measure: Measure): boolean {
  if (measure.kind === 'prev') return isNumeric(world, measure.of)
  if (measure.kind !== 'column' || !measure.field || measure.agg === 'count' || measure.agg === 'countDistinct')
    return true
  const { type } = world.column(measure.field)
  return type === 'integer' || type === 'number'
}

function topOf(
  world: World,
  plan: QueryPlan,
  ask: { topN: number; i: number; current: { row: Row; keys: Value[] }[]; earlier: { keys: Value[] }[] },
): Set<string> {
  const { topN, i, current, earlier } = ask
  const first = plan.measures[0] && firstPart(plan.measures[0])
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
  const timed = first && !first.grouping && (first.grain !== undefined || world.column(first.field).type === 'date')
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
