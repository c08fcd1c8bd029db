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
  { against, calendar }: { against: MemberFigure | null; calendar: SentenceInput | null },
): SentencePart[] {
  const { look, effect, comparison } = told
  const then = comparison ? sentence` vs ${period(comparison)}` : []
  const isLittle = effect.percent !== null && Math.abs(effect.percent) < LITTLE && !look.subject.percent
  if (isLittle)
    return sentence`${subjectPhrase(look)} little changed: ${amount(effect.value)} in ${period(told.period)}${then} (${signed(effect.change)}).`
  const drivers = driverPhrase(told.contributions, effect.change)
  return [
    ...sentence`${subjectPhrase(look)} ${moved(effect)} ${changePhrase(look, effect)} to ${amount(effect.value)}`,
    ...sentence` in ${period(told.period)}${then}.`,
    ...(drivers.length > 0 ? sentence` ${drivers}` : []),
    ...(against ? sentence` Against it: ${{ member: against.member }}, ${signed(against.value)}.` : []),
    ...(calendar ? calendarPhrase(calendar) : []),
  ]
}

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
    ...before,
  ]
}

/** "Profit margin by Category in 2017: lowest Furniture 2,0 %, highest Technology 18,7 %; 12,7 % overall." */
export function rateGapSentence(
  { look, period: now }: SentenceInput,
  of: {
    label: string
    low: readonly MemberFigure[]
    high: readonly MemberFigure[]
    whole: string
    /** Smaller parts than this are not ranked, and one of them is beyond those told. */
    rankedFrom?: number
  },
): SentencePart[] {
  const list = (members: readonly MemberFigure[]): SentencePart[] =>
    joined(members.map(({ member, value }) => sentence`${{ member }} ${amount(value)}`))
  const left =
    of.rankedFrom === undefined
      ? []
      : sentence` Groups below ${{ figure: of.rankedFrom, format: 'share' }} aren’t ranked.`
  return [
    ...sentence`${subjectPhrase(look)} by ${of.label} in ${period(now)}: lowest ${list(of.low)}`,
    ...sentence`; highest ${list(of.high)}; ${amount(of.whole)} overall.`,
    ...left,
  ]
}

/** "Sales highest in Nov 2017 (118 tkr) and lowest in Feb 2014 (4,5 tkr); 48 tkr per month on average." */
export const peakSentence = (
  { look, period: now }: SentenceInput,
  of: { high: FindingPeriod; low: FindingPeriod; top: string; bottom: string; mean: string },
): SentencePart[] => [
  ...sentence`${subjectPhrase(look)} highest in ${period(of.high)} (${amount(of.top)}) and lowest in ${period(of.low)} (${amount(of.bottom)})`,
  ...sentence`; ${amount(of.mean)} per ${calendarUnit(now.grain)} on average.`,
]
