import type { DatePart } from '../../shared/query/date-range'
import type { QueryService } from '../../semantic/query-service'
import type { DetectedFinding } from '../../shared/findings'
import type { CatalogueDataset } from '../../warehouse/contract'
import type { AnalysisWindow } from './analysis-window'
import type { CandidateMetric } from './candidate-metrics'
import { calendarFact, type CalendarParts } from './model/facts/calendar-facts'
import type { PartFigure } from './model/facts/fact-sentences'
import { orNullIfRefused } from './refusals'
import type { RowWindow } from './row-window'
import { componentsOf } from './series'

/** Above so many rows weekdays and hours are not asked for. */
const CALENDAR_ROWS_MAX = 200_000
/** Of all days so many have rows, over so many weeks at least: else a weekday is that of a few dates. */
const DAYS_SHARE_MIN = 0.5
const BUCKETS_MIN: Record<AnalysisWindow['grain'], number> = { month: 2, week: 8, day: 56 }

/** A figure over weekdays and hours; null where it does not add up, or its dates are too few to have a week. */
async function queryCalendarParts(
  service: QueryService,
  metric: CandidateMetric,
  { window, dayShare }: RowWindow,
): Promise<CalendarParts | null> {
  const { total, under, additive } = componentsOf(metric.measure)
  if (!additive || under || dayShare < DAYS_SHARE_MIN || window.buckets.length < BUCKETS_MIN[window.grain]) return null
  const by = async (part: DatePart): Promise<PartFigure[]> => {
    const answer = await orNullIfRefused(
      service.answer({
        ...{ v: 2, kind: 'aggregate', dataset: metric.dataset, measures: [total] },
        dimensions: [{ field: metric.time, part }],
        filters: metric.filters,
        period: {
          field: metric.time,
          range: { kind: 'absolute', from: window.from, to: window.to },
          ...{ compare: 'none', completeOnly: false },
        },
        ...(metric.currency ? { currency: metric.currency } : {}),
      }),
    )
    return (answer?.rows ?? []).flatMap(([at, value]) =>
      typeof at === 'number' && (typeof value === 'number' || typeof value === 'string') ? [{ part: at, value }] : [],
    )
  }
  return { weekdays: await by('weekday'), hours: await by('hourOfDay') }
}

/** When in the week and in the day a figure is highest. */
export async function calendarFacts(
  service: QueryService,
  home: Pick<CatalogueDataset, 'rowCount'>,
  of: RowWindow & { asked: CandidateMetric },
): Promise<DetectedFinding[]> {
  const { asked, window } = of
  if (home.rowCount > CALENDAR_ROWS_MAX) return []
  const parts = await queryCalendarParts(service, asked, of)
  const period = { from: window.buckets[0] ?? '', to: window.buckets.at(-1) ?? '', grain: window.grain }
  const about = { subject: asked.key, label: asked.label, period, buckets: window.buckets.length }
  const fact = parts && calendarFact(about, parts)
  return fact ? [fact] : []
}
