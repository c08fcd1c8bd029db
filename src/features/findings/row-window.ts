import { ROW_DAYS_MAX } from '../../shared/bucket-coverage'
import { dayFromIso, type Calendar } from '../../shared/dates'
import type { QueryPlan } from '../../shared/query/plan'
import type { QueryService } from '../../semantic/query-service'
import { chooseWindow, completeMonths, type AnalysisWindow } from './analysis-window'
import type { CandidateMetric } from './candidate-metrics'
import { orNullIfRefused } from './refusals'

export interface RowWindow {
  window: AnalysisWindow
  /** On how many of all days there are rows, 0…1. */
  dayShare: number
  /** First days of the months that are there whole. */
  months: string[]
}

/** On which days there are rows at all, whatever its conditions are. */
export async function findWindow(
  service: QueryService,
  calendar: Calendar,
  metric: CandidateMetric,
): Promise<RowWindow | null> {
  const ask = (over: Partial<QueryPlan>) =>
    orNullIfRefused(
      service.answer({
        v: 2,
        kind: 'aggregate',
        dataset: metric.dataset,
        measures: [{ kind: 'column', agg: 'count', dataset: metric.dataset }],
        dimensions: [],
        filters: [],
        ...over,
      }),
    )
  const range = { kind: 'relative', span: 'all', unit: 'month', n: 1, includeCurrent: false } as const
  const whole = await ask({ period: { field: metric.time, range, compare: 'none', completeOnly: false } })
  if (!whole?.period) return null
  const { from, to } = whole.period
  const daily = await ask({
    dimensions: [{ field: metric.time, grain: 'day' }],
    sort: [{ by: { dimension: 0 }, dir: 'desc' }],
    limit: ROW_DAYS_MAX,
  })
  const days = (daily?.rows ?? []).flatMap(([day]) => (typeof day === 'string' ? [day] : [])).toSorted()
  const window = chooseWindow({ from, to, days }, calendar)
  return window && { window, dayShare: dayShareOf(days), months: completeMonths({ from, to, days }, calendar) }
}

/** On how many of the days from the first to the last of these there are rows. */
function dayShareOf(days: readonly string[]): number {
  const [first, last] = [days[0], days.at(-1)].map((day) => dayFromIso((day ?? '').slice(0, 10)))
  return first == null || last == null ? 0 : days.length / (last - first + 1)
}
