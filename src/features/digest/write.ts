import { endOf, newestLoaded, startOf } from '../../access/periods'
import { seriesOf } from '../../access/series'
import type { SeriesDeps } from '../../access/series'
import type { Standing } from '../../access/standing'
import { insightFigure } from '../../access/tracked'
import { calendarOf } from '../../access/calendar'
import type { Deps } from '../../deps'
import { figureText } from '../../mail/figures'
import type { OrderOf } from '../../mail/order'
import { alertPeriod, GRAIN_WORDS } from '../../shared/alert-words'
import { ALERT_GRAINS } from '../../shared/alerts'
import type { AlertGrain } from '../../shared/alerts'
import { DIGEST_ITEMS_MAX } from '../../shared/digest'
import { isPassing, ProductError } from '../../shared/errors'
import type { Insight } from '../../shared/insights'
import { timeOf } from '../../shared/tracked'

type Item = OrderOf<'digest'>['items'][number]
type Followed = Pick<Insight, 'id' | 'name' | 'plan' | 'viz'>

/** What somebody follows, told with the figures that they themselves may see. Empty: there is nothing to tell. */
export async function digestItems(deps: Deps, reader: Standing): Promise<Item[]> {
  const { results } = await deps.db.d1
    .prepare(
      `SELECT i.id, i.name, i.plan, i.viz FROM insight_follows f JOIN insights i ON i.id = f.insight_id AND i.deleted_at IS NULL
       WHERE f.workspace_id = ?1 AND f.user_id = ?2 ORDER BY f.created_at, i.id LIMIT ?3`,
    )
    .bind(reader.scope.workspaceId, reader.userId, DIGEST_ITEMS_MAX)
    .all<{ id: string; name: string; plan: string; viz: string }>()
  const at = { deps, scope: reader.scope, calendar: calendarOf(reader, deps.clock) }
  const items: Item[] = []
  for (const row of results) {
    const insight: Followed = { id: row.id, name: row.name, plan: JSON.parse(row.plan), viz: JSON.parse(row.viz) }
    items.push({ insightId: insight.id, name: insight.name, lines: [await lineOf(at, insight, reader)] })
  }
  return items
}

/** The grain that the insight itself is split by, months where it is not split by time. */
function grainOf({ plan }: Followed): AlertGrain {
  const time = timeOf(plan)
  const split = plan.dimensions.find(({ field, grain }) => grain !== undefined && field.column === time?.column)
  return ALERT_GRAINS.find((grain) => grain === split?.grain) ?? 'month'
}

async function lineOf(at: SeriesDeps, insight: Followed, { settings }: Standing): Promise<string> {
  const tracked = await insightFigure(at.deps, at.scope, { insight })
  if (!tracked) return 'It has no date to follow it over: open it to see its figures.'
  const { calendar } = at
  const grain = grainOf(insight)
  try {
    const newest = startOf(calendar.today, grain, calendar, -1)
    const from = startOf(newest, grain, calendar, -6)
    const series = await seriesOf(at, tracked, { grain, from, to: endOf(newest, grain, calendar) })
    const period = newestLoaded(series, { grain, calendar })
    const value = period === null ? undefined : series.total.values.get(period)
    if (period === null || value === undefined) return 'No rows have come for any period that is over.'
    const before = series.total.values.get(startOf(period, grain, calendar, -1))
    const figure = `${alertPeriod(period, grain)}: ${figureText(value, series.format, settings)}`
    return `${figure}${changeWords(value, before, { grain, settings })}`
  } catch (error) {
    // What passes by itself: the whole digest is tried again.
    if (!(error instanceof ProductError) || isPassing(error)) throw error
    return `Its figures could not be worked out: ${error.message}`
  }
}

function changeWords(
  value: number,
  before: number | undefined,
  { grain, settings }: { grain: AlertGrain; settings: Standing['settings'] },
): string {
  if (before === undefined || before === 0) return ''
  const change = (value - before) / Math.abs(before)
  const sign = change > 0 ? '+' : ''
  return `, ${sign}${figureText(change, { style: 'percent' }, settings)} against the ${GRAIN_WORDS[grain]} before`
}
