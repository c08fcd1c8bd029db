import type { FindingKind, DetectedFinding, FindingMember, SentencePart } from '../../../shared/findings'
import { toFiniteNumber, formatNumberAtScale } from './decimals'
import { seriesDecimals, type AnalysisSubject } from './subject'
import { contributionTables, changeBetween, type WindowComparison } from './contributions'
import { meanOf } from './statistics'
import type { DesignCache } from './regression-design'

/**
 * Tests of a subject's own figure, tests of its members, and tests of which members make its newest windows are held to
 * the same bar, but share the errors that are allowed: hundreds of members do not drown what the total says.
 */
export type TestFamily = 'total' | 'member' | 'window'
const WINDOW_KINDS: readonly FindingKind[] = ['turned', 'contribution', 'overtook']
export const isWindowKind = (kind: FindingKind): boolean => WINDOW_KINDS.includes(kind)
const familyOf = (kind: FindingKind, member: FindingMember | null): TestFamily =>
  isWindowKind(kind) ? 'window' : member === null ? 'total' : 'member'
/** Tests made, by family. */
export type TestCounts = Record<TestFamily, number>
export const NO_TESTS: Readonly<TestCounts> = { total: 0, member: 0, window: 0 }

/** What one test found, before all tests of the run are held together. */
export interface FindingCandidate extends Omit<DetectedFinding, 'q' | 'score' | 'confidence'> {
  family: TestFamily
  /** |effect| in the sense of the ranking: 0…1, half at a change of about a third or of what the subject is used to. */
  weight: number
  /** 0…1: how new it is. */
  novelty: number
  /** What the rows say by themselves: its chance is told, and it is not left out for that of others. */
  isFact?: boolean
  /** The kind of its test, where it is told as another one. */
  tested?: FindingKind
}

/** The answers of all tests of one subject. Plain data. */
export interface SubjectTestResults {
  subject: string
  /** Tests that were made, those with nothing to show included, each by its {@link KIND_PRIORS}. */
  tests: TestCounts
  /** Members of each dimension, by its key. */
  members?: Record<string, number>
  candidates: FindingCandidate[]
}
/** A test with a greater chance than this is counted, not kept: it could not stand up. */
export const CANDIDATE_P_MAX = 0.05

/**
 * How large a share of the allowed errors a test of each kind is given beside the others: what a reader most wants told
 * of today more, what is always there or long past less.
 */
export const KIND_PRIORS: Record<FindingKind, number> = {
  change: 1.4,
  levelShift: 1.5,
  trendBreak: 1.5,
  // Of all dimensions together.
  mixShift: 2.5,
  targetRisk: 1,
  lostMember: 1,
  newMember: 1,
  outlier: 0.5,
  concentration: 0.5,
  streak: 0.1,
  season: 0.1,
  turned: 0.4,
  contribution: 1,
  overtook: 0.1,
  influencer: 0,
  // Facts are not tested: none of the allowed errors is theirs.
  growth: 0,
  loss: 0,
  leader: 0,
  rateGap: 0,
  peak: 0,
}

/** One figure that is looked at: the subject's total, or one member as if it were a subject of its own. */
export interface SeriesAnalysis {
  subject: AnalysisSubject
  member: FindingMember | null
  /** Buckets with figures of the whole subject. */
  span: { from: number; to: number }
  designs: DesignCache
  /** The usual size of the whole subject's figure; of a member's own. */
  usual: { whole: number; own: number }
  /** Of a member: what all members say of how heavy the tails of errors are. */
  tails?: readonly number[] | undefined
}

/** The usual size of a figure: the mean of its absolute values. */
export function typicalSize({ total, under }: Pick<AnalysisSubject, 'total' | 'under'>): number {
  const sizes = (values: AnalysisSubject['total']['value']): number =>
    meanOf(values.map((one) => Math.abs(toFiniteNumber(one) ?? 0)))
  const below = under ? sizes(under.value) : 1
  return below > 0 ? sizes(total.value) / below : 0
}

/** Decimals of figures that are worked out. */
const outputDecimals = ({ total, under, scale }: AnalysisSubject): number =>
  under ? 12 : Math.min(12, Math.max(4, seriesDecimals(total, scale)))

const isSameSign = (previous: number, value: number): boolean => previous !== 0 && previous * value >= 0

/** `change` as a fraction of `previous`, where that says something. */
export const relativeChange = (value: number, previous: number): number | null => {
  const fraction = (value - previous) / Math.abs(previous)
  return isSameSign(previous, value) && Number.isFinite(fraction) ? fraction : null
}

/** An effect between two figures that were worked out. */
export function effectOfValues(
  analysis: SeriesAnalysis,
  { value, previous }: { value: number; previous: number },
): DetectedFinding['effect'] {
  const scale = outputDecimals(analysis.subject)
  const [now, then] = [formatNumberAtScale(value, scale), formatNumberAtScale(previous, scale)]
  return {
    value: now,
    previous: then,
    change: formatNumberAtScale(Number(now) - Number(then), scale),
    percent: relativeChange(value, previous),
  }
}

/** An effect between two windows of the rows themselves, exact, with what it is made of; null where there is no figure. */
export function effectOfWindows(
  analysis: SeriesAnalysis,
  windows: WindowComparison,
): Pick<DetectedFinding, 'effect' | 'contributions'> | null {
  const change = changeBetween(analysis.subject, windows)
  if (!change) return null
  return {
    effect: { ...change, percent: relativeChange(Number(change.value), Number(change.previous)) },
    contributions: contributionTables(analysis.subject, windows),
  }
}

/** By the favourable direction, whether a change of this sign is good. */
function toneOf({ direction }: AnalysisSubject, change: number): DetectedFinding['tone'] {
  if (direction === 'none' || change === 0) return 'neutral'
  return change > 0 === (direction === 'up') ? 'good' : 'bad'
}

/** |effect| of the ranking from a change in one bucket: beside the whole and, for a member, beside its own size too. */
export function effectWeight({ usual, member, subject }: SeriesAnalysis, change: number): number {
  const beside = (size: number): number => (size > 0 ? Math.abs(change) / size : 0)
  const own = beside(usual.own)
  const isPart = subject.additive && !subject.under
  const size = member === null ? own : Math.sqrt(own * (isPart ? beside(usual.whole) : own * 0.3))
  return Number.isFinite(size) ? size / (size + 0.2) : 1
}

/** How new something is that began `age` buckets ago, where `half` of them make it half as new. */
export const noveltyByAge = (age: number, half: number): number => 0.5 ** (Math.max(0, age) / half)

/** What a sentence tells of a candidate. */
export interface SentenceInput extends Pick<FindingCandidate, 'effect' | 'period' | 'comparison' | 'contributions'> {
  look: SeriesAnalysis
}
export interface CandidateDraft extends Omit<FindingCandidate, 'subject' | 'member' | 'family' | 'tone' | 'sentence'> {
  /** In the subject's own terms. */
  change: number
  sentence: (told: SentenceInput) => SentencePart[]
}
/** A test's answer in full. */
export function toCandidate(
  analysis: SeriesAnalysis,
  { change, sentence, ...draft }: CandidateDraft,
): FindingCandidate {
  const { effect, period, comparison, contributions } = draft
  return {
    ...draft,
    sentence: sentence({ look: analysis, effect, period, comparison, contributions }),
    subject: analysis.subject.key,
    member: analysis.member,
    family: familyOf(draft.kind, analysis.member),
    tone: toneOf(analysis.subject, change),
  }
}

/** What one test comes to: it counts by its {@link KIND_PRIORS}, and may have found something. */
export interface TestResult {
  tests: number
  /** Those of windows, which are counted apart. */
  windows?: number
  candidates: FindingCandidate[]
}
export const NO_RESULT: TestResult = { tests: 0, candidates: [] }
export const resultOf = (kind: FindingKind, ...candidates: FindingCandidate[]): TestResult => ({
  tests: KIND_PRIORS[kind],
  candidates,
})
