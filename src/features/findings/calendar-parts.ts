import type { DatePart } from '../../shared/query/date-range'
import type { QueryService } from '../../semantic/query-service'
import type { DetectedFinding } from '../../shared/findings'
import type { Dimension } from '../../shared/query/plan'
import type { QueryResult } from '../../shared/query/result'
import type { CatalogueDataset } from '../../warehouse/contract'
import type { AnalysisWindow } from './analysis-window'
import type { CandidateMetric } from './candidate-metrics'
import { calendarFact, type CalendarParts } from './model/facts/calendar-facts'
import type { PartFigure } from './model/facts/fact-sentences'
import { monthFacts } from './model/facts/facts'
import type { AnalysisSubject } from './model/subject'
import { orNullIfRefused } from './refusals'
import type { RowWindow } from './row-window'
import { componentsOf } from './series'

/** Above so many rows weekdays and hours are not asked for. */
const CALENDAR_ROWS_MAX = 200_000
/** Of all days so many have rows, over so many weeks at least: else a weekday is that of a few dates. */
const DAYS_SHARE_MIN = 0.5
const BUCKETS_MIN: Record<AnalysisWindow['grain'], number> = { month: 2, week: 8, day: 56 }

/** The sum of a figure by one part or unit of its dates, over these days; nothing where it does not add up. */
async function sumsBy(
  service: QueryService,
  metric: CandidateMetric,
  { by, from, to }: { by: Pick<Dimension, 'part' | 'grain'>; from: string; to: string },
): Promise<Pick<QueryResult, 'rows' | 'columns'> | null> {
  const { total, under, additive } = componentsOf(metric.measure)
  if (!additive || under) return null
  return orNullIfRefused(
    service.answer({
      ...{ v: 2, kind: 'aggregate', dataset: metric.dataset, measures: [total] },
      dimensions: [{ field: metric.time, ...by }],
      filters: metric.filters,
      period: {
        field: metric.time,
        range: { kind: 'absolute', from, to },
        ...{ compare: 'none', completeOnly: false },
      },
      ...(metric.currency ? { currency: metric.currency } : {}),
    }),
  )
}

/** A figure over weekdays and hours; null where its dates are too few to have a week. */
async function queryCalendarParts(
  service: QueryService,
  metric: CandidateMetric,
  { window, dayShare }: RowWindow,
): Promise<CalendarParts | null> {
  if (dayShare < DAYS_SHARE_MIN || window.buckets.length < BUCKETS_MIN[window.grain]) return null
  const sums = async (part: DatePart): Promise<PartFigure[]> => {
    const answer = await sumsBy(service, metric, { by: { part }, from: window.from, to: window.to })
    return (answer?.rows ?? []).flatMap(([at, value]) =>
      typeof at === 'number' && (typeof value === 'number' || typeof value === 'string') ? [{ part: at, value }] : [],
    )
  }
  return { weekdays: await sums('weekday'), hours: await sums('hourOfDay') }
}

/** A figure by month, of rows that are looked at by weeks or days: a person thinks of months. */
async function queryMonths(
  service: QueryService,
  metric: CandidateMetric,
  { window, months }: RowWindow,
): Promise<AnalysisSubject | null> {
  const [first, last] = [months[0], months.at(-1)]
  if (window.grain === 'month' || first === undefined || last === undefined || first === last) return null
  const to = new Date(Date.UTC(Number(last.slice(0, 4)), Number(last.slice(5, 7)), 0)).toISOString().slice(0, 10)
  const answer = await sumsBy(service, metric, { by: { grain: 'month' }, from: first, to })
  if (!answer) return null
  const sums = new Map(answer.rows.map(([month, value]) => [String(month), typeof value === 'boolean' ? null : value]))
  const scale = answer.columns[1]?.scale
  return {
    ...{ key: metric.key, label: metric.label, grain: 'month', buckets: months, additive: true, dimensions: [] },
    ...{ direction: metric.direction, ...(scale == null ? {} : { scale }) },
    total: { value: months.map((month) => sums.get(month) ?? 0), count: months.map(() => 1) },
  }
}

/** When in the week and in the day a figure is highest, and in which month where months are not looked at themselves. */
export async function calendarFacts(
  service: QueryService,
  home: Pick<CatalogueDataset, 'rowCount'>,
  of: RowWindow & { asked: CandidateMetric; subject: AnalysisSubject | null },
): Promise<DetectedFinding[]> {
  const { asked, window } = of
  if (home.rowCount > CALENDAR_ROWS_MAX) return []
  const parts = await queryCalendarParts(service, asked, of)
  const period = { from: window.buckets[0] ?? '', to: window.buckets.at(-1) ?? '', grain: window.grain }
  const about = {
    ...{ subject: asked.key, label: asked.label, period },
    ...{ buckets: window.buckets.length, rows: home.rowCount },
  }
  const fact = parts && calendarFact(about, parts)
  const months = await queryMonths(service, asked, of)
  return [...(fact ? [fact] : []), ...(months ? monthFacts(months, of.subject) : [])]
}
