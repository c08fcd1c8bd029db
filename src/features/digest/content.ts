import { digestStore, type ReportedCounts } from './store'
import { startOfPeriod, calendarOf } from '../../semantic/calendar'
import type { CalendarContext } from '../../semantic/calendar'
import type { InsightSubject } from '../../semantic/monitored-metric-store'
import type { Deps } from '../../deps'
import type { Finding } from '../../shared/findings'
import type { MemberContext } from '../../identity/member-context-store'
import { log } from '../../lib/log'
import { formatFigure, formatFindingSentence } from '../../mail/format-figures'
import { formatShare } from '../../shared/figures/figures'
import type { QueuedMailOf } from '../../mail/queued-mail'
import { DIGEST_FINDINGS_MAX, DIGEST_ITEMS_MAX } from '../../shared/digest'
import { ProductError, isTransient } from '../../shared/errors'
import { roleMay } from '../../shared/permissions'
import { readNewestPeriods } from '../../semantic/newest-periods'
import { resolveMonitoredInsight } from '../../semantic/monitored-metric'
import { formatAlertPeriod, ALERT_GRAIN_LABELS, ALERT_GRAINS, type AlertGrain } from '../../shared/alerts'
import { timeFieldOf } from '../../shared/monitored-metric'
import type { ColumnFormat } from '../../shared/data-sources/files'
import { capitalize } from '../../shared/text'
import type { QueryContext } from '../../semantic/query-service'

/** Values of a grouping's column that belong to none of its groups. */
interface UngroupedValues {
  groupingId: string
  name: string
  values: number
  rows: number
}

/** What a digest tells beside what its reader follows. */
export interface DigestSources {
  /** First found since then (epoch milliseconds) and not hidden by the reader, the most telling first. */
  findings(at: CalendarContext, ask: { since: number; most: number }): Promise<Finding[]>
  /** What stands beside them: forecasts that were left, imports that failed, what waits for the reader. */
  standing(at: CalendarContext, reader: MemberContext): Promise<DigestLine[]>
  ungroupedValues(at: CalendarContext): Promise<UngroupedValues[]>
}
/** A thing with a page of its own, and what is said of it. */
export interface DigestLine {
  name: string
  line: string
  path: string
}

type DigestOrder = QueuedMailOf<'digest'>
/** What stands beside the findings, as far as it can be asked now. */
export const standingLines = (
  sources: DigestSources,
  at: CalendarContext,
  reader: MemberContext,
): Promise<DigestLine[]> =>
  orEmptyIfRefused(sources.standing(at, reader)).then((lines) => lines.slice(0, DIGEST_ITEMS_MAX))

/** What was found since the last digest. */
export async function newFindingLines(
  sources: DigestSources,
  at: CalendarContext,
  { reader, since }: { reader: MemberContext; since: number },
): Promise<DigestOrder['findings']> {
  const found = await orEmptyIfRefused(sources.findings(at, { since, most: DIGEST_FINDINGS_MAX }))
  return found.map((finding) => ({
    name: finding.about.label,
    sentence: formatFindingSentence(finding, reader.settings),
    path: findingPath(finding),
  }))
}

function findingPath({ about: { metric, insights } }: Finding): string {
  const [insight] = insights
  if (metric !== null) return `/metrics/${metric}`
  return insight === undefined ? '/insights' : `/insights/${insight}`
}

/** Values that have come into no group since the last digest, for whoever may put them into one. */
export async function newUngroupedValues(
  sources: DigestSources,
  at: CalendarContext,
  { reader, told }: { reader: MemberContext; told: ReportedCounts },
): Promise<{ loose: DigestOrder['loose']; told: ReportedCounts }> {
  if (!roleMay(reader.role, 'edit:grouping')) return { loose: [], told: {} }
  const now = await orEmptyIfRefused(sources.ungroupedValues(at))
  const more = now.filter(({ groupingId, values }) => values > (told[groupingId] ?? 0)).slice(0, DIGEST_ITEMS_MAX)
  return {
    loose: more.map(({ groupingId, name, ...count }) => ({ groupingId, name, line: ungroupedLine(count, reader) })),
    told: Object.fromEntries(now.map(({ groupingId, values }) => [groupingId, values])),
  }
}

function ungroupedLine(
  { values, rows }: Pick<UngroupedValues, 'values' | 'rows'>,
  { settings }: MemberContext,
): string {
  const count = (n: number, one: string): string => `${formatFigure(n, null, settings)} ${n === 1 ? one : `${one}s`}`
  return `${count(values, 'value')} in ${count(rows, 'row')} not grouped yet.`
}

/** What cannot be asked now is left out: the digest comes all the same. */
async function orEmptyIfRefused<T>(work: Promise<T[]>): Promise<T[]> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ProductError)) throw error
    log('info', 'a digest goes without a part', { code: error.code })
    return []
  }
}

type DigestItem = QueuedMailOf<'digest'>['items'][number]
/** What somebody follows, told with the figures that they themselves may see. Empty: there is nothing to tell. */
export async function digestItems(deps: Deps, reader: MemberContext): Promise<DigestItem[]> {
  const at = { deps, scope: reader.scope, calendar: calendarOf(reader, deps.clock) }
  const items: DigestItem[] = []
  for (const insight of await digestStore(deps.db, reader.scope).followedInsights(DIGEST_ITEMS_MAX))
    items.push({ insightId: insight.id, name: insight.name, lines: [await insightLine(at, insight, reader)] })
  return items
}

/** The grain that the insight itself is split by, months where it is not split by time. */
function insightGrain({ plan }: InsightSubject): AlertGrain {
  const time = timeFieldOf(plan)
  const split = plan.dimensions.find(({ field, grain }) => grain !== undefined && field.column === time?.column)
  return ALERT_GRAINS.find((grain) => grain === split?.grain) ?? 'month'
}

async function insightLine(at: QueryContext, insight: InsightSubject, { settings }: MemberContext): Promise<string> {
  const tracked = await resolveMonitoredInsight(at.deps, at.scope, { insight })
  if (!tracked) return 'No date column: open the insight to see its figures.'
  const { calendar } = at
  const grain = insightGrain(insight)
  try {
    const { series, last: period, dataTo } = await readNewestPeriods(at, { tracked, grain, periods: 4 })
    const value = period === null ? undefined : series.total.values.get(period)
    if (period === null || value === undefined) return 'No complete periods with data yet.'
    const before = series.total.values.get(startOfPeriod(period, grain, calendar, -1))
    const figure = `${capitalize(formatAlertPeriod(period, grain))}: ${formatFigure(value, series.format, settings)}`
    const age = dataTo === null ? '' : ` (data to ${formatAlertPeriod(dataTo, 'day')})`
    return `${figure}${changeText(value, before, { grain, format: series.format, settings })}${age}`
  } catch (error) {
    // What passes by itself: the whole digest is tried again.
    if (!(error instanceof ProductError) || isTransient(error)) throw error
    return `Couldn’t calculate: ${error.message}`
  }
}

function changeText(
  value: number,
  before: number | undefined,
  { grain, format, settings }: { grain: AlertGrain; format: ColumnFormat | null; settings: MemberContext['settings'] },
): string {
  if (before === undefined) return ''
  const difference = value - before
  const vs = ` vs previous ${ALERT_GRAIN_LABELS[grain]}`
  if (difference === 0) return `, no change${vs}`
  const direction = difference > 0 ? 'up' : 'down'
  const size = Math.abs(difference)
  if (format?.style === 'percent') return `, ${direction} ${formatFigure(size * 100, null, settings)}\u00a0pp${vs}`
  // A share of nothing, or of less, says nothing: the amount does.
  const said =
    before > 0
      ? formatShare(size / before, settings.numberLocale, { even: true })
      : formatFigure(size, format, settings)
  return `, ${direction} ${said}${vs}`
}
