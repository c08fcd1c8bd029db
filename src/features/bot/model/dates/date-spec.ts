import type { QueryPlan } from '../../../../shared/query/plan'
import type { CalendarUnit } from '../../../../shared/dates'
import type { DatePart, Grain } from '../../../../shared/query/date-range'

type PlanPeriod = NonNullable<QueryPlan['period']>
export type PeriodRange = PlanPeriod['range']

/** What a question says of time. */
export type DateSpec =
  /** `unit`: what it was counted in, so that "each of the last 8 weeks" is split by week. */
  | { kind: 'period'; range: PeriodRange; unit?: CalendarUnit; compare?: PlanPeriod['compare'] }
  /** Open at one end, both days inclusive. */
  | { kind: 'open'; from?: string; to?: string }
  /** The same part of every week, year or day. */
  | { kind: 'part'; part: DatePart; values: number[] }
  /** Held beside an earlier period. */
  | { kind: 'compare'; with: 'previous' | 'year' }
  /** Several units of time beside each other, both days of each inclusive. */
  | { kind: 'beside'; ranges: { from: string; to: string }[] }
  /** Split by this unit of time. */
  | { kind: 'grain'; grain: Grain }
  | { kind: 'datePart'; part: DatePart }
/** Where it stands in the text, and what it says. */
export interface FoundDate {
  from: number
  to: number
  spec: DateSpec
}
