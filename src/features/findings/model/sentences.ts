import { calendarUnit } from '../../../shared/findings'
import type {
  ContributionTable,
  FindingMember,
  FindingPeriod,
  DetectedFinding,
  SentencePart,
} from '../../../shared/findings'
import type { SeriesAnalysis, SentenceInput } from './candidates'

/**
 * What findings say, in plain English. A finding accounts for a change; it never says why. A name may be a plural, so it is
 * followed by a verb of the past or a colon.
 */

type Effect = DetectedFinding['effect']
export const text = (words: string): SentencePart => ({ text: words })
export const period = (of: FindingPeriod): SentencePart => ({ period: of })
const percent = (fraction: number): SentencePart => ({ figure: Math.abs(fraction), format: 'share' })
export const amount = (figure: string | null): SentencePart => ({ figure: figure ?? '0', format: 'measure' })
export const signed = (figure: string | null): SentencePart => ({ figure: figure ?? '0', format: 'change' })
const difference = (figure: string): SentencePart => ({ figure: figure.replace(/^-/, ''), format: 'difference' })
export const share = (figure: string | null): SentencePart => ({ figure: figure ?? '0', format: 'share' })
export const isUp = ({ change }: Effect): boolean => !change.startsWith('-')
export const moved = (effect: Effect): string => (isUp(effect) ? 'rose' : 'fell')

/** A day is named by "on", what is longer by "in". */
const beforePeriod = (words: string, { grain, from, to }: FindingPeriod): string =>
  grain === 'day' && from === to ? words.replace(/\bin $/, 'on ') : words

/** The parts of a template in their order; strings that are filled in belong to the text around them. */
export function sentence(
  words: TemplateStringsArray,
  ...phrases: readonly (string | SentencePart | readonly SentencePart[])[]
): SentencePart[] {
  const parts: SentencePart[] = []
  let open = ''
  const close = (): void => {
    if (open !== '') parts.push(text(open))
    open = ''
  }
  for (const [i, word] of words.entries()) {
    open += word
    const phrase = phrases[i] ?? ''
    if (typeof phrase === 'string') open += phrase
    else {
      const [first] = [phrase].flat()
      if (first && 'period' in first) open = beforePeriod(open, first.period)
      close()
      parts.push(...[phrase].flat())
    }
  }
  close()
  return parts
}

const isEmptyMember = ({ value }: FindingMember): boolean => value === null || value === ''
/** "for Skåne", or "where Region is empty". */
const memberPhrase = (member: FindingMember): SentencePart[] =>
  isEmptyMember(member) ? sentence`where ${{ member }}` : sentence`for ${{ member }}`

/** "Revenue", or "Revenue for Skåne". */
export const subjectPhrase = ({ subject, member }: SeriesAnalysis): SentencePart[] =>
  member === null ? [text(subject.label)] : sentence`${subject.label} ${memberPhrase(member)}`

/** Of a base that was nearly nothing a percentage says nothing. */
const PERCENT_MAX = 10

/** How much: per cent, but of a base that is nothing, below it, or itself in per cent the amount alone. */
const isRelative = ({ subject }: SeriesAnalysis, { percent: fraction, previous }: Effect): boolean =>
  fraction !== null && Math.abs(fraction) <= PERCENT_MAX && Number(previous) > 0 && !subject.percent

/** "12,4 % (+553 tkr)", or "553 tkr". */
export function changePhrase(look: SeriesAnalysis, effect: Effect): SentencePart[] {
  if (!isRelative(look, effect)) return [difference(effect.change)]
  return sentence`${percent(effect.percent ?? 0)} (${signed(effect.change)})`
}
/** "12,4 % (+553 tkr) to 5,01 Mkr"; of a loss, or of nothing, "from −11 tkr to 1,11 Mkr": a rise by more than what it came to says neither. */
export const changedTo = (look: SeriesAnalysis, effect: Effect): SentencePart[] =>
  effect.previous !== null && Number(effect.previous) <= 0 && !look.subject.percent
    ? sentence`from ${amount(effect.previous)} to ${amount(effect.value)}`
    : sentence`${changePhrase(look, effect)} to ${amount(effect.value)}`
/** "12,4 %", or "553 tkr". */
const sizePhrase = (look: SeriesAnalysis, effect: Effect): SentencePart =>
  isRelative(look, effect) ? percent(effect.percent ?? 0) : difference(effect.change)

/** A change that would be shown as no points at all, of a figure in per cent; of others what is nothing. */
const isNothing = ({ subject }: SeriesAnalysis, change: string | null): boolean =>
  Math.abs(Number(change)) < (subject.percent === true ? SHOWN_MIN : Number.MIN_VALUE)

/** "Skåne accounts for −60 of the −91." Nothing where no member stands out. */
export function driverPhrase([table]: readonly ContributionTable[], change: string): SentencePart[] {
  const line = table?.lines.find(({ others }) => others === undefined)
  if (!table || !line || Number(line.change) * Number(change) <= 0) return []
  const member = { dimension: table.dimension, label: table.label, value: line.member ?? null }
  const name = isEmptyMember(member) ? sentence`Records where ${{ member }} account` : sentence`${{ member }} accounts`
  if (line.rate !== undefined && line.mix !== undefined)
    return [line.rate, line.mix].every((part) => Math.abs(Number(part)) < SHOWN_MIN)
      ? []
      : sentence`${{ member }}: ${rateAndMix(line)}.`
  const part = Number(line.change) / Number(change)
  if (part > NEARLY_ALL) return sentence`${name} for ${wholeWords(part)} of it: ${signed(line.change)}.`
  return sentence`${name} for ${signed(line.change)} of the ${signed(change)}.`
}
/** From here on both figures are the same as they are shown. */
const NEARLY_ALL = 0.995
const wholeWords = (part: number): string => (part > 1 ? 'more than all' : part === 1 ? 'all' : 'nearly all')
/** What is shown as 0,0 percentage points says nothing. */
const SHOWN_MIN = 0.0005
/** "−3,1 by rate, +1,1 by mix"; a part that would be shown as nothing is left out. */
function rateAndMix({ rate = '0', mix = '0' }: ContributionTable['lines'][number]): SentencePart[] {
  const [byRate, byMix] = [sentence`${signed(rate)} by rate`, sentence`${signed(mix)} by mix`]
  if (Math.abs(Number(mix)) < SHOWN_MIN) return byRate
  return Math.abs(Number(rate)) < SHOWN_MIN ? byMix : [...byRate, ...sentence`, `, ...byMix]
}
const alsoDrivers = (told: SentenceInput): SentencePart[] => {
  const line = driverPhrase(told.contributions, told.effect.change)
  return line.length > 0 ? sentence` ${line}` : []
}

const startOf = (now: FindingPeriod): SentencePart => period({ ...now, to: now.from })
const endOf = (now: FindingPeriod): SentencePart => period({ ...now, from: now.to })

export function changeSentence(told: SentenceInput): SentencePart[] {
  const { look, effect, comparison } = told
  const subject = subjectPhrase(look)
  if (!comparison) {
    const side = isUp(effect) ? 'above' : 'below'
    return [
      ...sentence`${subject} reached ${amount(effect.value)} in ${period(told.period)}, ${sizePhrase(look, effect)}`,
      ...sentence` ${side} the ${amount(effect.previous)} expected.`,
      ...alsoDrivers(told),
    ]
  }
  return [
    ...sentence`${subject} ${moved(effect)} ${changedTo(look, effect)}`,
    ...sentence` in ${period(told.period)} vs ${period(comparison)}, outside the normal range.`,
    ...alsoDrivers(told),
  ]
}

/** Beside comparable buckets where there are such; else beside all before, or (`isBesideTrend`) what their trend would have led to. */
export function levelShiftSentence(told: SentenceInput, { isBesideTrend = false } = {}): SentencePart[] {
  const { look, effect, comparison } = told
  if (!comparison && isBesideTrend)
    return [
      ...sentence`${subjectPhrase(look)} shifted ${isUp(effect) ? 'above' : 'below'} the earlier trend in ${startOf(told.period)}: `,
      ...sentence`${amount(effect.value)} per ${calendarUnit(told.period.grain)} vs ${amount(effect.previous)} expected.`,
    ]
  const level = isUp(effect) ? 'higher' : 'lower'
  const figures = comparison
    ? sentence`${amount(effect.value)} in ${period(told.period)} vs ${amount(effect.previous)} in ${period(comparison)}`
    : sentence`${amount(effect.value)} per ${calendarUnit(told.period.grain)} vs ${amount(effect.previous)} before`
  return [
    ...sentence`${subjectPhrase(look)} shifted ${level} in ${startOf(told.period)}: ${figures}.`,
    ...alsoDrivers(told),
  ]
}

/** A trend that is so small beside the other one is told as none. */
const FLAT_SHARE_MAX = 0.02
const slopePhrase = (look: SeriesAnalysis, slope: string | null, other: string | null): SentencePart[] =>
  isNothing(look, slope) || Math.abs(Number(slope)) < FLAT_SHARE_MAX * Math.abs(Number(other))
    ? sentence`flat`
    : sentence`${signed(slope)}`

/** `slopes`: the trend before and after the turn, of one period each. */
export function trendBreakSentence(told: SentenceInput, slopes: Effect): SentencePart[] {
  const { look, effect, comparison } = told
  const line = driverPhrase(told.contributions, effect.change)
  const turned =
    isNothing(look, slopes.previous) && isNothing(look, slopes.value)
      ? sentence`${subjectPhrase(look)} turned ${isUp(slopes) ? 'up' : 'down'} in ${startOf(told.period)}.`
      : [
          ...sentence`${subjectPhrase(look)} changed trend in ${startOf(told.period)}: from `,
          ...sentence`${slopePhrase(look, slopes.previous, slopes.value)} to ${slopePhrase(look, slopes.value, slopes.previous)}`,
          ...sentence` per ${calendarUnit(told.period.grain)}.`,
        ]
  return [...turned, ...(comparison && line.length > 0 ? sentence` Vs ${period(comparison)}, ${line}` : [])]
}

export function outlierSentence(told: SentenceInput): SentencePart[] {
  const { look, effect, comparison } = told
  const verb = isUp(effect) ? 'spiked' : 'dropped'
  const before = amount(effect.previous)
  const against = comparison ? sentence`${before} in ${period(comparison)}` : sentence`${before} expected`
  return [
    ...sentence`${subjectPhrase(look)} ${verb} in ${period(told.period)}: ${amount(effect.value)} vs ${against}.`,
    ...alsoDrivers(told),
  ]
}

export function streakSentence({ look, effect, period: now }: SentenceInput, length: number): SentencePart[] {
  const times: SentencePart = { figure: length, format: 'count' }
  const unadjusted: SentencePart = isRelative(look, effect)
    ? { figure: effect.percent ?? 0, format: 'shareChange' }
    : signed(effect.change)
  return [
    ...sentence`${subjectPhrase(look)} ${moved(effect)} ${times} ${calendarUnit(now.grain)}s in a row to ${endOf(now)}`,
    ...sentence`, trend and season adjusted (unadjusted ${unadjusted}).`,
  ]
}

/** Only for the periods looked at: data may have ended long ago. */
export function lostMemberSentence(told: SentenceInput, member: FindingMember): SentencePart[] {
  const { look, effect, comparison } = told
  const before = comparison ? sentence`in ${period(comparison)}` : 'before'
  return [
    ...sentence`No ${look.subject.label} ${memberPhrase(member)} in ${period(told.period)}`,
    ...sentence`, after ${amount(effect.previous)} ${before}.`,
  ]
}

export const newMemberSentence = (
  { look, effect, period: now }: SentenceInput,
  member: FindingMember,
): SentencePart[] => sentence`New: ${{ member }}, ${amount(effect.value)} of ${look.subject.label} in ${period(now)}.`

export const concentrationSentence = ({ look, effect }: SentenceInput, now: FindingPeriod, member: FindingMember) => [
  ...sentence`${{ member }}, largest in ${member.label}, made up ${share(effect.value)} of ${look.subject.label}`,
  ...sentence` in ${period(now)} (${share(effect.previous)} expected).`,
]

export function mixShiftSentence({ look, effect, comparison, ...told }: SentenceInput): SentencePart[] {
  const then = comparison ? sentence` in ${period(comparison)}` : []
  const weights = told.contributions[0]?.label
  return [
    ...sentence`${subjectPhrase(look)} ${moved(effect)} from ${amount(effect.previous)}${then} to ${amount(effect.value)}`,
    ...sentence` in ${period(told.period)}; a mix shift${weights === undefined ? '' : ` in ${weights}`}`,
    ...sentence` accounts for most of it.`,
  ]
}

/** "Sales: November is usually the highest month, 76 % above average; February the lowest, 55 % below." */
export function seasonSentence(
  { look, effect, period: now }: SentenceInput,
  low: Pick<SentenceInput, 'effect' | 'period'> | null,
): SentencePart[] {
  const [end, side] = isUp(effect) ? ['highest', 'above'] : ['lowest', 'below']
  const other = low ? sentence`; ${{ season: low.period }} the lowest, ${sizePhrase(look, low.effect)} below` : []
  return [
    ...sentence`${subjectPhrase(look)}: ${{ season: now }} is usually the ${end} ${seasonUnit(now.grain)}, `,
    ...sentence`${sizePhrase(look, effect)} ${side} average${other}.`,
  ]
}
const seasonUnit = (grain: FindingPeriod['grain']): string => (grain === 'day' ? 'weekday' : calendarUnit(grain))

/** "Revenue: 11.2 expected for 2026, 14 % below the 13 target (data to Oct 2026)." */
export function targetRiskSentence(told: SentenceInput, of: FindingPeriod): SentencePart[] {
  const { look, effect, period: now } = told
  return [
    ...sentence`${subjectPhrase(look)}: ${amount(effect.value)} expected for ${period(of)}, ${sizePhrase(look, effect)}`,
    ...sentence`${isUp(effect) ? ' above' : ' below'} the ${amount(effect.previous)} target (data to ${endOf(now)}).`,
  ]
}

export const isResult = (label: string): boolean => /profit|result|resultat|vinst|earnings|income/i.test(label)

/** "Profit for South turned to a loss: −2 100 in Oct–Dec 2022 vs 4 200 in Oct–Dec 2021." */
export function turnedSentence(told: SentenceInput): SentencePart[] {
  const { look, effect, comparison } = told
  const side = isUp(effect) ? 'positive' : isResult(look.subject.label) ? 'to a loss' : 'negative'
  const then = comparison ? sentence` vs ${amount(effect.previous)} in ${period(comparison)}` : []
  return [
    ...sentence`${subjectPhrase(look)} turned ${side}: ${amount(effect.value)} in ${period(told.period)}${then}.`,
    ...alsoDrivers(told),
  ]
}

/** How a member's change stands beside that of the whole: nothing where they go different ways. */
function shareOfChange(change: string, whole: string): SentencePart[] {
  if (Number(whole) === 0) return sentence` The total stayed the same.`
  const part = Number(change) / Number(whole)
  if (!(part > 0)) return sentence` The total changed by ${signed(whole)}.`
  if (part > 1) return sentence` More than all of the total change of ${signed(whole)}.`
  return sentence` ${share(String(Math.round(part * 1000) / 1000))} of the total change of ${signed(whole)}.`
}

/** What a member's change did to the ratio of all. */
function effectOnRatio(look: SeriesAnalysis, line: ContributionTable['lines'][number], whole: string): SentencePart[] {
  if (isNothing(look, line.rate ?? null) && isNothing(look, line.mix ?? null)) return []
  if (isNothing(look, whole)) return sentence` In a total that hardly changed: ${rateAndMix(line)}.`
  return sentence` Of the total change of ${signed(whole)}: ${rateAndMix(line)}.`
}

/** "Tables, largest fall in Product group: Profit −6 100 to −9 300 in Oct–Dec 2022 vs Oct–Dec 2021." */
export function contributionSentence(
  told: SentenceInput,
  {
    member,
    whole,
    line,
  }: { member: FindingMember; whole: string; line: ContributionTable['lines'][number] | undefined },
): SentencePart[] {
  const { look, effect, comparison } = told
  const [value, previous] = [Number(effect.value), Number(effect.previous)]
  const then = comparison ? sentence` vs ${period(comparison)}` : []
  if (line?.rate !== undefined)
    return [
      ...sentence`${look.subject.label} ${memberPhrase(member)} ${moved(effect)} ${changePhrase(look, effect)} to `,
      ...sentence`${amount(effect.value)} in ${period(told.period)}${then}.`,
      ...effectOnRatio(look, line, whole),
    ]
  const others = shareOfChange(effect.change, whole)
  if (previous < 0 && value < previous)
    return [
      ...sentence`${look.subject.label} ${memberPhrase(member)}: loss grew from ${amount(effect.previous)} to `,
      ...sentence`${amount(effect.value)} in ${period(told.period)}${then}.${others}`,
    ]
  return [
    ...sentence`${{ member }}, largest ${isUp(effect) ? 'rise' : 'fall'} in ${member.label}: ${look.subject.label} `,
    ...sentence`${moved(effect)} ${changedTo(look, effect)} in ${period(told.period)}${then}.`,
    ...others,
  ]
}

/** "Sales for Decking fell 53 % (−185 tkr) to 163 tkr in Sep–Nov 2025 vs Sep–Nov 2024. … Also: Insulation, up 66 % (+131 tkr)." */
export function memberMoveSentence(
  told: SentenceInput,
  of: {
    member: FindingMember
    whole: string
    others: readonly { look: SeriesAnalysis; member: FindingMember; effect: Effect }[]
  },
): SentencePart[] {
  const { look, effect, comparison } = told
  const then = comparison ? sentence` vs ${period(comparison)}` : []
  const others = of.others.flatMap((one, at) => [
    ...sentence`${at === 0 ? ' Also: ' : ', '}${{ member: one.member }} ${isUp(one.effect) ? 'up' : 'down'} `,
    ...changePhrase(one.look, one.effect),
  ])
  return [
    ...sentence`${look.subject.label} ${memberPhrase(of.member)} ${moved(effect)} ${changedTo(look, effect)}`,
    ...sentence` in ${period(told.period)}${then}.${shareOfChange(effect.change, of.whole)}`,
    ...(others.length > 0 ? [...others, text('.')] : []),
  ]
}

/** "Skåne passed Stockholm in Revenue: 1.3 M in 2022 vs 1.2 M." */
export const overtookSentence = (
  { look, effect, period: now, comparison }: SentenceInput,
  of: { member: FindingMember; passed: FindingMember; rank: number; other: number },
): SentencePart[] => {
  const then = comparison ? sentence` (${amount(effect.previous)} in ${period(comparison)})` : []
  return [
    ...sentence`${{ member: of.member }} passed ${{ member: of.passed }} in ${look.subject.label}: number `,
    ...sentence`${{ figure: of.rank, format: 'count' }} in ${of.member.label} with ${amount(effect.value)} in ${period(now)}${then}.`,
  ]
}
