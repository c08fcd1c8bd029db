import type { LimitName } from '../../../src/shared/plans'
import type { LimitUsage } from '../../../src/shared/subscription'

export const USAGE_LABELS: Record<LimitName, string> = {
  users: 'Users',
  analysts: 'Analysts',
  dataSources: 'Data sources',
  customInsights: 'Custom insights',
  aiMessages: 'Bot messages',
  activeForecasts: 'Active forecasts',
  groupings: 'Groupings',
  feeds: 'Feeds to other tools',
}

/** What a count holds beside what its name says. */
export const USAGE_NOTES: Partial<Record<LimitName, string>> = { users: 'Open invitations count as well' }

export type UsageLevel = 'fine' | 'near' | 'full' | 'over' | 'none' | 'unlimited'
/** From this share on a limit is called near. */
const NEAR_LIMIT_SHARE = 0.8

/** How full a meter is. `none`: the plan has none of it. */
export function usageLevel({ used, max }: Pick<LimitUsage, 'used' | 'max'>): UsageLevel {
  if (max === null) return 'unlimited'
  if (used > max) return 'over'
  if (max === 0) return 'none'
  if (used === max) return 'full'
  // One place on its own is free or taken, not nearly full.
  return used / max >= NEAR_LIMIT_SHARE ? 'near' : 'fine'
}

const LEVEL_TEXT: Partial<Record<UsageLevel, (left: number) => string>> = {
  over: (left) => `${-left} over the limit`,
  full: () => 'All used',
  near: (left) => `${left} left`,
  none: () => 'Not part of the plan',
}
/** The level in words; null where it needs none. */
export function describeUsageLevel({ used, max }: Pick<LimitUsage, 'used' | 'max'>): string | null {
  const left = (max ?? 0) - used
  return LEVEL_TEXT[usageLevel({ used, max })]?.(left) ?? null
}
