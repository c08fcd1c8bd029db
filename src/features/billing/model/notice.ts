import { computeEntitlements, type Subscription } from '../../../shared/billing/entitlements'
import { TRIAL_DAYS } from '../../../shared/billing/plans'
import { DAY_MS } from '../../../shared/dates'

/** What owners are told by mail, each once: of the trial on its fifth and seventh day, of a missing payment, of the end. */
export const BILLING_NOTICES = [
  'trialEnding',
  'trialEnded',
  'paymentMissing',
  'workspaceRestricted',
  'subscriptionEnded',
] as const
export type BillingNotice = (typeof BILLING_NOTICES)[number]

const FIRST_NOTICE_DAY = 5
/** How long before its end the trial's first mail goes out. */
export const TRIAL_NOTICE_LEAD_MS = (TRIAL_DAYS - FIRST_NOTICE_DAY) * DAY_MS

/** What owners should have been told at `now`; null = nothing. Whoever slept through one notice gets only the newest. */
export function dueNotice(subscription: Subscription, now: number): BillingNotice | null {
  const { state, trialEndsAt } = computeEntitlements(subscription, now)
  if (state === 'trialing')
    return trialEndsAt !== null && now >= trialEndsAt - TRIAL_NOTICE_LEAD_MS ? 'trialEnding' : null
  if (state === 'trial_expired') return 'trialEnded'
  if (state === 'past_due') return 'paymentMissing'
  if (state === 'restricted') return 'workspaceRestricted'
  return state === 'canceled' ? 'subscriptionEnded' : null
}
