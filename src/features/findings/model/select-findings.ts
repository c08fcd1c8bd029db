import { FINDING_KINDS, namesMember } from '../../../shared/findings'
import type { Contribution, ContributionTable, DetectedFinding, FindingKind } from '../../../shared/findings'
import type { Cell } from '../../../shared/query/result'
import {
  KIND_PRIORS,
  isWindowKind,
  type FindingCandidate,
  type TestFamily,
  type SubjectTestResults,
} from './candidates'

/** Kinds that say of a member what a change of the total says of the whole. */
const MOVE_KINDS: readonly FindingKind[] = ['change', 'levelShift', 'trendBreak', 'newMember', 'lostMember', 'streak']
/** Those of them that go on. */
const LASTING_MOVE_KINDS: readonly FindingKind[] = ['levelShift', 'trendBreak']

const isMove = ({ kind }: DetectedFinding): boolean => MOVE_KINDS.includes(kind)
/** Of one member only the first of these is told: the others are the same happening. */
const isStory = (one: DetectedFinding): boolean => isMove(one) || isWindowKind(one.kind)
const changeSign = ({ effect }: DetectedFinding): number => Math.sign(Number(effect.change))

/** Whether the sentence of the total names the member. */
const isLead = ({ contributions: [table] }: DetectedFinding, { member }: DetectedFinding): boolean =>
  table?.dimension === member?.dimension && (table?.lines[0]?.member ?? null) === member?.value

/** Whether two say the same of the same rows: a customer, and the city that only this customer is in. */
const isDuplicate = (told: DetectedFinding, one: DetectedFinding): boolean =>
  told.kind === one.kind && periodAndEffectKey(told) === periodAndEffectKey(one)
const periodAndEffectKey = ({ period, effect }: DetectedFinding): string => JSON.stringify([period, effect])

/** Whether `told` already says what `one` would say. */
function covers(told: DetectedFinding, one: DetectedFinding): boolean {
  if (told.subject !== one.subject) return false
  if (told.member && one.member) {
    const isSame = told.member.dimension === one.member.dimension && told.member.value === one.member.value
    return (isSame && isStory(told) && isStory(one)) || isDuplicate(told, one)
  }
  if (told.member) return false
  if (one.member) {
    // The figures of a bend are slopes: one of nearly nothing does not mean that nothing was there.
    if (isMembershipChange(one))
      return isMove(told) && told.kind !== 'trendBreak' && changeSign(told) === changeSign(one) && isAllGone(told)
    // What has gone on for long in a member, and surely, is more than a doubtful newest bucket of the whole.
    if (told.kind === 'change' && LASTING_MOVE_KINDS.includes(one.kind) && one.p < told.p) return false
    if (one.kind === 'turned') return false
    // All members are somewhere in the tables of a whole: only the one that its sentence names is told by it.
    if (isWindowKind(one.kind)) return isLead(told, one) && changeSign(told) === changeSign(one)
    return isMove(told) && isStory(one) && changeSign(told) === changeSign(one) && namesMember(told, one)
  }
  if (told.kind === 'turned')
    return isMove(one) && changeSign(told) === changeSign(one) && told.period.to === one.period.to
  if (told.kind === 'mixShift') return one.kind === 'change' || one.kind === 'mixShift' || one.kind === 'concentration'
  if (told.kind === 'change' || told.kind === 'levelShift') return one.kind === 'streak' || one.kind === 'concentration'
  if (told.kind === 'trendBreak') return one.kind === 'streak'
  return told.kind === 'concentration' && one.kind === 'concentration'
}

/** What a few members account for in the change of a whole to have made it, and how many times their usual part that is. */
const MADE_SHARE_MIN = 0.6
const MADE_TIMES_MIN = 2
/** So many times less likely to be luck than what is told of the whole. */
const SURER = 5

/** Whether these members made the change of a whole, far beyond their part of it. */
function madeChange({ effect }: DetectedFinding, table: ContributionTable, members: ReadonlySet<Cell>): boolean {
  const own = table.lines.filter(({ others, member = null }) => others === undefined && members.has(member))
  const sum = (lines: readonly Contribution[], of: (line: Contribution) => number): number =>
    lines.reduce((all, line) => all + of(line), 0)
  const share = sum(own, ({ change }) => Number(change)) / Number(effect.change)
  const size = ({ previous }: Contribution): number => Math.abs(Number(previous))
  // Of a ratio, whose lines say nothing of their weights, by how many there are.
  const isRatio = own.some(({ rate }) => rate !== undefined)
  const usual = isRatio ? own.length / table.lines.length : sum(own, size) / sum(table.lines, size)
  return share >= MADE_SHARE_MIN && usual * MADE_TIMES_MIN <= share
}

/** What lasts in a whole, and is that of few members in which it shows far more surely: they say when it began. */
function isOfMembers(whole: DetectedFinding, found: readonly DetectedFinding[]): boolean {
  if (whole.member !== null || !LASTING_MOVE_KINDS.includes(whole.kind)) return false
  const surer = found.filter(
    (one) =>
      one.member !== null &&
      one.subject === whole.subject &&
      LASTING_MOVE_KINDS.includes(one.kind) &&
      changeSign(one) === changeSign(whole) &&
      one.p * SURER < whole.p,
  )
  return whole.contributions.some((table) => {
    const members = surer.flatMap(({ member }) => (member?.dimension === table.dimension ? [member.value] : []))
    return members.length > 0 && madeChange(whole, table, new Set(members))
  })
}

/** Whether hardly anything is left of the total, or there was hardly anything before. */
const isAllGone = ({ kind, effect }: DetectedFinding): boolean =>
  kind !== 'trendBreak' &&
  Math.min(Math.abs(Number(effect.value)), Math.abs(Number(effect.previous))) < 0.05 * Math.abs(Number(effect.change))

/**
 * Stronger first among those that could tell the same: totals before members, then by chance. Of members by what it comes to beside
 * all tests: that one of them made the newest window has paid for each of them, that one of them turned has not yet.
 */
const byStrength = (a: DetectedFinding, b: DetectedFinding): number =>
  Number(a.member !== null) - Number(b.member !== null) ||
  Number(b.kind === 'mixShift') - Number(a.kind === 'mixShift') ||
  Number(isMembershipChange(b)) - Number(isMembershipChange(a)) ||
  Number(b.kind === 'turned') - Number(a.kind === 'turned') ||
  (a.member === null ? 0 : a.q - b.q) ||
  a.p - b.p ||
  Math.abs(b.statistic.value) - Math.abs(a.statistic.value) ||
  (findingIdentity(a) < findingIdentity(b) ? -1 : 1)
const findingIdentity = ({ subject, member, kind, period }: DetectedFinding): string =>
  JSON.stringify([subject, member, kind, period])
const isMembershipChange = ({ kind }: DetectedFinding): boolean => kind === 'newMember' || kind === 'lostMember'

/** Members that turned with most others of their dimension say no more than the whole does. */
function withoutCommonTurns(
  found: readonly DetectedFinding[],
  tested: readonly SubjectTestResults[],
): DetectedFinding[] {
  const sizes = new Map<string, number>(
    tested.flatMap(({ subject, members = {} }) =>
      Object.entries(members).map(([key, n]) => [`${subject} ${key}`, n] as const),
    ),
  )
  const nameOf = ({ subject, member }: DetectedFinding): string => `${subject} ${member?.dimension ?? ''}`
  const turned = found.filter(({ kind, member }) => kind === 'turned' && member !== null)
  const isCommon = (one: DetectedFinding): boolean =>
    turned.includes(one) &&
    turned.filter((other) => nameOf(other) === nameOf(one)).length > (sizes.get(nameOf(one)) ?? Infinity) / 2
  return found.filter((one) => !isCommon(one))
}

/** A group is told instead of its parts where so many of them move for each group that does. */
const PARTS_PER_GROUP_MIN = 3
const isLastingMove = ({ member, kind }: DetectedFinding): boolean =>
  member !== null && (kind === 'change' || LASTING_MOVE_KINDS.includes(kind))
const isSameMove = (a: DetectedFinding, b: DetectedFinding): boolean =>
  a.subject === b.subject &&
  changeSign(a) === changeSign(b) &&
  a.period.from <= b.period.to &&
  b.period.from <= a.period.to

/**
 * Whether it is one of many members of its dimension that moved alike, where a single member of another dimension moved as they did
 * and as surely: seven products whose margin slips at once are one product group. What a group moved by is not less than its least part.
 */
function isPartOfGroup(part: DetectedFinding, found: readonly DetectedFinding[]): boolean {
  if (!isLastingMove(part)) return false
  const alike = found.filter((one) => isLastingMove(one) && isSameMove(one, part))
  const byDimension = Map.groupBy(alike, ({ member }) => member?.dimension ?? '')
  const parts = byDimension.get(part.member?.dimension ?? '') ?? []
  const size = ({ effect }: DetectedFinding): number => Math.abs(Number(effect.change))
  const least = Math.min(...parts.map(size))
  return [...byDimension.values()].some(
    (groups) =>
      groups.length * PARTS_PER_GROUP_MIN <= parts.length &&
      groups.every((group) => size(group) >= least && group.q <= Math.max(...parts.map(({ q }) => q))),
  )
}

/** One happening is told once: a member that a change of the total names is its driver, and not told again. */
function mergeOverlapping(found: readonly DetectedFinding[]): DetectedFinding[] {
  const told: DetectedFinding[] = []
  const own = found.filter((one) => !isOfMembers(one, found) && !isPartOfGroup(one, found))
  for (const one of own.toSorted(byStrength)) if (!told.some((other) => covers(other, one))) told.push(one)
  return told
}

/** The share of false findings that is allowed among those told. */
const FALSE_DISCOVERY_RATE = 0.05

interface CandidateWithQ {
  candidate: FindingCandidate
  q: number
}

/** How the errors that are allowed are shared between the families that have tests. */
const ERROR_SHARES: Record<TestFamily, number> = { total: 0.7, member: 0.07, window: 0.23 }

/** Of the errors of its family; the dimensions of a ratio share what the mix of it is given. */
function priorOf(
  { kind, tested = kind }: FindingCandidate,
  members: NonNullable<SubjectTestResults['members']>,
): number {
  return KIND_PRIORS[tested] / (tested === 'mixShift' ? Math.max(1, Object.keys(members).length) : 1)
}

/**
 * Benjamini–Hochberg (1995) over all tests of a run, with weights (Genovese, Roeder and Wasserman 2006): the families
 * have their shares, and each test its {@link KIND_PRIORS} within its family. With M tests and weights w of mean 1, q of the
 * k-th smallest p/w is the least M·(p/w)/k at or above it; M/w = sum of priors / (prior · share). A season, which is always there,
 * is judged beside seasons only: it earns what happened no errors.
 */
function withQValues(tested: readonly SubjectTestResults[]): CandidateWithQ[] {
  const tests = (testFamily: TestFamily): number => tested.reduce((sum, one) => sum + one.tests[testFamily], 0)
  const counts = { total: tests('total'), member: tests('member'), window: tests('window') }
  const given = (family: TestFamily): number => (counts[family] > 0 ? ERROR_SHARES[family] : 0)
  const all = given('total') + given('member') + given('window')
  const ranked = tested
    .flatMap(({ candidates, members = {} }) =>
      candidates.map((candidate) => ({ candidate, prior: priorOf(candidate, members) })),
    )
    .map(({ candidate, prior }) => {
      const { p, family } = candidate
      return { candidate, held: (p * counts[family]) / (prior * (ERROR_SHARES[family] / all)) }
    })
    .toSorted((a, b) => a.held - b.held)
  const isSeason = ({ candidate }: (typeof ranked)[number]): boolean => candidate.kind === 'season'
  return [...stepUp(ranked.filter(isSeason)), ...stepUp(ranked.filter((one) => !isSeason(one)))]
}

/**
 * q of each, of those in the order of their chances as held against all tests. Several views of one series (a shift that
 * looks like a turn, too) are one discovery, so k counts series.
 */
function stepUp(ranked: readonly { candidate: FindingCandidate; held: number }[]): CandidateWithQ[] {
  let least = 1
  const series = new Set<string>()
  return ranked
    .map(({ candidate, held }) => {
      const { subject, member } = candidate
      series.add(JSON.stringify([subject, member?.dimension, member?.value]))
      return { candidate, held: held / series.size }
    })
    .toReversed()
    .map(({ candidate, held }) => {
      least = Math.min(least, held)
      return { candidate, q: least }
    })
    .toReversed()
}

const byScore = (a: DetectedFinding, b: DetectedFinding): number =>
  b.score - a.score ||
  a.p - b.p ||
  FINDING_KINDS.indexOf(a.kind) - FINDING_KINDS.indexOf(b.kind) ||
  (findingSortKey(a) < findingSortKey(b) ? -1 : 1)
const findingSortKey = ({ subject, member, period }: DetectedFinding): string =>
  JSON.stringify([subject, member, period])

function toDetectedFinding({ candidate, q }: CandidateWithQ): DetectedFinding {
  const { family, weight, novelty, isFact, tested: _tested, ...effect } = candidate
  // That a sign turned is a fact: how sure it is that it is more than luck is told by its own chance.
  if (isFact === true && q > FALSE_DISCOVERY_RATE)
    return { ...effect, q, confidence: 1 - candidate.p, score: weight * (1 - candidate.p) * novelty }
  const confidence = Math.max(0, 1 - q / FALSE_DISCOVERY_RATE) ** 0.25 * (family === 'total' ? 1 : 0.9)
  return { ...effect, q, confidence, score: weight * confidence * novelty }
}

/**
 * What stands up when all tests of a run are held together, best first: weak ones left out, one happening told once.
 * {@link FINDINGS_SHOWN} of them are shown first.
 */
export function selectFindings(tested: readonly SubjectTestResults[]): DetectedFinding[] {
  const standing = withQValues(tested).filter(
    ({ q, candidate }) => q <= FALSE_DISCOVERY_RATE || candidate.isFact === true,
  )
  return withoutCommonTurns(mergeOverlapping(standing.map(toDetectedFinding)), tested).toSorted(byScore)
}
