import type { FindingMember, FindingPeriod, SentencePart } from '../../../../shared/findings'
import { calendarUnit } from '../../../../shared/findings'
import type { SentenceInput } from '../candidates'
import {
  amount,
  changedTo,
  driverPhrase,
  isUp,
  moved,
  period,
  sentence,
  share,
  signed,
  subjectPhrase,
} from '../sentences'

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

/** What is told of a newest year beside that it rose or fell. */
interface GrowthFacets {
  /** Who went against it. */
  against: MemberFigure | null
  /** The newest calendar year, where that is another; the newest bucket. */
  calendar: SentenceInput | null
  newest: SentenceInput | null
  gaps: readonly FindingPeriod[]
  /** It is told over the months that have records in both years: some lack. */
  isAlike: boolean
}

/**
 * "Sales rose 20,4 % (+124 tkr) to 733 tkr in 2017 vs 2016. Technology accounts for +45 of the +124. Dec 2017: up 12,1 % (+9 tkr) to
 * 84 tkr vs Dec 2016."
 */
export function growthSentence(told: SentenceInput, of: GrowthFacets): SentencePart[] {
  const { against, calendar, newest } = of
  const over = of.isAlike ? ', over the months with records in both' : ''
  const lacking = gapPhrase(of.gaps)
  const latest = newest ? rangePhrase(newest) : []
  const { look, effect, comparison } = told
  const then = comparison ? sentence` vs ${period(comparison)}` : []
  const isLittle = effect.percent !== null && Math.abs(effect.percent) < LITTLE && !look.subject.percent
  if (isLittle)
    return sentence`${subjectPhrase(look)} little changed: ${amount(effect.value)} in ${period(told.period)}${then} (${signed(effect.change)})${over}.${latest}${lacking}`
  const drivers = driverPhrase(told.contributions, effect.change)
  return [
    ...sentence`${subjectPhrase(look)} ${moved(effect)} ${changedTo(look, effect)}`,
    ...sentence` in ${period(told.period)}${then}${over}.`,
    ...(drivers.length > 0 ? sentence` ${drivers}` : []),
    ...(against ? sentence` Against it: ${{ member: against.member }}, ${signed(against.value)}.` : []),
    ...(calendar ? rangePhrase(calendar) : []),
    ...latest,
    ...lacking,
  ]
}

interface MemberMovement {
  member: FindingMember
  effect: SentenceInput['effect']
}
/** "Sales by Category in 2017 vs 2016: fastest Copiers, up 62,1 % (+24 tkr) to 63 tkr; slowest Tables, down 12,3 % (−4 tkr) to 28 tkr." */
export function memberGrowthSentence(
  { look, period: now, comparison }: SentenceInput,
  of: { label: string; fastest: MemberMovement; slowest: MemberMovement },
): SentencePart[] {
  const then = comparison ? sentence` vs ${period(comparison)}` : []
  const told = ({ member, effect }: MemberMovement): SentencePart[] =>
    sentence`${{ member }}, ${movement(look, effect)}`
  return sentence`${look.subject.label} by ${of.label} in ${period(now)}${then}: fastest ${told(of.fastest)}; slowest ${told(of.slowest)}.`
}

const GAPS_TOLD = 3
/** " No records in Oct 2025.": what is told of a time is told without them. */
const gapPhrase = (gaps: readonly FindingPeriod[]): SentencePart[] =>
  gaps.length === 0 ? [] : sentence` No records in ${joined(gaps.slice(0, GAPS_TOLD).map((gap) => [period(gap)]))}.`

/** "No Sales for Falun in May 2025; 80 tkr per month around it." */
export const memberGapSentence = (
  { look, period: gap }: SentenceInput,
  of: { member: FindingMember; usual: string },
): SentencePart[] => [
  ...sentence`No ${look.subject.label} for ${{ member: of.member }} in ${period(gap)}`,
  ...sentence`; ${amount(of.usual)} per ${calendarUnit(gap.grain)} around it.`,
]

/** "up 34,3 % (+1,2 M) to 4,7 M" */
const movement = (look: SentenceInput['look'], effect: SentenceInput['effect']): SentencePart[] =>
  Number(effect.change) === 0
    ? sentence`unchanged at ${amount(effect.value)}`
    : sentence`${isUp(effect) ? 'up' : 'down'} ${changedTo(look, effect)}`

/** " Jan–Dec 2004: up 34,3 % (+1,2 M) to 4,7 M vs Jan–Dec 2003." */
export function rangePhrase({ look, effect, period: range, comparison }: SentenceInput): SentencePart[] {
  const then = comparison ? sentence` vs ${period(comparison)}` : []
  return sentence` ${period(range)}: ${movement(look, effect)}${then}.`
}

/** "Profit below zero in 2017 by Sub-Category: Tables −8 140, Machines −2 870. Jan 2014 – Dec 2017: Tables −17 700." */
export function lossSentence(
  { look, period: now }: SentenceInput,
  of: { label: string; members: readonly MemberFigure[]; whole: FindingPeriod | null; all: readonly MemberFigure[] },
): SentencePart[] {
  const list = (members: readonly MemberFigure[]): SentencePart[] =>
    joined(members.map(({ member, value }) => sentence`${{ member }} ${amount(value)}`))
  const before = of.whole && of.all.length > 0 ? sentence` ${period(of.whole)}: ${list(of.all)}.` : []
  return [
    ...sentence`${subjectPhrase(look)} below zero by ${of.label} in ${period(now)}: ${list(of.members)}.`,
    ...before,
  ]
}

/** ", top 8: 38,1 %": the largest tenth. */
const tenthPhrase = (tenth: { members: number; share: number } | null): SentencePart[] =>
  tenth ? sentence`, top ${{ figure: tenth.members, format: 'count' }}: ${share(rounded(tenth.share))}` : []

/** "Sales by Category in 2017: Technology 37,0 % (271 tkr), Furniture 29,3 % (215 tkr)." */
export function leaderSentence(
  { look, period: now }: SentenceInput,
  of: {
    label: string
    members: readonly MemberFigure[]
    /** How many members there are, and the share of those told. */
    count: number
    share: number
    /** Of many: the largest tenth of them. */
    tenth: { members: number; share: number } | null
    /** All complete periods, where there are more than those told first. */
    whole: FindingPeriod | null
    all: readonly MemberFigure[]
    /** What is of no member that has a name, where that is as large as one of those told. */
    nameless: MemberFigure | null
    /** Those of them that are gone, with the time since. */
    gone: readonly { member: FindingMember; since: FindingPeriod }[]
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
      ? sentence` Top ${{ figure: of.members.length, format: 'count' }} of ${{ figure: of.count, format: 'count' }}: ${share(rounded(of.share))}${tenthPhrase(of.tenth)}.`
      : []
  const before = of.whole && of.all.length > 0 ? sentence` ${period(of.whole)}: ${list(of.all)}.` : []
  return [
    ...sentence`${subjectPhrase(look)} by ${of.label} in ${period(now)}: ${list(of.members)}.`,
    ...rest,
    ...of.gone.flatMap(({ member, since }) => sentence` None for ${{ member }} since ${period(since)}.`),
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
    /** The highest bucket of what is looked at by weeks or days, where this is of months. */
    within?: { high: FindingPeriod; top: string } | null
  },
): SentencePart[] => [
  ...sentence`${subjectPhrase(look)} in ${period(now)}: highest in ${period(of.high)} (${amount(of.top)})`,
  ...sentence`, lowest in ${period(of.low)} (${amount(of.bottom)})`,
  ...sentence`, ${amount(of.mean)} per ${calendarUnit(now.grain)} on average.`,
  ...(of.within
    ? sentence` Highest ${calendarUnit(of.within.high.grain)}: ${period(of.within.high)} (${amount(of.within.top)}).`
    : []),
  ...gapPhrase(of.gaps),
]

/** A figure by a part of its dates: Monday is 1, and hours are from 0 on. */
export interface PartFigure {
  part: number
  value: string | number
}
export interface PartShare extends PartFigure {
  share: number
}
export interface PartExtremes {
  high: PartShare
  low: PartShare
  /** How far the highest stands above the one in the middle, beside the mean of all. */
  apart: number
}

/** 2024-01-01, a Monday. */
const weekdayPart = ({ part }: PartShare): SentencePart => {
  const day = `2024-01-0${part}`
  return { season: { from: day, to: day, grain: 'day' } }
}
const hourPart = ({ part }: PartShare): SentencePart => {
  const hour = `2024-01-01T${String(part).padStart(2, '0')}:00`
  return { season: { from: hour, to: hour, grain: 'hour' } }
}

/** "Sales in Jan–Jun 2023 by weekday: highest on Friday (16,6 %, 136 tkr), lowest on Sunday (12,1 %, 99 tkr). By hour: highest from 12:00 …" */
export function calendarSentence(
  about: { label: string; period: FindingPeriod },
  { week, day }: { week: PartExtremes | null; day: PartExtremes | null },
): SentencePart[] {
  const told = ({ share: part, value }: PartShare): SentencePart[] =>
    sentence`(${share(rounded(part))}, ${amount(String(value))})`
  const byWeekday = week
    ? sentence` by weekday: highest on ${weekdayPart(week.high)} ${told(week.high)}, lowest on ${weekdayPart(week.low)} ${told(week.low)}.`
    : []
  const byHour = day
    ? sentence` ${week ? 'By' : 'by'} hour: highest from ${hourPart(day.high)} ${told(day.high)}, lowest from ${hourPart(day.low)} ${told(day.low)}.`
    : []
  return sentence`${about.label} in ${period(about.period)}${byWeekday}${byHour}`
}
