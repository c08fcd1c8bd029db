import { endOfPeriod, latestCompletePeriod, startOfPeriod } from '../../access/periods'
import { readMetricSeries } from '../../access/series'
import type { SeriesContext } from '../../access/series'
import type { MemberContext } from '../../access/standing'
import { resolveMonitoredInsight } from '../../access/tracked'
import { calendarOf } from '../../access/calendar'
import type { Deps } from '../../deps'
import { formatFigure } from '../../mail/figures'
import type { QueuedMailOf } from '../../mail/order'
import { formatAlertPeriod, ALERT_GRAIN_LABELS } from '../../shared/alert-words'
import { ALERT_GRAINS } from '../../shared/alerts'
import type { AlertGrain } from '../../shared/alerts'
import { DIGEST_ITEMS_MAX } from '../../shared/digest'
import { isTransient, ProductError } from '../../shared/errors'
import type { Insight } from '../../shared/insights'
import { timeFieldOf } from '../../shared/tracked'

type DigestItem = QueuedMailOf<'digest'>['items'][number]
type FollowedInsight = Pick<Insight, 'id' | 'name' | 'plan' | 'viz'>

/** What somebody follows, told with the figures that they themselves may see. Empty: there is nothing to tell. */
export async function digestItems(deps: Deps, reader: MemberContext): Promise<DigestItem[]> {
  const { results } = await deps.db.d1
    .prepare(
      `SELECT i.id, i.name, i.plan, i.viz FROM insight_follows f JOIN insights i ON i.id = f.insight_id AND i.deleted_at IS NULL
       WHERE f.workspace_id = ?1 AND f.user_id = ?2 ORDER BY f.created_at, i.id LIMIT ?3`,
    )
    .bind(reader.scope.workspaceId, reader.userId, DIGEST_ITEMS_MAX)
    .all<{ id: string; name: string; plan: string; viz: string }>()
  const at = { deps, scope: reader.scope, calendar: calendarOf(reader, deps.clock) }
  const items: DigestItem[] = []
  for (const row of results) {
    const insight: FollowedInsight = {
      id: row.id,
      name: row.name,
      plan: JSON.parse(row.plan),
      viz: JSON.parse(row.viz),
    }
    items.push({ insightId: insight.id, name: insight.name, lines: [await insightLine(at, insight, reader)] })
  }
  return items
}

/** The grain that the insight itself is split by, months where it is not split by time. */
function insightGrain({ plan }: FollowedInsight): AlertGrain {
  const time = timeFieldOf(plan)
  const split = plan.dimensions.find(({ field, grain }) => grain !== undefined && field.column === time?.column)
  return ALERT_GRAINS.find((grain) => grain === split?.grain) ?? 'month'
}

async function insightLine(at: SeriesContext, insight: FollowedInsight, { settings }: MemberContext): Promise<string> {
  const tracked = await resolveMonitoredInsight(at.deps, at.scope, { insight })
  if (!tracked) return 'It has no date to follow it over: open it to see its figures.'
  const { calendar } = at
  const grain = insightGrain(insight)
  try {
    const newest = startOfPeriod(calendar.today, grain, calendar, -1)
    const from = startOfPeriod(newest, grain, calendar, -6)
    const series = await readMetricSeries(at, tracked, { grain, from, to: endOfPeriod(newest, grain, calendar) })
    const period = latestCompletePeriod(series, { grain, calendar })
    const value = period === null ? undefined : series.total.values.get(period)
    if (period === null || value === undefined) return 'No rows have come for any period that is over.'
    const before = series.total.values.get(startOfPeriod(period, grain, calendar, -1))
    const figure = `${formatAlertPeriod(period, grain)}: ${formatFigure(value, series.format, settings)}`
    return `${figure}${changeText(value, before, { grain, settings })}`
  } catch (error) {
    // What passes by itself: the whole digest is tried again.
    if (!(error instanceof ProductError) || isTransient(error)) throw error
    return `Its figures could not be worked out: ${error.message}`
  }
}

function changeText(
  value: number,
  before: number | undefined,
  { grain, settings }: { grain: AlertGrain; settings: MemberContext['settings'] },
): string {
  if (before === undefined || before === 0) return ''
  const change = (value - before) / Math.abs(before)
  const sign = change > 0 ? '+' : ''
  return `, ${sign}${formatFigure(change, { style: 'percent' }, settings)} against the ${ALERT_GRAIN_LABELS[grain]} before`
}
