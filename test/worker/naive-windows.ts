import { Temporal } from 'temporal-polyfill'
import { beneath, startOf } from './naive-calendar'
import type { NaivePeriod } from './naive-calendar'
import { add, isFraction } from './naive-values'
import type { Value, World } from './naive-values'
import { partsOf, sameField } from '../../src/shared/plan-fields'
import type { Grain, Measure, QueryPlan } from '../../src/shared/query'

/** Figures of other groups than their own, for the naive evaluator: every group looks through all others. */
export interface Windowed<G> {
  groups: G[]
  keysOf(group: G): Value[]
  otherOf(group: G): boolean[]
  /** A figure of one group. */
  figure(measure: Measure, group: G): Value
}
/** The split by time, and whether its buckets were laid over the period's. */
interface Axis {
  at: number
  grain: Grain
  laid: NaivePeriod | null
}

export const looksElsewhere = (measure: Measure): boolean =>
  measure.kind === 'prev' || measure.kind === 'cumulative' || partsOf(measure).some(looksElsewhere)

/** What a top-N ranks by. */
export const firstPart = (measure: Measure): Measure | undefined =>
  looksElsewhere(measure) ? partsOf(measure).flatMap((part) => firstPart(part) ?? [])[0] : measure

export function axisOf(world: World, plan: QueryPlan, laid: NaivePeriod | null): Axis | null {
  const at = plan.dimensions.findIndex(({ field, grain }) => grain !== undefined || world.column(field).type === 'date')
  const found = plan.dimensions[at]
  if (!found) return null
  const isPeriods = plan.period !== undefined && sameField(plan.period.field, found.field)
  return { at, grain: found.grain ?? 'day', laid: isPeriods ? laid : null }
}

function stepsBack(time: string, steps: number, grain: Grain): string {
  const back = (unit: 'hours' | 'days' | 'weeks' | 'months', n: number): string => {
    const moment = Temporal.PlainDateTime.from(time).subtract({ [unit]: n * steps })
    return unit === 'hours' ? moment.toString({ smallestUnit: 'minute' }) : moment.toPlainDate().toString()
  }
  switch (grain) {
    case 'hour':
      return back('hours', 1)
    case 'day':
      return back('days', 1)
    case 'week':
      return back('weeks', 1)
    case 'month':
      return back('months', 1)
    case 'quarter':
    case 'fiscalQuarter':
      return back('months', 3)
    case 'year':
    case 'fiscalYear':
      return back('months', 12)
  }
}

export function elsewhere<G>(
  measure: Extract<Measure, { kind: 'prev' | 'cumulative' }>,
  group: G,
  at: { world: World; axis: Axis; among: Windowed<G>; isComparison: boolean },
): Value {
  const { world, axis, among, isComparison } = at
  const timeOf = (each: G): string | null => {
    const time = among.keysOf(each)[axis.at]
    return typeof time === 'string' ? time : null
  }
  const rest = (each: G): string =>
    JSON.stringify([among.keysOf(each).filter((_, i) => i !== axis.at), among.otherOf(each)], (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}` : value,
    )
  const time = timeOf(group)
  if (time === null) return null
  const series = among.groups.filter((each) => rest(each) === rest(group) && timeOf(each) !== null)
  if (measure.kind === 'prev') {
    const wanted = stepsBack(time, measure.steps, axis.grain)
    const found = series.find((each) => timeOf(each) === wanted)
    return found === undefined ? null : among.figure(measure.of, found)
  }
  const own = (text: string): Temporal.PlainDate => {
    const bucket = Temporal.PlainDateTime.from(text)
    const from = isComparison && axis.laid ? beneath(bucket, axis.grain, axis.laid, world.calendar) : bucket
    return from.toPlainDate()
  }
  const yearOf = (text: string): string =>
    measure.restart === 'never' ? '' : startOf(own(text), measure.restart, world.calendar).toString()
  const isFuture = Temporal.PlainDate.compare(own(time), Temporal.PlainDate.from(world.calendar.today)) > 0
  if (isFuture && among.figure(measure.of, group) === null) return null
  const upTo = series.filter((each) => {
    const then = timeOf(each) ?? ''
    return then <= time && yearOf(then) === yearOf(time)
  })
  const values = upTo.map((each) => among.figure(measure.of, each)).filter(isFraction)
  return values.length === 0 ? null : values.reduce(add)
}

/** Of everything together: the last running total there is; there is no earlier whole. */
export function ofWhole<G>(
  measure: Extract<Measure, { kind: 'prev' | 'cumulative' }>,
  at: { axis: Axis; among: Windowed<G> },
): Value {
  if (measure.kind === 'prev') return null
  const ordered = at.among.groups
    .flatMap((group) => {
      const time = at.among.keysOf(group)[at.axis.at]
      return typeof time === 'string' ? [{ time, group }] : []
    })
    .toSorted((a, b) => (a.time < b.time ? -1 : 1))
  const values = ordered.map(({ group }) => at.among.figure(measure, group))
  return values.findLast((value) => value !== null) ?? null
}
