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

/** Rows of one half that a segment and its rest need. */
const HALF_ROWS_MIN = 25
const SEGMENT_SHARE_MIN = 0.01
/** Rates that differ by less are not told, however sure. */
const RATE_APART_MIN = 0.02
/** Candidates of the searched half that are asked again in the other. */
const CHECKED_MAX = 8
/** Chance of one false statement in a whole search. */
const ERROR_RATE = 0.05
/**
 * What each half must show by itself. Halves of one effect that both together only just tell have about 2.5 each; one of them is
 * below this once in a hundred times, so a half that is says that the other one was luck, or does not hold any more.
 */
const HALF_Z_MIN = 0.7
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
  return variance > 0 ? apart / Math.sqrt(variance) : 0
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
 * The chance that two halves go so far the same way (Stouffer 1949), counted for each try: whichever try the first half led to,
 * it is one of them. So the half that was asked again counts no less than the one that was searched. Of a pair it is that of the
 * lesser difference over both halves (Berger 1982), not of the lesser one of each half: these are lesser by luck twice.
 */
const chanceOfBoth = (searched: readonly number[], again: readonly number[], tries: number): number =>
  Math.min(1, tries * normalPValue(leastOf(searched.map((z, at) => (z + (again[at] ?? 0)) / Math.SQRT2))))

/** What goes with the outcome, the largest part of it first; several of one column are told once. */
export function findInfluencers(factors: readonly Factor[]): Influencer[] {
  const contrasts = factors.flatMap(contrastsOf)
  const rows = Math.max(0, ...factors.map(({ cells }) => cells.reduce((sum, cell) => sum + total(cell.rows, null), 0)))
  const fit = contrasts.filter(
    ({ segment: { counts }, against }) =>
      [0, 1].every((half) => [counts, ...against].every((one) => total(one.rows, half) >= HALF_ROWS_MIN)) &&
      total(counts.rows, null) >= SEGMENT_SHARE_MIN * rows,
  )
  const searched = fit
    .map((contrast) => ({ contrast, differences: differencesOf(contrast, 0) }))
    .map((one) => ({ ...one, z: leastOf(one.differences) }))
    .filter(({ z }) => Math.abs(z) >= HALF_Z_MIN)
    .toSorted((a, b) => Math.abs(b.z) - Math.abs(a.z))
  // Singles and pairs share the errors alike; edges of one range are hardly two tries.
  const isPair = ({ segment }: Contrast): boolean => segment.kind === 'pair'
  const pairs = fit.filter(isPair).length
  const singles = fit.reduce((sum, { segment }) => sum + { value: 1, range: 0.5, pair: 0 }[segment.kind], 0)
  const share = pairs > 0 && singles > 0 ? 2 : 1
  const checked = onceByColumn(searched).slice(0, CHECKED_MAX)
  const found = checked.flatMap(({ contrast, differences, z }): Influencer[] => {
    const again = differencesOf(contrast, 1)
    const least = leastOf(again)
    if (Math.sign(least) !== Math.sign(z) || Math.abs(least) < HALF_Z_MIN) return []
    const p = chanceOfBoth(differences, again, share * (isPair(contrast) ? pairs : singles))
    if (p > ERROR_RATE) return []
    const made = toInfluencer(contrast, { p, z: least })
    return Math.abs(made.rate - made.rest) >= RATE_APART_MIN ? [made] : []
  })
  return withoutParts(found, contrasts).toSorted((a, b) => Math.abs(excess(b)) - Math.abs(excess(a)))
}

/** A value that is as the rest once a pair of it is left out is told by the pair. */
function withoutParts(found: readonly Influencer[], contrasts: readonly Contrast[]): Influencer[] {
  const pairs = found.filter(({ segment }) => segment.kind === 'pair')
  const isTold = ({ segment, rate, rest }: Influencer): boolean =>
    segment.kind === 'value' &&
    pairs.some((pair) => {
      const at = pair.segment.keys.indexOf(segment.keys[0] ?? '')
      if (at < 0 || pair.segment.values[at] !== segment.values[0]) return false
      const left = without(segment.counts, pair.segment.counts)
      const others = contrasts.find((one) => one.segment.counts === segment.counts)?.against[0]
      return others !== undefined && Math.sign(rate - rest) * rateDifference(left, others, null) < AS_REST_Z_MAX
    })
  return found.filter((one) => !isTold(one))
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
    return known < (segment.kind === 'range' ? 1 : 3)
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
