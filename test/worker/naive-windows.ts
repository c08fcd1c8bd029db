import { Temporal } from 'temporal-polyfill'
import { alignToComparison, startOfUnit } from './naive-calendar'
import type { NaivePeriod } from './naive-calendar'
import { add, isFraction } from './naive-values'
import type { NaiveValue, EvaluationContext } from './naive-values'
import { operandsOf, isSameField } from '../../src/shared/plan-fields'
import type { Grain, Measure, QueryPlan } from '../../src/shared/query'

/** Figures of other groups than their own, for the naive evaluator: every group looks through all others. */
export interface GroupSet<G> {
  groups: G[]
  keysOf(group: G): NaiveValue[]
  otherOf(group: G): boolean[]
  /** A figure of one group. */
  figure(measure: Measure, group: G): NaiveValue
}
/** The split by time, and whether its buckets were laid over the period's. */
interface TimeAxis {
  at: number
  grain: Grain
  laid: NaivePeriod | null
}

export const isWindowMeasure = (measure: Measure): boolean =>
  measure.kind === 'prev' || measure.kind === 'cumulative' || operandsOf(measure).some(isWindowMeasure)

/** What a top-N ranks by. */
export const firstPlainPart = (measure: Measure): Measure | undefined =>
  isWindowMeasure(measure) ? operandsOf(measure).flatMap((part) => firstPlainPart(part) ?? [])[0] : measure

export function timeAxisOf(
  evaluationContext: EvaluationContext,
  plan: QueryPlan,
  laid: NaivePeriod | null,
): TimeAxis | null {
  const at = plan.dimensions.findIndex(
    ({ field, grain }) => grain !== undefined || evaluationContext.column(field).type === 'date',
  )
  const found = plan.dimensions[at]
  if (!found) return null
  const isPeriods = plan.period !== undefined && isSameField(plan.period.field, found.field)
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

export function windowValue<G>(
  measure: Extract<Measure, { kind: 'prev' | 'cumulative' }>,
  group: G,
  at: { world: EvaluationContext; axis: TimeAxis; among: GroupSet<G>; isComparison: boolean },
): NaiveValue {
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
    const from = isComparison && axis.laid ? alignToComparison(bucket, axis.grain, axis.laid, world.calendar) : bucket
    return from.toPlainDate()
  }
  const yearOf = (text: string): string =>
    measure.restart === 'never' ? '' : startOfUnit(own(text), measure.restart, world.calendar).toString()
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
export function windowValueOfTotal<G>(
  measure: Extract<Measure, { kind: 'prev' | 'cumulative' }>,
  at: { axis: TimeAxis; among: GroupSet<G> },
): NaiveValue {
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
