import type { Kept } from './store'

/** Half of what being new adds is gone after so long. */
const NOVELTY_HALF_LIFE_MS = 14 * 24 * 60 * 60 * 1000
/** An old finding still counts for this share of a new one. */
const NOVELTY_LEAST = 0.5
const USELESS = 0.25
/** Each further one of the same kind about the same figure counts for less: five first ones should tell five things. */
const AGAIN = 0.5
/** A group speaks for its members when it shows what they show at least this clearly. */
const SPEAKS_FOR = 0.6

/** How much a finding's age leaves of its score: 1 for what was first found now. */
export const noveltyOf = (firstFoundAt: number, now: number): number =>
  NOVELTY_LEAST + (1 - NOVELTY_LEAST) * 2 ** (-Math.max(0, now - firstFoundAt) / NOVELTY_HALF_LIFE_MS)

interface Scored {
  finding: Kept
  score: number
}

/** Pinned ones first, then by |effect| × confidence × novelty; what the asker called useless sinks. */
export function ranked(findings: readonly Kept[], now: number): Kept[] {
  const scoreOf = ({ score, firstFoundAt, rating }: Kept): number =>
    score * noveltyOf(Date.parse(firstFoundAt), now) * (rating === 'useless' ? USELESS : 1)
  const scored = findings.map((finding): Scored => ({ finding, score: scoreOf(finding) }))
  return [...alike(scored).values()]
    .flatMap(inTurn)
    .toSorted(
      (a, b) =>
        Number(b.finding.pinned) - Number(a.finding.pinned) ||
        b.score - a.score ||
        (a.finding.key < b.finding.key ? -1 : 1),
    )
    .map(({ finding }) => finding)
}

/** Findings of one kind about one figure. */
function alike(scored: readonly Scored[]): Map<string, Scored[]> {
  const groups = new Map<string, Scored[]>()
  for (const each of scored) {
    const name = `${each.finding.subject} ${each.finding.kind}`
    groups.set(name, [...(groups.get(name) ?? []), each])
  }
  return groups
}

/** The whole comes before its groups, what a person split it by before other splits, few groups before many. */
const breadth = ({ finding: { member, about } }: Scored): number =>
  member === null ? -1 : about.dimensions.findIndex(({ key }) => key === member.dimension)

/** The one that speaks for those that began with it has the score of the clearest of them; the others stand back. */
function inTurn(group: readonly Scored[]): Scored[] {
  const sorted = group.toSorted((a, b) => b.score - a.score)
  const [best] = sorted
  if (!best) return []
  const isSame = ({ finding }: Scored): boolean => finding.period.from === best.finding.period.from
  const [speaker = best] = sorted
    .filter((each) => isSame(each) && each.score >= SPEAKS_FOR * best.score && each.finding.tone === best.finding.tone)
    .toSorted((a, b) => breadth(a) - breadth(b))
  const others = sorted.filter((each) => each !== speaker)
  return [
    { ...speaker, score: best.score },
    ...others.map((each, n) => ({ ...each, score: each.score * AGAIN ** (n + 1) })),
  ]
}
