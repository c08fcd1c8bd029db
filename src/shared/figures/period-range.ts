import { bucketLabel } from './cell-formatter'
import { bucketEnd } from './time-buckets'

const YEAR_LAST = /^(.+) (\d{4})$/
const DAY_FIRST = /^(\d{1,2}) (.+)$/

/** Two names of periods as one range: `May–Jul 2026`, `Nov 2025 – Oct 2026`, `3–9 Feb 2026`, `2024–2026`. */
export function joinPeriodNames(first: string, last: string): string {
  if (first === last) return first
  const [a, b] = [YEAR_LAST.exec(first), YEAR_LAST.exec(last)]
  if (!a?.[1] || !b?.[1]) return `${first}${/\s/.test(first + last) ? ' – ' : '–'}${last}`
  if (a[2] !== b[2]) return `${first} – ${last}`
  const [from, to] = [DAY_FIRST.exec(a[1]), DAY_FIRST.exec(b[1])]
  if (from?.[2] !== undefined && from[2] === to?.[2]) return `${from[1] ?? ''}–${last}`
  return `${a[1]}${/\s/.test(a[1] + b[1]) ? ' – ' : '–'}${last}`
}

/** Days (ISO) as one range, as far as they are whole months or years: `2023`, `Jan–Mar 2023`, `3–9 Feb 2026`. */
export function dayRangeName({ from, to }: { from: string; to: string }): string {
  const isWholeMonths = from.endsWith('-01') && to === bucketEnd(`${to.slice(0, 7)}-01`, 'month')
  if (isWholeMonths && from.slice(5, 7) === '01' && to.slice(5, 7) === '12')
    return joinPeriodNames(from.slice(0, 4), to.slice(0, 4))
  const grain = isWholeMonths ? 'month' : 'day'
  return joinPeriodNames(bucketLabel(from, grain), bucketLabel(to, grain))
}
