import { quotaPeriodAt, messagesUsedSql } from './allowances'
import type { QuotaHolder } from './allowances'
import type { Scope } from './scope'
import { takenSeatsSql } from './seats'
import type { Database } from '../db/database'
import { LIMIT_NAMES } from '../shared/plans'
import type { LimitName } from '../shared/plans'
import type { LimitUsage } from '../shared/subscription'

const SEAT_PARAMS = { workspace: '?1', now: '?2' }
/** How each limit is counted; what is not listed has nothing to count yet. The sample company counts against nothing. */
const USED_SQL: Partial<Record<LimitName, string>> = {
  analysts: takenSeatsSql('analysts', SEAT_PARAMS),
  users: takenSeatsSql('users', SEAT_PARAMS),
  dataSources: '(SELECT count(*) FROM data_sources WHERE workspace_id = ?1 AND deleted_at IS NULL AND sample = 0)',
  customInsights:
    "(SELECT count(*) FROM insights WHERE workspace_id = ?1 AND deleted_at IS NULL AND origin = 'person')",
  groupings: '(SELECT count(*) FROM groupings WHERE workspace_id = ?1 AND deleted_at IS NULL)',
  activeForecasts: '(SELECT count(*) FROM forecasts WHERE workspace_id = ?1)',
  aiMessages: messagesUsedSql('?3'),
}
const SELECT_USAGE = `SELECT ${Object.entries(USED_SQL)
  .map(([name, count]) => `${count} AS ${name}`)
  .join(', ')}`

/** How much of every limit is used at `now` (epoch ms), as the limits themselves count. */
export async function readUsage(
  { d1 }: Database,
  { workspaceId }: Scope,
  { now, ...counted }: QuotaHolder & { now: number },
): Promise<LimitUsage[]> {
  const { period, resetsAt } = quotaPeriodAt(counted, now)
  const used = await d1.prepare(SELECT_USAGE).bind(workspaceId, now, period).first<Partial<Record<LimitName, number>>>()
  return LIMIT_NAMES.map((limit) => ({
    limit,
    used: used?.[limit] ?? 0,
    max: counted.entitlements.features[limit],
    resetsAt: limit !== 'aiMessages' || resetsAt === null ? null : new Date(resetsAt).toISOString(),
  }))
}
