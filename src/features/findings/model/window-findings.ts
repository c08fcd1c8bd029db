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
import type { WindowComparison } from './contributions'
import { toFiniteNumber } from './decimals'
import { fixedStepDesign, standardizeSeries } from './regression-design'
import { peersOf } from './peers'
import { scanForShapes } from './scan'
import { isYearlySeason, seasonLength } from './season'
import { meanOf, studentTPValue, varianceOf } from './statistics'
import { overtookSentence, turnedSentence } from './sentences'
import {
  toFindingPeriod,
  type AnalysisSubject,
  type SubjectDimension,
  type SubjectMember,
  type SubjectSeries,
} from './subject'

/** Newest buckets that are held against the same ones before: a quarter and a year, four weeks, a week. */
const WINDOW_LENGTHS: Partial<Record<AnalysisSubject['grain'], readonly number[]>> = {
  month: [3, 12],
  week: [4],
  day: [7],
}
/** Buckets before a window that tell what is usual. */
const BUCKETS_BEFORE_MIN = 8

export interface ComparedWindows extends WindowComparison {
  against: 'year' | 'previous'
}

/** The newest windows, each against the year before, or what came just before where there is no year before. */
export const newestWindows = (analysis: SeriesAnalysis): ComparedWindows[] =>
  windowsOf(analysis, WINDOW_LENGTHS[analysis.subject.grain] ?? [])

export function windowsOf({ subject, span }: SeriesAnalysis, lengths: readonly number[]): ComparedWindows[] {
  const season = seasonLength(subject.grain)
  return lengths.flatMap((length): ComparedWindows[] => {
    const now = { from: span.to - length + 1, to: span.to }
    if (now.from - span.from < Math.max(length, BUCKETS_BEFORE_MIN)) return []
    const year = { from: now.from - season, to: now.to - season }
    if (isYearlySeason(subject.grain) && year.from >= span.from) return [{ now, then: year, against: 'year' }]
    return [{ now, then: { from: now.from - length, to: now.from - 1 }, against: 'previous' }]
  })
}

export interface WindowTest {
  p: number
  t: number
  n: number
  /** How far a bucket of the window lies from what was usual, in the figure's own terms. */
  size: number
}

/**
 * Whether a series runs on another level in its newest buckets: one place, said beforehand.
 * @param among of a member: the members of its dimension
 */
export function testNewestLevel(
  analysis: SeriesAnalysis,
  from: number,
  among?: { own: SubjectMember; members: readonly SubjectMember[] },
): WindowTest | null {
  const series = standardizeSeries(analysis.subject, analysis.span)
  if (!series) return null
  const at = series.at.findIndex((bucket) => bucket >= from)
  const design = fixedStepDesign(analysis.designs.designFor(series), at)
  if (!design) return null
  const peers = among && { own: among.own, unit: series.unit, peers: peersOf(design, among.members) }
  const { detected } = scanForShapes(design, { ...series, shapes: ['step'], tails: analysis.tails, peers })
  const step = detected.find(({ shape }) => shape === 'step')
  return step ? { p: step.p, t: step.t, n: series.at.length, size: step.size * series.unit } : null
}

/** Of earlier windows of the same length, so many have the sign that the newest has lost. */
const USUAL_SIGN_SHARE_MIN = 0.75
/** A turned sign is a fact of the rows; that it is more than luck is asked by itself. */
const TURNED_P_MAX = 0.05
/** Of the whole, a member that is told by the fact alone makes up at least so much. */
const TURNED_SHARE_MIN = 0.1
/** A figure this near to nothing, beside its usual size, has no sign worth telling. */
const MATERIAL_SHARE_MIN = 0.1

export const valueAt = ({ value }: SubjectSeries, t: number): number => toFiniteNumber(value[t] ?? null) ?? 0
export const sumOf = (series: SubjectSeries, { from, to }: { from: number; to: number }): number => {
  let sum = 0
  for (let t = from; t <= to; t += 1) sum += valueAt(series, t)
  return sum
}

/** How often windows of this length before the newest had the sign. */
function signShare({ subject, span }: SeriesAnalysis, { now }: WindowComparison, sign: number): number {
  const length = now.to - now.from + 1
  let [hits, all] = [0, 0]
  for (let to = now.from - 1; to - length + 1 >= span.from; to -= length) {
    all += 1
    if (Math.sign(sumOf(subject.total, { from: to - length + 1, to })) === sign) hits += 1
  }
  return all === 0 ? 0 : hits / all
}

const isSum = ({ subject }: SeriesAnalysis): boolean => subject.additive && !subject.under && subject.counts !== true

/** About the chance that a test is told at: one that comes out less often by luck counts as a part of one. */
const TOLD_P = 0.002

/** Means of all windows of this length. */
function windowMeans(values: readonly number[], length: number): number[] {
  const means: number[] = []
  for (let to = length; to <= values.length; to += 1) means.push(meanOf(values.slice(to - length, to)))
  return means
}

/**
 * As how much of a test of a turned sign counts (of discrete tests, Tarone 1990, Heyse 2011): a figure far from nothing cannot
 * lose its sign by luck, whatever else is asked of it. By how its windows before the newest one vary, trend and season and all.
 */
function turnedTestCount({ subject, span, usual }: SeriesAnalysis, windows: readonly ComparedWindows[]): number {
  const chances = windows.map(({ now }) => {
    const before = subject.total.value.slice(span.from, now.from).map((value) => toFiniteNumber(value) ?? 0)
    const length = now.to - now.from + 1
    const means = windowMeans(before, before.length < 3 * length ? 1 : length)
    const spread = Math.sqrt(varianceOf(means) * (1 + 1 / means.length))
    const away = Math.abs(meanOf(before)) + MATERIAL_SHARE_MIN * usual.own
    return spread > 0 ? studentTPValue(away / spread, means.length - 1) / 2 : 0
  })
  return KIND_PRIORS.turned * Math.min(1, chances.reduce((sum, chance) => sum + chance, 0) / TOLD_P)
}

/** Whether a sum was usually above nothing and is below it now, or the other way round. */
export function testTurned(analysis: SeriesAnalysis): TestResult {
  const all = newestWindows(analysis)
  if (!isSum(analysis) || all.length === 0) return NO_RESULT
  const windows = turnedTestCount(analysis, all)
  for (const one of all) {
    const found = turnedCandidate(analysis, one)
    if (found) return { tests: 0, windows, candidates: [found] }
  }
  return { tests: 0, windows, candidates: [] }
}

function turnedCandidate(analysis: SeriesAnalysis, windows: ComparedWindows): FindingCandidate | null {
  const { now, then, against } = windows
  const [value, before] = [sumOf(analysis.subject.total, now), sumOf(analysis.subject.total, then)]
  const length = now.to - now.from + 1
  const least = MATERIAL_SHARE_MIN * analysis.usual.own * length
  if (value * before >= 0 || Math.abs(value) < least || Math.abs(before) < least) return null
  if (signShare(analysis, windows, Math.sign(before)) < USUAL_SIGN_SHARE_MIN) return null
  const test = testNewestLevel(analysis, now.from)
  const isLarge = analysis.usual.own >= TURNED_SHARE_MIN * analysis.usual.whole
  if (!test || test.p > TURNED_P_MAX || Math.sign(test.size) !== Math.sign(value)) return null
  const made = effectOfWindows(analysis, windows)
  if (!made) return null
  const change = (value - before) / length
  return toCandidate(analysis, {
    kind: 'turned',
    period: toFindingPeriod(analysis.subject, now),
    against,
    comparison: toFindingPeriod(analysis.subject, then),
    ...made,
    isFact: isLarge,
    statistic: { name: 't', value: test.t },
    n: test.n,
    p: test.p,
    change,
    weight: effectWeight(analysis, change),
    novelty: 1,
    sentence: turnedSentence,
  })
}

/** A member as a figure of its own. */
export function memberSubject({ subject }: SeriesAnalysis, { series, under }: SubjectMember): AnalysisSubject {
  return { ...subject, total: series, ...(under ? { under } : {}), dimensions: [], target: undefined }
}

/** Members whose order is told: the largest ones. */
const RANKS_TOLD = 3

/** Whether one of the largest members has passed another one that was ahead of it. */
export function testOvertaking(
  analysis: SeriesAnalysis,
  dimension: SubjectDimension,
  members: readonly SubjectMember[],
): TestResult {
  if (!analysis.subject.additive || analysis.subject.under || members.length < 3) return NO_RESULT
  const [windows] = newestWindows(analysis).toReversed()
  if (!windows) return NO_RESULT
  const of = (one: SubjectMember, range: { from: number; to: number }): number => sumOf(one.series, range)
  const now = members.toSorted((a, b) => of(b, windows.now) - of(a, windows.now)).slice(0, RANKS_TOLD)
  const then = members.toSorted((a, b) => of(b, windows.then) - of(a, windows.then))
  const candidates = now.flatMap((one, rank) => {
    const place = then.indexOf(one)
    const passed = then.slice(0, place).find((other) => of(other, windows.now) < of(one, windows.now))
    if (!passed || place <= rank || of(passed, windows.then) <= 0) return []
    return overtakingCandidate(analysis, { dimension, one, passed, windows, rank: rank + 1 }) ?? []
  })
  return { tests: 0, windows: RANKS_TOLD * KIND_PRIORS.overtook, candidates }
}

function overtakingCandidate(
  analysis: SeriesAnalysis,
  of: {
    dimension: SubjectDimension
    one: SubjectMember
    passed: SubjectMember
    windows: ComparedWindows
    rank: number
  },
): FindingCandidate | null {
  const { dimension, one, passed, windows } = of
  const value = analysis.subject.buckets.map((_, t) => valueAt(one.series, t) - valueAt(passed.series, t))
  const apart = { ...analysis.subject, counts: false, scale: undefined, dimensions: [] }
  const subject: AnalysisSubject = { ...apart, total: { value, count: one.series.count } }
  const test = testNewestLevel({ ...analysis, subject }, windows.now.from)
  if (!test || test.p >= CANDIDATE_P_MAX || test.size <= 0) return null
  const member: FindingMember = { dimension: dimension.key, label: dimension.label, value: one.member }
  const own = memberSubject(analysis, one)
  const look = { ...analysis, subject: own, member, usual: { ...analysis.usual, own: typicalSize(own) } }
  const made = effectOfWindows(look, windows)
  if (!made) return null
  const now = sumOf(passed.series, windows.now)
  const length = windows.now.to - windows.now.from + 1
  return toCandidate(look, {
    kind: 'overtook',
    period: toFindingPeriod(analysis.subject, windows.now),
    against: windows.against,
    comparison: toFindingPeriod(analysis.subject, windows.then),
    effect: made.effect,
    contributions: [],
    statistic: { name: 't', value: test.t },
    n: test.n,
    p: test.p,
    change: 0,
    weight: 0.8 * effectWeight(look, test.size),
    novelty: 0.8,
    sentence: (told) =>
      overtookSentence(told, {
        member,
        passed: { ...member, value: passed.member },
        rank: of.rank,
        other: now / length,
      }),
  })
}
