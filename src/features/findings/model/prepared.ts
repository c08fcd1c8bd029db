import { numberOf } from './amounts'
import { frameOf } from './frame'
import type { Frame } from './frame'
import type { Column } from './regression'
import { meanOf, medianOf, sumOf, varianceOf } from './robust'
import { seasonOf } from './season'
import type { Series, Subject } from './subject'

/** Buckets with figures that statistics need. */
export const HISTORY_LEAST = 12
/** Buckets further back than this say nothing about today that nearer ones do not. */
const HISTORY_MOST = 120
/** Fluctuations under this share of the usual figure are not believed, however steady the rest. */
const STEADY = 0.002

/** A series as the statistics see it: places in time, figures of about one, and what they were divided by. */
export interface Prepared {
  at: readonly number[]
  y: Column
  /** A figure of y times this is the subject's own. */
  unit: number
  /** Smallest standard deviation of one bucket that is believed. */
  floor: number
  /** Of counts: the standard deviation of one bucket where they come one by one. */
  counted?: number
}
/** Of the standard deviation of a count by its size, what is believed at least: steadier things are counted too. */
const COUNTED = 0.9

type Sides = Pick<Subject, 'additive' | 'counts' | 'total' | 'under'>

/** Buckets from the first to the last in which the subject's total has a figure; null where it has none. */
export function spanOf({ total, under, buckets }: Subject): { from: number; to: number } | null {
  const there = buckets.map(
    (_, at) => numberOf(total.value[at] ?? null) !== null && (!under || denominator(under, at) !== 0),
  )
  const from = there.indexOf(true)
  if (from < 0) return null
  const to = there.lastIndexOf(true)
  return { from: Math.max(from, to - HISTORY_MOST + 1), to }
}
const denominator = (under: Series, at: number): number => numberOf(under.value[at] ?? null) ?? 0

function figureAt({ total, under, additive }: Sides, at: number): number | null {
  const value = numberOf(total.value[at] ?? null)
  if (!under) return additive ? (value ?? 0) : value
  const below = denominator(under, at)
  return value === null || below === 0 ? null : value / below
}

/**
 * What so few things must vary by: a count about as its root does (Poisson), a sum as the number of its rows does where
 * that varies at all, a share as so few cases of it do.
 */
function floorOf(sides: Sides, { at, y }: { at: readonly number[]; y: readonly number[] }): number {
  const middle = Math.abs(meanOf(y))
  if (sides.under) {
    const cases = meanOf(at.map((t) => denominator(sides.under ?? sides.total, t)))
    const isShare = sides.counts === true && middle < 1 && cases > 0
    return isShare ? Math.sqrt((middle * (1 - middle)) / cases) : 0
  }
  if (sides.counts) return COUNTED * Math.sqrt(Math.max(1, middle))
  if (!sides.additive) return 0
  const rows = at.map((t) => sides.total.count[t] ?? 0)
  const mean = meanOf(rows)
  if (!(mean > 0)) return 0
  const each = sumOf(y.map(Math.abs)) / sumOf(rows)
  return each * Math.sqrt(mean * Math.min(1, varianceOf(rows) / mean))
}

/** A series over the buckets of its subject; null where there is too little of it, or nothing that varies. */
export function prepared(sides: Sides, { from, to }: { from: number; to: number }): Prepared | null {
  const at: number[] = []
  const y: number[] = []
  for (let t = from; t <= to; t += 1) {
    const value = figureAt(sides, t)
    if (value === null) continue
    at.push(t)
    y.push(value)
  }
  const unit = y.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0)
  if (y.length < HISTORY_LEAST || !(unit > 0) || !Number.isFinite(unit)) return null
  if (y.filter((value) => value !== 0).length < y.length / 3) return null
  const scaled = y.map((value) => value / unit)
  const steady = STEADY * Math.max(medianOf(scaled.map(Math.abs)), 1e-3)
  const floor = Math.max(steady, floorOf(sides, { at, y }) / unit)
  const isCount = sides.counts === true && !sides.under
  return {
    at,
    y: Float64Array.from(scaled),
    unit,
    floor,
    ...(isCount ? { counted: Math.max(floor, Math.sqrt(Math.max(1, Math.abs(meanOf(y)))) / unit) } : {}),
  }
}

/** Frames by their places in time: most series of a subject have a figure in the same buckets. */
export class Frames {
  readonly #frames = new Map<string, Frame>()
  readonly #season: number
  constructor(subject: Subject) {
    this.#season = seasonOf(subject.grain)
  }
  of({ at }: Prepared): Frame {
    const key = at.join()
    const known = this.#frames.get(key)
    if (known) return known
    const made = frameOf(at, this.#season)
    this.#frames.set(key, made)
    return made
  }
}
