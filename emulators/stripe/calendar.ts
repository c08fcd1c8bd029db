/** Instants are whole seconds since 1970, days are days of UTC, as at Stripe. */
export const HOUR = 3_600
export const DAY = 86_400

export type Interval = 'day' | 'week' | 'month' | 'year'
export interface Cadence {
  interval: Interval
  count: number
}

/** The instant `steps` intervals after the anchor: on the anchor's day, or on the last of a month that is shorter. */
export function anchored(anchor: number, { interval, count }: Cadence, steps: number): number {
  const by = steps * count
  if (interval === 'day') return anchor + by * DAY
  if (interval === 'week') return anchor + by * 7 * DAY
  const from = new Date(anchor * 1000)
  const months = from.getUTCFullYear() * 12 + from.getUTCMonth() + by * (interval === 'year' ? 12 : 1)
  const year = Math.floor(months / 12)
  const month = months - year * 12
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const midnight = Date.UTC(year, month, Math.min(from.getUTCDate(), last)) / 1000
  return midnight + (((anchor % DAY) + DAY) % DAY)
}

const LENGTHS: Record<Interval, number> = { day: DAY, week: 7 * DAY, month: 30.44 * DAY, year: 365.25 * DAY }

/** The period around an instant: the last boundary at or before it, and the next one after it. */
export function periodAround(anchor: number, cadence: Cadence, at: number): { start: number; end: number } {
  let step = Math.floor((at - anchor) / (LENGTHS[cadence.interval] * cadence.count)) - 1
  while (anchored(anchor, cadence, step + 1) <= at) step += 1
  return { start: anchored(anchor, cadence, step), end: anchored(anchor, cadence, step + 1) }
}
