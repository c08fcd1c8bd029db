import { FINDING_KINDS } from '../../../shared/findings'
import type { FoundEffect } from '../../../shared/findings'
import { merged } from './merge'
import type { Candidate, Family, Tested } from './tested'

/** The share of false findings that is allowed among those told. */
export const FALSE_SHARE = 0.03

interface Judged {
  candidate: Candidate
  q: number
}

/**
 * Benjamini–Hochberg (1995) over all tests of a run, with weights (Genovese, Roeder and Wasserman 2006) that give the two
 * families half each: q of the k-th smallest p/w is the least m·(p/w)/k at or above it.
 */
export function withQ(tested: readonly Tested[]): Judged[] {
  const tests = (family: Family): number => tested.reduce((sum, one) => sum + one.tests[family], 0)
  const counts: Record<Family, number> = { total: tests('total'), member: tests('member') }
  const all = counts.total + counts.member
  const share = counts.total > 0 && counts.member > 0 ? 0.5 : 1
  const weight = (family: Family): number => (share * all) / Math.max(1, counts[family])
  const ranked = tested
    .flatMap(({ candidates }) => candidates)
    .map((candidate) => ({ candidate, held: candidate.p / weight(candidate.family) }))
    .toSorted((a, b) => a.held - b.held)
  let least = 1
  const judged: Judged[] = []
  for (let k = ranked.length; k >= 1; k -= 1) {
    const one = ranked[k - 1]
    if (!one) continue
    least = Math.min(least, (all * one.held) / k)
    judged.push({ candidate: one.candidate, q: least })
  }
  return judged.toReversed()
}

const order = (a: FoundEffect, b: FoundEffect): number =>
  b.score - a.score ||
  a.p - b.p ||
  FINDING_KINDS.indexOf(a.kind) - FINDING_KINDS.indexOf(b.kind) ||
  (textKey(a) < textKey(b) ? -1 : 1)
const textKey = ({ subject, member, period }: FoundEffect): string => JSON.stringify([subject, member, period])

function toEffect({ candidate, q }: Judged): FoundEffect {
  const { family, weight, novelty, ...effect } = candidate
  const confidence = Math.max(0, 1 - q / FALSE_SHARE) ** 0.25 * (family === 'total' ? 1 : 0.9)
  return { ...effect, q, confidence, score: weight * confidence * novelty }
}

/**
 * What stands up when all tests of a run are held together, best first: weak ones left out, one happening told once.
 * {@link FINDINGS_SHOWN} of them are shown first.
 */
export function judge(tested: readonly Tested[]): FoundEffect[] {
  const standing = withQ(tested).filter(({ q }) => q <= FALSE_SHARE)
  return merged(standing.map(toEffect)).toSorted(order)
}
