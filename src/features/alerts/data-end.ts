import { startOfPeriod } from '../../semantic/calendar'
import { lastDayWithData } from '../../semantic/newest-periods'
import type { QueryContext } from '../../semantic/query-service'
import type { AlertRules } from '../../shared/alerts'
import type { MonitoredMetric } from '../../shared/monitored-metric'

/**
 * The last day of the data that a figure is of, where they end before the newest period that is over: what an alert looks
 * at then is older than it should be, or nothing. Null where they reach it, and where there are none.
 * @throws ProductError what the question is refused for
 */
export async function readDataEnd(
  at: QueryContext,
  { tracked, rules }: { tracked: MonitoredMetric; rules: Pick<AlertRules, 'grain'> },
): Promise<string | null> {
  const end = await lastDayWithData(at, tracked)
  const newest = startOfPeriod(at.calendar.today, rules.grain, at.calendar, -1)
  return end !== null && end < newest ? end : null
}
