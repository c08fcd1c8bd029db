import { monthLacksRecords } from '../../../../semantic/record-gaps'
import { formatNumberAtScale } from '../decimals'
import { CERTAIN, isNamed, namedMember, rowsOf, sumOf, type Fact, type FactInput } from './fact-parts'
import { memberGapSentence } from './fact-sentences'
import { meanOf, varianceOf } from '../statistics'
import { toFindingPeriod, type BucketRange, type SubjectDimension, type SubjectMember } from '../subject'

/** A member that was away in the middle: a town whose March lacks was closed, or its rows are not in the file. */

/** A member that is told makes up at least so much of the whole; longer absences are no gaps. */
const SHARE_MIN = 0.04
const BUCKETS_MAX = 3
/** Gaps told: those of the largest members. */
const TOLD = 2
/**
 * In every other bucket came so much of what usually does, and so many times its rows come in a bucket, those that come together as one:
 * who comes in bursts lacks a month now and then (of four arrivals by chance one bucket in fifty).
 */
const STEADY_SHARE = 0.2
const ARRIVALS_MIN = 4
/** Members of other dimensions that are the same rows, by what came in a bucket. */
const TWIN_APART_MAX = 0.02
/** What came in so many buckets at each side of a gap was to be expected in it. */
const SIDE = 3

interface MemberGap {
  dimension: SubjectDimension
  one: SubjectMember
  gap: BucketRange
  /** What a bucket beside the gap came to, of all of its parts. */
  usual: number
}

/** The newest months that a member lacks among months with many rows each; none at either end, and none that the whole lacks. */
function newestGap({ analysis }: FactInput, { series }: SubjectMember): BucketRange | null {
  const { subject, span } = analysis
  const lacks = monthLacksRecords(series.count)
  const rows = (t: number): number => series.count[t] ?? 0
  let to = span.to
  while (to > span.from && rows(to) === 0) to -= 1
  while (to > span.from && !(rows(to) === 0 && lacks(to))) to -= 1
  let from = to
  while (from > span.from && rows(from - 1) === 0) from -= 1
  const isInside = from > span.from + SIDE && to > from - 1 && to - from < BUCKETS_MAX
  const all = Array.from({ length: to - from + 1 }, (_, n) => from + n)
  return isInside && all.every((t) => lacks(t) && (subject.total.count[t] ?? 0) > 0) ? { from, to } : null
}

/** Whether, but for so many buckets, there is none with hardly any rows, and none was to be expected. */
function isSteady(rows: readonly number[], gap: number): boolean {
  const others = rows.toSorted((a, b) => a - b).slice(gap)
  const [least = 0, middle = 0] = [others[0], others[Math.floor(others.length / 2)]]
  const mean = meanOf(others)
  const bunching = Math.max(1, varianceOf(others) / mean)
  return least >= STEADY_SHARE * middle && mean / bunching >= ARRIVALS_MIN
}

function gapsOf(input: FactInput, dimension: SubjectDimension): MemberGap[] {
  const { subject, span } = input.analysis
  const whole = sumOf(subject.total, span)
  return dimension.members.flatMap((one): MemberGap[] => {
    if (!isNamed(one) || typeof one.member === 'boolean' || sumOf(one.series, span) < SHARE_MIN * whole) return []
    const gap = newestGap(input, one)
    if (!gap) return []
    const sides = [
      { from: gap.from - SIDE, to: gap.from - 1 },
      { from: gap.to + 1, to: Math.min(span.to, gap.to + SIDE) },
    ]
    const buckets = sides.reduce((n, { from, to }) => n + to - from + 1, 0)
    if (!isSteady(one.series.count.slice(span.from, span.to + 1), gap.to - gap.from + 1)) return []
    const usual = sides.reduce((sum, side) => sum + sumOf(one.series, side), 0) / buckets
    return usual > 0 && sides.every((side) => rowsOf(one, side) > 0) ? [{ dimension, one, gap, usual }] : []
  })
}

/** Large members without a row in some month of the newest year, where all others had theirs: of one time the largest, and whoever has the same rows. */
export function memberGapFacts(input: FactInput): Fact[] {
  const { subject } = input.analysis
  if (subject.grain !== 'month' || subject.under) return []
  const found = subject.dimensions
    .flatMap((dimension) => gapsOf(input, dimension))
    .filter(({ gap }) => gap.to >= input.level.from)
    .toSorted((a, b) => b.usual - a.usual)
  const largest = found
    .filter(({ gap }, at) => found.findIndex((other) => other.gap.from === gap.from) === at)
    .slice(0, TOLD)
  const isTwin = (one: MemberGap, other: MemberGap): boolean =>
    one.gap.from === other.gap.from && one.usual >= (1 - TWIN_APART_MAX) * other.usual
  return found.filter((one) => largest.some((other) => isTwin(one, other))).map((one) => gapFact(input, one))
}

function gapFact({ analysis }: FactInput, { dimension, one, gap, usual }: MemberGap): Fact {
  const { subject } = analysis
  const length = gap.to - gap.from + 1
  const expected = formatNumberAtScale(usual * length, subject.scale ?? 2)
  const whole = sumOf(subject.total, analysis.span) / (analysis.span.to - analysis.span.from + 1)
  const member = namedMember(dimension, one.member)
  return {
    member,
    draft: {
      ...CERTAIN,
      kind: 'outlier',
      period: toFindingPeriod(subject, gap),
      against: 'expected',
      comparison: null,
      effect: { value: '0', previous: expected, change: `-${expected}`, percent: -1 },
      contributions: [],
      n: analysis.span.to - analysis.span.from + 1,
      change: -usual,
      weight: 0.25 + 0.5 * Math.min(1, usual / whole),
      sentence: (told) => memberGapSentence(told, { member, usual: formatNumberAtScale(usual, subject.scale ?? 2) }),
    },
  }
}
