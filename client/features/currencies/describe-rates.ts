import { bucketEnd } from '../../../src/shared/figures/time-buckets'

/** First and last day of a month as `2026-03`. */
export function monthToRange(month: string): { from: string; to: string } {
  const from = `${month}-01`
  return { from, to: bucketEnd(from, 'month') }
}

export const rangeToMonth = ({ from, to }: { from: string; to: string }): string | null =>
  from.endsWith('-01') && to === bucketEnd(from, 'month') ? from.slice(0, 7) : null

/** "March 2026", "5 Mar 2026", "1 Jan 2026 – 31 Dec 2026". */
export function describeDayRange(span: { from: string; to: string }, date: (day: string) => string): string {
  const month = rangeToMonth(span)
  if (month !== null)
    return new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
      new Date(`${month}-01`),
    )
  return span.from === span.to ? date(span.from) : `${date(span.from)} – ${date(span.to)}`
}

export const RATE_SOURCE_LABELS = {
  ecb: 'ECB',
  riksbank: 'Riksbank',
  manual: 'Custom rate',
  same: 'Same currency',
} as const
