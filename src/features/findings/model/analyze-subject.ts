import type { FindingMember } from '../../../shared/findings'
import { SHAPES, DesignCache, HISTORY_BUCKETS_MIN, standardizeSeries, dataSpan } from './regression-design'
import { NO_RESULT, NO_TESTS, typicalSize } from './candidates'
import type { TestResult, SeriesAnalysis, FindingCandidate, SubjectTestResults } from './candidates'
import type { Shape, StandardizedSeries } from './regression-design'
import { siblingsOf, splitColumnsOf, type Siblings } from './siblings'
import { testMembership, testConcentration, testMixShift } from './member-findings'
import { testSeason, testStreak, shapeCandidates, countShapeTests } from './series-findings'
import { scanForShapes } from './scan'
import type { AnalysisSubject, SubjectDimension, SubjectMember } from './subject'
import { testTargetRisk } from './target-risk'
import { testContributions } from './contribution-findings'
import { testMemberMoves, withMoves } from './member-moves'
import { testOvertaking, testTurned } from './window-findings'

/** Members of one dimension that are looked at on their own, the largest first. */
const MEMBERS_ANALYZED_MAX = 40
/** Members that are looked at in one step: some milliseconds. */
const MEMBERS_OF_STEP = 10
/** Members below this share of the whole are not: whatever they do, it is small. */
const MEMBER_SHARE_MIN = 0.005

/** Earlier buckets of single members that stand apart are not told: among so many some always do. */
const MEMBER_SHAPES: readonly Shape[] = ['newest', 'step', 'bend']

/** With what the parts of a figure say of tails, as logarithms. */
type TotalTestResult = TestResult & { tails?: readonly number[] | undefined }
const combineResults = (results: readonly TestResult[]): TestResult => ({
  tests: results.reduce((sum, { tests }) => sum + tests, 0),
  windows: results.reduce((sum, { windows = 0 }) => sum + windows, 0),
  candidates: results.flatMap(({ candidates }) => candidates),
})

function testMemberShapes(analysis: SeriesAnalysis): TestResult {
  const series = standardizeSeries(analysis.subject, analysis.span)
  return series ? testShapes(analysis, series, { shapes: MEMBER_SHAPES }) : NO_RESULT
}

function testShapes(
  analysis: SeriesAnalysis,
  series: StandardizedSeries,
  of: { shapes: readonly Shape[]; siblings?: Siblings },
): TotalTestResult {
  const frame = analysis.designs.designFor(series)
  const scanned = scanForShapes(frame, { ...series, ...of, tails: analysis.tails })
  const candidates = shapeCandidates({ look: analysis, series, scanned })
  return { tests: countShapeTests(scanned), candidates, tails: scanned.tails() }
}

/** Tests of the figure itself, after what they compare it with, and those of the weights of each dimension, one step each. */
function* testTotal(analysis: SeriesAnalysis): Generator<undefined, TotalTestResult> {
  const series = standardizeSeries(analysis.subject, analysis.span)
  if (!series) return NO_RESULT
  const frame = analysis.designs.designFor(series)
  yield
  const siblings = siblingsOf(frame, splitColumnsOf(analysis, series))
  yield
  const shapes = testShapes(analysis, series, { shapes: SHAPES, siblings })
  yield
  const each = [shapes, testStreak(analysis, series), testSeason(analysis, series), testTargetRisk(analysis, series)]
  each.push(testTurned(analysis))
  for (const dimension of analysis.subject.dimensions) {
    if (analysis.subject.under) yield
    each.push(testMixShift(analysis, dimension))
  }
  return { ...combineResults(each), tails: shapes.tails }
}

/** A member as a subject of its own, within its subject. */
function memberAnalysis(
  whole: SeriesAnalysis,
  { key, label }: SubjectDimension,
  { member, series, under, target }: SubjectMember,
): SeriesAnalysis {
  const { under: _under, ...rest } = whole.subject
  const analysisSubject: AnalysisSubject = {
    ...rest,
    total: series,
    ...(under ? { under } : {}),
    dimensions: [],
    target,
  }
  const named: FindingMember = { dimension: key, label, value: member }
  return {
    ...whole,
    subject: analysisSubject,
    member: named,
    usual: { whole: whole.usual.whole, own: typicalSize(analysisSubject) },
  }
}

function testMemberTargetRisk(analysis: SeriesAnalysis): TestResult {
  const series = analysis.subject.target ? standardizeSeries(analysis.subject, analysis.span) : null
  return series ? testTargetRisk(analysis, series) : NO_RESULT
}

/** How large a member is beside the whole; of a ratio, by what it is divided by. */
function memberShare({ subject, usual }: SeriesAnalysis, { series, under }: SubjectMember): number {
  if (!subject.additive) return 1
  if (subject.under && under) {
    const whole = typicalSize({ total: subject.under, under: undefined })
    return whole > 0 ? typicalSize({ total: under, under: undefined }) / whole : 0
  }
  return usual.whole > 0 ? typicalSize({ total: series, under: undefined }) / usual.whole : 0
}

/** Tests of the members of a dimension, some of them each step. */
function* testDimension(analysis: SeriesAnalysis, dimension: SubjectDimension): Generator<undefined, TestResult> {
  const largest = dimension.members
    .map((one) => ({ one, share: memberShare(analysis, one), name: JSON.stringify(one.member) }))
    // What is not so is told by what is.
    .filter(({ one, share }) => one.member !== false && share >= MEMBER_SHARE_MIN)
    .toSorted((a, b) => b.share - a.share || (a.name < b.name ? -1 : 1))
    .slice(0, MEMBERS_ANALYZED_MAX)
  const isSum = analysis.subject.additive && !analysis.subject.under
  const each: TestResult[] = []
  for (const [at, { one }] of largest.entries()) {
    if (at > 0 && at % MEMBERS_OF_STEP === 0) yield
    const own = memberAnalysis(analysis, dimension, one)
    const membership = isSum ? testMembership(own) : NO_RESULT
    each.push(combineResults([membership, testMemberShapes(own), testMemberTargetRisk(own), testTurned(own)]))
  }
  const members = largest.map(({ one }) => one)
  return combineResults([
    testConcentration(analysis, dimension),
    withMoves(testContributions(analysis, dimension, members), testMemberMoves(analysis, dimension, members)),
    testOvertaking(analysis, dimension, members),
    ...each,
  ])
}

/**
 * Every test of one subject. Plain data, so that a run may keep the answers of its subjects until all were looked at
 * (one subject a slice), then {@link judge} them together.
 */
export function analyzeSubject(subject: AnalysisSubject): SubjectTestResults {
  const steps = analyzeSubjectInSteps(subject)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/**
 * The same in steps, the whole first and then its dimensions, some members each: whoever takes them lets others go between.
 * @param designs of other subjects of the same grain, whose buckets are often the same
 */
export function* analyzeSubjectInSteps(
  analysisSubject: AnalysisSubject,
  designs = new DesignCache(analysisSubject),
): Generator<undefined, SubjectTestResults> {
  const span = dataSpan(analysisSubject)
  if (!span || span.to - span.from + 1 < HISTORY_BUCKETS_MIN)
    return { subject: analysisSubject.key, tests: NO_TESTS, candidates: [] }
  const own = typicalSize(analysisSubject)
  const analysis: SeriesAnalysis = {
    subject: analysisSubject,
    member: null,
    span,
    designs,
    usual: { whole: own, own },
  }
  const total = yield* testTotal(analysis)
  const each: TestResult[] = []
  for (const dimension of analysisSubject.dimensions) {
    yield
    each.push(yield* testDimension({ ...analysis, tails: total.tails }, dimension))
  }
  const members = combineResults(each)
  return {
    subject: analysisSubject.key,
    members: Object.fromEntries(analysisSubject.dimensions.map(({ key, members: all }) => [key, all.length])),
    tests: {
      total: total.tests,
      member: members.tests,
      window: (total.windows ?? 0) + (members.windows ?? 0),
    },
    candidates: [
      ...total.candidates,
      ...members.candidates.map((one): FindingCandidate => ({
        ...one,
        family: one.family === 'window' ? 'window' : 'member',
      })),
    ],
  }
}
