import type { Entitlements } from '../billing/entitlements'

const HOUR_MS = 60 * 60 * 1000
/** People may ask for fresh rows themselves, no more often than this. */
const MANUAL_SYNC_MS = 15 * 60 * 1000

/** What decides how often a source is synced. Instants are epoch ms. */
export interface SyncScheduleInput {
  entitlements: Pick<Entitlements, 'features' | 'readOnly'>
  /** Whether the plan has no room for this source. */
  frozen: boolean
  /** When its last sync began, whatever came of it; null = there was none. */
  startedAt: number | null
  by: 'schedule' | 'person'
}

/**
 * When a source may be synced next, in epoch ms: 0 = at once. Null = not at all, until the plan has room for it and may be
 * written to. Syncs by schedule and by people share one budget: `startedAt` is that of the last of either.
 */
export function nextSyncAt({ entitlements, frozen, startedAt, by }: SyncScheduleInput): number | null {
  if (frozen || entitlements.readOnly !== null) return null
  if (startedAt === null) return 0
  return startedAt + (by === 'person' ? MANUAL_SYNC_MS : entitlements.features.syncFrequencyHours * HOUR_MS)
}
