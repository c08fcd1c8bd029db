import type { Cell } from '../../../shared/query/result'
import { normalPValue, zFromPValue } from './statistics'

/**
 * What goes with an outcome of rows (sold at a loss, late, returned): values, ranges and pairs of values in which it is
 * more or less frequent than in the rest. Found in one half of the buckets of time, asked again in the other half.
 */

/** Rows and rows with the outcome, by bucket of time. */
export interface OutcomeCounts {
  rows: number[]
  hits: number[]
}
export interface FactorCell extends OutcomeCounts {
  /** One value, the lower end of a range, or two values of a pair. */
  values: readonly Cell[]
}
export interface Factor {
  kind: 'value' | 'range' | 'pair'
  /** Columns, as the caller knows them. */
  keys: readonly string[]
  cells: readonly FactorCell[]
}

export interface Segment {
  kind: Factor['kind']
  keys: readonly string[]
  values: readonly Cell[]
  /** Of a range: from `values[0]` on, or below it. */
  side: 'from' | 'below' | null
  counts: OutcomeCounts
}
export interface Influencer {
  segment: Segment
  rows: number
  hits: number
  /** How frequent the outcome is here and in the rest, over all rows. */
  rate: number
  rest: number
  /** How many times as frequent, with its 95 % limits; null where the rest has none. */
  lift: { value: number; from: number; to: number } | null
  /** Of the half that was not searched. */
  z: number
  p: number
}

/** Rows of one half that a segment and its rest need, and how many it takes for their share to vary as a normal one does. */
const HALF_ROWS_MIN = 10
const NORMAL_ROWS_MIN = 25
const SEGMENT_SHARE_MIN = 0.01
/** Rates that differ by less are not told, however sure. */
const RATE_APART_MIN = 0.02
/** Of one search, and of the values or pairs of one column, so many are told. */
const TOLD_MAX = 8
const TOLD_BY_COLUMN_MAX = 3
/** Chance of one false statement in a whole search. */
const ERROR_RATE = 0.04
/** Edges of one range are next to one another: each is less than a try of its own. */
const RANGE_TRIES = 0.8
/**
 * What each half must show by itself. Halves of one effect that both together only just tell have about 2.5 each; one of them is
 * below this once in a hundred times, so a half that is says that the other one was luck, or does not hold any more. A pair has four of
 * them, and is as seldom below.
 */
const HALF_Z_MIN = { value: 0.7, range: 0.7, pair: 0.5 }
/** A value nearer to the rest than this, once a pair of it is left out, is as the rest. */
const AS_REST_Z_MAX = 2

const total = (values: readonly number[], half: number | null): number =>
  values.reduce((sum, value, at) => (half === null || at % 2 === half ? sum + value : sum), 0)

const addCounts = (all: readonly OutcomeCounts[], length: number): OutcomeCounts => {
  const sum = (key: keyof OutcomeCounts): number[] =>
    Array.from({ length }, (_, at) => all.reduce((total, one) => total + (one[key][at] ?? 0), 0))
  return { rows: sum('rows'), hits: sum('hits') }
}
const without = (all: OutcomeCounts, part: OutcomeCounts): OutcomeCounts => ({
  rows: all.rows.map((value, at) => value - (part.rows[at] ?? 0)),
  hits: all.hits.map((value, at) => value - (part.hits[at] ?? 0)),
})

/**
 * Variance of a number of hits: as of rows that come one by one at the rate of both together, or as buckets differ from
 * one another where that is more (rows of one order, of one week, are alike).
 */
function hitVariance(counts: OutcomeCounts, half: number | null, pooled: number): number {
  const rows = total(counts.rows, half)
  const rate = rows === 0 ? 0 : total(counts.hits, half) / rows
  let [squares, buckets] = [0, 0]
  for (let at = 0; at < counts.rows.length; at += 1) {
    const own = counts.rows[at] ?? 0
    if ((half !== null && at % 2 !== half) || own === 0) continue
    buckets += 1
    squares += ((counts.hits[at] ?? 0) - own * rate) ** 2
  }
  const alone = rows * pooled * (1 - pooled)
  return buckets < 4 ? alone : Math.max(alone, (squares * buckets) / (buckets - 1))
}

/** So many hits of so many rows, as the logarithm of how well their own rate tells them. */
const logOfOwnRate = (hits: number, rows: number): number =>
  [hits, rows - hits].reduce((sum, part) => (part > 0 ? sum + part * Math.log(part / rows) : sum), 0)

/**
 * How far apart two rates are by their likelihoods (the root of G², Wilks 1938). Of few rows {@link rateDifference} alone is too sure:
 * four of ten where one was to be expected are no three standard errors.
 */
function likelihoodDifference(one: OutcomeCounts, other: OutcomeCounts, half: number | null): number {
  const [n, m] = [total(one.rows, half), total(other.rows, half)]
  const [own, among] = [total(one.hits, half), total(other.hits, half)]
  const gain = logOfOwnRate(own, n) + logOfOwnRate(among, m) - logOfOwnRate(own + among, n + m)
  return Math.sign(own * m - among * n) * Math.sqrt(Math.max(0, 2 * gain))
}

/**
 * How far apart the rates of two groups of rows are, bucket by bucket so that what moves both alike is left out (Mantel
 * and Haenszel 1959), in standard errors; 0 where either is too small. Where buckets differ clearly more than rows that
 * come one by one would, they say how large an error is.
 */
export function rateDifference(one: OutcomeCounts, other: OutcomeCounts, half: number | null): number {
  if (total(one.rows, half) < HALF_ROWS_MIN || total(other.rows, half) < HALF_ROWS_MIN) return 0
  const strata: { apart: number; weight: number; variance: number }[] = []
  for (let at = 0; at < one.rows.length; at += 1) {
    const [n, m] = [one.rows[at] ?? 0, other.rows[at] ?? 0]
    if ((half !== null && at % 2 !== half) || n === 0 || m === 0) continue
    const hits = (one.hits[at] ?? 0) + (other.hits[at] ?? 0)
    const all = n + m
    const variance = all < 2 ? 0 : (n * m * hits * (all - hits)) / (all * all * (all - 1))
    strata.push({ apart: (one.hits[at] ?? 0) - (n * hits) / all, weight: (n * m) / all, variance })
  }
  const sum = (of: (each: (typeof strata)[number]) => number): number => strata.reduce((all, each) => all + of(each), 0)
  const [apart, weight, alone] = [sum((each) => each.apart), sum((each) => each.weight), sum((each) => each.variance)]
  const degrees = strata.length - 1
  const scattered =
    degrees < 4 ? 0 : (sum((each) => (each.apart - (apart * each.weight) / weight) ** 2) * strata.length) / degrees
  const variance = scattered > alone * (1 + 2 * Math.sqrt(2 / degrees)) ? scattered : alone
  const z = variance > 0 ? apart / Math.sqrt(variance) : 0
  const isFew = [one, other].some(({ rows }) => total(rows, half) < NORMAL_ROWS_MIN)
  return isFew ? leastOf([z, likelihoodDifference(one, other, half)]) : z
}

interface Contrast {
  segment: Segment
  /** What it is held against: the rest; of a pair, the rest of each of its values. */
  against: OutcomeCounts[]
}

/** How far a segment is apart from each group that it is held against, in one half. */
const differencesOf = ({ segment, against }: Contrast, half: number): number[] =>
  against.map((other) => rateDifference(segment.counts, other, half))

/** The least of the differences, 0 where they do not all go the same way. */
function leastOf(all: readonly number[]): number {
  const [first = 0] = all
  if (all.some((z) => Math.sign(z) !== Math.sign(first))) return 0
  return Math.sign(first) * Math.min(...all.map(Math.abs))
}

function contrastsOf({ kind, keys, cells }: Factor): Contrast[] {
  const length = cells[0]?.rows.length ?? 0
  const all = addCounts(cells, length)
  if (kind === 'range') return rangeContrasts({ kind, keys, cells }, all)
  return cells.map((cell): Contrast => {
    const { values, rows, hits } = cell
    const segment: Segment = { kind, keys, values, side: null, counts: { rows, hits } }
    if (kind === 'value') return { segment, against: [without(all, segment.counts)] }
    const shares = (at: number): OutcomeCounts =>
      addCounts(
        cells.filter((other) => other !== cell && other.values[at] === values[at]),
        length,
      )
    return { segment, against: [shares(0), shares(1)] }
  })
}

/** At each edge between two steps: whichever side has the outcome more often. */
function rangeContrasts({ keys, cells }: Factor, all: OutcomeCounts): Contrast[] {
  const steps = cells
    .flatMap((cell) => (typeof cell.values[0] === 'number' ? [{ cell, from: cell.values[0] }] : []))
    .toSorted((a, b) => a.from - b.from)
  return steps.slice(1).map(({ from }): Contrast => {
    const length = all.rows.length
    const upper = addCounts(
      steps.flatMap((step) => (step.from >= from ? [step.cell] : [])),
      length,
    )
    const lower = addCounts(
      steps.flatMap((step) => (step.from < from ? [step.cell] : [])),
      length,
    )
    const isUpper = total(upper.hits, 0) * total(lower.rows, 0) >= total(lower.hits, 0) * total(upper.rows, 0)
    const counts = isUpper ? upper : lower
    return {
      segment: { kind: 'range', keys, values: [from], side: isUpper ? 'from' : 'below', counts },
      against: [isUpper ? lower : upper],
    }
  })
}

/**
 * The chance that two halves go so far the same way (Stouffer 1949), to be counted for each try: whichever try the first half leads
 * to, it is one of them. So the half that was asked again counts no less than the one that was searched. Of a pair it is that of the
 * lesser difference over both halves (Berger 1982), not of the lesser one of each half: these are lesser by luck twice. Its one
 * side: beside a value that goes with the outcome only one of them is open, and where neither does both have to be apart the same
 * way by luck (as far as their mean is, which is the more certain the less of their rows they share).
 */
function chanceOfBoth({ segment: { counts }, against }: Contrast, least: number): number {
  if (against.length < 2) return normalPValue(least)
  const own = 1 / total(counts.rows, null)
  const alike = against.reduce((product, { rows }) => product * Math.sqrt(own / (own + 1 / total(rows, null))), 1)
  return Math.max(normalPValue(least) / 2, normalPValue(least * Math.sqrt(2 / (1 + alike))))
}

interface TestedContrast {
  contrast: Contrast
  p: number
  /** Of both halves: a chance may be too small for a number. */
  both: number
  /** Of the half that was asked again. */
  z: number
}

/** Whether the rows say of no other edge of the range that the rate changes there. */
function isBestEdge({ contrast }: TestedContrast, all: readonly TestedContrast[]): boolean {
  if (contrast.segment.kind !== 'range') return true
  const [key] = contrast.segment.keys
  const clearness = ({ segment, against: [other] }: Contrast): number =>
    other === undefined ? 0 : Math.abs(likelihoodDifference(segment.counts, other, null))
  return all.every(
    (one) =>
      one.contrast.segment.kind !== 'range' ||
      one.contrast.segment.keys[0] !== key ||
      clearness(one.contrast) <= clearness(contrast),
  )
}

/** What goes with the outcome, the largest part of it first; several of one column are told once. */
export function findInfluencers(factors: readonly Factor[]): Influencer[] {
  const contrasts = factors.flatMap(contrastsOf)
  const rows = Math.max(0, ...factors.map(({ cells }) => cells.reduce((sum, cell) => sum + total(cell.rows, null), 0)))
  const fit = contrasts.filter(
    ({ segment: { counts }, against }) =>
      [0, 1].every((half) => [counts, ...against].every((one) => total(one.rows, half) >= HALF_ROWS_MIN)) &&
      total(counts.rows, null) >= SEGMENT_SHARE_MIN * rows,
  )
  // Singles and pairs share the errors alike.
  const isPair = ({ segment }: Contrast): boolean => segment.kind === 'pair'
  const pairs = fit.filter(isPair).length
  const singles = fit.reduce((sum, { segment }) => sum + { value: 1, range: RANGE_TRIES, pair: 0 }[segment.kind], 0)
  const share = pairs > 0 && singles > 0 ? 2 : 1
  const standing = fit.flatMap((contrast): TestedContrast[] => {
    const [searched, again] = [differencesOf(contrast, 0), differencesOf(contrast, 1)]
    const [z, least] = [leastOf(searched), leastOf(again)]
    const half = HALF_Z_MIN[contrast.segment.kind]
    if (Math.sign(least) !== Math.sign(z) || Math.min(Math.abs(z), Math.abs(least)) < half) return []
    const both = leastOf(searched.map((one, at) => (one + (again[at] ?? 0)) / Math.SQRT2))
    const p = Math.min(1, share * (isPair(contrast) ? pairs : singles) * chanceOfBoth(contrast, both))
    return p <= ERROR_RATE ? [{ contrast, p, both, z: least }] : []
  })
  const found = onceByColumn(
    standing
      .filter((one) => isBestEdge(one, standing))
      .toSorted((a, b) => a.p - b.p || Math.abs(b.both) - Math.abs(a.both)),
  )
    .slice(0, TOLD_MAX)
    .map(({ contrast, p, z }) => toInfluencer(contrast, { p, z }))
    .filter(({ rate, rest }) => Math.abs(rate - rest) >= RATE_APART_MIN)
  return withoutNested(withoutParts(found, contrasts), contrasts).toSorted(
    (a, b) => Math.abs(excess(b)) - Math.abs(excess(a)),
  )
}

/** A value that is as the rest once a pair is left out, of it or of the rest, is told by the pair. */
function withoutParts(found: readonly Influencer[], contrasts: readonly Contrast[]): Influencer[] {
  const pairs = found.filter(({ segment }) => segment.kind === 'pair')
  const isTold = ({ segment, rate, rest }: Influencer): boolean =>
    segment.kind === 'value' &&
    pairs.some(({ segment: pair }) => {
      const at = pair.keys.indexOf(segment.keys[0] ?? '')
      const others = contrasts.find((one) => one.segment.counts === segment.counts)?.against[0]
      if (at < 0 || others === undefined) return false
      const [own, beside] =
        pair.values[at] === segment.values[0]
          ? [without(segment.counts, pair.counts), others]
          : [segment.counts, without(others, pair.counts)]
      return Math.sign(rate - rest) * rateDifference(own, beside, null) < AS_REST_Z_MAX
    })
  return found.filter((one) => !isTold(one))
}

/** A value of a column. */
type ColumnValue = readonly [key: string, value: Cell]
const valuesOf = ({ keys, values }: Segment): ColumnValue[] => keys.map((key, at) => [key, values[at] ?? null])
const isSameValue = (a: ColumnValue, b: ColumnValue): boolean => a[0] === b[0] && a[1] === b[1]

/** A value is within another one where hardly any of its rows lie outside. */
const NESTED_SHARE_MIN = 0.95
const isWithin = (contrasts: readonly Contrast[], own: ColumnValue, around: ColumnValue): boolean => {
  const segments = contrasts.map(({ segment }) => segment)
  const one = segments.find((each) => each.kind === 'value' && valuesOf(each).some((value) => isSameValue(value, own)))
  return segments.some(
    (each) =>
      each.kind === 'pair' &&
      [own, around].every((value) => valuesOf(each).some((other) => isSameValue(other, value))) &&
      total(each.counts.rows, null) >= NESTED_SHARE_MIN * total(one?.counts.rows ?? [], null),
  )
}

/** Whether a segment lies within a larger one of its kind that has the outcome more or less often, as it has. */
function isNested(contrasts: readonly Contrast[], one: Influencer, around: Influencer): boolean {
  if (one === around || one.segment.kind !== around.segment.kind || one.rows >= around.rows) return false
  if (Math.sign(one.rate - one.rest) !== Math.sign(around.rate - around.rest)) return false
  const [own, others] = [valuesOf(one.segment), valuesOf(around.segment)]
  const inner = own.filter((value) => !others.some((other) => isSameValue(other, value)))
  const outer = others.filter((value) => !own.some((other) => isSameValue(other, value)))
  const [[within], [outside]] = [inner, outer]
  return inner.length === 1 && within !== undefined && outside !== undefined && isWithin(contrasts, within, outside)
}

/**
 * A value within a larger one that has the outcome as often is told by that: who works at a clinic whose patients stay away has them
 * stay away. A larger one that is as the rest once the one within it is left out is told by it: a region is late by one of its depots.
 */
function withoutNested(found: readonly Influencer[], contrasts: readonly Contrast[]): Influencer[] {
  const isAsAround = (one: Influencer, around: Influencer): boolean =>
    one.segment.kind === 'value' &&
    Math.abs(rateDifference(one.segment.counts, around.segment.counts, null)) < AS_REST_Z_MAX &&
    isNested(contrasts, one, around)
  const own = found.filter((one) => !found.some((around) => isAsAround(one, around)))
  const isByInner = (around: Influencer, one: Influencer): boolean => {
    if (!isNested(contrasts, one, around)) return false
    const { counts } = around.segment
    const rest = contrasts.find(({ segment }) => segment.counts === counts)?.against ?? []
    const apart = rateDifference(without(counts, one.segment.counts), addCounts(rest, counts.rows.length), null)
    return Math.sign(around.rate - around.rest) * apart < AS_REST_Z_MAX
  }
  return own.filter((around) => !own.some((one) => isByInner(around, one)))
}

/** Rows with the outcome beyond what the rest would have. */
export const excess = ({ rows, rate, rest }: Influencer): number => rows * (rate - rest)

/** One range of a column, and of its values and pairs only a few. */
function onceByColumn<T extends { contrast: Contrast }>(sorted: readonly T[]): T[] {
  const taken = new Map<string, number>()
  return sorted.filter(({ contrast: { segment } }) => {
    const name = `${segment.kind} ${segment.keys.join(' ')}`
    const known = taken.get(name) ?? 0
    taken.set(name, known + 1)
    return known < (segment.kind === 'range' ? 1 : TOLD_BY_COLUMN_MAX)
  })
}

function toInfluencer({ segment, against }: Contrast, { p, z }: { p: number; z: number }): Influencer {
  const length = segment.counts.rows.length
  const rest = addCounts(against, length)
  const [rows, hits] = [total(segment.counts.rows, null), total(segment.counts.hits, null)]
  const [others, among] = [total(rest.rows, null), total(rest.hits, null)]
  const [rate, usual] = [hits / rows, among / others]
  const pooled = (hits + among) / (rows + others)
  const spread =
    hits > 0 && among > 0
      ? Math.sqrt(hitVariance(segment.counts, null, pooled) / hits ** 2 + hitVariance(rest, null, pooled) / among ** 2)
      : null
  const bound = spread === null ? null : Math.exp(zFromPValue(0.05) * spread)
  const lift = bound === null ? null : { value: rate / usual, from: rate / usual / bound, to: (rate / usual) * bound }
  return { segment, rows, hits, rate, rest: usual, lift, z, p }
}
