import type { SeriesAnalysis } from './candidates'
import { meanOf, studentTPValue } from './statistics'
import type { BucketRange, SubjectMember } from './subject'

/**
 * Whether a member's part of the rows is another one in the newest buckets. Rows tell sooner than amounts: one large order hides
 * that all others stayed away.
 */

/** Buckets before a window that tell a member's usual part, the nearest ones. */
const USUAL_BUCKETS_MAX = 18
const USUAL_BUCKETS_MIN = 8
/** Rows that were to be expected for a part to say anything, and the part of the buckets before in which some came. */
const ROWS_MIN = 8
const THERE_SHARE_MIN = 0.6
/** Where all rows together are fewer than this part of the usual ones, the data end there: parts of so little say nothing. */
const WHOLE_SHARE_MIN = 0.5

interface RowShareTest {
  p: number
  t: number
  /** Buckets that were looked at. */
  n: number
}

const sumOf = (values: readonly number[], { from, to }: BucketRange): number =>
  values.slice(from, to + 1).reduce((sum, value) => sum + value, 0)

/**
 * How many times as much a sum over neighbouring buckets varies where a bucket remembers the one before: 1 + 2 ρ (L − 1) / L, of the
 * first autocorrelation, which so few buckets tell too low by about 1/n.
 */
function remembered(apart: readonly number[], { scattered, length }: { scattered: number; length: number }): number {
  const n = apart.length
  const products = apart.slice(1).map((one, i) => one * (apart[i] ?? 0))
  const memory = scattered > 0 ? meanOf(products) / scattered + 1 / n : 0
  return 1 + (2 * Math.max(0, memory) * (length - 1)) / length
}

/**
 * The number of rows beside what the usual part of all rows would be, as counts that vary more than binomial ones do by as
 * much as they did before (McCullagh and Nelder 1989). Where the year before is known, the window must lie on the same side of
 * that, so that a season is no collapse. Null where too little is there.
 */
export function testRowShare(
  { subject, span }: Pick<SeriesAnalysis, 'subject' | 'span'>,
  { series }: Pick<SubjectMember, 'series'>,
  { now, yearBefore }: { now: BucketRange; yearBefore: BucketRange | null },
): RowShareTest | null {
  const usual = { from: Math.max(span.from, now.from - USUAL_BUCKETS_MAX), to: now.from - 1 }
  const n = usual.to - usual.from + 1
  const [own, all] = [series.count, subject.total.count]
  const [before, whole] = [sumOf(own, usual), sumOf(all, usual)]
  if (n < USUAL_BUCKETS_MIN || before === 0 || before >= whole) return null
  const share = before / whole
  const [rows, total] = [sumOf(own, now), sumOf(all, now)]
  const expected = share * total
  const there = own.slice(usual.from, usual.to + 1).filter((count) => count > 0).length
  if (expected < ROWS_MIN || there < THERE_SHARE_MIN * n) return null
  if (total < (WHOLE_SHARE_MIN * whole * (now.to - now.from + 1)) / n) return null
  const apart = rows - expected
  const isSeasonal =
    yearBefore !== null && (rows * sumOf(all, yearBefore) - sumOf(own, yearBefore) * total) * apart <= 0
  if (isSeasonal) return null
  const apartBefore = Array.from({ length: n }, (_, i) => {
    const [at, of] = [own[usual.from + i] ?? 0, all[usual.from + i] ?? 0]
    return of > 0 ? (at - share * of) / Math.sqrt(of * share * (1 - share)) : 0
  })
  const scattered = meanOf(apartBefore.map((one) => one ** 2))
  const bunching =
    Math.max(1, (scattered * n) / (n - 1)) * remembered(apartBefore, { scattered, length: now.to - now.from + 1 })
  const spread = Math.sqrt(bunching * expected * (1 - share) * (1 + total / whole))
  return spread > 0
    ? { p: studentTPValue(apart / spread, n - 1), t: apart / spread, n: n + now.to - now.from + 1 }
    : null
}
