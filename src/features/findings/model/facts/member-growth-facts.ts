import { isBusinessGroup } from '../../../../shared/data-sources/key-columns'
import { effectOfWindows, type CandidateDraft } from '../candidates'
import { CERTAIN, isNamed, namedMember, rowsOf, sumOf, weightOf, type Fact, type FactInput } from './fact-parts'
import { memberGrowthSentence } from './fact-sentences'
import { growthWindows, type ComparedRange } from './growth-facts'
import { toFindingPeriod, type BucketRange, type SubjectDimension, type SubjectMember } from '../subject'
import { memberSubject } from '../window-findings'

/** Dimensions with more members are lists of things: among so many one has always grown many times over. */
const MEMBERS_MAX = 40
const MEMBERS_MIN = 3
/** Of the whole before, a member that is told had at least so much; and so many rows in both windows. */
const SHARE_MIN = 0.03
const ROWS_MIN = 10
/** The fastest and the slowest differ by this part at least: else all went as the whole did. */
const APART_MIN = 0.15
/** Of the whole before, what moved from some to others, to be told. */
const SHIFT_MIN = 0.02

/** What costs more is told after what brings more. */
const COST_FACTOR = 0.75

interface MemberGrowth {
  one: SubjectMember
  rate: number
}

/** The newest quarter of a window. */
const newestOf = ({ from, to }: BucketRange): BucketRange => ({ from: to - Math.floor((to - from) / 4), to })

/** Members by how fast they grew, fastest first: those that are large enough for a rate to say something. */
function ratesOf({ analysis }: FactInput, { members }: SubjectDimension, { now, then }: ComparedRange): MemberGrowth[] {
  const before = sumOf(analysis.subject.total, then)
  return members
    .flatMap((one): MemberGrowth[] => {
      const [value, previous] = [sumOf(one.series, now), sumOf(one.series, then)]
      const isTold = previous >= SHARE_MIN * before && previous > 0 && value >= 0
      if (!isNamed(one) || typeof one.member === 'boolean' || !isTold) return []
      if (rowsOf(one, then) < ROWS_MIN || rowsOf(one, now) < ROWS_MIN) return []
      // Whoever has gone is a loss, and told as one.
      if (rowsOf(one, newestOf(now)) === 0) return []
      return [{ one, rate: value / previous - 1 }]
    })
    .toSorted((a, b) => b.rate - a.rate)
}

/** What has moved from some members to others, as a part of the whole before: half of what each moved beyond its share. */
function shiftOf({ analysis }: FactInput, { members }: SubjectDimension, { now, then }: ComparedRange): number {
  const { total } = analysis.subject
  const [value, previous] = [sumOf(total, now), sumOf(total, then)]
  const apart = ({ series }: SubjectMember): number =>
    Math.abs(sumOf(series, now) - (sumOf(series, then) * value) / previous)
  return members.reduce((sum, one) => sum + apart(one), 0) / 2 / previous
}

/** Who grew fastest and who shrank most over the newest year, of the groups between which most has moved. */
export function memberGrowthFacts(input: FactInput): Fact[] {
  const { subject, span } = input.analysis
  const windows = growthWindows(subject, span)
  if (!windows || subject.under || sumOf(subject.total, windows.then) <= 0) return []
  return subject.dimensions
    .filter(({ label, members, other }) => isBusinessGroup(label) && !other && members.length <= MEMBERS_MAX)
    .flatMap((dimension) => {
      const rates = ratesOf(input, dimension, windows)
      const [fastest, slowest] = [rates[0], rates.at(-1)]
      if (!fastest || !slowest || rates.length < MEMBERS_MIN || fastest.rate - slowest.rate < APART_MIN) return []
      const shift = shiftOf(input, dimension, windows)
      return shift < SHIFT_MIN ? [] : [{ dimension, fastest, slowest, shift }]
    })
    .toSorted((a, b) => b.shift - a.shift)
    .slice(0, 1)
    .flatMap((told) => memberGrowthFact(input, windows, told))
}

function memberGrowthFact(
  { analysis }: FactInput,
  windows: ComparedRange,
  of: { dimension: SubjectDimension; fastest: MemberGrowth; slowest: MemberGrowth; shift: number },
): Fact[] {
  const { dimension } = of
  const figuresOf = ({ one }: MemberGrowth) => {
    const member = namedMember(dimension, one.member)
    const own = { ...analysis, subject: memberSubject(analysis, one), member }
    const made = effectOfWindows(own, windows)
    return made && { member, own, made }
  }
  const [first, last] = [figuresOf(of.fastest), figuresOf(of.slowest)]
  if (!first || !last) return []
  const size = ({ made }: NonNullable<typeof first>): number => Math.abs(Number(made.effect.change))
  const lead = size(last) > size(first) ? last : first
  const draft: CandidateDraft = {
    ...CERTAIN,
    kind: 'growth',
    period: toFindingPeriod(analysis.subject, windows.now),
    against: windows.against,
    comparison: toFindingPeriod(analysis.subject, windows.then),
    ...{ effect: lead.made.effect, contributions: [] },
    n: windows.now.to - windows.then.from + 1,
    change: Number(lead.made.effect.change),
    weight: (0.2 + 0.2 * weightOf(of.shift, 0.1)) * (analysis.subject.direction === 'down' ? COST_FACTOR : 1),
    sentence: (told) =>
      memberGrowthSentence(told, {
        label: dimension.label,
        fastest: { member: first.member, effect: first.made.effect },
        slowest: { member: last.member, effect: last.made.effect },
      }),
  }
  return [{ draft, member: lead.member }]
}
