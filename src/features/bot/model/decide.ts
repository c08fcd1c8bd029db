import { BOT_ANSWER_SCORE, BOT_CHOICES_MAX, BOT_CLARIFY_SCORE } from '../../../shared/bot/interpretation'
import { intentOf, vizOf } from './say/present'
import { planChips, planWords } from './say/plan-words'
import { starterQuestions } from './say/suggestions'
import { meaningsOf } from './plan/context'
import { factsOf } from './score/plan-facts'
import { readingsOf, type Candidate, type ReadingInput, type Readings } from './plan/readings'
import type {
  BotClarification,
  BotInterpretation,
  BotReading,
  BotRefusal,
  BotRefused,
} from '../../../shared/bot/interpretation'
import type { CalcOperand, QueryPlan } from '../../../shared/query/plan'
import type { Encoded } from './parse/encoded'
import type { InterpretInput, Vocabulary } from './contract'

const SUGGESTIONS_MAX = 3

/** A reading as it is told: with its words, chips and picture. */
export function readingOf(candidate: Candidate, words: string, { vocabulary, calendar }: InterpretInput): BotReading {
  const { plan, shown, score, assumptions, by } = candidate
  const naming = { vocabulary, locale: calendar.numberLocale ?? 'en-GB' }
  return {
    plan,
    intent: intentOf(plan, words),
    viz: vizOf(plan, vocabulary),
    score,
    ...(shown ? { shown } : {}),
    words: [planWords(plan, naming), ...(by.length > 0 ? [`by ${by.join(', ')}`] : [])].join(' · '),
    chips: planChips(plan, naming),
    assumptions: [...new Set([...assumptions, ...assumedDeductions(candidate)])],
  }
}
/** What was passed over with little risk is said all the same. */
const assumedDeductions = ({ deductions }: Candidate): string[] =>
  deductions.filter(({ factor, why }) => factor >= 0.85 && /“/.test(why)).map(({ why }) => `${why}.`)

export interface Decision {
  readings: Readings
  reading: ReadingInput
  words: string
  input: InterpretInput
  /** Fixes periods, where the caller counts back from a day of their own. */
  fixed: (plan: QueryPlan) => QueryPlan
}

/** Answers with the likeliest reading, asks which one is meant, or declines. */
export function decide({ readings, reading, words, input, fixed }: Decision): BotInterpretation {
  const candidates = readings.candidates.map((each) => ({ ...each, plan: fixed(each.plan) }))
  const [best] = candidates
  if (!best || best.score < BOT_CLARIFY_SCORE) return refusal(readings, reading.encoded, input)
  const told = (candidate: Candidate): BotReading => readingOf(candidate, words, input)
  const others = [
    ...closeReadings(best, reading).map((each) => ({ ...each, plan: fixed(each.plan) })),
    ...otherWays(best, candidates),
    ...lookAlikes(best, candidates),
  ]
  const distinct = thoseWithData(differentPlans([best, ...others]), input)
  const [likeliest = best, ...rest] = distinct
  if (rest.length > 0) return asked(distinct.map(told), 'Which one do you mean?', input)
  if (likeliest.score >= BOT_ANSWER_SCORE) {
    const missing = missingPeriod(likeliest, input)
    if (!missing) return { kind: 'answer', ...told(likeliest) }
    const reaching = candidates.filter((each) => reachesPeriod(each, input) && each.home !== best.home)
    return reaching.length > 0
      ? asked(reaching.map(told), `${missing.message} Did you mean one of these?`, input)
      : missing
  }
  const likely = candidates.filter(({ score }) => score >= best.score - 0.1)
  return asked(likely.map(told), ONE_ASKED, input)
}

/** Of readings that are as likely, those with rows in the period, if any: books of a year that one company has. */
function thoseWithData(candidates: readonly Candidate[], input: InterpretInput): readonly Candidate[] {
  const reaching = candidates.filter((each) => missingPeriod(each, input) === null)
  return reaching.length > 0 ? reaching : candidates
}

/** The same question along other relations, of which nothing says which is meant. */
const otherWays = (best: Candidate, candidates: readonly Candidate[]): Candidate[] =>
  best.by.length === 0 ? [] : candidates.filter(({ context }) => context === best.context)

/** Plans that answer otherwise; what a figure is called makes no difference. */
function differentPlans<T extends { plan: QueryPlan }>(readings: readonly T[]): T[] {
  const texts = readings.map(({ plan }) => JSON.stringify(asAnswered(plan)).replaceAll(/,?"label":"[^"]*"/g, ''))
  return readings.filter((_, i) => texts.indexOf(texts[i] ?? '') === i)
}
/** A figure of tables that it names itself is the same, whatever rows it was asked about. */
function asAnswered(plan: QueryPlan): QueryPlan {
  const isBare = plan.dimensions.length + plan.filters.length === 0 && plan.period === undefined
  const namesTables = plan.measures.every((measure) => {
    const sides: readonly CalcOperand[] =
      measure.kind === 'ratio'
        ? [measure.over, measure.under]
        : measure.kind === 'calc'
          ? [measure.left, measure.right]
          : []
    return (
      sides.length > 0 && sides.every((side) => side.kind === 'column' && (side.dataset ?? side.field) !== undefined)
    )
  })
  if (!isBare || !namesTables || plan.measures.length === 0) return plan
  const { dataset: _dataset, ...rest } = plan
  return rest
}
function asked(readings: readonly BotReading[], question: string, { vocabulary }: InterpretInput): BotClarification {
  const distinct = differentPlans(readings).slice(0, BOT_CHOICES_MAX)
  const isTwice = ({ words }: BotReading): boolean => distinct.filter((each) => each.words === words).length > 1
  const several = question === ONE_ASKED && distinct.length > 1
  return {
    kind: 'clarify',
    question: several ? 'Did you mean one of these?' : question,
    // Of two sources that hold the same each says which it is.
    choices: distinct.map((each) => ({
      ...each,
      label: isTwice(each) ? `${each.words} (${sourceName(each.plan, vocabulary)})` : each.words,
    })),
  }
}
const ONE_ASKED = 'Did you mean this?'
/** What people know the rows of a plan by: the source, where tables of several are called alike. */
function sourceName({ dataset }: QueryPlan, { datasets }: Vocabulary): string {
  const table = datasets.find(({ id }) => id === dataset)
  const isAlike = datasets.some(({ id, name }) => id !== dataset && name === table?.name)
  return (isAlike ? table?.synonyms?.[0] : undefined) ?? table?.name ?? ''
}

/** Names that mean two things equally well: the same question with the other meaning. */
const EQUAL = 0.995
function closeReadings(best: Candidate, reading: ReadingInput): Candidate[] {
  const { context } = best
  const talk = new Set(context.ask.hints)
  return reading.encoded.mentions.flatMap((mention, at): Candidate[] => {
    const [first, second] = meaningsOf(context, at)
    if (talk.has(at) || !first || !second || second.score < first.score * EQUAL) return []
    if (first.ref.kind !== second.ref.kind || isJoined(context.schema.vocabulary, first.ref, second.ref)) return []
    const matches = mention.matches.filter(({ ref }) => JSON.stringify(ref) !== JSON.stringify(first.ref))
    const mentions = reading.encoded.mentions.map((each, i) => (i === at ? { ...each, matches } : each))
    const [other] = readingsOf({ ...reading, encoded: { ...reading.encoded, mentions } }).candidates
    // What is named by all of its words goes before what only shares headings with it.
    const isBehind = context.named.has(best.home) && other !== undefined && !context.named.has(other.home)
    const isOther =
      other &&
      !isBehind &&
      other.score >= best.score * EQUAL &&
      JSON.stringify(other.plan) !== JSON.stringify(best.plan)
    return isOther ? [other] : []
  })
}
/** Figures that two tables have under one name, where the question names neither: "the population" of towns and of provinces. */
function lookAlikes(best: Candidate, candidates: readonly Candidate[]): Candidate[] {
  const isNamed = ({ context, home }: Candidate): boolean => context.named.has(home)
  const measured = ({ plan }: Candidate): string =>
    factsOf(plan)
      .measured.map(({ dataset, column }) => `${dataset}.${column}`)
      .join()
  if (best.score < BOT_ANSWER_SCORE || isNamed(best) || measured(best) === '') return []
  return candidates.filter(
    (each) =>
      each.home !== best.home &&
      each.score >= best.score * EQUAL &&
      !isNamed(each) &&
      measured(each) !== '' &&
      measured(each) !== measured(best),
  )
}
type Ref = ReturnType<typeof meaningsOf>[number]['ref']
/** A key and the key it points at are the same value. */
function isJoined({ relations }: Vocabulary, one: Ref, two: Ref): boolean {
  if (one.kind !== 'column' || two.kind !== 'column') return false
  const ends = [`${one.dataset}.${one.column}`, `${two.dataset}.${two.column}`]
  const keysAt = relations.filter(
    ({ from, to }) => ends.includes(`${from.dataset}.${from.key}`) || ends.includes(`${to.dataset}.${to.key}`),
  )
  return (
    keysAt.some(({ from, to }) => {
      const joined = [`${from.dataset}.${from.key}`, `${to.dataset}.${to.key}`]
      return ends.every((end) => joined.includes(end))
    }) || keysAt.length >= 2
  )
}

/** A period that the data do not reach: said, instead of answering with nothing. */
function missingPeriod({ plan, context }: Candidate, input: InterpretInput): BotRefused | null {
  const { period } = plan
  if (!period || input.asOf !== undefined || period.range.kind !== 'absolute') return null
  const column = context.schema.column(period.field.dataset, period.field.column)?.source
  const [from, to] = [column?.from, column?.to]
  const { day = (iso: string) => iso } = input
  if (!column || from == null || to == null) return null
  if (period.range.from <= to && period.range.to >= from) return null
  return {
    kind: 'refuse',
    code: 'no_data_for_period',
    message: `No data for that period. ${nameOfRows(plan, input.vocabulary)} covers ${day(from)} – ${day(to)}.`,
    suggestions: starterQuestions(input.vocabulary).slice(0, SUGGESTIONS_MAX),
    unknown: [],
  }
}
/** A source by its name, where it has another one than its table. */
const nameOfRows = ({ period }: QueryPlan, { datasets }: Vocabulary): string => {
  const table = datasets.find(({ id }) => id === period?.field.dataset)
  return table?.synonyms?.[0] ?? table?.name ?? ''
}
/** Rows of another table that the period has, where those of the likeliest one ended before it or began after it. */
const reachesPeriod = (candidate: Candidate, input: InterpretInput): boolean =>
  candidate.score >= BOT_CLARIFY_SCORE &&
  candidate.plan.period !== undefined &&
  missingPeriod(candidate, input) === null

const MESSAGES: Readonly<Record<'no_metric' | 'no_relation' | 'out_of_scope', string>> = {
  no_metric: 'I couldn’t find that in your data.',
  no_relation: 'These tables aren’t connected yet. Confirm a relationship between them first.',
  out_of_scope: 'That’s more than one question can answer. Try asking for one thing at a time.',
}
/** Why a question is not answered, in words for whoever asked; what the rules held against it stays with them. */
export function refusal({ candidates, failures }: Readings, encoded: Encoded, input: InterpretInput): BotRefused {
  const isEmpty = encoded.mentions.length === 0 && encoded.values.length === 0
  const [worst] = failures
  const code: BotRefusal = isEmpty ? 'out_of_scope' : candidates.length === 0 && worst ? worst.code : 'no_metric'
  const unknown = [...new Set(encoded.unknown)].slice(0, UNKNOWN_MAX)
  const told = candidates.length === 0 ? worst?.forPeople : undefined
  const unclear = unknown.length > 0 ? ` I don’t know ${listed(unknown)} here.` : ''
  const plain = isEmpty
    ? 'I couldn’t match this to your data.'
    : MESSAGES[code === 'no_relation' || code === 'out_of_scope' ? code : 'no_metric']
  return {
    kind: 'refuse',
    code,
    message: told ?? `${plain}${unclear}`,
    suggestions: starterQuestions(input.vocabulary).slice(0, SUGGESTIONS_MAX),
    unknown,
  }
}
const UNKNOWN_MAX = 5
/** “a”, “b” and “c”. */
function listed(words: readonly string[]): string {
  const quotes = words.map((word) => `“${word}”`)
  return quotes.length < 2 ? quotes.join('') : `${quotes.slice(0, -1).join(', ')} or ${quotes.at(-1) ?? ''}`
}
