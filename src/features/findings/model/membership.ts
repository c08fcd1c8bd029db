import { toFiniteNumber } from './amounts'
import { logChoose, P_VALUE_MIN } from './distributions'
import { toCandidate, effectOfWindows, noveltyByAge } from './look'
import type { SeriesAnalysis } from './look'
import { HISTORY_BUCKETS_MIN } from './prepared'
import { meanOf, compensatedSum, varianceOf } from './robust'
import { isYearlySeason, seasonLength } from './season'
import { lostMemberSentence, newMemberSentence } from './sentences'
import { toFindingPeriod } from './span'
import { CANDIDATE_P_MAX, KIND_PRIORS } from './tested'
import type { FindingCandidate } from './tested'

/** A member counts as gone or come for at most this share of the buckets. */
const RECENT_SHARE_MAX = 1 / 3
const RECENT_BUCKETS_MAX = 12

/** In which buckets of the span a member was there, and by how many rows. */
function presenceByBucket({ subject, span }: SeriesAnalysis): { rows: number[]; there: boolean[] } {
  const rows: number[] = []
  const there: boolean[] = []
  for (let t = span.from; t <= span.to; t += 1) {
    const value = toFiniteNumber(subject.total.value[t] ?? null)
    const count = subject.total.count[t] ?? 0
    rows.push(count)
    there.push(value !== null && (count > 0 || value !== 0) && value !== 0)
  }
  return { rows, there }
}

/** How many rows come at once: their variance over their mean while the member was there, if that was long enough to say. */
function dispersionIndex(rows: readonly number[]): number {
  const during = rows.slice(
    rows.findIndex((count) => count > 0),
    rows.findLastIndex((count) => count > 0) + 1,
  )
  const own = during.length >= 6 ? during : rows
  const mean = meanOf(own)
  return mean > 0 ? Math.max(1, varianceOf(own) / mean) : 1
}

/**
 * The chance that all of a member's buckets lie in `within` of `all` places if they might lie anywhere: C(within, k) /
 * C(all, k); or the same of its rows, one by one, (within/all)^rows, where rows that come in bunches count as fewer.
 * The smaller of the two, doubled.
 */
export function gapPValue(rows: readonly number[], { active, within }: { active: number; within: number }): number {
  const all = rows.length
  const byBucket = within < active ? 0 : Math.exp(logChoose(within, active) - logChoose(all, active))
  const bunching = dispersionIndex(rows)
  const byRow = (within / all) ** (compensatedSum(rows) / bunching)
  return Math.min(1, Math.max(P_VALUE_MIN, 2 * Math.min(byBucket, byRow)))
}

function membershipChange(
  seriesAnalysis: SeriesAnalysis,
  kind: 'newMember' | 'lostMember',
  { length, p, name }: { length: number; p: number; name: number },
) {
  const { subject, span, member } = seriesAnalysis
  const now = { from: span.to - length + 1, to: span.to }
  const then = { from: now.from - length, to: now.from - 1 }
  const found = member && effectOfWindows(seriesAnalysis, { now, then })
  if (!found || !member) return null
  const period = toFindingPeriod(subject, now)
  const comparison = toFindingPeriod(subject, then)
  const told = { look: seriesAnalysis, member, period, comparison, effect: found.effect, contributions: [] }
  const moved = Number(found.effect.change) / length
  const share = seriesAnalysis.usual.whole > 0 ? Math.abs(moved) / seriesAnalysis.usual.whole : 0
  return toCandidate(seriesAnalysis, {
    kind,
    period,
    against: 'before',
    comparison,
    ...found,
    contributions: [],
    statistic: { name: 'runs', value: name },
    n: span.to - span.from + 1,
    p,
    change: moved,
    weight: Math.sqrt(share) / (Math.sqrt(share) + 0.2),
    novelty: noveltyByAge(length - 1, 8),
    sentence: kind === 'newMember' ? newMemberSentence(told) : lostMemberSentence(told),
  })
}

/** Whether the member was away in the same buckets of the year before too. */
function isSeasonalAbsence({ subject }: SeriesAnalysis, there: readonly boolean[], length: number): boolean {
  const season = seasonLength(subject.grain)
  if (!isYearlySeason(subject.grain) || there.length < season + length) return false
  const from = there.length - length - season
  return !there.slice(from, from + length).includes(true)
}

/** Whether a member stopped, or began, lately. Two tests. */
export function testMembership(seriesAnalysis: SeriesAnalysis): { tests: number; candidates: FindingCandidate[] } {
  const { rows, there } = presenceByBucket(seriesAnalysis)
  const all = there.length
  const active = there.filter(Boolean).length
  if (all < HISTORY_BUCKETS_MIN || active === 0) return { tests: 0, candidates: [] }
  const gone = all - 1 - there.lastIndexOf(true)
  const since = all - there.indexOf(true)
  const most = Math.min(RECENT_BUCKETS_MAX, Math.floor(all * RECENT_SHARE_MAX))
  const candidates: (FindingCandidate | null)[] = []
  if (gone > 0 && gone <= most && active >= 4 && !isSeasonalAbsence(seriesAnalysis, there, gone)) {
    const p = gapPValue(rows, { active, within: all - gone })
    if (p < CANDIDATE_P_MAX)
      candidates.push(membershipChange(seriesAnalysis, 'lostMember', { length: gone, p, name: active }))
  }
  if (since <= most && gone === 0 && active >= 2) {
    const p = gapPValue(rows, { active, within: since })
    if (p < CANDIDATE_P_MAX)
      candidates.push(membershipChange(seriesAnalysis, 'newMember', { length: since, p, name: active }))
  }
  return { tests: KIND_PRIORS.lostMember + KIND_PRIORS.newMember, candidates: candidates.flatMap((one) => one ?? []) }
}
