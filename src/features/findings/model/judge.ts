import { FINDING_KINDS } from '../../../shared/findings'
import type { FoundEffect } from '../../../shared/findings'
import { merged } from './merge'
import { PRIOR } from './tested'
import type { Candidate, Family, Tested } from './tested'

/** The share of false findings that is allowed among those told. */
export const FALSE_SHARE = 0.05

interface Judged {
  candidate: Candidate
  q: number
}

/** Of the errors that are allowed, what the tests of totals are given where members are tested too. */
const OF_TOTALS = 0.85

/**
 * Benjamini–Hochberg (1995) over all tests of a run, with weights (Genovese, Roeder and Wasserman 2006): the families
 * have their shares, and each test its {@link PRIOR} within its family. With M tests and weights w of mean 1, q of the
 * k-th smallest p/w is the least M·(p/w)/k at or above it; M/w = sum of priors / (prior · share).
 */
export function withQ(tested: readonly Tested[]): Judged[] {
  const tests = (family: Family): number => tested.reduce((sum, one) => sum + one.tests[family], 0)
  const counts: Record<Family, number> = { total: tests('total'), member: tests('member') }
  const isBoth = counts.total > 0 && counts.member > 0
  const shares: Record<Family, number> = isBoth ? { total: OF_TOTALS, member: 1 - OF_TOTALS } : { total: 1, member: 1 }
  const ranked = tested
    .flatMap(({ candidates }) => candidates)
    .map((candidate) => {
      const { p, kind, family } = candidate
      return { candidate, held: (p * counts[family]) / (PRIOR[kind] * shares[family]) }
    })
    .toSorted((a, b) => a.held - b.held)
  let least = 1
  const judged: Judged[] = []
  for (let k = ranked.length; k >= 1; k -= 1) {
    const one = ranked[k - 1]
    if (!one) continue
    least = Math.min(least, one.held / k)
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
