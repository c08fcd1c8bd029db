import type { StoredFinding } from './store'

/** Half of what being new adds is gone after so long. */
const NOVELTY_HALF_LIFE_MS = 14 * 24 * 60 * 60 * 1000
/** An old finding still counts for this share of a new one. */
const NOVELTY_MIN = 0.5
const USELESS_FACTOR = 0.25
/** Each further one of the same kind about the same figure counts for less: five first ones should tell five things. */
const REPEAT_FACTOR = 0.5
/** A group speaks for its members when it shows what they show at least this clearly. */
const REPRESENTATIVE_SHARE_MIN = 0.6

/** How much a finding's age leaves of its score: 1 for what was first found now. */
export const noveltyFactor = (firstFoundAt: number, now: number): number =>
  NOVELTY_MIN + (1 - NOVELTY_MIN) * 2 ** (-Math.max(0, now - firstFoundAt) / NOVELTY_HALF_LIFE_MS)

interface ScoredFinding {
  finding: StoredFinding
  score: number
}

/** Pinned ones first, then by |effect| × confidence × novelty; what the asker called useless sinks. */
export function rankFindings(findings: readonly StoredFinding[], now: number): StoredFinding[] {
  const scoreOf = ({ score, firstFoundAt, rating }: StoredFinding): number =>
    score * noveltyFactor(Date.parse(firstFoundAt), now) * (rating === 'useless' ? USELESS_FACTOR : 1)
  const scored = findings.map((finding): ScoredFinding => ({ finding, score: scoreOf(finding) }))
  return [...groupAlike(scored).values()]
    .flatMap(demoteRepeats)
    .toSorted(
      (a, b) =>
        Number(b.finding.pinned) - Number(a.finding.pinned) ||
        b.score - a.score ||
        (a.finding.key < b.finding.key ? -1 : 1),
    )
    .map(({ finding }) => finding)
}

/** Findings of one kind about one figure. */
function groupAlike(scored: readonly ScoredFinding[]): Map<string, ScoredFinding[]> {
  const groups = new Map<string, ScoredFinding[]>()
  for (const each of scored) {
    const name = `${each.finding.subject} ${each.finding.kind}`
    groups.set(name, [...(groups.get(name) ?? []), each])
  }
  return groups
}

/** The whole comes before its groups, what a person split it by before other splits, few groups before many. */
const breakdownRank = ({ finding: { member, about } }: ScoredFinding): number =>
  member === null ? -1 : about.dimensions.findIndex(({ key }) => key === member.dimension)

/** The one that speaks for those that began with it has the score of the clearest of them; the others stand back. */
function demoteRepeats(group: readonly ScoredFinding[]): ScoredFinding[] {
  const sorted = group.toSorted((a, b) => b.score - a.score)
  const [best] = sorted
  if (!best) return []
  const isSame = ({ finding }: ScoredFinding): boolean => finding.period.from === best.finding.period.from
  const [speaker = best] = sorted
    .filter(
      (each) =>
        isSame(each) && each.score >= REPRESENTATIVE_SHARE_MIN * best.score && each.finding.tone === best.finding.tone,
    )
    .toSorted((a, b) => breakdownRank(a) - breakdownRank(b))
  const others = sorted.filter((each) => each !== speaker)
  return [
    { ...speaker, score: best.score },
    ...others.map((each, n) => ({ ...each, score: each.score * REPEAT_FACTOR ** (n + 1) })),
  ]
}
