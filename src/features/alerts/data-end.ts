import { startOfPeriod } from '../../semantic/calendar'
import { queryService, type QueryContext } from '../../semantic/query-service'
import type { AlertRules } from '../../shared/alerts'
import { seriesPlan, type MonitoredMetric } from '../../shared/monitored-metric'
import { measuredDataset } from '../../shared/query/plan-fields'

const ALL_TIME = { kind: 'relative', span: 'all', unit: 'month', n: 1, includeCurrent: true } as const

/**
 * The last day of the data that a figure is of, where they end before the newest period that is over: what an alert looks
 * at then is older than it should be, or nothing. Null where they reach it, and where there are none.
 * @throws ProductError what the question is refused for
 */
export async function readDataEnd(
  at: QueryContext,
  { tracked, rules }: { tracked: MonitoredMetric; rules: Pick<AlertRules, 'grain'> },
): Promise<string | null> {
  const { time } = tracked
  const { today } = at.calendar
  const dataset = tracked.dataset ?? measuredDataset(seriesPlan(tracked, { from: today, to: today, by: null }))
  // Rows are counted: amounts of several currencies would not be added.
  const { period, rowCount } = await queryService(at.deps, at).answer({
    ...{ v: 2, kind: 'aggregate', dimensions: [], filters: [] },
    measures: [{ kind: 'column', agg: 'count', dataset }],
    period: { field: time, range: ALL_TIME, compare: 'none', completeOnly: false },
  })
  const newest = startOfPeriod(today, rules.grain, at.calendar, -1)
  return period && rowCount > 0 && period.to < newest ? period.to : null
}
