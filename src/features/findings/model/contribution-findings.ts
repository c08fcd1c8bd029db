import type { FindingMember } from '../../../shared/findings'
import {
  CANDIDATE_P_MAX,
  KIND_PRIORS,
  NO_RESULT,
  effectOfWindows,
  effectWeight,
  toCandidate,
  typicalSize,
  type FindingCandidate,
  type SeriesAnalysis,
  type TestResult,
} from './candidates'
import { toFiniteNumber } from './decimals'
import { meanOf } from './statistics'
import { changeBetween, contributionTables, ratioEffects, type WindowComparison } from './contributions'
import { testRowShare } from './row-shares'
import { contributionSentence } from './sentences'
import { toFindingPeriod, type AnalysisSubject, type SubjectDimension, type SubjectMember } from './subject'
import {
  memberSubject,
  newestWindows,
  sumOf,
  testNewestLevel,
  valueAt,
  windowsOf,
  type ComparedWindows,
  type WindowTest,
} from './window-findings'

/** Newest buckets in which rows alone are asked whether a member has stopped or begun: amounts of so few say little. */
const ROW_WINDOW_LENGTHS: Partial<Record<AnalysisSubject['grain'], readonly number[]>> = {
  month: [1, 2],
  week: [1, 2],
  day: [1, 3],
}
/** How much of all others together a member has usually been; none where others nearly cancel out, or weigh little: that would say
 * more of them than of the member. */
function usualPart({ subject, span }: SeriesAnalysis, { series }: SubjectMember, until: number): number | null {
  const usual = { from: span.from, to: until }
  const [own, whole] = [sumOf(series, usual), sumOf(subject.total, usual)]
  const ratio = whole === own ? null : own / (whole - own)
  if (ratio === null || !Number.isFinite(ratio)) return null
  return Math.abs(ratio) > 1 ? 0 : ratio
}

/**
 * What moves all alike shows in a member as much as in the others: so far as it went with their changes from bucket to bucket
 * before, between not at all and its usual part of them. Where each moves by itself, what is taken out of others
 * would only add their errors to its own.
 */
function sharedPart(
  analysis: SeriesAnalysis,
  { series }: SubjectMember,
  { part, until }: { part: number; until: number },
): number {
  const { subject, span } = analysis
  let [together, alone] = [0, 0]
  for (let t = span.from + 1; t <= until; t += 1) {
    const own = valueAt(series, t) - valueAt(series, t - 1)
    const others = valueAt(subject.total, t) - valueAt(subject.total, t - 1) - own
    together += own * others
    alone += others * others
  }
  const slope = alone > 0 ? together / alone : part
  return part < 0 ? Math.max(part, Math.min(0, slope)) : Math.min(part, Math.max(0, slope))
}

/** A member less so much of all others. */
function besideOthers({ subject }: SeriesAnalysis, { series }: SubjectMember, part: number): AnalysisSubject {
  const value = subject.buckets.map(
    (_, t) => valueAt(series, t) - part * (valueAt(subject.total, t) - valueAt(series, t)),
  )
  return {
    ...subject,
    additive: true,
    counts: false,
    scale: undefined,
    total: { value, count: series.count },
    under: undefined,
    dimensions: [],
  }
}

/** What moves as all others do is the whole's story: beside them it has moved at this chance. */
const BESIDE_REST_P_MAX = 0.05

function movedBesideRest(
  analysis: SeriesAnalysis,
  { series, under }: SubjectMember,
  at: { from: number; sign: number },
): boolean {
  const { subject } = analysis
  const below = subject.under
  if (!under || !below) return false
  const value = subject.buckets.map((_, t) => {
    const [own, all] = [valueAt(under, t), valueAt(below, t)]
    if (own === 0 || all === own) return null
    return valueAt(series, t) / own - (valueAt(subject.total, t) - valueAt(series, t)) / (all - own)
  })
  const apart: AnalysisSubject = {
    ...{ ...subject, additive: false, counts: false, scale: undefined, under: undefined, dimensions: [] },
    total: { value, count: series.count },
  }
  const test = testNewestLevel({ ...analysis, subject: apart }, at.from)
  return test !== null && test.p <= BESIDE_REST_P_MAX && Math.sign(test.size) === at.sign
}

interface MemberChange {
  one: SubjectMember
  change: number
  /** What of the change is more than its usual share of everybody's. */
  own: number
}

/** What a ratio is made of in two windows. */
const sidesOf = (
  { series, under }: Pick<SubjectMember, 'series' | 'under'>,
  { now, then }: WindowComparison,
): Parameters<typeof ratioEffects>[0] => ({
  over: { now: sumOf(series, now), then: sumOf(series, then) },
  under: { now: under ? sumOf(under, now) : 0, then: under ? sumOf(under, then) : 0 },
})

/** The member that rose and the one that fell most beyond its usual share. */
function extremes(
  { subject, span }: SeriesAnalysis,
  members: readonly SubjectMember[],
  { now, then }: WindowComparison,
): MemberChange[] {
  const { under } = subject
  const whole = sumOf(subject.total, now) - sumOf(subject.total, then)
  const usual = sumOf(subject.total, { from: span.from, to: now.from - 1 })
  const all = members.map((one): MemberChange => {
    if (under) {
      const { rate } = ratioEffects(
        sidesOf(one, { now, then }),
        sidesOf({ series: subject.total, under }, { now, then }),
      )
      return { one, change: rate, own: rate }
    }
    const change = sumOf(one.series, now) - sumOf(one.series, then)
    const share = usual === 0 ? 0 : sumOf(one.series, { from: span.from, to: now.from - 1 }) / usual
    return { one, change, own: change - (Math.abs(share) <= 1 ? share : 0) * whole }
  })
  const ranked = all.toSorted((a, b) => b.own - a.own)
  const [top, bottom] = [ranked[0], ranked.at(-1)]
  return [
    ...(top && top.own > 0 && top.change > 0 ? [top] : []),
    ...(bottom && bottom.own < 0 && bottom.change < 0 ? [bottom] : []),
  ]
}

/** Of the errors of one look, what all members are given alike; what is left is given them by their size. */
const EVEN_PART = 0.5

/**
 * As how many members of one size each one counts: a large one is the largest contributor sooner than a small one, and is what is
 * asked for first. One over each, added up, is one, whatever comes in the newest window (weighted Bonferroni,
 * Genovese, Roeder and Wasserman 2006).
 */
function placesOf(
  { span }: SeriesAnalysis,
  members: readonly SubjectMember[],
  { now }: WindowComparison,
): (one: SubjectMember) => number {
  const sizes = new Map(
    members.map((one) => {
      const { value } = one.under ?? one.series
      return [one, meanOf(value.slice(span.from, now.from).map((each) => Math.abs(toFiniteNumber(each) ?? 0)))]
    }),
  )
  const whole = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  return (one) => {
    const share = whole > 0 ? (sizes.get(one) ?? 0) / whole : 1 / members.length
    return 1 / (EVEN_PART / members.length + (1 - EVEN_PART) * share)
  }
}

/**
 * The largest contributor to a change and the largest detractor, where it moved beyond its usual share of the whole.
 * Among so many members one is always largest: its chance is counted for each of them, by {@link placesOf}.
 */
export function testContributions(
  analysis: SeriesAnalysis,
  dimension: SubjectDimension,
  members: readonly SubjectMember[],
): TestResult {
  if (!analysis.subject.additive || members.length < 2) return NO_RESULT
  const named = members.filter(({ member }) => typeof member !== 'boolean')
  const candidates: FindingCandidate[] = []
  let tests = 0
  const look = (windows: ComparedWindows, test: ContributionTest): void => {
    const places = placesOf(analysis, members, windows)
    for (const { one, change } of extremes(analysis, named, windows)) {
      const found = contributionCandidate(analysis, {
        dimension,
        one,
        members,
        change,
        windows,
        places: places(one),
        test,
      })
      if (found) candidates.push(found)
    }
  }
  for (const windows of newestWindows(analysis)) {
    tests += KIND_PRIORS.contribution
    look(windows, analysis.subject.under ? testOwnRatio : testLevelOrRows)
  }
  if (analysis.subject.under) return { tests: 0, windows: tests, candidates }
  for (const windows of windowsOf(analysis, ROW_WINDOW_LENGTHS[analysis.subject.grain] ?? [])) {
    tests += ROWS_PART * KIND_PRIORS.contribution
    look(windows, testLargeByRows)
  }
  return { tests: 0, windows: tests, candidates }
}

interface ContributionQuestion {
  one: SubjectMember
  /** All of its dimension. */
  members: readonly SubjectMember[]
  change: number
  windows: ComparedWindows
  test: ContributionTest
}
/** Whether a member's change is more than luck: its chance for one member said beforehand. */
type ContributionTest = (
  analysis: SeriesAnalysis,
  question: Pick<ContributionQuestion, 'one' | 'members' | 'change' | 'windows'>,
) => (Pick<WindowTest, 'p' | 't' | 'n'> & { size?: number }) | null

/** Of the errors of one look at amounts and at rows, what the rows are given. */
const ROWS_PART = 0.2
const CERTAIN_P_MAX = 1

const testOwnRatio: ContributionTest = (analysis, { one, change, windows: { now } }) => {
  const test = testNewestLevel({ ...analysis, subject: memberSubject(analysis, one) }, now.from)
  if (!test || Math.sign(test.size) !== Math.sign(change)) return null
  return movedBesideRest(analysis, one, { from: now.from, sign: Math.sign(change) }) ? test : null
}

const testLevel: ContributionTest = (analysis, { one, members, change, windows: { now } }) => {
  const until = now.from - 1
  const part = usualPart(analysis, one, until)
  if (part === null) return null
  const levelBeside = (less: number): WindowTest | null => {
    const test = testNewestLevel({ ...analysis, subject: besideOthers(analysis, one, less) }, now.from, {
      own: one,
      members,
    })
    return test && Math.sign(test.size) === Math.sign(change) ? test : null
  }
  const beside = levelBeside(part)
  if (!beside || beside.p > BESIDE_REST_P_MAX) return null
  const shared = sharedPart(analysis, one, { part, until })
  return shared === part ? beside : levelBeside(shared)
}

/** Amounts that moved as its rows did. */
export const testRows: ContributionTest = (analysis, { one, change, windows: { now, then, against } }) => {
  const test = testRowShare(analysis, one, { now, yearBefore: against === 'year' ? then : null })
  return test && Math.sign(test.t) === Math.sign(change) ? test : null
}

/** Of one or two buckets a part of the amount is told that nobody overlooks. */
const LARGE_CHANGE_MIN = 0.25
const testLargeByRows: ContributionTest = (analysis, question) => {
  const { one, change, windows } = question
  const largest = Math.max(Math.abs(sumOf(one.series, windows.now)), Math.abs(sumOf(one.series, windows.then)))
  const rows = Math.abs(change) >= LARGE_CHANGE_MIN * largest ? testRows(analysis, question) : null
  return rows && { ...rows, p: Math.min(1, rows.p / ROWS_PART) }
}

const testLevelOrRows: ContributionTest = (analysis, question) => {
  const [level, rows] = [testLevel(analysis, question), testRows(analysis, question)]
  const told = (test: typeof level, part: number): number => (test?.p ?? CERTAIN_P_MAX) / part
  const isByRows = told(rows, ROWS_PART) < told(level, 1 - ROWS_PART)
  const best = isByRows ? rows : level
  return best && { ...best, p: Math.min(1, told(best, isByRows ? ROWS_PART : 1 - ROWS_PART)) }
}

/** Of the whole, a member that is told by the fact alone makes up at least so much. */
const COLLAPSE_SHARE_MIN = 0.1
/** What of its amounts must be gone (or new) over two buckets at least. */
const COLLAPSE_CHANGE_MIN = 0.6
const COLLAPSE_BUCKETS_MIN = 2
/** That most of a large member is gone is a fact of the rows; that its rows went with it is asked by itself. */
const COLLAPSE_P_MAX = 0.1

/** Whether a large member has lost most of what it brought a year before, or brings so many times as much. */
function isCollapse({ subject, usual }: SeriesAnalysis, { one, change, windows, test }: ContributionQuestion): boolean {
  if (subject.under || test !== testLargeByRows || usual.own < COLLAPSE_SHARE_MIN * usual.whole) return false
  if (windows.now.to - windows.now.from + 1 < COLLAPSE_BUCKETS_MIN) return false
  const [now, then] = [sumOf(one.series, windows.now), sumOf(one.series, windows.then)]
  return Math.abs(change) >= COLLAPSE_CHANGE_MIN * Math.max(Math.abs(now), Math.abs(then))
}

function contributionCandidate(
  analysis: SeriesAnalysis,
  of: ContributionQuestion & { dimension: SubjectDimension; places: number },
): FindingCandidate | null {
  const { dimension, one, windows } = of
  const own = memberSubject(analysis, one)
  const test = of.test(analysis, of)
  if (!test) return null
  const weighed = Math.min(1, of.places * test.p)
  const whole = changeBetween(analysis.subject, windows)
  const [table] = contributionTables({ ...analysis.subject, dimensions: [dimension] }, windows)
  const member: FindingMember = { dimension: dimension.key, label: dimension.label, value: one.member }
  const look = { ...analysis, subject: own, member, usual: { ...analysis.usual, own: typicalSize(own) } }
  const alone = weighed * ROWS_PART
  const isFact = isCollapse(look, of) && alone <= COLLAPSE_P_MAX
  const p = isFact ? alone : weighed
  if (!(p < CANDIDATE_P_MAX || isFact) || !whole || !table) return null
  const made = effectOfWindows(look, windows)
  if (!made) return null
  const line = table.lines.find((each) => each.others === undefined && each.member === one.member)
  const length = windows.now.to - windows.now.from + 1
  return toCandidate(look, {
    kind: 'contribution',
    period: toFindingPeriod(analysis.subject, windows.now),
    against: windows.against,
    comparison: toFindingPeriod(analysis.subject, windows.then),
    effect: made.effect,
    isFact,
    contributions: [],
    statistic: { name: 't', value: test.t },
    n: test.n,
    p,
    change: analysis.subject.under ? of.change : of.change / length,
    weight: effectWeight(look, analysis.subject.under ? (test.size ?? of.change) : of.change / length),
    novelty: 0.85,
    sentence: (told) => contributionSentence(told, { member, whole: whole.change, line }),
  })
}
