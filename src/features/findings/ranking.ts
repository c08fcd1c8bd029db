import type { Kept } from './store'

/** Half of what being new adds is gone after so long. */
const NOVELTY_HALF_LIFE_MS = 14 * 24 * 60 * 60 * 1000
/** An old finding still counts for this share of a new one. */
const NOVELTY_LEAST = 0.5
const USELESS = 0.25
/** Each further one of the same kind about the same figure counts for less: five first ones should tell five things. */
const AGAIN = 0.6

/** How much a finding's age leaves of its score: 1 for what was first found now. */
export const noveltyOf = (firstFoundAt: number, now: number): number =>
  NOVELTY_LEAST + (1 - NOVELTY_LEAST) * 2 ** (-Math.max(0, now - firstFoundAt) / NOVELTY_HALF_LIFE_MS)

/** Pinned ones first, then by |effect| × confidence × novelty; what the asker called useless sinks. */
export function ranked(findings: readonly Kept[], now: number): Kept[] {
  const scoreOf = ({ score, firstFoundAt, rating }: Kept): number =>
    score * noveltyOf(Date.parse(firstFoundAt), now) * (rating === 'useless' ? USELESS : 1)
  const plain = findings.map((finding) => ({ finding, score: scoreOf(finding) })).toSorted((a, b) => b.score - a.score)
  const seen = new Map<string, number>()
  const varied = plain.map(({ finding, score }) => {
    const name = `${finding.subject} ${finding.kind}`
    const before = seen.get(name) ?? 0
    seen.set(name, before + 1)
    return { finding, score: score * AGAIN ** before }
  })
  return varied
    .toSorted(
      (a, b) =>
        Number(b.finding.pinned) - Number(a.finding.pinned) ||
        b.score - a.score ||
        (a.finding.key < b.finding.key ? -1 : 1),
    )
    .map(({ finding }) => finding)
}
