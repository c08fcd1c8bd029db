import type { FindingMember, FindingPeriod, SentencePart } from '../../../shared/findings'
import { calendarUnit } from '../../../shared/findings'
import type { SentenceInput } from './candidates'
import {
  amount,
  changePhrase,
  driverPhrase,
  isUp,
  moved,
  period,
  sentence,
  share,
  signed,
  subjectPhrase,
} from './sentences'

/** What facts of the rows say: what there was, never that it is unusual. */

/** A member with its own figure, and its share of the whole where that is told. */
export interface MemberFigure {
  member: FindingMember
  value: string
  share?: number | undefined
}

const joined = (phrases: readonly (readonly SentencePart[])[]): SentencePart[] =>
  phrases.flatMap((phrase, at) => (at === 0 ? [...phrase] : [{ text: ', ' }, ...phrase]))
const rounded = (fraction: number): string => String(Math.round(fraction * 1000) / 1000)

/** A change smaller than this is told as none. */
const LITTLE = 0.02

/** "Sales rose 20,4 % (+124 tkr) to 733 tkr in 2017 vs 2016. Technology accounts for +45 of the +124." */
export function growthSentence(
  told: SentenceInput,
  of: { against: MemberFigure | null; calendar: SentenceInput | null; gaps: readonly FindingPeriod[] },
): SentencePart[] {
  const { against, calendar } = of
  const lacking = gapPhrase(of.gaps)
  const { look, effect, comparison } = told
  const then = comparison ? sentence` vs ${period(comparison)}` : []
  const isLittle = effect.percent !== null && Math.abs(effect.percent) < LITTLE && !look.subject.percent
  if (isLittle)
    return sentence`${subjectPhrase(look)} little changed: ${amount(effect.value)} in ${period(told.period)}${then} (${signed(effect.change)}).${lacking}`
  const drivers = driverPhrase(told.contributions, effect.change)
  return [
    ...sentence`${subjectPhrase(look)} ${moved(effect)} ${changePhrase(look, effect)} to ${amount(effect.value)}`,
    ...sentence` in ${period(told.period)}${then}.`,
    ...(drivers.length > 0 ? sentence` ${drivers}` : []),
    ...(against ? sentence` Against it: ${{ member: against.member }}, ${signed(against.value)}.` : []),
    ...(calendar ? calendarPhrase(calendar) : []),
    ...lacking,
  ]
}

const GAPS_TOLD = 3
/** " No records in Oct 2025.": what is told of a time is told without them. */
const gapPhrase = (gaps: readonly FindingPeriod[]): SentencePart[] =>
  gaps.length === 0 ? [] : sentence` No records in ${joined(gaps.slice(0, GAPS_TOLD).map((gap) => [period(gap)]))}.`

/** " Jan–Dec 2004: up 34,3 % (+1,2 M) to 4,7 M." */
function calendarPhrase({ look, effect, period: year, comparison }: SentenceInput): SentencePart[] {
  const then = comparison ? sentence` vs ${period(comparison)}` : []
  return sentence` ${period(year)}: ${isUp(effect) ? 'up' : 'down'} ${changePhrase(look, effect)} to ${amount(effect.value)}${then}.`
}

/** "Profit below zero in 2017 by Sub-Category: Tables −8 140, Machines −2 870. Since Jan 2014: Tables −17 700." */
export function lossSentence(
  { look, period: now }: SentenceInput,
  of: { label: string; members: readonly MemberFigure[]; since: FindingPeriod | null; all: readonly MemberFigure[] },
): SentencePart[] {
  const list = (members: readonly MemberFigure[]): SentencePart[] =>
    joined(members.map(({ member, value }) => sentence`${{ member }} ${amount(value)}`))
  const before = of.since && of.all.length > 0 ? sentence` Since ${period(of.since)}: ${list(of.all)}.` : []
  return [
    ...sentence`${subjectPhrase(look)} below zero by ${of.label} in ${period(now)}: ${list(of.members)}.`,
    ...before,
  ]
}

/** "Sales by Category in 2017: Technology 37,0 % (271 tkr), Furniture 29,3 % (215 tkr)." */
export function leaderSentence(
  { look, period: now }: SentenceInput,
  of: {
    label: string
    members: readonly MemberFigure[]
    /** How many members there are, and the share of those told. */
    count: number
    share: number
    since: FindingPeriod | null
    all: readonly MemberFigure[]
    /** What is of no member that has a name, where that is as large as one of those told. */
    nameless: MemberFigure | null
  },
): SentencePart[] {
  const list = (members: readonly MemberFigure[]): SentencePart[] =>
    joined(
      members.map(
        ({ member, value, share: part = 0 }) => sentence`${{ member }} ${share(rounded(part))} (${amount(value)})`,
      ),
    )
  const rest =
    of.count > of.members.length + 1
      ? sentence` Top ${{ figure: of.members.length, format: 'count' }} of ${{ figure: of.count, format: 'count' }}: ${share(rounded(of.share))}.`
      : []
  const before = of.since && of.all.length > 0 ? sentence` Since ${period(of.since)}: ${list(of.all)}.` : []
  return [
    ...sentence`${subjectPhrase(look)} by ${of.label} in ${period(now)}: ${list(of.members)}.`,
    ...rest,
    ...(of.nameless ? sentence` ${{ member: of.nameless.member }}: ${share(rounded(of.nameless.share ?? 0))}.` : []),
    ...before,
  ]
}

/** Which members are large enough to be told of, where some are not; by their part of an amount, or by how many rows. */
export interface Eligibility {
  /** Members that are, and all there are. */
  counted: number
  of: number
  least: { share: number; label: string } | { rows: number }
}
const eligiblePhrase = ({ counted, of, least }: Eligibility): SentencePart[] => {
  const [some, all]: SentencePart[] = [
    { figure: counted, format: 'count' },
    { figure: of, format: 'count' },
  ]
  const bar =
    'rows' in least
      ? sentence`${{ figure: least.rows, format: 'count' }} records`
      : sentence`${share(String(least.share))} of ${least.label}`
  return some && all ? sentence`, ${some} of ${all} with at least ${bar}` : []
}

/** "Profit margin by Category in 2017: lowest Furniture 2,0 %, highest Technology 18,7 %; 12,7 % overall." */
export function rateGapSentence(
  { look, period: now }: SentenceInput,
  of: {
    label: string
    low: readonly MemberFigure[]
    high: readonly MemberFigure[]
    whole: string
    /** Null: all members are told of. */
    eligible: Eligibility | null
  },
): SentencePart[] {
  const list = (members: readonly MemberFigure[]): SentencePart[] =>
    joined(members.map(({ member, value }) => sentence`${{ member }} ${amount(value)}`))
  return [
    ...sentence`${subjectPhrase(look)} by ${of.label} in ${period(now)}${of.eligible ? eligiblePhrase(of.eligible) : []}`,
    ...sentence`: lowest ${list(of.low)}`,
    ...sentence`; highest ${list(of.high)}; ${amount(of.whole)} overall.`,
  ]
}

/**
 * "Sales in Jan 2014 – Dec 2017: highest in Nov 2017 (118 tkr), lowest in Feb 2014 (4,5 tkr), 48 tkr per month on average."
 * Rows may go back further than what is looked at: what is highest, is so there.
 */
export const peakSentence = (
  { look, period: now }: SentenceInput,
  of: {
    high: FindingPeriod
    low: FindingPeriod
    top: string
    bottom: string
    mean: string
    gaps: readonly FindingPeriod[]
  },
): SentencePart[] => [
  ...sentence`${subjectPhrase(look)} in ${period(now)}: highest in ${period(of.high)} (${amount(of.top)})`,
  ...sentence`, lowest in ${period(of.low)} (${amount(of.bottom)})`,
  ...sentence`, ${amount(of.mean)} per ${calendarUnit(now.grain)} on average.`,
  ...gapPhrase(of.gaps),
]
