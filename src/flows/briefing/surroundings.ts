import type { BriefingReader } from './reader'
import { waitingStore } from '../../features/briefing/waiting-store'
import { listAlerts } from '../../features/alerts/service'
import { readEarlyAccess, enrolmentsOf } from '../../entitlements/early-access-store'
import { readForecastIntervals, readKnownForecasts } from '../../semantic/forecast-interval-store'
import { toIso } from '../../lib/iso'
import { DAY_MS } from '../../shared/dates'
import { STALE_AFTER_MS } from '../../shared/limits'
import { roleMay } from '../../shared/permissions'
import { PILOT_FEATURES, pilotStatus } from '../../shared/pilot/features'
import { actualsKnownBy } from '../../shared/forecasts/accuracy'
import type { Alert, AlertGroup } from '../../shared/alerts'
import type { BriefingAlert, BriefingForecast, BriefingSource, WaitingItem } from '../../shared/briefing/briefing'
import type { DataSource } from '../../shared/data-sources/data-sources'

/** What stands beside the findings of a briefing: forecasts, alerts, sources, and what waits. */

const FORECASTS_MAX = 20

/** Forecasts whose newest complete figure lies outside the interval that was given it before it was known. */
export async function forecastsOutside({ deps, scope, calendar }: BriefingReader): Promise<BriefingForecast[]> {
  const known = await readKnownForecasts(deps.db, scope, FORECASTS_MAX)
  const outside = await Promise.all(
    known.map(async (forecast): Promise<BriefingForecast[]> => {
      const { periods, values } = actualsKnownBy(forecast, calendar.today)
      const [period, value] = [periods.at(-1), values.at(-1) ?? null]
      if (period === undefined || value === null) return []
      const { id: forecastId, level, name, grain, format } = forecast
      const said = (await readForecastIntervals(deps.db, scope, { forecastId, level, periods: [period] })).get(period)
      if (!said || (value >= said.lower && value <= said.upper)) return []
      return [{ forecastId, name, period, grain, value, lower: said.lower, upper: said.upper, level, format }]
    }),
  )
  return outside.flat()
}

const ALERTS_MAX = 100

/** Alerts that are open, the longest open first. */
export async function openAlerts({ deps, scope }: BriefingReader): Promise<BriefingAlert[]> {
  const { items } = await listAlerts({ deps, scope }, { limit: ALERTS_MAX })
  return items
    .filter(({ active, state }) => active && state !== 'ok')
    .map(toBriefingAlert)
    .toSorted((a, b) => Number(a.acknowledged) - Number(b.acknowledged) || (a.since ?? '').localeCompare(b.since ?? ''))
}

function toBriefingAlert({ id, name, state, groups, format }: Alert): BriefingAlert {
  const open = groups.filter((group) => group.state === state)
  const [first] = open.toSorted((a: AlertGroup, b: AlertGroup) => (a.since ?? '').localeCompare(b.since ?? ''))
  return {
    ...{ alertId: id, name, format, groups: open.length, acknowledged: state === 'acknowledged' },
    ...{ label: first?.label ?? null, value: first?.value ?? null },
    ...{ period: first?.period ?? null, since: first?.since ?? null },
  }
}

const loadedAt = ({ datasets }: DataSource): string | null =>
  datasets
    .flatMap((dataset) => dataset.loadedAt ?? [])
    .toSorted()
    .at(-1) ?? null

/** Sources whose import failed, and those whose rows are old; the sample company is never either. */
export function sourceProblems(sources: readonly DataSource[], now: number): BriefingSource[] {
  return sources.flatMap((source): BriefingSource[] => {
    const at = loadedAt(source)
    const of = { sourceId: source.id, name: source.name, loadedAt: at }
    if (source.state === 'failed' || source.state === 'degraded') return [{ ...of, problem: 'failed' }]
    const isStale = at !== null && now - Date.parse(at) > STALE_AFTER_MS
    return isStale && !source.sample ? [{ ...of, problem: 'stale' }] : []
  })
}

/** A mention is told this long, whether or not it was looked at: nothing says when it is answered. */
const MENTION_MS = 7 * DAY_MS

/** What waits for the member, the newest first. */
export async function waitingItems(
  reader: BriefingReader,
  { sources }: { sources: readonly DataSource[] },
): Promise<WaitingItem[]> {
  const { deps, scope, role } = reader
  // What waits for somebody is theirs alone, whoever looks as them.
  if (scope.isView) return []
  const now = deps.clock.now()
  const store = waitingStore(deps.db, scope)
  const [mentions, signOffs, invitations, features] = await Promise.all([
    store.mentions(now - MENTION_MS),
    store.signOffs(now),
    store.invitations(now),
    openFeatures(reader),
  ])
  const rejected = roleMay(role, 'edit:source') ? sources.flatMap(rejectedRows) : []
  return [...invitations, ...signOffs, ...mentions, ...rejected, ...features].toSorted((a, b) =>
    b.at.localeCompare(a.at),
  )
}

function rejectedRows(source: DataSource): WaitingItem[] {
  const rows = source.datasets.reduce((sum, dataset) => sum + dataset.rowsRejected, 0)
  const at = loadedAt(source)
  if (rows === 0 || at === null) return []
  return [{ kind: 'rejectedRows', source: source.name, rows, path: `/data-sources/${source.id}`, at }]
}

/** Features that the member wanted to hear of, and that can be turned on now. */
async function openFeatures({ deps, scope }: BriefingReader): Promise<WaitingItem[]> {
  const { workspaceId, actorId: userId } = scope
  const { enrolments, switches } = await readEarlyAccess(deps.db, { workspaceId, userId })
  const now = deps.clock.now()
  return PILOT_FEATURES.flatMap((feature): WaitingItem[] => {
    const { key, title, startsAt } = feature
    const isOpen = pilotStatus(feature, switches.get(key) ?? null, now).kind === 'open'
    if (!isOpen || enrolmentsOf(enrolments, key).own !== 'interested') return []
    return [{ kind: 'earlyAccess', title, path: '/pilot', at: toIso(Date.parse(startsAt)) }]
  })
}
