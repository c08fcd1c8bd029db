import { z } from 'zod'
import type { ColumnFormat } from './data-sources/files'
import { idSchema } from './ids'
import type { Insight } from './insights'
import type { Metric } from './metrics'
import { QUERY_ROWS_MAX } from './limits'
import { isAdditive, operandsOf } from './query/plan-fields'
import { dimensionSchema, type Filter, type Measure, type QueryPlan } from './query/plan'
import { type Field } from './query/field'
import { type Grain } from './query/date-range'
import type { Cell } from './query/result'

/** What a target or an alert is about: one figure of an insight (by the index of its measure), or a metric. */
export const subjectRefSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('insight'), id: idSchema('insight'), measure: z.int().min(0).max(4).default(0) }),
  z.strictObject({ kind: z.literal('metric'), id: idSchema('metric') }),
])
export type SubjectRef = z.output<typeof subjectRefSchema>
export type SubjectRefInput = z.input<typeof subjectRefSchema>

/** One dimension that a figure is followed by, each of its members for itself. */
export const memberFieldSchema = dimensionSchema.pick({ field: true, grouping: true })
export type MemberField = z.infer<typeof memberFieldSchema>
/** Members that are followed one by one; the largest when there are more. */
export const MONITORED_MEMBERS_MAX = 100

/** A figure that is followed over time, whatever it is a figure of. */
export interface MonitoredMetric {
  subject: SubjectRef
  name: string
  measure: Measure
  /** The column whose periods are followed. */
  time: Field
  filters: Filter[]
  dataset?: string | undefined
  currency?: QueryPlan['currency']
  direction: 'up' | 'down' | 'none'
  format: ColumnFormat | null
  /** The figures of the parts of a period add up to the figure of the period. */
  additive: boolean
  /** The figure is a running total: from when on it is summed; null for every other figure. */
  running: 'never' | 'year' | 'fiscalYear' | null
}

const hasMoving = (measure: Measure): boolean => measure.kind === 'moving' || operandsOf(measure).some(hasMoving)

/** The column that an insight runs over: that of its period, else of its split by time. */
export const timeFieldOf = ({ period, dimensions }: Pick<QueryPlan, 'period' | 'dimensions'>): Field | null =>
  period?.field ?? dimensions.find(({ grain }) => grain !== undefined)?.field ?? null

/**
 * The figure of an insight as it is followed; null when the insight has no date to follow it over, or no such measure.
 * A running total is followed by what it sums. `meaning` tells what a measure stands for that names a metric.
 */
export function monitoredFromInsight(
  { id, name, plan, viz }: Pick<Insight, 'id' | 'name' | 'plan' | 'viz'>,
  index = 0,
  meaning: (measure: Measure) => Measure = (measure) => measure,
): MonitoredMetric | null {
  const time = timeFieldOf(plan)
  const shown = plan.measures[index]
  if (!time || !shown) return null
  const meant = meaning(shown)
  // What runs over the units before has nothing to show at the beginning of what is looked at.
  if (hasMoving(meant)) return null
  const isRunning = meant.kind === 'cumulative'
  return {
    subject: { kind: 'insight', id, measure: index },
    measure: isRunning ? meant.of : shown,
    ...{ name, time, filters: plan.filters, dataset: plan.dataset, currency: plan.currency },
    direction: viz.direction,
    format: shown.format ?? (viz.percent?.includes(index) ? { style: 'percent' } : (meant.format ?? null)),
    additive: isAdditive(isRunning ? meant.of : meant),
    running: isRunning ? meant.restart : null,
  }
}

/**
 * The figure of a metric as it is followed; null when it has no date. `meant`: what it stands for, without further metrics
 * where that is known.
 */
export function monitoredFromMetric(
  metric: Pick<Metric, 'id' | 'name' | 'dataset' | 'time' | 'direction' | 'format'>,
  meant: Measure,
): MonitoredMetric | null {
  const { id, name, dataset, time, direction, format } = metric
  if (!time) return null
  const isRunning = meant.kind === 'cumulative'
  return {
    subject: { kind: 'metric', id },
    ...{ name, time, dataset, direction, format, filters: [] },
    measure: isRunning ? meant.of : { kind: 'metric', id },
    additive: isAdditive(isRunning ? meant.of : meant),
    running: isRunning ? meant.restart : null,
  }
}

export interface SeriesQuery {
  /** Absent: one figure of the whole range. */
  grain?: Grain
  /** First and last day, inclusive. */
  from: string
  to: string
  by?: MemberField | null | undefined
  /** Of its members these alone. */
  only?: readonly Cell[] | undefined
}

/** The question for a followed figure by period, and by member when one is named. */
export function seriesPlan(metric: MonitoredMetric, { grain, from, to, by, only }: SeriesQuery): QueryPlan {
  const { measure, time, dataset, currency } = metric
  const those: Filter[] = by && only ? [{ ...by, any: [{ op: 'in', values: [...only] }] }] : []
  const overTime = grain === undefined ? [] : [{ field: time, grain }]
  return {
    v: 2,
    kind: 'aggregate',
    ...(dataset === undefined ? {} : { dataset }),
    ...(currency === undefined ? {} : { currency }),
    measures: [measure],
    dimensions: [...overTime, ...(by ? [{ ...by, topN: MONITORED_MEMBERS_MAX }] : [])],
    period: { field: time, range: { kind: 'absolute', from, to }, compare: 'none', completeOnly: false },
    filters: [...metric.filters, ...those],
    limit: QUERY_ROWS_MAX,
  }
}
