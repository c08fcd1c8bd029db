import { RATIO_TRAITS, sumOf, type MeasureTraits } from '../aggregates/calculations'
import { figureEvaluator, figureTraits, type Figure } from '../aggregates/computed-figures'
import type { Amount } from '../aggregates/amount'
import { canonicalJson } from '../../../lib/hash'
import { readsOutsideGroup } from '../../../shared/query/plan-fields'
import type { CalcOperand, CumulativeMeasure, Measure, MovingMeasure } from '../../../shared/query/plan'
import type { Grain } from '../../../shared/query/date-range'
import { movingValues } from './moving-values'
import { shiftOf } from '../time/buckets'
import { addMonths, dayFromIso, startOfUnit, type Calendar } from '../../../shared/dates'
import type { AbsolutePeriod } from '../time/resolve-period'

/** What figures that look further than their group are worked out from. Windows are numbered over the whole plan. */
type WindowPart =
  | { kind: 'base'; index: number }
  | { kind: 'prev'; of: WindowNode; steps: number; index: number }
  | { kind: 'cumulative'; of: WindowNode; restart: CumulativeMeasure['restart']; index: number }
  | { kind: 'moving'; of: WindowNode; agg: MovingMeasure['agg']; units: number; index: number }
  | { kind: 'whole'; of: WindowNode; index: number }
export type WindowNode = Figure<WindowPart>
type WindowStep = Exclude<WindowPart, { kind: 'base' }>
export type WholeStep = Extract<WindowStep, { kind: 'whole' }>
type TimeStep = Exclude<WindowStep, { kind: 'whole' }>

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
    if (!readsOutsideGroup(operand)) return base(operand)
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
      case 'whole': {
        const of = node(operand.of)
        return windowed({ kind: 'whole', of, index: windows.length })
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
export const nodeTraits = (node: WindowNode, bases: readonly MeasureTraits[]): MeasureTraits =>
  figureTraits(node, (part) => partTraits(part, bases))

function partTraits(part: WindowPart, bases: readonly MeasureTraits[]): MeasureTraits {
  switch (part.kind) {
    case 'base':
      return bases[part.index] ?? RATIO_TRAITS
    case 'prev':
    case 'whole':
      return { ...nodeTraits(part.of, bases), additive: false }
    case 'cumulative':
      return nodeTraits(part.of, bases)
    case 'moving': {
      const own = { ...nodeTraits(part.of, bases), additive: false }
      if (part.agg === 'sum') return own
      return { ...own, type: 'number', scale: own.scale === undefined ? undefined : own.scale + 2 }
    }
  }
}

/** Amounts of the parts of one group: figures of its rows, and windows by their numbers. */
export interface GroupAmounts {
  bases: Amount[]
  windows: Amount[]
}

/** How a figure follows from the parts of a group. */
export const nodeEvaluator = (node: WindowNode, bases: readonly MeasureTraits[]): ((amounts: GroupAmounts) => Amount) =>
  figureEvaluator<WindowPart, GroupAmounts>(node, {
    traitsOf: (part) => partTraits(part, bases),
    amountOf: (part) => (amounts) => (part.kind === 'base' ? amounts.bases : amounts.windows)[part.index] ?? null,
  })

/** A group before it is shown: raw keys, and of each side (the period, its comparison) the figures of the rows. */
export interface ResultGroup {
  keys: SqlStorageValue[]
  other: boolean[]
  sides: GroupAmounts[]
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

interface WindowsAt {
  bases: readonly MeasureTraits[]
  /** Null where no figure looks at other units of time. */
  axis: TimeAxis | null
  /** Of each side the figures of all rows; null where no figure is of all of them. */
  totals: readonly Amount[][] | null
}
/** Works out every figure of other rows than a group's own: those of all rows, and those of other units of time. */
export function runWindows(groups: readonly ResultGroup[], program: WindowProgram, at: WindowsAt) {
  for (const group of groups) for (const side of group.sides) side.windows = program.windows.map(() => null)
  for (const window of program.windows) {
    if (window.kind === 'whole') runWhole(groups, window, at)
    else if (at.axis) runOverTime(groups, window, { bases: at.bases, axis: at.axis })
  }
}

/** The figure of all rows, in every group. */
export const wholeAmount = (window: WholeStep, bases: readonly MeasureTraits[], totals: readonly Amount[]): Amount =>
  nodeEvaluator(window.of, bases)({ bases: [...totals], windows: [] })
function runWhole(groups: readonly ResultGroup[], window: WholeStep, { bases, totals }: WindowsAt) {
  const whole = (totals ?? []).map((side) => wholeAmount(window, bases, side))
  for (const { sides } of groups)
    sides.forEach((side, i) => {
      side.windows[window.index] = whole[i] ?? null
    })
}

/** Within each combination of the other splits, over the calendar's units. */
function runOverTime(
  groups: readonly ResultGroup[],
  window: TimeStep,
  at: { bases: readonly MeasureTraits[]; axis: TimeAxis },
) {
  const { axis } = at
  const first = Math.min(...groups.flatMap(({ keys }) => bucketOf(keys[axis.at])))
  const sides = groups[0]?.sides.length ?? 0
  const series = seriesOf(groups, axis)
  const ownDay = Array.from({ length: sides }, (_, side) => originalDayOf(axis, side === 1))
  const read = nodeEvaluator(window.of, at.bases)
  const valueAt = (resultGroup: ResultGroup, side: number): Amount => {
    const own = resultGroup.sides[side]
    return own ? read(own) : null
  }
  for (const one of series)
    ownDay.forEach((dayOf, side) => {
      const values = one.map(({ group }) => valueAt(group, side))
      const found = windowValues(one, values, { window, axis, dayOf, first, bases: at.bases })
      one.forEach(({ group }, i) => {
        const own = group.sides[side]
        if (own) own.windows[window.index] = found[i] ?? null
      })
    })
}

const bucketOf = (key: SqlStorageValue | undefined): number[] => (typeof key === 'number' ? [key] : [])

interface WindowPlace {
  window: TimeStep
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
  at: { side: number; axis: TimeAxis },
): Amount[] {
  const points = seriesOf(groups, at.axis).flat()
  return program.windows.map(({ kind, index }) => {
    if (kind !== 'cumulative') return null
    const values = points.map(({ group }) => group.sides[at.side]?.windows[index] ?? null)
    return values.findLast((value) => value !== null) ?? null
  })
}
