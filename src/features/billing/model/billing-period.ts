import type { BillingInterval } from '../../../shared/billing/prices'
import { DAY_MS, HOUR_MS } from '../../../shared/dates'

const MONTHS_PER_INTERVAL: Record<BillingInterval, number> = { monthly: 1, yearly: 12 }

/** One period later (epoch ms), as Stripe counts: the same day and time, or the last day of a month without that day. */
export function addPeriod(at: number, interval: BillingInterval): number {
  const from = new Date(at)
  const month = from.getUTCMonth() + MONTHS_PER_INTERVAL[interval]
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const to = new Date(at)
  to.setUTCFullYear(from.getUTCFullYear(), month, Math.min(from.getUTCDate(), lastDay))
  return to.getTime()
}

/** What is left of our trial, as a checkout at Stripe takes it: to the second, or in whole days where that is too near. */
export type RemainingTrial = { endsAt: number } | { days: number }

/** Stripe takes no end nearer than 48 hours; a checkout page stays open for a day. */
const TRIAL_END_LEAD_MIN_MS = 48 * HOUR_MS + DAY_MS

/** Null = nothing is left. Whole days are rounded up: nobody loses any by paying early. */
export function remainingTrial(trialEndsAt: number | null, now: number): RemainingTrial | null {
  const remainingMs = (trialEndsAt ?? 0) - now
  if (trialEndsAt === null || remainingMs <= 0) return null
  return remainingMs >= TRIAL_END_LEAD_MIN_MS
    ? { endsAt: Math.ceil(trialEndsAt / 1000) * 1000 }
    : { days: Math.ceil(remainingMs / DAY_MS) }
}

/** When the first period that is paid for begins, for somebody who pays by card at `now`. */
export const firstChargeAt = (remaining: RemainingTrial | null, now: number): number =>
  remaining === null ? now : 'endsAt' in remaining ? remaining.endsAt : now + remaining.days * DAY_MS
