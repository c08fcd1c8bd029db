import { FINDING_KINDS } from '../../../shared/findings'
import type { DetectedFinding } from '../../../shared/findings'
import { mergeOverlapping } from './merge'
import { KIND_PRIORS } from './tested'
import type { FindingCandidate, TestFamily, SubjectTestResults } from './tested'

/** The share of false findings that is allowed among those told. */
export const FALSE_DISCOVERY_RATE = 0.05

interface CandidateWithQ {
  candidate: FindingCandidate
  q: number
}

/** Of the errors that are allowed, what the tests of totals are given where members are tested too. */
const TOTALS_ERROR_SHARE = 0.85

/**
 * Benjamini–Hochberg (1995) over all tests of a run, with weights (Genovese, Roeder and Wasserman 2006): the families
 * have their shares, and each test its {@link KIND_PRIORS} within its family. With M tests and weights w of mean 1, q of the
 * k-th smallest p/w is the least M·(p/w)/k at or above it; M/w = sum of priors / (prior · share).
 */
export function withQValues(tested: readonly SubjectTestResults[]): CandidateWithQ[] {
  const tests = (testFamily: TestFamily): number => tested.reduce((sum, one) => sum + one.tests[testFamily], 0)
  const counts: Record<TestFamily, number> = { total: tests('total'), member: tests('member') }
  const isBoth = counts.total > 0 && counts.member > 0
  const shares: Record<TestFamily, number> = isBoth
    ? { total: TOTALS_ERROR_SHARE, member: 1 - TOTALS_ERROR_SHARE }
    : { total: 1, member: 1 }
  const ranked = tested
    .flatMap(({ candidates }) => candidates)
    .map((candidate) => {
      const { p, kind, family } = candidate
      return { candidate, held: (p * counts[family]) / (KIND_PRIORS[kind] * shares[family]) }
    })
    .toSorted((a, b) => a.held - b.held)
  let least = 1
  const judged: CandidateWithQ[] = []
  for (let k = ranked.length; k >= 1; k -= 1) {
    const one = ranked[k - 1]
    if (!one) continue
    least = Math.min(least, one.held / k)
    judged.push({ candidate: one.candidate, q: least })
  }
  return judged.toReversed()
}

const byScore = (a: DetectedFinding, b: DetectedFinding): number =>
  b.score - a.score ||
  a.p - b.p ||
  FINDING_KINDS.indexOf(a.kind) - FINDING_KINDS.indexOf(b.kind) ||
  (findingSortKey(a) < findingSortKey(b) ? -1 : 1)
const findingSortKey = ({ subject, member, period }: DetectedFinding): string =>
  JSON.stringify([subject, member, period])

function toDetectedFinding({ candidate, q }: CandidateWithQ): DetectedFinding {
  const { family, weight, novelty, ...effect } = candidate
  const confidence = Math.max(0, 1 - q / FALSE_DISCOVERY_RATE) ** 0.25 * (family === 'total' ? 1 : 0.9)
  return { ...effect, q, confidence, score: weight * confidence * novelty }
}

/**
 * What stands up when all tests of a run are held together, best first: weak ones left out, one happening told once.
 * {@link FINDINGS_SHOWN} of them are shown first.
 */
export function selectFindings(tested: readonly SubjectTestResults[]): DetectedFinding[] {
  const standing = withQValues(tested).filter(({ q }) => q <= FALSE_DISCOVERY_RATE)
  return mergeOverlapping(standing.map(toDetectedFinding)).toSorted(byScore)
}
