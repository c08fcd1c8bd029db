import { connectionStore } from './connection-store'
import type { Deps } from '../deps'
import type { Entitlements } from '../shared/billing/entitlements'

/**
 * Hours between two syncs of a source that its workspace's plan allows. Where the plan names how many sources are synced more
 * often than the others, those are the oldest that are wanted so, and any other while there is room (decision 174).
 * `sourceId`: null for one that is not there yet.
 */
export async function allowedHours(
  { db }: Pick<Deps, 'db'>,
  of: { workspaceId: string; sourceId: string | null; entitlements: Pick<Entitlements, 'syncPace' | 'features'> },
): Promise<number> {
  const { syncPace, features } = of.entitlements
  const { hours, sources, otherHours } = syncPace
  if (sources === null) return hours
  const frequent = await connectionStore(db, of.workspaceId).frequent({
    ...{ belowHours: otherHours, limit: sources, max: features.dataSources },
  })
  const isOne = of.sourceId !== null && frequent.includes(of.sourceId)
  return isOne || frequent.length < sources ? hours : otherHours
}
