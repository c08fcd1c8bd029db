import { allowanceAt, messagesUsed } from './allowances'
import type { Counted } from './allowances'
import type { Scope } from './scope'
import { takenSeats } from './seats'
import type { Database } from '../db/database'
import { LIMIT_NAMES } from '../shared/plans'
import type { LimitName } from '../shared/plans'
import type { Meter } from '../shared/subscription'

const SEATS = { workspace: '?1', now: '?2' }
/** How each limit is counted; what is not listed has nothing to count yet. The sample company counts against nothing. */
const USED: Partial<Record<LimitName, string>> = {
  analysts: takenSeats('analysts', SEATS),
  users: takenSeats('users', SEATS),
  dataSources: '(SELECT count(*) FROM data_sources WHERE workspace_id = ?1 AND deleted_at IS NULL AND sample = 0)',
  customInsights:
    "(SELECT count(*) FROM insights WHERE workspace_id = ?1 AND deleted_at IS NULL AND origin = 'person')",
  groupings: '(SELECT count(*) FROM groupings WHERE workspace_id = ?1 AND deleted_at IS NULL)',
  activeForecasts: '(SELECT count(*) FROM forecasts WHERE workspace_id = ?1)',
  aiMessages: messagesUsed('?3'),
}
const READ = `SELECT ${Object.entries(USED)
  .map(([name, count]) => `${count} AS ${name}`)
  .join(', ')}`

/** How much of every limit is used at `now` (epoch ms), as the limits themselves count. */
export async function readMeters(
  { d1 }: Database,
  { workspaceId }: Scope,
  { now, ...counted }: Counted & { now: number },
): Promise<Meter[]> {
  const { period, resetsAt } = allowanceAt(counted, now)
  const used = await d1.prepare(READ).bind(workspaceId, now, period).first<Partial<Record<LimitName, number>>>()
  return LIMIT_NAMES.map((limit) => ({
    limit,
    used: used?.[limit] ?? 0,
    max: counted.entitlements.features[limit],
    resetsAt: limit !== 'aiMessages' || resetsAt === null ? null : new Date(resetsAt).toISOString(),
  }))
}
