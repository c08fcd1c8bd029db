import type { Calendar } from '../../shared/dates'
import type { QueryPlan } from '../../shared/query/plan'
import type { ReportRange } from '../../shared/reports/reports'
import { resolvePeriod, type DayRange } from '../../warehouse/query/time/resolve-period'

/** The days of a report's period; null: all time. */
export function periodDays(range: ReportRange | null, calendar: Calendar): DayRange | null {
  if (!range) return null
  const plan: QueryPlan = {
    ...{ v: 1, kind: 'aggregate', measures: [], dimensions: [], filters: [] },
    period: { field: { dataset: '', column: 'c0' }, range, compare: 'none', completeOnly: false },
  }
  return resolvePeriod(plan, calendar, null)?.range ?? null
}
