import {
  calcFace,
  combine,
  constantAmount,
  constantFace,
  functionTraits,
  RATIO_FACE,
  sumOf,
} from '../aggregates/calculations'
import type { MeasureTraits } from '../aggregates/calculations'
import { divide, isExact, numberOf, type Amount } from '../aggregates/amount'
import { applyFunction, decimalsOf } from '../aggregates/figure-functions'
import { canonicalJson } from '../../../lib/hash'
import { hasWindow } from '../../../shared/query/plan-fields'
import type {
  CalcMeasure,
  CalcOperand,
  CumulativeMeasure,
  FigureFunction,
  Measure,
  MovingMeasure,
  Grain,
  ComparisonOperator,
  QueryPlan,
} from '../../../shared/query/plan'
import { movingValues } from './moving-values'
import { shiftOf } from '../time/buckets'
import { addMonths, dayFromIso, startOfUnit, type Calendar } from '../../../shared/dates'
import type { AbsolutePeriod } from '../time/resolve-period'
import { exactOf, subtract } from '../expressions/decimal'
import { isNaturallyOrdered, type PlanSplit } from '../aggregates/plan-splits'

/** A figure over figures of groups. Windows are numbered over the whole plan. */
export type WindowNode =
  | { kind: 'base'; index: number }
  | { kind: 'number'; value: number }
  | { kind: 'ratio'; over: WindowNode; under: WindowNode }
  | { kind: 'calc'; op: CalcMeasure['op']; left: WindowNode; right: WindowNode }
  | { kind: 'function'; fn: FigureFunction; items: WindowNode[] }
  | { kind: 'prev'; of: WindowNode; steps: number; index: number }
  | { kind: 'cumulative'; of: WindowNode; restart: CumulativeMeasure['restart']; index: number }
  | { kind: 'moving'; of: WindowNode; agg: MovingMeasure['agg']; units: number; index: number }
type WindowStep = Extract<WindowNode, { index: number; of: WindowNode }>

export interface WindowProgram {
  /** Figures without windows, each once: what columns are asked for. The first is the first such part of the first measure. */
  bases: Measure[]
  /** One for each measure of the plan. */
  nodes: WindowNode[]
  /** Inner ones first. */
  windows: WindowStep[]
}

export function windowProgramOf(measures: readonly Measure[]): WindowProgram {
  const bases: Measure[] = []
  const known = new Map<string, number>()
  const windows: WindowStep[] = []
  const base = (measure: Measure): WindowNode => {
    const key = canonicalJson({ ...measure, label: undefined, format: undefined })
    const index = known.get(key) ?? bases.push(measure) - 1
    known.set(key, index)
    return { kind: 'base', index }
  }
  const windowed = (made: WindowStep): WindowStep => {
    windows.push(made)
    return made
  }
  const node = (operand: CalcOperand): WindowNode => {
    if (operand.kind === 'number') return { kind: 'number', value: operand.value }
    if (!hasWindow(operand)) return base(operand)
    switch (operand.kind) {
      case 'ratio':
        return { kind: 'ratio', over: node(operand.over), under: node(operand.under) }
      case 'calc':
        return { kind: 'calc', op: operand.op, left: node(operand.left), right: node(operand.right) }
      case 'function':
        return { kind: 'function', fn: operand.fn, items: operand.items.map(node) }
      case 'prev': {
        const of = node(operand.of)
        return windowed({ kind: 'prev', of, steps: operand.steps, index: windows.length })
      }
      case 'cumulative': {
        const of = node(operand.of)
        return windowed({ kind: 'cumulative', of, restart: operand.restart, index: windows.length })
      }
      case 'moving': {
        const of = node(operand.of)
        return windowed({ kind: 'moving', of, agg: operand.agg, units: operand.units, index: windows.length })
      }
      case 'column':
      case 'expression':
      case 'grouped':
      case 'metric':
        return base(operand)
    }
  }
  return { nodes: measures.map(node), bases, windows }
}

/** How a figure is shown. An earlier unit's that is not there is unknown, not 0. */
export function nodeTraits(windowNode: WindowNode, bases: readonly MeasureTraits[]): MeasureTraits {
  switch (windowNode.kind) {
    case 'base':
      return bases[windowNode.index] ?? RATIO_FACE
    case 'number':
      return constantFace(windowNode.value)
    case 'ratio':
      return RATIO_FACE
    case 'calc':
      return calcFace(windowNode.op, nodeTraits(windowNode.left, bases), nodeTraits(windowNode.right, bases))
    case 'function':
      return functionTraits(
        windowNode,
        windowNode.items.map((item) => nodeTraits(item, bases)),
      )
    case 'prev':
      return { ...nodeTraits(windowNode.of, bases), additive: false }
    case 'cumulative':
      return nodeTraits(windowNode.of, bases)
    case 'moving': {
      const own = { ...nodeTraits(windowNode.of, bases), additive: false }
      if (windowNode.agg === 'sum') return own
      return { ...own, type: 'number', scale: own.scale === undefined ? undefined : own.scale + 2 }
    }
  }
}

/** Values of the parts of one group. */
export interface NodeValues {
  base(index: number): Amount
  window(index: number): Amount
}

/** How a figure follows from the parts of a group. */
export function nodeEvaluator(
  windowNode: WindowNode,
  bases: readonly MeasureTraits[],
): (nodeValues: NodeValues) => Amount {
  switch (windowNode.kind) {
    case 'base':
      return (values) => values.base(windowNode.index)
    case 'number': {
      const value = constantAmount(windowNode.value)
      return () => value
    }
    case 'ratio': {
      const [over, under] = [nodeEvaluator(windowNode.over, bases), nodeEvaluator(windowNode.under, bases)]
      return (values) => divide(over(values), under(values))
    }
    case 'calc': {
      const [left, right] = [nodeEvaluator(windowNode.left, bases), nodeEvaluator(windowNode.right, bases)]
      const [a, b] = [nodeTraits(windowNode.left, bases), nodeTraits(windowNode.right, bases)]
      return (values) => combine(windowNode.op, { face: a, value: left(values) }, { face: b, value: right(values) })
    }
    case 'function': {
      const items = windowNode.items.map((item) => nodeEvaluator(item, bases))
      const decimals = decimalsOf(windowNode)
      return (values) =>
        applyFunction(
          windowNode.fn,
          items.map((item) => item(values)),
          decimals,
        )
    }
    case 'prev':
    case 'cumulative':
    case 'moving':
      return (values) => values.window(windowNode.index)
  }
}

/** A group before it is shown: raw keys, and of each arm (the period, its comparison) the figures of the rows. */
export interface ResultGroup {
  keys: SqlStorageValue[]
  other: boolean[]
  arms: { bases: Amount[]; windows: Amount[] }[]
}

/** The split by time that windows run over. */
export interface TimeAxis {
  /** Index of the split. */
  at: number
  grain: Grain
  calendar: Calendar
  /** How the buckets of the comparison were laid over those of the period; null when they were not. */
  period: AbsolutePeriod | null
}

/** Works out every window of every group: within each combination of the other splits, over the calendar's units. */
export function runWindows(
  groups: readonly ResultGroup[],
  program: WindowProgram,
  at: { bases: readonly MeasureTraits[]; axis: TimeAxis },
) {
  const { axis } = at
  const first = Math.min(...groups.flatMap(({ keys }) => bucketOf(keys[axis.at])))
  for (const group of groups) for (const arm of group.arms) arm.windows = program.windows.map(() => null)
  const arms = groups[0]?.arms.length ?? 0
  const series = seriesOf(groups, axis)
  const ownDay = Array.from({ length: arms }, (_, arm) => originalDayOf(axis, arm === 1))
  for (const window of program.windows) {
    const read = nodeEvaluator(window.of, at.bases)
    const valueAt = (resultGroup: ResultGroup, arm: number): Amount => {
      const own = resultGroup.arms[arm]
      return own ? read({ base: (i) => own.bases[i] ?? null, window: (i) => own.windows[i] ?? null }) : null
    }
    for (const one of series)
      ownDay.forEach((dayOf, arm) => {
        const values = one.map(({ group }) => valueAt(group, arm))
        const found = windowValues(one, values, { window, axis, dayOf, first, bases: at.bases })
        one.forEach(({ group }, i) => {
          const own = group.arms[arm]
          if (own) own.windows[window.index] = found[i] ?? null
        })
      })
  }
}

const bucketOf = (key: SqlStorageValue | undefined): number[] => (typeof key === 'number' ? [key] : [])

interface WindowPlace {
  window: WindowStep
  axis: TimeAxis
  dayOf: (bucket: number) => number
  /** The first unit of the whole answer. */
  first: number
  bases: readonly MeasureTraits[]
}
function windowValues(points: readonly Point[], values: readonly Amount[], at: WindowPlace): Amount[] {
  const { window, ...rest } = at
  switch (window.kind) {
    case 'prev':
      return previousValues(points, values, { ...rest, window })
    case 'cumulative':
      return runningTotals(points, values, { ...rest, window })
    case 'moving': {
      const { axis, first } = rest
      const today = dayFromIso(axis.calendar.today) ?? 0
      return movingValues(points, values, {
        ...{ agg: window.agg, units: window.units, first },
        countsAll: nodeTraits(window.of, rest.bases).additive === true,
        earlier: (bucket, steps) => stepBack(bucket, steps, axis),
        isAhead: (bucket) => rest.dayOf(bucket) > today,
      })
    }
  }
}

interface Point {
  bucket: number
  group: ResultGroup
}
/** Groups of each combination of the other splits, in the order of time. Those without a time stand in no series. */
function seriesOf(groups: readonly ResultGroup[], { at }: TimeAxis): Point[][] {
  const series = new Map<string, Point[]>()
  for (const group of groups) {
    const bucket = group.keys[at]
    if (typeof bucket !== 'number') continue
    const key = JSON.stringify([group.keys.filter((_, i) => i !== at), group.other])
    const points = series.get(key)
    if (points) points.push({ bucket, group })
    else series.set(key, [{ bucket, group }])
  }
  return [...series.values()].map((points) => points.toSorted((a, b) => a.bucket - b.bucket))
}

const stepBack = (bucket: number, steps: number, { grain, calendar }: TimeAxis): number =>
  grain === 'hour' ? bucket - steps : startOfUnit(bucket, grain, calendar, -steps)

function previousValues(
  points: readonly Point[],
  values: readonly Amount[],
  { window, axis }: { window: Extract<WindowStep, { kind: 'prev' }>; axis: TimeAxis },
): Amount[] {
  const byBucket = new Map(points.map(({ bucket }, i) => [bucket, values[i] ?? null]))
  return points.map(({ bucket }) => byBucket.get(stepBack(bucket, window.steps, axis)) ?? null)
}

function runningTotals(
  points: readonly Point[],
  values: readonly Amount[],
  at: { window: Extract<WindowStep, { kind: 'cumulative' }>; axis: TimeAxis; dayOf: (bucket: number) => number },
): Amount[] {
  const { calendar } = at.axis
  const { restart } = at.window
  const today = dayFromIso(calendar.today) ?? 0
  let [sum, year]: [Amount, number | null] = [null, null]
  return points.map(({ bucket }, i) => {
    const day = at.dayOf(bucket)
    const own = restart === 'never' ? null : startOfUnit(day, restart, calendar)
    if (own !== year) sum = null
    year = own
    const value = values[i] ?? null
    if (value !== null) sum = sum === null ? value : sumOf('add', sum, value)
    // What has not begun has no running total yet.
    return value === null && day > today ? null : sum
  })
}

/** The first day of a bucket; of the comparison, where it lay before it was laid over the period's. */
function originalDayOf({ grain, calendar, period }: TimeAxis, isComparison: boolean): (bucket: number) => number {
  const dayOf = (bucket: number): number => (grain === 'hour' ? Math.floor(bucket / 24) : bucket)
  if (!isComparison || !period?.range || !period.compare) return dayOf
  const { range, compare } = period
  const shift = shiftOf(grain, { from: range.from, compareFrom: compare.from, yearly: compare.yearly }, calendar)
  if (shift.kind === 'days') return (bucket) => dayOf(bucket) - shift.days
  const months = shift.kind === 'year' ? 12 : shift.months
  return (bucket) => addMonths(dayOf(bucket), -months)
}

/** The last running totals there are; earlier units have none over the whole. */
export function lastRunningTotals(
  groups: readonly ResultGroup[],
  program: WindowProgram,
  at: { arm: number; axis: TimeAxis },
): Amount[] {
  const points = seriesOf(groups, at.axis).flat()
  return program.windows.map(({ kind, index }) => {
    if (kind !== 'cumulative') return null
    const values = points.map(({ group }) => group.arms[at.arm]?.windows[index] ?? null)
    return values.findLast((value) => value !== null) ?? null
  })
}

/** What limits on figures and the order of an answer look at. */
interface SortableGroup extends ResultGroup {
  figures: Amount[]
}

const signOf = (n: bigint | number): number => (n < 0 ? -1 : n > 0 ? 1 : 0)

/** Texts in the order of their code points, which is that of their bytes in UTF-8. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i += 1) {
    const [one, two] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (one === two) continue
    const [high, low] = [isSurrogate(one), isSurrogate(two)]
    return high === low ? one - two : high ? 1 : -1
  }
  return a.length - b.length
}
const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff

/** Two values that are there. */
function compareValues(a: Amount | SqlStorageValue, b: Amount | SqlStorageValue): number {
  if (a instanceof ArrayBuffer || b instanceof ArrayBuffer) return 0
  if (isExact(a) && isExact(b)) return signOf(subtract(a, b).n)
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b)
  // Groups of a grouping are numbers, values that stand for themselves texts: numbers come first.
  if (typeof a === 'string' || typeof b === 'string') return typeof a === 'string' ? 1 : -1
  if (typeof a === 'boolean' || typeof b === 'boolean') return Number(a) - Number(b)
  return signOf((numberOf(a) ?? 0) - (numberOf(b) ?? 0))
}

type SortValue = Amount | SqlStorageValue | undefined
/** Empty values last, whichever way. */
export function compareNullable(a: SortValue, b: SortValue, dir: 'asc' | 'desc'): number {
  if (a === null || a === undefined || b === null || b === undefined)
    return Number((a ?? null) === null) - Number((b ?? null) === null)
  return dir === 'asc' ? compareValues(a, b) : compareValues(b, a)
}

export type GroupComparator = (a: SortableGroup, b: SortableGroup) => number

/** As asked; else time ascending, other splits by the first measure. Empty values last, *Other* after all values. */
export function groupComparator(plan: QueryPlan, dimensions: readonly PlanSplit[]): GroupComparator {
  const others =
    (i: number): GroupComparator =>
    (a, b) =>
      Number(a.other[i]) - Number(b.other[i])
  const byKey = (i: number, dir: 'asc' | 'desc'): GroupComparator => {
    const other = others(i)
    const names = dimensions[i]?.names
    const valueOf = ({ keys }: SortableGroup): SortValue => {
      const key = keys[i]
      return typeof key === 'string' || typeof key === 'number' ? (names?.get(key) ?? key) : key
    }
    return (a, b) => other(a, b) || compareNullable(valueOf(a), valueOf(b), dir)
  }
  const byTime = isNaturallyOrdered(dimensions[0])
  const asked = plan.sort?.length ? plan.sort : byTime ? [] : [{ by: { measure: 0 }, dir: 'desc' as const }]
  const steps = asked.flatMap(({ by, dir }): GroupComparator[] => {
    if ('dimension' in by) return [byKey(by.dimension, dir)]
    if (!('measure' in by)) return []
    return [
      ...dimensions.map((_, i) => others(i)),
      (a, b) => compareNullable(a.figures[by.measure], b.figures[by.measure], dir),
    ]
  })
  const all = [...steps, ...dimensions.map((_, i) => byKey(i, 'asc'))]
  return (a, b) => {
    for (const step of all) {
      const found = step(a, b)
      if (found !== 0) return found
    }
    return 0
  }
}

const COMPARISONS: Record<ComparisonOperator, (order: number) => boolean> = {
  eq: (at) => at === 0,
  ne: (at) => at !== 0,
  lt: (at) => at < 0,
  le: (at) => at <= 0,
  gt: (at) => at > 0,
  ge: (at) => at >= 0,
}

/** Whether a figure is within its limits; one that is not there only differs. */
export function satisfiesHaving(
  plan: QueryPlan,
  figures: readonly Amount[],
  isNumeric: (measure: number) => boolean,
): boolean {
  return (plan.having ?? []).every(({ measure, op, value }) => {
    const figure = figures[measure] ?? null
    if (!isNumeric(measure)) return false
    return figure === null ? op === 'ne' : meetsLimit(figure, op, value)
  })
}

/** Whether a figure that is there is less than a number of the plan, or more. */
export const meetsLimit = (figure: Exclude<Amount, null>, op: ComparisonOperator, value: number): boolean =>
  COMPARISONS[op](compareValues(figure, isExact(figure) ? (exactOf(value) ?? value) : value))
