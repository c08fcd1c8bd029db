import type {
  ContributionTable,
  FindingMember,
  FindingPeriod,
  DetectedFinding,
  SentencePart,
} from '../../../shared/findings'
import type { SeriesAnalysis, SentenceInput } from './candidates'

/** What findings say, in plain English. A finding accounts for a change; it never says why. */

type Effect = DetectedFinding['effect']
const text = (words: string): SentencePart => ({ text: words })
const period = (of: FindingPeriod): SentencePart => ({ period: of })
const percent = (fraction: number): SentencePart => ({ figure: Math.abs(fraction), format: 'share' })
const amount = (figure: string | null): SentencePart => ({ figure: figure ?? '0', format: 'measure' })
const signed = (figure: string | null): SentencePart => ({ figure: figure ?? '0', format: 'change' })
const share = (figure: string | null): SentencePart => ({ figure: figure ?? '0', format: 'share' })
const isUp = ({ change }: Effect): boolean => !change.startsWith('-')

/** The parts of a template in their order; strings that are filled in belong to the text around them. */
function sentence(
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
      close()
      parts.push(...[phrase].flat())
    }
  }
  close()
  return parts
}

/** "Revenue", or "Revenue of Skåne". */
const subjectPhrase = ({ subject, member }: SeriesAnalysis): SentencePart[] =>
  member === null ? [text(subject.label)] : sentence`${subject.label} of ${{ member }}`

const changePhrase = ({ percent: fraction, change }: Effect): SentencePart =>
  fraction === null ? amount(change.replace(/^-/, '')) : percent(fraction)

/** " Skåne accounts for −60 of the −91." Nothing where no member stands out. */
function driverPhrase([table]: readonly ContributionTable[], change: string): SentencePart[] {
  const line = table?.lines.find(({ others }) => others === undefined)
  if (!table || !line || Number(line.change) * Number(change) <= 0) return []
  const member = { dimension: table.dimension, label: table.label, value: line.member ?? null }
  return sentence` ${{ member }} accounts for ${signed(line.change)} of the ${signed(change)}.`
}

export function changeSentence(told: SentenceInput): SentencePart[] {
  const { look, effect, comparison } = told
  const against = comparison ? sentence` than in ${period(comparison)}` : sentence` than its season and trend say`
  return [
    ...sentence`${subjectPhrase(look)} was ${amount(effect.value)} in ${period(told.period)}, ${changePhrase(effect)}`,
    ...sentence`${text(isUp(effect) ? ' more' : ' less')}${against}, which is outside its usual range.`,
    ...driverPhrase(told.contributions, effect.change),
  ]
}

export function levelShiftSentence(told: SentenceInput): SentencePart[] {
  const { look, effect, comparison } = told
  const level = isUp(effect) ? 'higher' : 'lower'
  const now = comparison ? sentence` in ${period(told.period)}` : sentence` a period`
  const then = comparison ? sentence` in ${period(comparison)}` : sentence` before`
  return [
    ...sentence`${subjectPhrase(look)} has run on a ${level} level since the start of ${startOf(told.period)}: `,
    ...sentence`${amount(effect.value)}${now} against ${amount(effect.previous)}${then}.`,
    ...driverPhrase(told.contributions, effect.change),
  ]
}

const startOf = (now: FindingPeriod): SentencePart => period({ ...now, to: now.from })
const endOf = (now: FindingPeriod): SentencePart => period({ ...now, from: now.to })

/** `slopes`: the trend before and after the turn, of one period each. */
export function trendBreakSentence(told: SentenceInput, slopes: Effect): SentencePart[] {
  const { look, effect, comparison } = told
  const line = driverPhrase(told.contributions, effect.change)
  const turn = text(isUp(slopes) ? 'upwards' : 'downwards')
  const grain = told.period.grain.replace('fiscal', '').toLowerCase()
  return [
    ...sentence`${subjectPhrase(look)} has turned ${turn} since the start of ${startOf(told.period)}`,
    ...sentence`: its trend went from ${signed(slopes.previous)} to ${signed(slopes.value)} a ${grain}.`,
    ...(comparison && line.length > 0 ? sentence` Against ${period(comparison)},${line}` : []),
  ]
}

export function outlierSentence(told: SentenceInput): SentencePart[] {
  const { look, effect, comparison } = told
  const before = amount(effect.previous)
  const against = comparison
    ? sentence`, against ${before} in ${period(comparison)}`
    : sentence`, where its season and trend say ${before}`
  return [
    ...sentence`${subjectPhrase(look)} stands apart in ${period(told.period)}: ${amount(effect.value)}${against}.`,
    ...driverPhrase(told.contributions, effect.change),
  ]
}

export function streakSentence({ look, effect, period: now }: SentenceInput, length: number): SentencePart[] {
  const way = isUp(effect) ? 'up' : 'down'
  const times: SentencePart = { figure: length, format: 'count' }
  return [
    ...sentence`${subjectPhrase(look)} has gone ${way} ${times} times in a row to ${endOf(now)}`,
    ...sentence`, by ${changePhrase(effect)} in all, beside its season and trend.`,
  ]
}

export function lostMemberSentence(told: SentenceInput, member: FindingMember): SentencePart[] {
  const { look, effect, comparison } = told
  const before = comparison ? period(comparison) : text('as many periods before')
  return [
    ...sentence`${{ member }} has had no ${look.subject.label} since the start of ${startOf(told.period)}`,
    ...sentence`, after ${amount(effect.previous)} in ${before}.`,
  ]
}

export const newMemberSentence = (
  { look, effect, period: now }: SentenceInput,
  member: FindingMember,
): SentencePart[] => [
  ...sentence`${{ member }} is new since the start of ${startOf(now)} and accounts for `,
  ...sentence`${amount(effect.value)} of ${look.subject.label} since.`,
]

export const concentrationSentence = ({ look, effect }: SentenceInput, now: FindingPeriod, member: FindingMember) => [
  ...sentence`The largest in ${member.label}, ${{ member }}, accounts for ${share(effect.value)}`,
  ...sentence` of ${look.subject.label} in ${period(now)}; season and trend of the largest share say `,
  ...sentence`${share(effect.previous)}.`,
]

export function mixShiftSentence({ look, effect, comparison, ...told }: SentenceInput): SentencePart[] {
  const way = isUp(effect) ? 'up' : 'down'
  const then = comparison ? sentence` in ${period(comparison)}` : []
  const weights = told.contributions[0]?.label ?? 'the mix'
  return [
    ...sentence`${subjectPhrase(look)} went ${way} from ${amount(effect.previous)}${then} to ${amount(effect.value)} in `,
    ...sentence`${period(told.period)} as the weights within ${weights} moved; the change of mix accounts for most of it.`,
  ]
}

export const seasonSentence = ({ look, effect, period: now }: SentenceInput): SentencePart[] => [
  ...sentence`${subjectPhrase(look)} has a season: the likes of ${period(now)} are usually the highest, `,
  ...sentence`${changePhrase(effect)} above the average period.`,
]

/** "Revenue is heading for 11.2 in 2026, 14 % short of its target of 13, by its season and trend up to Oct 2026." */
export const targetRiskSentence = ({ look, effect, period: now }: SentenceInput, of: FindingPeriod): SentencePart[] => [
  ...sentence`${subjectPhrase(look)} is heading for ${amount(effect.value)} in ${period(of)}, ${changePhrase(effect)}`,
  ...sentence`${text(isUp(effect) ? ' above' : ' short of')} its target of ${amount(effect.previous)}`,
  ...sentence`, by its season and trend up to ${endOf(now)}.`,
]
