// Over 400 lines: the plainest evaluation of a plan there is, read beside the product's as one text from top to bottom.
import { Temporal } from 'temporal-polyfill'
import {
  naivePeriod,
  alignToPeriod,
  naiveBucket,
  timeAxisOf,
  windowValue,
  firstPlainPart,
  isWindowMeasure,
  windowValueOfTotal,
} from './time'
import type { NaivePeriod, GroupSet } from './time'
import type { Field } from '../../../src/shared/query/field'
import { naiveFunction } from './figure-functions'
import { naivePart, naivePartOfOrder } from './date-parts'
import { FIGURE_COLUMN, groupedFigure, percentileOf } from './grouped'
import {
  add,
  compare,
  divide,
  EPOCH,
  evaluate,
  fraction,
  meetsCondition,
  isFraction,
  negate,
  numberOf,
  fractionOfDecimal,
  createEvaluationContext,
} from './values'
import type { Fraction, NaiveData, NaiveRow, NaiveValue, EvaluationContext } from './values'
import { expressionFieldsOf, isLeafMeasure, leafMeasuresOf, isSameField } from '../../../src/shared/query/plan-fields'
import type {
  CalcMeasure,
  CalcOperand,
  AggregateMeasure,
  FunctionMeasure,
  GroupedMeasure,
  Measure,
  QueryPlan,
  RatioMeasure,
} from '../../../src/shared/query/plan'
import type { Cell } from '../../../src/shared/query/result'
import type { Column } from '../../../src/shared/data-sources/data-sources'

type LeafMeasure = AggregateMeasure
/**
 * What a plan means, said a second time as plainly as possible: every row is looked at, numbers are exact fractions,
 * dates are Temporal's. Only random tests use it, to hold the product's answers against.
 */
export interface NaiveAnswer {
  /** Every group in order: keys, then figures. */
  rows: (Cell | Fraction)[][]
  totals: (Cell | Fraction)[]
  /** Of each split: what its keys are called, by the key as text; null where it has no labels. */
  names: (Map<string, string> | null)[]
}

export function naiveAnswer(data: NaiveData, plan: QueryPlan): NaiveAnswer {
  const world = createEvaluationContext({ ...data, periodField: plan.period?.field })
  // Rows of every fact, side by side: a measure looks at those of its own only.
  const facts = [...new Set(plan.measures.flatMap(leafMeasuresOf).map((leaf) => factDataset(world, plan, leaf)))]
  const passing = facts
    .flatMap(world.rowsOf)
    .filter((row) => plan.filters.every((filter) => world.passes(row, filter)))
    .filter((row) =>
      plan.dimensions.every(({ field, grouping }) => !grouping || world.isSplit(row, { field, grouping })),
    )
  const period = naivePeriod(plan, data.calendar, endOfRows(data, plan.period?.field))
  const inside = (naiveRow: NaiveRow, range: NaivePeriod['range']): boolean => {
    if (!plan.period || !range) return true
    const wall = world.wall(naiveRow, plan.period.field)
    if (!wall) return false
    const date = wall.toPlainDate()
    return Temporal.PlainDate.compare(date, range.from) >= 0 && Temporal.PlainDate.compare(date, range.to) <= 0
  }
  const now = passing.filter((row) => inside(row, period?.range ?? null))
  const before = period?.compare ? passing.filter((row) => inside(row, period.compare)) : null
  return groupRows(world, plan, { period, now, before })
}

/** The last day with rows by a column of days. */
export function endOfRows({ tables }: NaiveData, field: Field | undefined): Temporal.PlainDate | null {
  const table = tables.find(({ id }) => id === field?.dataset)
  const at = table?.columns.findIndex(({ key }) => key === field?.column) ?? -1
  const column = table?.columns[at]
  if (!table || table.limited || column?.type !== 'date' || column.computed) return null
  const days = table.rows.flatMap((row) => (typeof row[at] === 'number' ? [row[at]] : []))
  return days.length === 0 ? null : EPOCH.add({ days: Math.max(...days) })
}

/** Whose rows a measure is over. */
function factDataset(context: EvaluationContext, plan: QueryPlan, leafMeasure: LeafMeasure): string {
  const home = plan.dataset ?? ''
  const { by } = leafMeasure
  if (leafMeasure.kind === 'column') return leafMeasure.dataset ?? (by ?? leafMeasure.field)?.dataset ?? home
  const named = [...expressionFieldsOf(leafMeasure.row), ...(by ? [by] : [])].map(({ dataset }) => dataset)
  const startBy = (leads: (from: string, to: string) => boolean): string | undefined =>
    named.find((id) => named.every((other) => leads(id, other)))
  // Where one points at all others, its rows are meant; else those from which all are found.
  return startBy(context.pointsAt) ?? startBy(context.reaches) ?? home
}

const keyText = (naiveValue: NaiveValue): string =>
  isFraction(naiveValue) ? `${numberOf(naiveValue)}` : JSON.stringify(naiveValue)

/** A figure made of others. */
function combineMeasures(measure: CombinedMeasure, of: (part: Measure) => NaiveValue): NaiveValue {
  if (measure.kind === 'ratio') return divide(of(measure.over), of(measure.under))
  const side = (operand: CalcOperand): NaiveValue =>
    operand.kind === 'number' ? fractionOfDecimal(String(operand.value)) : of(operand)
  if (measure.kind === 'function') return naiveFunction(measure, measure.items.map(side))
  return calculate(measure, side(measure.left), side(measure.right))
}
type CombinedMeasure = RatioMeasure | CalcMeasure | FunctionMeasure
const isCombined = (measure: Measure): measure is CombinedMeasure =>
  measure.kind === 'ratio' || measure.kind === 'calc' || measure.kind === 'function'

function evaluateMeasure(context: EvaluationContext, plan: QueryPlan, measure: Measure, rows: NaiveRow[]): NaiveValue {
  if (isCombined(measure)) return combineMeasures(measure, (part) => evaluateMeasure(context, plan, part, rows))
  if (measure.kind === 'grouped') return evaluateGroups(context, plan, measure, rows)
  if (!isLeafMeasure(measure)) throw new TypeError('A figure of other groups than its own.')
  const fact = factDataset(context, plan, measure)
  const own = rows.filter((row) => row.dataset === fact)
  const used = own.filter((row) => (measure.filter ?? []).every((filter) => context.passes(row, filter)))
  if (measure.kind === 'column' && !measure.field) return fraction(BigInt(used.length))
  const of = (naiveRow: NaiveRow): NaiveValue =>
    measure.kind === 'expression'
      ? evaluate(context, naiveRow, measure.row)
      : measure.field
        ? context.value(naiveRow, measure.field)
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
    case 'median':
      return percentileOf(ordered, measure.percent ?? 50)
    case 'min':
      return ordered[0] ?? null
    case 'max':
      return ordered.at(-1) ?? null
    case 'first':
    case 'last': {
      const { by } = measure
      if (by) {
        const other = (row: NaiveRow): NaiveValue => context.value(row, by)
        const known = filled.filter((row) => other(row) !== null)
        const direction = measure.agg === 'first' ? orderOf : descending
        const [row] = known.toSorted((a, b) => direction(other(a), other(b)) || orderOf(of(a), of(b)))
        return row ? of(row) : null
      }
      const key = plan.period?.field
      const timed = key === undefined ? filled : filled.filter((row) => context.stored(row, key) !== null)
      const order = timed.toSorted(
        (a, b) =>
          (key === undefined ? 0 : Number(context.stored(a, key)) - Number(context.stored(b, key))) || a.rid - b.rid,
      )
      const row = measure.agg === 'first' ? order[0] : order.at(-1)
      return row ? of(row) : null
    }
  }
}

/** The rows of its table by their keys, the figure of each of these groups, and these put together. */
function evaluateGroups(
  context: EvaluationContext,
  plan: QueryPlan,
  measure: GroupedMeasure,
  rows: NaiveRow[],
): NaiveValue {
  const [leaf] = leafMeasuresOf(measure.of)
  const fact = leaf && factDataset(context, plan, leaf)
  const groups = new Map<string, NaiveRow[]>()
  for (const row of rows.filter(({ dataset }) => dataset === fact)) {
    const keys = keysOf(context, { ...plan, dimensions: measure.by }, { row, laid: null }) ?? []
    const id = JSON.stringify(keys.map(keyText))
    groups.set(id, [...(groups.get(id) ?? []), row])
  }
  const figures = [...groups.values()].map((own) => evaluateMeasure(context, plan, measure.of, own))
  return groupedFigure(measure, figures)
}

/** Whether a figure that is not there counts as 0 in a sum. */
function missingCountsAsZero(measure: CalcOperand): boolean {
  if (measure.kind === 'calc')
    return /add|subtract/.test(measure.op) && missingCountsAsZero(measure.left) && missingCountsAsZero(measure.right)
  if (measure.kind === 'cumulative') return missingCountsAsZero(measure.of)
  return (measure.kind === 'column' || measure.kind === 'expression') && /^(sum|count)/.test(measure.agg)
}
function calculate({ op, left, right }: CalcMeasure, a: NaiveValue, b: NaiveValue): NaiveValue {
  if (op === 'divide') return divide(a, b)
  if (op === 'multiply') return isFraction(a) && isFraction(b) ? fraction(a.n * b.n, a.d * b.d) : null
  const isThere = (naiveValue: NaiveValue, operand: CalcOperand): boolean =>
    naiveValue !== null && operand.kind !== 'number'
  const one = a === null && missingCountsAsZero(left) && isThere(b, right) ? fraction(0n) : a
  const two = b === null && missingCountsAsZero(right) && isThere(a, left) ? fraction(0n) : b
  return isFraction(one) && isFraction(two) ? add(one, op === 'add' ? two : negate(two)) : null
}

/** Ascending, empty last. */
function orderOf(a: NaiveValue, b: NaiveValue): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  if (isFraction(a) && isFraction(b)) return compare(a, b)
  return a === b ? 0 : a < b ? -1 : 1
}
const descending = (a: NaiveValue, b: NaiveValue): number => (a === null || b === null ? orderOf(a, b) : orderOf(b, a))

interface ComparedRows {
  period: NaivePeriod | null
  now: NaiveRow[]
  before: NaiveRow[] | null
}
interface RowGroup {
  keys: NaiveValue[]
  other: boolean[]
  now: NaiveRow[]
  before: NaiveRow[]
}

/** Where the step begins that a number is in. */
function lowerEdge(value: NaiveValue, width: number): NaiveValue {
  if (!isFraction(value)) return null
  const step = fractionOfDecimal(String(width))
  const [n, d] = [value.n * step.d, value.d * step.n]
  const bin = (n - (((n % d) + d) % d)) / d
  return fraction(bin * step.n, step.d)
}

/** The group of a row; null for a comparison's row past the period's end. */
function keysOf(
  context: EvaluationContext,
  plan: QueryPlan,
  at: { row: NaiveRow; laid: NaivePeriod | null },
): NaiveValue[] | null {
  const { row, laid } = at
  const keys: NaiveValue[] = []
  for (const { field, grain, part, bins, grouping } of plan.dimensions) {
    if (bins && 'width' in bins) {
      keys.push(lowerEdge(context.value(row, field), bins.width))
      continue
    }
    if (grouping) {
      keys.push(context.grouped(row, { field, grouping }))
      continue
    }
    const wall = context.wall(row, field)
    if (part) {
      keys.push(wall && fraction(BigInt(naivePart(wall, part, context.calendar).order)))
      continue
    }
    const unit = grain ?? (context.column(field).type === 'date' ? 'day' : null)
    if (!unit || !wall) {
      keys.push(unit ? null : context.value(row, field))
      continue
    }
    const bucket = naiveBucket(wall, unit, context.calendar)
    const shifted =
      laid && plan.period && isSameField(plan.period.field, field)
        ? alignToPeriod(bucket, unit, laid, context.calendar)
        : bucket
    if (shifted === null) return null
    keys.push(unit === 'hour' ? shifted.toString({ smallestUnit: 'minute' }) : shifted.toPlainDate().toString())
  }
  return keys
}

function groupRows(context: EvaluationContext, plan: QueryPlan, { period, now, before }: ComparedRows): NaiveAnswer {
  const entries = (rows: NaiveRow[], laid: boolean) =>
    rows.flatMap((row) => {
      const keys = keysOf(context, plan, { row, laid: laid ? period : null })
      return keys ? [{ row, keys }] : []
    })
  const [current, earlier] = [entries(now, false), entries(before ?? [], true)]
  const tops = plan.dimensions.map(({ topN }, i) =>
    topN === undefined ? null : topOf(context, plan, { topN, i, current, earlier }),
  )
  const groups = new Map<string, RowGroup>()
  const put = (entry: { row: NaiveRow; keys: NaiveValue[] }, arm: 'now' | 'before'): void => {
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
  const of = groupFigures(context, plan, { period, groups: all, now, before, current, earlier })
  const lines = all.map((group) => ({
    ...group,
    group,
    values: plan.measures.map((measure) => of.group(measure, group, 'now')),
  }))
  const kept = lines.filter(({ values }) =>
    (plan.having ?? []).every(({ measure, op, value }) => {
      const figure = values[measure] ?? null
      return (
        meetsCondition({ value: figure, wall: null, column: FIGURE_COLUMN }, { op, value }) &&
        (figure !== null || op === 'ne')
      )
    }),
  )
  const figures = (figure: (measure: Measure, arm: 'now' | 'before') => NaiveValue): (Cell | Fraction)[] =>
    plan.measures.flatMap((measure) => {
      const value = figure(measure, 'now')
      if (!before) return [renderMoment(context, measure, value)]
      const previous = figure(measure, 'before')
      if (isNumeric(context, measure)) return comparison(value, previous)
      return [renderMoment(context, measure, value), renderMoment(context, measure, previous)]
    })
  // The first row that has a text counts: the last of the period, else of what it is compared with.
  const rowsInTurn = [...now.toReversed(), ...(before ?? []).toReversed()]
  const facts = [...new Set(plan.measures.flatMap(leafMeasuresOf).map((leaf) => factDataset(context, plan, leaf)))]
  const inTurn = facts.flatMap((fact) => rowsInTurn.filter(({ dataset }) => dataset === fact))
  const names = plan.dimensions.map((_, i) => keyNames(context, plan, { i, rows: inTurn, top: tops[i] ?? null }))
  const ordered = kept.toSorted(lineOrder(context, plan, names))
  const rows = ordered.map((line) => [
    ...line.keys.map((key, i) => (line.other[i] === true ? 'Other' : rendered(context, plan, { key, i }))),
    ...figures((measure, arm) => of.group(measure, line.group, arm)),
  ])
  const totals = figures((measure, arm) => of.whole(measure, arm))
  const told = names.map((own) => own && new Map([...own.values()].map(({ key, name }) => [key, name])))
  return { rows, totals: [...plan.dimensions.map(() => null), ...totals], names: told }
}

/** What the keys of a split are called, by {@link keyText}: of several texts the last row's, those of the period first. */
type KeyNames = Map<string, { key: string; name: string }>

function keyNames(
  context: EvaluationContext,
  plan: QueryPlan,
  at: { i: number; rows: NaiveRow[]; top: Set<string> | null },
): KeyNames | null {
  const { field, label } = plan.dimensions[at.i] ?? {}
  if (!field || !label) return null
  const facts = [...new Set(at.rows.map(({ dataset }) => dataset))]
  const found: KeyNames = new Map()
  for (const row of facts.flatMap((fact) => at.rows.filter(({ dataset }) => dataset === fact))) {
    const [value, text] = [context.value(row, field), context.value(row, label)]
    const id = keyText(value)
    if (value === null || at.top?.has(id) === false) continue
    const key = isFraction(value) ? String(value.n / value.d) : String(value)
    const known = found.get(id)
    if (!known || known.name === '') found.set(id, { key, name: typeof text === 'string' ? text : '' })
  }
  for (const one of found.values()) if (one.name === '') one.name = one.key
  for (;;) {
    const all = [...found.values()]
    const alike = all.filter(({ name }) => all.filter((other) => other.name === name).length > 1)
    if (alike.length === 0) return found
    for (const one of alike) one.name = `${one.name} (${one.key})`
  }
}

interface KeyedRow {
  row: NaiveRow
  keys: NaiveValue[]
}
/** Figures of a group and of everything, those that look at other groups included. */
function groupFigures(
  context: EvaluationContext,
  plan: QueryPlan,
  at: ComparedRows & { groups: RowGroup[]; current: KeyedRow[]; earlier: KeyedRow[] },
) {
  const own = timeAxisOf(context, plan, at.period)
  const over = (groups: RowGroup[], arm: 'now' | 'before', axis = own) => {
    const among: GroupSet<RowGroup> = {
      groups,
      keysOf: ({ keys }) => keys,
      otherOf: ({ other }) => other,
      figure: (measure, group) => {
        if (!isWindowMeasure(measure)) return evaluateMeasure(context, plan, measure, group[arm])
        if (isCombined(measure)) return combineMeasures(measure, (part) => among.figure(part, group))
        if (measure.kind === 'whole') return whole(measure.of, arm)
        if ((measure.kind !== 'prev' && measure.kind !== 'cumulative' && measure.kind !== 'moving') || !axis)
          throw new TypeError('No such figure.')
        return windowValue(measure, group, {
          ...{ world: context, axis, among, isComparison: arm === 'before' },
          countsAll: missingCountsAsZero,
        })
      },
    }
    return among
  }
  const whole = (measure: Measure, arm: 'now' | 'before'): NaiveValue => {
    if (!isWindowMeasure(measure))
      return evaluateMeasure(context, plan, measure, (arm === 'now' ? at.now : at.before) ?? [])
    if (isCombined(measure)) return combineMeasures(measure, (part) => whole(part, arm))
    if (measure.kind === 'whole') return whole(measure.of, arm)
    if ((measure.kind !== 'prev' && measure.kind !== 'cumulative' && measure.kind !== 'moving') || !own)
      throw new TypeError('No such figure.')
    const axis = { ...own, at: 0 }
    return windowValueOfTotal(measure, { axis, among: over(byTime(at, own.at), arm, axis) })
  }
  return {
    group: (measure: Measure, rowGroup: RowGroup, arm: 'now' | 'before') =>
      over(at.groups, arm).figure(measure, rowGroup),
    whole,
  }
}

/** Everything by time alone. */
function byTime({ current, earlier }: { current: KeyedRow[]; earlier: KeyedRow[] }, index: number): RowGroup[] {
  const groups = new Map<string, RowGroup>()
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

function rendered(
  context: EvaluationContext,
  plan: QueryPlan,
  { key, i }: { key: NaiveValue; i: number },
): Cell | Fraction {
  const dimension = plan.dimensions[i]
  if (dimension?.part) return isFraction(key) ? naivePartOfOrder(Number(key.n), dimension.part, context.calendar) : null
  if (dimension?.grouping) return context.groupName(key, dimension.grouping)
  return dimension && dimension.grain === undefined ? renderValue(context.column(dimension.field), key) : key
}

/** A date or time as text; other values as they are. */
function renderValue({ type, zoned }: Column, naiveValue: NaiveValue): Cell | Fraction {
  if (!isFraction(naiveValue) || (type !== 'date' && type !== 'datetime')) return naiveValue
  const stored = Number(naiveValue.n / naiveValue.d)
  if (type === 'date') return EPOCH.add({ days: stored }).toString()
  const instant = Temporal.Instant.fromEpochMilliseconds(stored)
  const text = instant.toString({ smallestUnit: stored % 1000 === 0 ? 'second' : 'millisecond' })
  return zoned === true ? text : text.replace('Z', '')
}
function renderMoment(context: EvaluationContext, measure: Measure, naiveValue: NaiveValue): Cell | Fraction {
  if (measure.kind === 'prev') return renderMoment(context, measure.of, naiveValue)
  return measure.kind !== 'column' || !measure.field || isNumeric(context, measure)
    ? naiveValue
    : renderValue(context.column(measure.field), naiveValue)
}

function comparison(now: NaiveValue, before: NaiveValue): (Cell | Fraction)[] {
  if (!isFraction(now) || !isFraction(before)) return [now, before, null, null]
  const change = add(now, negate(before))
  const size = before.n < 0n ? negate(before) : before
  return [now, before, change, divide(change, size)]
}
function isNumeric(context: EvaluationContext, measure: Measure): boolean {
  if (measure.kind === 'prev') return isNumeric(context, measure.of)
  if (measure.kind !== 'column' || !measure.field || measure.agg === 'count' || measure.agg === 'countDistinct')
    return true
  const { type } = context.column(measure.field)
  return type === 'integer' || type === 'number'
}

function topOf(
  context: EvaluationContext,
  plan: QueryPlan,
  ask: { topN: number; i: number; current: { row: NaiveRow; keys: NaiveValue[] }[]; earlier: { keys: NaiveValue[] }[] },
): Set<string> {
  const { topN, i, current, earlier } = ask
  const first = plan.measures[0] && firstPlainPart(plan.measures[0])
  const byKey = new Map<string, { key: NaiveValue; rows: NaiveRow[] }>()
  for (const { keys } of earlier) byKey.set(keyText(keys[i] ?? null), { key: keys[i] ?? null, rows: [] })
  for (const { keys } of current) byKey.set(keyText(keys[i] ?? null), { key: keys[i] ?? null, rows: [] })
  for (const { keys, row } of current) byKey.get(keyText(keys[i] ?? null))?.rows.push(row)
  const ranked = [...byKey.values()].map(({ key, rows }) => ({
    key,
    value: first ? evaluateMeasure(context, plan, first, rows) : null,
  }))
  ranked.sort((a, b) => descending(a.value, b.value) || orderOf(a.key, b.key))
  return new Set(ranked.slice(0, topN).map(({ key }) => keyText(key)))
}

type AnswerLine = RowGroup & { values: NaiveValue[] }
function lineOrder(
  context: EvaluationContext,
  plan: QueryPlan,
  names: (KeyNames | null)[],
): (a: AnswerLine, b: AnswerLine) => number {
  const called = (key: NaiveValue, i: number): NaiveValue => names[i]?.get(keyText(key))?.name ?? key
  const byKey =
    (i: number, sign: 'asc' | 'desc') =>
    (a: AnswerLine, b: AnswerLine): number =>
      Number(a.other[i]) - Number(b.other[i]) ||
      (sign === 'asc' ? orderOf : descending)(called(a.keys[i] ?? null, i), called(b.keys[i] ?? null, i))
  const [first] = plan.dimensions
  const timed =
    first &&
    !first.grouping &&
    (first.part !== undefined ||
      first.bins !== undefined ||
      first.grain !== undefined ||
      context.column(first.field).type === 'date')
  const asked = plan.sort?.length ? plan.sort : timed ? [] : [{ by: { measure: 0 }, dir: 'desc' as const }]
  const steps = asked.flatMap(({ by, dir }): ((a: AnswerLine, b: AnswerLine) => number)[] => {
    if ('dimension' in by) return [byKey(by.dimension, dir)]
    if (!('measure' in by)) return []
    const others = plan.dimensions.map(
      (_, i) => (a: AnswerLine, b: AnswerLine) => Number(a.other[i]) - Number(b.other[i]),
    )
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
