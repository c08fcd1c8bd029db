import type { FindingMember } from '../../../shared/findings'
import {
  NO_RESULT,
  effectOfWindows,
  effectWeight,
  toCandidate,
  typicalSize,
  type FindingCandidate,
  type SeriesAnalysis,
  type TestResult,
} from './candidates'
import { testRows } from './contribution-findings'
import { changeBetween, type WindowComparison } from './contributions'
import { memberMoveSentence } from './sentences'
import { toFindingPeriod, type AnalysisSubject, type SubjectDimension, type SubjectMember } from './subject'
import { memberSubject, sumOf, windowsOf, type ComparedWindows } from './window-findings'

/**
 * Members that moved far in the newest quarter: that a product group lost half of what it sold is a fact, whichever
 * other one moved more. It is told where its rows went with it and that is no luck; how many were looked at is counted.
 */

/** Newest buckets: a quarter of a year; of days, a month. */
const MOVE_LENGTHS: Partial<Record<AnalysisSubject['grain'], readonly number[]>> = {
  month: [3],
  week: [13],
  day: [28],
}
/** Of the whole, in one of both windows; and rows in the larger one. */
const SHARE_MIN = 0.03
const ROWS_MIN = 10
/** How far it moved: by itself, and beside all others. */
const OWN_MIN = 0.25
const BESIDE_MIN = 0.4
/** The chance that any of those that were looked at moves so by luck, for one to be told. */
const CHANCE_MAX = 0.05

interface Moved {
  now: number
  then: number
}
const movedOf = ({ series }: Pick<SubjectMember, 'series'>, { now, then }: WindowComparison): Moved => ({
  now: sumOf(series, now),
  then: sumOf(series, then),
})

const wholeOf = ({ subject }: SeriesAnalysis, windows: WindowComparison): Moved =>
  movedOf({ series: subject.total }, windows)

const isLarge = (own: Moved, whole: Moved): boolean =>
  own.now >= SHARE_MIN * whole.now || own.then >= SHARE_MIN * whole.then

/** A rise of two fifths, and the fall that takes it back, are as far. */
const isFar = ({ now, then }: Moved, least: number): boolean => Math.max(now, then) >= (1 + least) * Math.min(now, then)

/** Whether a member moved far by itself, and beside all others the same way. */
function isFarMove(own: Moved, whole: Moved): boolean {
  const others = { now: whole.now - own.now, then: whole.then - own.then }
  if (own.now < 0 || own.then <= 0 || others.now <= 0 || others.then <= 0) return false
  const beside = { now: own.now * others.then, then: own.then * others.now }
  const isOneWay = (own.now - own.then) * (beside.now - beside.then) > 0
  return isOneWay && isFar(own, OWN_MIN) && isFar(beside, BESIDE_MIN)
}

/** Members of all dimensions that are large enough to be told of. */
const triesOf = (analysis: SeriesAnalysis, windows: WindowComparison): number => {
  const whole = wholeOf(analysis, windows)
  return analysis.subject.dimensions
    .flatMap(({ members }) => members)
    .filter((one) => isLarge(movedOf(one, windows), whole)).length
}

const rowsIn = ({ series }: SubjectMember, { from, to }: WindowComparison['now']): number =>
  series.count.slice(from, to + 1).reduce((sum, count) => sum + count, 0)

/** A member that moved far, with the chance that one of all that were looked at did so by luck. */
interface Move {
  one: SubjectMember
  own: Moved
  p: number
  test: { t: number; n: number }
}

function movesIn(analysis: SeriesAnalysis, members: readonly SubjectMember[], windows: ComparedWindows): Move[] {
  const whole = wholeOf(analysis, windows)
  const far = members.flatMap((one) => {
    const own = movedOf(one, windows)
    const rows = Math.max(rowsIn(one, windows.now), rowsIn(one, windows.then))
    const isTold = typeof one.member !== 'boolean' && rows >= ROWS_MIN && isLarge(own, whole) && isFarMove(own, whole)
    return isTold ? [{ one, own }] : []
  })
  const tries = far.length > 0 ? triesOf(analysis, windows) : 0
  return far.flatMap(({ one, own }): Move[] => {
    const test = testRows(analysis, { one, members, change: own.now - own.then, windows })
    const p = test ? tries * test.p : 1
    return test && p <= CHANCE_MAX ? [{ one, own, p, test }] : []
  })
}

const sizeOf = ({ own }: Move): number => Math.abs(own.now - own.then)
/** Others of its dimension that a member is told with. */
const OTHERS_TOLD = 2

/** Those of a dimension that moved far, each told with the others. */
export function testMemberMoves(
  analysis: SeriesAnalysis,
  dimension: SubjectDimension,
  members: readonly SubjectMember[],
): TestResult {
  const { subject } = analysis
  if (!subject.additive || subject.under || members.length < 2) return NO_RESULT
  const candidates = windowsOf(analysis, MOVE_LENGTHS[subject.grain] ?? []).flatMap((windows) => {
    const moves = movesIn(analysis, members, windows).toSorted((a, b) => sizeOf(b) - sizeOf(a))
    return moves.flatMap((move) => {
      const others = moves.filter((other) => other !== move).slice(0, OTHERS_TOLD)
      return moveCandidate(analysis, { dimension, windows, move, others }) ?? []
    })
  })
  return { tests: 0, candidates }
}

/** A member as a figure of its own, and what it came to in two windows. */
function effectOfMember(
  analysis: SeriesAnalysis,
  dimension: SubjectDimension,
  one: SubjectMember,
  windows: ComparedWindows,
) {
  const own = memberSubject(analysis, one)
  const member: FindingMember = { dimension: dimension.key, label: dimension.label, value: one.member }
  const look = { ...analysis, subject: own, member, usual: { ...analysis.usual, own: typicalSize(own) } }
  const made = effectOfWindows(look, windows)
  return made && { look, member, effect: made.effect }
}

function moveCandidate(
  analysis: SeriesAnalysis,
  of: { dimension: SubjectDimension; windows: ComparedWindows; move: Move; others: readonly Move[] },
): FindingCandidate | null {
  const { dimension, windows, move } = of
  const made = effectOfMember(analysis, dimension, move.one, windows)
  const whole = changeBetween(analysis.subject, windows)
  if (!made || !whole) return null
  const { look, member, effect } = made
  const change = (move.own.now - move.own.then) / (windows.now.to - windows.now.from + 1)
  const others = of.others.flatMap(({ one }) => effectOfMember(analysis, dimension, one, windows) ?? [])
  return toCandidate(look, {
    kind: 'contribution',
    period: toFindingPeriod(analysis.subject, windows.now),
    against: windows.against,
    comparison: toFindingPeriod(analysis.subject, windows.then),
    effect,
    isFact: true,
    contributions: [],
    statistic: { name: 't', value: move.test.t },
    n: move.test.n,
    p: move.p,
    change,
    weight: effectWeight(look, change),
    novelty: 0.85,
    sentence: (told) => memberMoveSentence(told, { member, whole: whole.change, others }),
  })
}

const isOfOne = (a: FindingCandidate, b: FindingCandidate): boolean =>
  a.member?.value === b.member?.value && a.effect.change.startsWith('-') === b.effect.change.startsWith('-')

/**
 * What is told of a member's quarter says what happened in its last months, too; of the same quarter it is as sure as the surest test of
 * it.
 */
export function withMoves(contributions: TestResult, moves: TestResult): TestResult {
  const isWithin = (one: FindingCandidate, move: FindingCandidate): boolean =>
    isOfOne(one, move) && one.kind === move.kind && one.period.from >= move.period.from
  const kept = contributions.candidates.filter((one) => !moves.candidates.some((move) => isWithin(one, move)))
  const surest = (move: FindingCandidate): number =>
    Math.min(
      move.p,
      ...contributions.candidates
        .filter((one) => isWithin(one, move) && one.period.from === move.period.from)
        .map(({ p }) => p),
    )
  return { ...contributions, candidates: [...kept, ...moves.candidates.map((move) => ({ ...move, p: surest(move) }))] }
}
