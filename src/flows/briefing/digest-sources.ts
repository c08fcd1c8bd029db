import { forecastsOutside, sourceProblems, waitingItems } from './surroundings'
import { readSources } from './read-briefing'
import type { BriefingReader } from './reader'
import { rankStories } from '../../features/findings/rank-stories'
import { briefingStore } from '../../features/briefing/store'
import type { DigestLine } from '../../features/digest/content'
import { storedFindings } from '../../features/findings/service'
import type { MemberContext } from '../../identity/member-context-store'
import type { CalendarContext } from '../../semantic/calendar'
import { formatAlertPeriod } from '../../shared/alerts'
import type { BriefingForecast, WaitingItem } from '../../shared/briefing/briefing'
import { formatAlikeInSentence, joinRange } from '../../shared/figures/figures'
import type { Finding } from '../../shared/findings'
import type { WorkspaceSettings } from '../../shared/workspaces/workspaces'

/**
 * What was first found after an instant (epoch ms), as the briefing tells it: one happening once, what matters most first,
 * without what the reader has read, put off or wants less of. Nothing is looked at for it.
 */
export async function briefingFindings(
  { deps, scope }: CalendarContext,
  { since, most }: { since: number; most: number },
): Promise<Finding[]> {
  const findings = await storedFindings({ deps, scope })
  if (!findings.some(({ firstFoundAt }) => Date.parse(firstFoundAt) > since)) return []
  const { marks, lessOf } = await briefingStore(deps.db, scope).marks()
  return rankStories(findings, { now: deps.clock.now(), since, marks, lessOf })
    .filter(({ lead, state }) => state === 'new' && !lessOf.has(lead.kind))
    .slice(0, most)
    .map(({ lead: { key: _key, ...finding } }) => finding)
}

/** What stands beside the findings: forecasts that were left, imports that failed, what waits for the reader. */
export async function briefingLines(at: CalendarContext, reader: MemberContext): Promise<DigestLine[]> {
  const { role, entitlements, settings } = reader
  const asked: BriefingReader = { ...at, role, entitlements }
  const sources = await readSources(asked)
  const [forecasts, waiting] = await Promise.all([forecastsOutside(asked), waitingItems(asked, { sources })])
  const failed = sourceProblems(sources, at.deps.clock.now()).filter(({ problem }) => problem === 'failed')
  return [
    ...forecasts.map((forecast) => forecastLine(forecast, settings)),
    ...failed.map(({ sourceId, name }) => ({
      ...{ name, line: 'Import failed. Showing earlier data.', path: `/data-sources/${sourceId}` },
    })),
    ...waiting.flatMap((item) => waitingLine(item) ?? []),
  ]
}

function forecastLine(forecast: BriefingForecast, settings: WorkspaceSettings): DigestLine {
  const { forecastId, name, period, grain, value, lower, upper, level, format } = forecast
  const { numberLocale } = settings
  const [figure = '', from = '', to = ''] = formatAlikeInSentence([value, lower, upper], format, numberLocale)
  return {
    name,
    line: `${formatAlertPeriod(period, grain)}: ${figure}, outside the ${level} % forecast interval of ${joinRange(from, to)}.`,
    path: `/forecasts/${forecastId}`,
  }
}

/** Invitations and mentions have mails of their own; what is left is told here. */
function waitingLine(item: WaitingItem): DigestLine | null {
  switch (item.kind) {
    case 'signOff':
      return { name: item.report, line: `Edition ${item.edition} waits for your signature.`, path: item.path }
    case 'rejectedRows':
      return { name: item.source, line: `${item.rows} rejected ${item.rows === 1 ? 'row' : 'rows'}.`, path: item.path }
    case 'earlyAccess':
      return { name: item.title, line: 'Open for early access.', path: item.path }
    case 'mention':
    case 'invitation':
    case 'ownership':
      return null
  }
}
