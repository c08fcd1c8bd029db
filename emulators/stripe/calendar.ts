/** Instants are whole seconds since 1970, days are days of UTC, as at Stripe. */
export const HOUR_SECONDS = 3_600
export const DAY_SECONDS = 86_400

export type Interval = 'day' | 'week' | 'month' | 'year'
export interface BillingInterval {
  interval: Interval
  count: number
}

/** The instant `steps` intervals after the anchor: on the anchor's day, or on the last of a month that is shorter. */
export function addIntervals(anchor: number, { interval, count }: BillingInterval, steps: number): number {
  const by = steps * count
  if (interval === 'day') return anchor + by * DAY_SECONDS
  if (interval === 'week') return anchor + by * 7 * DAY_SECONDS
  const from = new Date(anchor * 1000)
  const months = from.getUTCFullYear() * 12 + from.getUTCMonth() + by * (interval === 'year' ? 12 : 1)
  const year = Math.floor(months / 12)
  const month = months - year * 12
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const midnight = Date.UTC(year, month, Math.min(from.getUTCDate(), last)) / 1000
  return midnight + (((anchor % DAY_SECONDS) + DAY_SECONDS) % DAY_SECONDS)
}

const LENGTHS: Record<Interval, number> = {
  day: DAY_SECONDS,
  week: 7 * DAY_SECONDS,
  month: 30.44 * DAY_SECONDS,
  year: 365.25 * DAY_SECONDS,
}

/** The period around an instant: the last boundary at or before it, and the next one after it. */
export function periodAround(
  anchor: number,
  billingInterval: BillingInterval,
  at: number,
): { start: number; end: number } {
  let step = Math.floor((at - anchor) / (LENGTHS[billingInterval.interval] * billingInterval.count)) - 1
  while (addIntervals(anchor, billingInterval, step + 1) <= at) step += 1
  return { start: addIntervals(anchor, billingInterval, step), end: addIntervals(anchor, billingInterval, step + 1) }
}
