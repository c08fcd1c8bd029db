import { numberOf } from './amounts'
import { logChoose, P_LEAST } from './distributions'
import { drafted, effectOf, noveltyOf } from './look'
import type { Look } from './look'
import { HISTORY_LEAST } from './prepared'
import { meanOf, sumOf, varianceOf } from './robust'
import { isOfYear, seasonOf } from './season'
import { lostSentence, newSentence } from './sentences'
import { periodOf } from './span'
import { KEPT_BELOW, PRIOR } from './tested'
import type { Candidate } from './tested'

/** A member counts as gone or come for at most this share of the buckets. */
const RECENT = 1 / 3
const RECENT_MOST = 12

/** In which buckets of the span a member was there, and by how many rows. */
function presenceOf({ subject, span }: Look): { rows: number[]; there: boolean[] } {
  const rows: number[] = []
  const there: boolean[] = []
  for (let t = span.from; t <= span.to; t += 1) {
    const value = numberOf(subject.total.value[t] ?? null)
    const count = subject.total.count[t] ?? 0
    rows.push(count)
    there.push(value !== null && (count > 0 || value !== 0) && value !== 0)
  }
  return { rows, there }
}

/** How many rows come at once: their variance over their mean while the member was there, if that was long enough to say. */
function bunchingOf(rows: readonly number[]): number {
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
export function chanceOfGap(rows: readonly number[], { active, within }: { active: number; within: number }): number {
  const all = rows.length
  const byBucket = within < active ? 0 : Math.exp(logChoose(within, active) - logChoose(all, active))
  const bunching = bunchingOf(rows)
  const byRow = (within / all) ** (sumOf(rows) / bunching)
  return Math.min(1, Math.max(P_LEAST, 2 * Math.min(byBucket, byRow)))
}

function change(
  look: Look,
  kind: 'newMember' | 'lostMember',
  { length, p, name }: { length: number; p: number; name: number },
) {
  const { subject, span, member } = look
  const now = { from: span.to - length + 1, to: span.to }
  const then = { from: now.from - length, to: now.from - 1 }
  const found = member && effectOf(look, { now, then })
  if (!found || !member) return null
  const period = periodOf(subject, now)
  const comparison = periodOf(subject, then)
  const told = { look, member, period, comparison, effect: found.effect, contributions: [] }
  const moved = Number(found.effect.change) / length
  const share = look.usual.whole > 0 ? Math.abs(moved) / look.usual.whole : 0
  return drafted(look, {
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
    novelty: noveltyOf(length - 1, 8),
    sentence: kind === 'newMember' ? newSentence(told) : lostSentence(told),
  })
}

/** Whether the member was away in the same buckets of the year before too. */
function isYearly({ subject }: Look, there: readonly boolean[], length: number): boolean {
  const season = seasonOf(subject.grain)
  if (!isOfYear(subject.grain) || there.length < season + length) return false
  const from = there.length - length - season
  return !there.slice(from, from + length).includes(true)
}

/** Whether a member stopped, or began, lately. Two tests. */
export function membershipOf(look: Look): { tests: number; candidates: Candidate[] } {
  const { rows, there } = presenceOf(look)
  const all = there.length
  const active = there.filter(Boolean).length
  if (all < HISTORY_LEAST || active === 0) return { tests: 0, candidates: [] }
  const gone = all - 1 - there.lastIndexOf(true)
  const since = all - there.indexOf(true)
  const most = Math.min(RECENT_MOST, Math.floor(all * RECENT))
  const candidates: (Candidate | null)[] = []
  if (gone > 0 && gone <= most && active >= 4 && !isYearly(look, there, gone)) {
    const p = chanceOfGap(rows, { active, within: all - gone })
    if (p < KEPT_BELOW) candidates.push(change(look, 'lostMember', { length: gone, p, name: active }))
  }
  if (since <= most && gone === 0 && active >= 2) {
    const p = chanceOfGap(rows, { active, within: since })
    if (p < KEPT_BELOW) candidates.push(change(look, 'newMember', { length: since, p, name: active }))
  }
  return { tests: PRIOR.lostMember + PRIOR.newMember, candidates: candidates.flatMap((one) => one ?? []) }
}
