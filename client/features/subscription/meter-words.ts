import type { LimitName } from '../../../src/shared/plans'
import type { Meter } from '../../../src/shared/subscription'

export const METER_NAMES: Record<LimitName, string> = {
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
export const METER_NOTES: Partial<Record<LimitName, string>> = { users: 'Open invitations count as well' }

export type Level = 'fine' | 'near' | 'full' | 'over' | 'none' | 'unlimited'
/** From this share on a limit is called near. */
const NEAR = 0.8

/** How full a meter is. `none`: the plan has none of it. */
export function levelOf({ used, max }: Pick<Meter, 'used' | 'max'>): Level {
  if (max === null) return 'unlimited'
  if (used > max) return 'over'
  if (max === 0) return 'none'
  if (used === max) return 'full'
  // One place on its own is free or taken, not nearly full.
  return used / max >= NEAR ? 'near' : 'fine'
}

const WORDS: Partial<Record<Level, (left: number) => string>> = {
  over: (left) => `${-left} over the limit`,
  full: () => 'All used',
  near: (left) => `${left} left`,
  none: () => 'Not part of the plan',
}
/** The level in words; null where it needs none. */
export function levelWords({ used, max }: Pick<Meter, 'used' | 'max'>): string | null {
  const left = (max ?? 0) - used
  return WORDS[levelOf({ used, max })]?.(left) ?? null
}
