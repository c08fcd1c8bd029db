import { addMonths, dayFromIso, isoFromDay, monthIndexOf } from '../dates'
import type { Grain } from '../query/date-range'
import type { QueryResult } from '../query/result'

const WEEK_DAYS = 7
const BY_MONTHS: ReadonlySet<Grain> = new Set<Grain>(['month', 'quarter', 'year', 'fiscalQuarter', 'fiscalYear'])

/**
 * The first day of the bucket whose figure a comparison draws at the bucket that begins on `start`: Jan 2026 stands beside
 * Jan 2025. Null where the two periods do not say which it is.
 */
export function comparedBucket(start: string, grain: Grain, period: QueryResult['period']): string | null {
  const day = dayFromIso(start)
  const from = dayFromIso(period?.from ?? '')
  const before = dayFromIso(period?.compare?.from ?? '')
  if (day === null || from === null || before === null || grain === 'hour') return null
  const months = monthIndexOf(before) - monthIndexOf(from)
  const isWholeMonths = addMonths(from, months) === before
  if (BY_MONTHS.has(grain)) return isWholeMonths ? isoFromDay(addMonths(day, months)) : null
  if (grain === 'week' && (before - from) % WEEK_DAYS !== 0) return null
  const byMonths = grain === 'day' && isWholeMonths && from !== before
  return isoFromDay(byMonths ? addMonths(day, months) : day + before - from)
}
