import { toFiniteNumber } from './amounts'
import { buildDesign } from './frame'
import type { RegressionDesign } from './frame'
import type { ColumnVector } from './regression'
import { meanOf, medianOf, compensatedSum, varianceOf } from './robust'
import { seasonLength } from './season'
import type { SubjectSeries, AnalysisSubject } from './subject'

/** Buckets with figures that statistics need. */
export const HISTORY_BUCKETS_MIN = 12
/** Buckets further back than this say nothing about today that nearer ones do not. */
const HISTORY_BUCKETS_MAX = 120
/** Fluctuations under this share of the usual figure are not believed, however steady the rest. */
const RELATIVE_NOISE_MIN = 0.002

/** A series as the statistics see it: places in time, figures of about one, and what they were divided by. */
export interface StandardizedSeries {
  at: readonly number[]
  y: ColumnVector
  /** A figure of y times this is the subject's own. */
  unit: number
  /** Smallest standard deviation of one bucket that is believed. */
  floor: number
  /** Of counts: the standard deviation of one bucket where they come one by one. */
  counted?: number
}
/** Of the standard deviation of a count by its size, what is believed at least: steadier things are counted too. */
const COUNT_NOISE_MIN = 0.9

type SeriesSource = Pick<AnalysisSubject, 'additive' | 'counts' | 'total' | 'under'>

/** Buckets from the first to the last in which the subject's total has a figure; null where it has none. */
export function dataSpan({ total, under, buckets }: AnalysisSubject): { from: number; to: number } | null {
  const there = buckets.map(
    (_, at) => toFiniteNumber(total.value[at] ?? null) !== null && (!under || denominator(under, at) !== 0),
  )
  const from = there.indexOf(true)
  if (from < 0) return null
  const to = there.lastIndexOf(true)
  return { from: Math.max(from, to - HISTORY_BUCKETS_MAX + 1), to }
}
const denominator = (under: SubjectSeries, at: number): number => toFiniteNumber(under.value[at] ?? null) ?? 0

function valueAt({ total, under, additive }: SeriesSource, at: number): number | null {
  const value = toFiniteNumber(total.value[at] ?? null)
  if (!under) return additive ? (value ?? 0) : value
  const below = denominator(under, at)
  return value === null || below === 0 ? null : value / below
}

/**
 * What so few things must vary by: a count about as its root does (Poisson), a sum as the number of its rows does where
 * that varies at all, a share as so few cases of it do.
 */
function noiseFloor(seriesSource: SeriesSource, { at, y }: { at: readonly number[]; y: readonly number[] }): number {
  const middle = Math.abs(meanOf(y))
  if (seriesSource.under) {
    const cases = meanOf(at.map((t) => denominator(seriesSource.under ?? seriesSource.total, t)))
    const isShare = seriesSource.counts === true && middle < 1 && cases > 0
    return isShare ? Math.sqrt((middle * (1 - middle)) / cases) : 0
  }
  if (seriesSource.counts) return COUNT_NOISE_MIN * Math.sqrt(Math.max(1, middle))
  if (!seriesSource.additive) return 0
  const rows = at.map((t) => seriesSource.total.count[t] ?? 0)
  const mean = meanOf(rows)
  if (!(mean > 0)) return 0
  const each = compensatedSum(y.map(Math.abs)) / compensatedSum(rows)
  return each * Math.sqrt(mean * Math.min(1, varianceOf(rows) / mean))
}

/** A series over the buckets of its subject; null where there is too little of it, or nothing that varies. */
export function standardizeSeries(
  seriesSource: SeriesSource,
  { from, to }: { from: number; to: number },
): StandardizedSeries | null {
  const at: number[] = []
  const y: number[] = []
  for (let t = from; t <= to; t += 1) {
    const value = valueAt(seriesSource, t)
    if (value === null) continue
    at.push(t)
    y.push(value)
  }
  const unit = y.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0)
  if (y.length < HISTORY_BUCKETS_MIN || !(unit > 0) || !Number.isFinite(unit)) return null
  if (y.filter((value) => value !== 0).length < y.length / 3) return null
  const scaled = y.map((value) => value / unit)
  const steady = RELATIVE_NOISE_MIN * Math.max(medianOf(scaled.map(Math.abs)), 1e-3)
  const floor = Math.max(steady, noiseFloor(seriesSource, { at, y }) / unit)
  const isCount = seriesSource.counts === true && !seriesSource.under
  return {
    at,
    y: Float64Array.from(scaled),
    unit,
    floor,
    ...(isCount ? { counted: Math.max(floor, Math.sqrt(Math.max(1, Math.abs(meanOf(y)))) / unit) } : {}),
  }
}

/** Frames by their places in time: most series of a subject have a figure in the same buckets. */
export class DesignCache {
  readonly #frames = new Map<string, RegressionDesign>()
  readonly #season: number
  constructor(analysisSubject: AnalysisSubject) {
    this.#season = seasonLength(analysisSubject.grain)
  }
  designFor({ at }: StandardizedSeries): RegressionDesign {
    const key = at.join()
    const known = this.#frames.get(key)
    if (known) return known
    const made = buildDesign(at, this.#season)
    this.#frames.set(key, made)
    return made
  }
}
