import type { Entitlements } from '../../../src/shared/entitlements'

const DAY_MS = 24 * 60 * 60 * 1000

/** How long before its end a trial is pointed out rather than mentioned. */
const TRIAL_ENDING_MS = 2 * DAY_MS

/** Whether little of the trial is left, or nothing. `now` in epoch ms. */
export const isTrialEndingSoon = (given: Pick<Entitlements, 'state' | 'trialEndsAt'> | null, now: number): boolean =>
  given?.state === 'trial_expired' ||
  (given?.state === 'trialing' && given.trialEndsAt !== null && given.trialEndsAt - now <= TRIAL_ENDING_MS)

/** "Trial: 5 days left", or null when the workspace is on no trial. `now` in epoch ms. */
export function describeTrial(given: Pick<Entitlements, 'state' | 'trialEndsAt'> | null, now: number): string | null {
  if (given?.state === 'trial_expired') return 'The trial has ended'
  if (given?.state !== 'trialing' || given.trialEndsAt === null) return null
  const days = Math.ceil((given.trialEndsAt - now) / DAY_MS)
  if (days <= 0) return 'The trial has ended'
  return days === 1 ? 'Trial: last day' : `Trial: ${days} days left`
}
