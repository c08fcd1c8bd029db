import type {
  ContributionTable,
  FindingMember,
  FindingPeriod,
  DetectedFinding,
  SentencePart,
} from '../../../shared/findings'
import type { SeriesAnalysis } from './candidates'

/** What findings say, in plain English. A finding accounts for a change; it never says why. */

type Effect = DetectedFinding['effect']
const text = (words: string): SentencePart => ({ text: words })
const period = (of: FindingPeriod): SentencePart => ({ period: of })
const percent = (fraction: number): SentencePart => ({ figure: Math.abs(fraction), format: 'share' })
const amount = (figure: string): SentencePart => ({ figure, format: 'measure' })
const size = (change: string): SentencePart => amount(change.replace(/^-/, ''))
const isUp = ({ change }: Effect): boolean => !change.startsWith('-')

/** "Revenue", or "Revenue of Skåne". */
const subjectPhrase = ({ subject, member }: SeriesAnalysis): SentencePart[] =>
  member === null ? [text(subject.label)] : [text(`${subject.label} of `), { member }]

const changePhrase = ({ percent: fraction, change }: Effect): SentencePart[] =>
  fraction === null ? [size(change)] : [percent(fraction)]

/** " Skåne accounts for −60 of the −91." Nothing where no member stands out. */
function driverPhrase(tables: readonly ContributionTable[], change: string): SentencePart[] {
  const [table] = tables
  const line = table?.lines.find(({ others }) => others === undefined)
  if (!table || !line || Number(line.change) * Number(change) <= 0) return []
  return [
    text(' '),
    { member: { dimension: table.dimension, label: table.label, value: line.member ?? null } },
    text(' accounts for '),
    { figure: line.change, format: 'change' },
    text(' of the '),
    { figure: change, format: 'change' },
    text('.'),
  ]
}

export interface SentenceInput {
  look: SeriesAnalysis
  effect: Effect
  period: FindingPeriod
  comparison: FindingPeriod | null
  contributions: readonly ContributionTable[]
}

export function changeSentence({
  look,
  effect,
  period: now,
  comparison,
  contributions,
}: SentenceInput): SentencePart[] {
  const against = comparison ? [text(' than in '), period(comparison)] : [text(' than its season and trend say')]
  return [
    ...subjectPhrase(look),
    text(' was '),
    amount(effect.value ?? '0'),
    text(' in '),
    period(now),
    text(', '),
    ...changePhrase(effect),
    text(isUp(effect) ? ' more' : ' less'),
    ...against,
    text(', which is outside its usual range.'),
    ...driverPhrase(contributions, effect.change),
  ]
}

export function levelShiftSentence({
  look,
  effect,
  period: now,
  comparison,
  contributions,
}: SentenceInput): SentencePart[] {
  return [
    ...subjectPhrase(look),
    text(` has run on a ${isUp(effect) ? 'higher' : 'lower'} level since the start of `),
    period({ ...now, to: now.from }),
    text(': '),
    amount(effect.value ?? '0'),
    ...(comparison ? [text(' in '), period(now)] : [text(' a period')]),
    text(' against '),
    amount(effect.previous ?? '0'),
    ...(comparison ? [text(' in '), period(comparison)] : [text(' before')]),
    text('.'),
    ...driverPhrase(contributions, effect.change),
  ]
}

/** `slopes`: the trend before and after the turn, of one period each. */
export function trendBreakSentence(
  { look, effect, period: now, comparison, contributions }: SentenceInput,
  slopes: Effect,
): SentencePart[] {
  const [line, against] = [driverPhrase(contributions, effect.change), comparison]
  return [
    ...subjectPhrase(look),
    text(' has turned '),
    text(isUp(slopes) ? 'upwards' : 'downwards'),
    text(' since the start of '),
    period({ ...now, to: now.from }),
    text(': its trend went from '),
    { figure: slopes.previous ?? '0', format: 'change' },
    text(' to '),
    { figure: slopes.value ?? '0', format: 'change' },
    text(` a ${now.grain.replace('fiscal', '').toLowerCase()}.`),
    ...(against && line.length > 0 ? [text(' Against '), period(against), text(','), ...line] : []),
  ]
}

export function outlierSentence({
  look,
  effect,
  period: now,
  comparison,
  contributions,
}: SentenceInput): SentencePart[] {
  const against = comparison
    ? [text(', against '), amount(effect.previous ?? '0'), text(' in '), period(comparison)]
    : []
  const expected = comparison ? [] : [text(', where its season and trend say '), amount(effect.previous ?? '0')]
  return [
    ...subjectPhrase(look),
    text(' stands apart in '),
    period(now),
    text(': '),
    amount(effect.value ?? '0'),
    ...against,
    ...expected,
    text('.'),
    ...driverPhrase(contributions, effect.change),
  ]
}

export function streakSentence({ look, effect, period: now }: SentenceInput, length: number): SentencePart[] {
  return [
    ...subjectPhrase(look),
    text(` has gone ${isUp(effect) ? 'up' : 'down'} `),
    { figure: length, format: 'count' },
    text(' times in a row to '),
    period({ ...now, from: now.to }),
    text(', by '),
    ...changePhrase(effect),
    text(' in all, beside its season and trend.'),
  ]
}

export function lostMemberSentence(told: SentenceInput & { member: FindingMember }): SentencePart[] {
  return [
    { member: told.member },
    text(` has had no ${told.look.subject.label} since the start of `),
    period({ ...told.period, to: told.period.from }),
    text(', after '),
    amount(told.effect.previous ?? '0'),
    text(' in '),
    ...(told.comparison ? [period(told.comparison)] : [text('as many periods before')]),
    text('.'),
  ]
}

export function newMemberSentence(told: SentenceInput & { member: FindingMember }): SentencePart[] {
  return [
    { member: told.member },
    text(' is new since the start of '),
    period({ ...told.period, to: told.period.from }),
    text(' and accounts for '),
    amount(told.effect.value ?? '0'),
    text(` of ${told.look.subject.label} since.`),
  ]
}

export function concentrationSentence(
  { look, effect, period: now }: SentenceInput,
  top: FindingMember,
): SentencePart[] {
  return [
    text(`The largest in ${top.label}, `),
    { member: top },
    text(', accounts for '),
    { figure: effect.value ?? '0', format: 'share' },
    text(` of ${look.subject.label} in `),
    period(now),
    text('; season and trend of the largest share say '),
    { figure: effect.previous ?? '0', format: 'share' },
    text('.'),
  ]
}

export function mixShiftSentence({
  look,
  effect,
  period: now,
  comparison,
  contributions,
}: SentenceInput): SentencePart[] {
  return [
    ...subjectPhrase(look),
    text(` went ${isUp(effect) ? 'up' : 'down'} from `),
    amount(effect.previous ?? '0'),
    ...(comparison ? [text(' in '), period(comparison)] : []),
    text(' to '),
    amount(effect.value ?? '0'),
    text(' in '),
    period(now),
    text(
      ` as the weights within ${contributions[0]?.label ?? 'the mix'} moved; the change of mix accounts for most of it.`,
    ),
  ]
}

export function seasonSentence({ look, effect, period: now }: SentenceInput): SentencePart[] {
  return [
    ...subjectPhrase(look),
    text(' has a season: the likes of '),
    period(now),
    text(' are usually the highest, '),
    ...changePhrase(effect),
    text(' above the average period.'),
  ]
}

/** "Revenue is heading for 11.2 in 2026, 14 % short of its target of 13, by its season and trend up to Oct 2026." */
export function targetRiskSentence({ look, effect, period: now }: SentenceInput, of: FindingPeriod): SentencePart[] {
  return [
    ...subjectPhrase(look),
    text(' is heading for '),
    amount(effect.value ?? '0'),
    text(' in '),
    period(of),
    text(', '),
    ...changePhrase(effect),
    text(isUp(effect) ? ' above' : ' short of'),
    text(' its target of '),
    amount(effect.previous ?? '0'),
    text(', by its season and trend up to '),
    period({ ...now, from: now.to }),
    text('.'),
  ]
}
