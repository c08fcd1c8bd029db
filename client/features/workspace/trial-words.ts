import type { Entitlements } from '../../../src/shared/entitlements'

const DAY_MS = 24 * 60 * 60 * 1000

/** "Trial: 5 days left", or null when the workspace is on no trial. `now` in epoch ms. */
export function trialWords(given: Pick<Entitlements, 'state' | 'trialEndsAt'> | null, now: number): string | null {
  if (given?.state === 'trial_expired') return 'The trial has ended'
  if (given?.state !== 'trialing' || given.trialEndsAt === null) return null
  const days = Math.ceil((given.trialEndsAt - now) / DAY_MS)
  if (days <= 0) return 'The trial has ended'
  return days === 1 ? 'Trial: last day' : `Trial: ${days} days left`
}
