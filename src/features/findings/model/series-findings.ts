import type { FindingKind, DetectedFinding } from '../../../shared/findings'
import { changeBetween, totalMixEffect, type WindowComparison } from './contributions'
import {
  toCandidate,
  effectOfValues,
  effectOfWindows,
  noveltyByAge,
  effectWeight,
  CANDIDATE_P_MAX,
  KIND_PRIORS,
  NO_RESULT,
  resultOf,
} from './candidates'
import type { SeriesAnalysis, FindingCandidate, CandidateDraft, TestResult } from './candidates'
import { trendColumns, isYearlySeason, hasFullSeasons, seasonLength, seasonColumns } from './season'
import type { StandardizedSeries } from './regression-design'
import {
  meanOf,
  medianOf,
  robustDeviation,
  P_VALUE_MIN,
  fPValue,
  orthonormalBasis,
  dot,
  residualOf,
} from './statistics'
import type { ScanResult, DetectedShape } from './scan'
import {
  trendBreakSentence,
  changeSentence,
  levelShiftSentence,
  mixShiftSentence,
  outlierSentence,
  seasonSentence,
  streakSentence,
} from './sentences'
import { toFindingPeriod, type BucketRange } from './subject'

interface ScannedSeries {
  look: SeriesAnalysis
  series: StandardizedSeries
  scanned: ScanResult
}

/** Windows of the same length to hold one against: a year earlier where there is one, else just before. */
function comparisonWindows(
  { subject, span }: SeriesAnalysis,
  now: BucketRange,
): { against: 'year' | 'previous'; windows: WindowComparison }[] {
  const length = now.to - now.from + 1
  const season = seasonLength(subject.grain)
  const year = { from: now.from - season, to: now.to - season }
  const before = { from: now.from - length, to: now.from - 1 }
  const isYear = isYearlySeason(subject.grain) && length <= season && year.from >= span.from
  return [
    ...(isYear ? [{ against: 'year' as const, windows: { now, then: year } }] : []),
    ...(before.from >= span.from ? [{ against: 'previous' as const, windows: { now, then: before } }] : []),
  ]
}

type ComparedEffect = Pick<DetectedFinding, 'effect' | 'contributions' | 'against' | 'comparison'>

/** The effect against the first comparable window that moved the same way as the statistic; else against `before` or what was expected. */
function effectOfWindow(
  { look, series }: ScannedSeries,
  { now, size, level, before }: Pick<ShapeDescription, 'now' | 'level' | 'before'> & { size: number },
): ComparedEffect {
  for (const { against, windows } of comparisonWindows(look, now)) {
    const change = changeBetween(look.subject, windows)
    if (!change || Math.sign(Number(change.change)) !== Math.sign(size)) continue
    const found = effectOfWindows(look, windows)
    if (found) return { ...found, against, comparison: toFindingPeriod(look.subject, windows.then) }
  }
  const value = level * series.unit
  const previous = before === undefined ? value - size * series.unit : before * series.unit
  const effect = effectOfValues(look, { value, previous })
  return { effect, contributions: [], against: before === undefined ? 'expected' : 'before', comparison: null }
}

/**
 * Whether the newest bucket also stands apart from the same one a year earlier, asked where there are too few years for
 * each month to have a level of its own: a peak that came last year too is a season.
 */
function isSeasonalPeak({ look, series }: ScannedSeries, size: number): boolean {
  const season = seasonLength(look.subject.grain)
  const { at, y } = series
  if (!isYearlySeason(look.subject.grain) || hasFullSeasons(at.length, season)) return false
  const place = new Map(at.map((t, i) => [t, i]))
  const differences = at.flatMap((t, i) => {
    const earlier = place.get(t - season)
    return earlier === undefined ? [] : [(y[i] ?? 0) - (y[earlier] ?? 0)]
  })
  const newest = differences.at(-1)
  const others = differences.slice(0, -1)
  if (newest === undefined || others.length < 5) return false
  const apart = (newest - medianOf(others)) / Math.max(robustDeviation(others), series.floor)
  return Math.sign(apart) !== Math.sign(size) || Math.abs(apart) < 1
}

/** Of a ratio's change, this much is told as one of its mix when weights account for it. */
const MIX_SHARE_MIN = 0.6

/** A move of the ratio told by its mix, where the weights of one dimension account for most of it. */
function asMixShift(candidate: FindingCandidate, analysis: SeriesAnalysis): FindingCandidate {
  const change = Number(candidate.effect.change)
  const table = candidate.contributions.find((one) => totalMixEffect(one) / change >= MIX_SHARE_MIN)
  if (!analysis.subject.under || !table || !candidate.comparison) return candidate
  const { effect, period, comparison } = candidate
  const contributions = [table, ...candidate.contributions.filter((one) => one !== table)]
  const sentence = mixShiftSentence({ look: analysis, effect, period, comparison, contributions })
  return { ...candidate, kind: 'mixShift', tested: candidate.kind, contributions, sentence }
}

interface ShapeDescription extends Pick<CandidateDraft, 'novelty' | 'sentence'> {
  now: BucketRange
  /** Of the series in these buckets. */
  level: number
  /** Of the series in all buckets before, where that is what it is told beside when nothing comparable is. */
  before?: number | undefined
  /** How far from what was expected; that of the shape where this is not said. */
  size?: number
  /** Change that the ranking goes by, in the subject's own terms; that of the shape where this is not said. */
  moved?: number
}

/** A shape that was seen, told with what its buckets are beside comparable ones. */
function describeShape(
  scannedSeries: ScannedSeries,
  shape: DetectedShape,
  { now, level, before, size = shape.size, moved, novelty, sentence }: ShapeDescription,
): FindingCandidate {
  const { look, series } = scannedSeries
  const change = shape.size * series.unit
  return toCandidate(look, {
    statistic: shape.shape === 'past' ? { name: 'z', value: shape.z } : { name: 't', value: shape.t },
    n: series.at.length,
    p: shape.p,
    change,
    weight: effectWeight(look, moved ?? change),
    kind: SHAPE_KIND[shape.shape],
    period: toFindingPeriod(look.subject, now),
    ...effectOfWindow(scannedSeries, { now, size, level, before }),
    novelty,
    sentence,
  })
}

function newestChange(scannedSeries: ScannedSeries, shape: DetectedShape): FindingCandidate | null {
  if (isSeasonalPeak(scannedSeries, shape.size)) return null
  const at = scannedSeries.series.at[shape.from] ?? 0
  const level = scannedSeries.series.y[shape.from] ?? 0
  return describeShape(scannedSeries, shape, { now: { from: at, to: at }, level, novelty: 1, sentence: changeSentence })
}

function pastOutlier(scannedSeries: ScannedSeries, shape: DetectedShape): FindingCandidate {
  const { at: places, y } = scannedSeries.series
  const at = places[shape.from] ?? 0
  const novelty = 0.8 * noveltyByAge((places.at(-1) ?? 0) - at, Math.max(6, places.length / 4))
  const now = { from: at, to: at }
  return describeShape(scannedSeries, shape, { now, level: y[shape.from] ?? 0, novelty, sentence: outlierSentence })
}

/** The buckets from where a shape begins to the newest, and their level. */
const sinceShape = ({ series: { at, y } }: ScannedSeries, { from }: DetectedShape) => ({
  now: { from: at[from] ?? 0, to: at.at(-1) ?? 0 },
  level: meanOf([...y.slice(from)]),
})

/** Where no comparable window is on that side of it, it is held against all that was before; where that is not either, against its trend. */
function levelShift(scannedSeries: ScannedSeries, shape: DetectedShape): FindingCandidate {
  const { now, level } = sinceShape(scannedSeries, shape)
  const novelty = 0.95 * noveltyByAge(now.to - now.from - 2, 12)
  const earlier = meanOf([...scannedSeries.series.y.slice(0, shape.from)])
  const before = Math.sign(level - earlier) === Math.sign(shape.size) ? earlier : undefined
  return describeShape(scannedSeries, shape, {
    now,
    level,
    before,
    novelty,
    sentence: (told) => levelShiftSentence(told, { isBesideTrend: before === undefined }),
  })
}

/** Slope of the fitted run over some points, season left out: the mean of its steps a season apart or one by one. */
function fittedSlope({ series, scanned, look }: ScannedSeries, points: BucketRange): number {
  const season = seasonLength(look.subject.grain)
  const gap = points.to - points.from >= season ? season : 1
  const steps: number[] = []
  for (let i = points.from + gap; i <= points.to; i += 1) {
    const apart = (series.at[i] ?? 0) - (series.at[i - gap] ?? 0)
    steps.push(((scanned.fitted[i] ?? 0) - (scanned.fitted[i - gap] ?? 0)) / Math.max(1, apart))
  }
  return meanOf(steps)
}

/** A turn is measured by its slopes, and told with what the buckets since are beside comparable ones, and who made that. */
function trendBreak(scannedSeries: ScannedSeries, shape: DetectedShape): FindingCandidate {
  const { look, series } = scannedSeries
  const { now, level } = sinceShape(scannedSeries, shape)
  const length = now.to - now.from + 1
  const before = fittedSlope(scannedSeries, { from: 0, to: Math.max(1, shape.from - 1) }) * series.unit
  const slopes = effectOfValues(look, { value: before + shape.size * series.unit, previous: before })
  return describeShape(scannedSeries, shape, {
    now,
    level,
    size: (shape.size * (length + 1)) / 2,
    moved: shape.size * length * series.unit,
    novelty: 0.9 * noveltyByAge(now.to - now.from - 4, 12),
    sentence: (told) => trendBreakSentence(told, slopes),
  })
}

const SHAPE_CANDIDATES: Record<
  DetectedShape['shape'],
  (series: ScannedSeries, shape: DetectedShape) => FindingCandidate | null
> = {
  newest: newestChange,
  past: pastOutlier,
  step: levelShift,
  bend: trendBreak,
}
const SHAPE_KIND: Record<DetectedShape['shape'], FindingKind> = {
  newest: 'change',
  past: 'outlier',
  step: 'levelShift',
  bend: 'trendBreak',
}

/** What the sightings of one series come to. */
export const shapeCandidates = (series: ScannedSeries): FindingCandidate[] =>
  series.scanned.detected
    .filter(({ p }) => p < CANDIDATE_P_MAX)
    .flatMap((sighting) => SHAPE_CANDIDATES[sighting.shape](series, sighting) ?? [])
    .map((one) => (one.kind === 'change' || one.kind === 'levelShift' ? asMixShift(one, series.look) : one))

/** The tests behind the sightings, by their {@link KIND_PRIORS}. */
export const countShapeTests = ({ detected }: ScanResult): number =>
  detected.reduce((sum, { shape }) => sum + KIND_PRIORS[SHAPE_KIND[shape]], 0)

/** A streak that is told has at least this many steps. */
const STREAK_MIN = 5

/**
 * Steps in a row to the newest bucket that go the same way, season and trend left out. Where nothing happens each step
 * goes up half the time, less often after another (it falls back to the middle), so 2 · ½^length is not too small.
 */
export function testStreak(analysis: SeriesAnalysis, series: StandardizedSeries): TestResult {
  const { subject } = analysis
  const residuals = residualOf(analysis.designs.designFor(series).basis, series.y)
  const steps = [...residuals].slice(1).map((value, i) => value - (residuals[i] ?? 0))
  const ways = steps.map((step) => (Math.abs(step) <= series.floor / 10 ? 0 : Math.sign(step)))
  const way = ways.at(-1) ?? 0
  const start = ways.findLastIndex((one) => one !== way)
  const length = way === 0 ? 0 : ways.length - 1 - start
  const p = Math.min(1, Math.max(P_VALUE_MIN, 2 * 0.5 ** length))
  const from = series.at[start + 1]
  if (length < STREAK_MIN || p >= CANDIDATE_P_MAX || from === undefined || start < 4) return resultOf('streak')
  const [value, previous] = [series.y.at(-1) ?? 0, series.y[start + 1] ?? 0]
  if (Math.sign(value - previous) !== way) return resultOf('streak')
  const effect = effectOfValues(analysis, { value: value * series.unit, previous: previous * series.unit })
  const period = toFindingPeriod(subject, { from, to: series.at.at(-1) ?? 0 })
  const change = (value - previous) * series.unit
  const candidate = toCandidate(analysis, {
    kind: 'streak',
    period,
    against: 'before',
    comparison: toFindingPeriod(subject, { from, to: from }),
    effect,
    contributions: [],
    statistic: { name: 'runs', value: length },
    n: series.at.length,
    p,
    change,
    weight: effectWeight(analysis, change),
    novelty: 0.7,
    sentence: (told) => streakSentence(told, length),
  })
  return resultOf('streak', candidate)
}

interface SeasonalPlace {
  /** The newest bucket of the place. */
  from: number
  above: number
}
/** Of whole seasons, the part in which a place is the highest or lowest, to be usually so. */
const USUAL_SHARE_MIN = 0.5

/**
 * The highest and the lowest place of a season, trend left out: by their means, each where it usually is so, in at least half of all
 * whole seasons.
 */
function seasonalExtremes(
  series: StandardizedSeries,
  season: number,
): { high: SeasonalPlace | null; low: SeasonalPlace | null } {
  const { at, y } = series
  const beside = residualOf(orthonormalBasis(trendColumns(at)), y)
  const last = at.at(-1) ?? 0
  const all = at.map((t, i) => ({ t, place: t % season, turn: Math.floor((last - t) / season), value: beside[i] ?? 0 }))
  const turns = [...new Set(all.map(({ turn }) => turn))]
    .map((turn) => all.filter((one) => one.turn === turn))
    .filter((own) => own.length === season)
  const extreme = (sign: 1 | -1): SeasonalPlace | null => {
    const meanAt = (place: number): number => meanOf(all.filter((one) => one.place === place).map(({ value }) => value))
    const [best] = Array.from({ length: season }, (_, place) => ({ place, above: meanAt(place) })).toSorted(
      (a, b) => sign * (b.above - a.above),
    )
    const hits = turns.filter((own) => own.toSorted((a, b) => sign * (b.value - a.value))[0]?.place === best?.place)
    const isUsual = best !== undefined && sign * best.above > 0 && hits.length >= USUAL_SHARE_MIN * turns.length
    return isUsual ? { from: all.findLast(({ place }) => place === best.place)?.t ?? 0, above: best.above } : null
  }
  return { high: extreme(1), low: extreme(-1) }
}

/** Whether places of the season differ (F of them beside the trend), where there are two and a half seasons or more. */
export function testSeason(analysis: SeriesAnalysis, series: StandardizedSeries): TestResult {
  const { subject } = analysis
  const { at, y } = series
  const season = seasonLength(subject.grain)
  if (!hasFullSeasons(at.length, season)) return NO_RESULT
  const plain = orthonormalBasis(trendColumns(at))
  const full = orthonormalBasis([...plain, ...seasonColumns(at, season)])
  const [before, after] = [residualOf(plain, y), residualOf(full, y)].map((rest) => dot(rest, rest))
  const df: [number, number] = [full.length - plain.length, at.length - full.length]
  const noise = Math.max((after ?? 0) / df[1], series.floor ** 2)
  const f = ((before ?? 0) - (after ?? 0)) / df[0] / noise
  const p = fPValue(f, df)
  const { high, low } = seasonalExtremes(series, season)
  const [lead, other] = high ? [high, low] : [low, null]
  const usual = meanOf([...y])
  if (p >= CANDIDATE_P_MAX || !lead) return resultOf('season')
  const told = ({ from, above }: SeasonalPlace): Pick<FindingCandidate, 'effect' | 'period'> => ({
    effect: effectOfValues(analysis, { value: (usual + above) * series.unit, previous: usual * series.unit }),
    period: toFindingPeriod(subject, { from, to: from }),
  })
  const candidate = toCandidate(analysis, {
    kind: 'season',
    ...told(lead),
    against: 'expected',
    comparison: null,
    contributions: [],
    statistic: { name: 'F', value: f },
    n: at.length,
    p,
    change: 0,
    weight: effectWeight(analysis, lead.above * series.unit),
    novelty: 0.35 * noveltyByAge(0, 1),
    sentence: (of) => seasonSentence(of, other && told(other)),
  })
  return resultOf('season', candidate)
}
