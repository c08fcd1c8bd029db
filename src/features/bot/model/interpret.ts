import { foldText } from '../../../shared/bot/fold-text'
import { isoFromDay } from '../../../shared/dates'
import { plainQuestion, withRatesOfStates, withSingleBlanks } from './language/plain-question'
import { withNamesWhole } from './language/names-whole'
import { daysOf } from './dates/find-dates'
import { lexiconOf, type Lexicon } from './schema/lexicon'
import { dealingsOf, withDealings } from './language/dealings'
import { encode } from './parse/encode'
import { turnSpeech } from './turns/turns'
import { NAME_SCORE } from './parse/measuring'
import { definitionsOf, readTerms, splitDefinitions } from './parse/definitions'
import { parseFigures } from './parse/figure-rules'
import { askOf } from './parse/clauses'
import { readingsOf, type Candidate, type ReadingInput, type Readings } from './plan/readings'
import { decide, readingOf } from './decide'
import { changedPlan, chartAsked, leansOnPrevious, type Changed } from './follow-up'
import { askedNextStep, nextStep, type AskedNextStep } from './next-steps'
import { verifiedAnswer } from './verified'
import { intentOf, vizOf } from './say/present'
import { planChips, planWords } from './say/plan-words'
import type { Encoded } from './parse/encoded'
import type { GlossaryEntry, InterpretInput, PreviousQuestion } from './contract'
import type { BotInterpretation, BotReading } from '../../../shared/bot/interpretation'
import { BOT_ANSWER_SCORE, BOT_CLARIFY_SCORE } from '../../../shared/bot/interpretation'
import type { QueryPlan } from '../../../shared/query/plan'

/**
 * Reads a question as a plan, asks one question back, or says why it has no answer. Nothing is looked at but the
 * vocabulary, so that what is not in it cannot be named.
 */
export async function interpret(input: InterpretInput): Promise<BotInterpretation> {
  const verified = verifiedAnswer(input)
  if (verified) return verified
  const { previous } = input
  const follow = previous && (await followUp({ ...input, previous }))
  if (follow) return follow
  const way = askedNextStep(input.question, input.vocabulary)
  if (way) return ledOn(way, input)
  return asQuestion(input)
}

async function asQuestion(input: InterpretInput): Promise<BotInterpretation> {
  const { encoded, words } = await encodedQuestion(input)
  const { readings, reading } = readQuestion(encoded, words, input)
  return decide({ readings, reading, words, input, fixed: (plan) => fixed(plan, input) })
}

/** The words of a question, with the terms that it uses. */
export async function encodedQuestion(input: InterpretInput): Promise<{ encoded: Encoded; words: string }> {
  const { question, entries } = splitDefinitions(withNamesWhole(withSingleBlanks(input.question), input.vocabulary))
  const given = definitionsOf(input.definitions ?? '')
  const lexicon = lexiconOf(input.vocabulary)
  const terms = [...entries, ...given]
  const encodeInput = { lexicon, values: input.values, calendar: input.calendar, terms }
  const asked = withRatesOfStates(question, (phrase) => isCalled(phrase, lexicon, terms))
  const spoken = withDealings(asked, dealingsOf(lexicon.schema))
  const encoded = await encode(plainQuestion(spoken), encodeInput)
  turnSpeech(encoded, lexicon.schema, input.calendar.today)
  const refs = encoded.mentions.flatMap(({ matches }) => matches.map(({ ref }) => ref))
  const used = new Set(refs.flatMap((ref) => (ref.kind === 'term' ? [ref.entry] : [])))
  await readTerms(encoded, [...used], encodeInput)
  return { encoded, words: foldText(question) }
}
/** Whether anything has a phrase for its name, or for a part of it. */
function isCalled(phrase: string, lexicon: Lexicon, terms: readonly GlossaryEntry[]): boolean {
  const folded = foldText(phrase)
  return (
    terms.some(({ term, synonyms }) => [term, ...synonyms].some((name) => foldText(name) === folded)) ||
    lexicon.find(folded.split(' ')).some(({ score }) => score >= NAME_SCORE)
  )
}

export function readQuestion(
  encoded: Encoded,
  words: string,
  input: InterpretInput,
): { readings: Readings; reading: ReadingInput } {
  parseFigures(encoded)
  const reading = {
    encoded,
    ask: askOf(encoded),
    words,
    lexicon: lexiconOf(input.vocabulary),
    calendar: input.calendar,
  }
  return { readings: readingsOf(reading), reading }
}
/** For tests and tools: the readings alone. */
export const candidatesOf = (encoded: Encoded, words: string, input: InterpretInput): Candidate[] =>
  readQuestion(encoded, words, input).readings.candidates.map((each) => ({ ...each, plan: fixed(each.plan, input) }))

/** Counted back from a day that the caller chose, whatever the data end on. */
function fixed(plan: QueryPlan, { calendar, asOf }: InterpretInput): QueryPlan {
  const days = asOf !== undefined && plan.period ? daysOf(plan.period.range, calendar) : null
  if (!plan.period || !days) return plan
  return {
    ...plan,
    period: { ...plan.period, range: { kind: 'absolute', from: isoFromDay(days.from), to: isoFromDay(days.to) } },
  }
}

const WHY = /^(?:and |but )?(?:why|varfor|how come)(?: (?:is|was|did) (?:that|this|it))?(?: happen(?:ed)?)?$/
/** What a short question changes of the one before it. */
async function followUp(input: InterpretInput & { previous: PreviousQuestion }): Promise<BotInterpretation | null> {
  const { previous, question, vocabulary } = input
  const before = told({ plan: previous.plan, viz: previous.viz, shown: previous.shown ?? null, score: 1 }, input)
  const text = foldText(question)
  if (WHY.test(text))
    return {
      kind: 'way',
      way: 'why',
      score: 1,
      reading: before,
      thing: null,
      words: `What accounts for it: ${before.words}`,
    }
  if (!leansOnPrevious(question)) return null
  const chart = chartAsked(question)
  if (chart !== null) return { kind: 'answer', ...before, viz: { ...before.viz, chart } }
  const { encoded, words } = await encodedQuestion(input)
  const changed = changedPlan(encoded, words, input)
  if (!changed || changed.score < BOT_ANSWER_SCORE) return null
  const viz =
    changed.plan.dimensions.length === previous.plan.dimensions.length ? changed.viz : vizOf(changed.plan, vocabulary)
  return { kind: 'answer', ...told({ ...changed, plan: fixed(changed.plan, input), viz }, input) }
}
function told({ plan, viz, shown, score }: Changed, { vocabulary, calendar, question }: InterpretInput): BotReading {
  const naming = { vocabulary, locale: calendar.numberLocale ?? 'en-GB' }
  return {
    ...{ plan, viz, score, assumptions: [] },
    intent: intentOf(plan, foldText(question)),
    ...(shown ? { shown } : {}),
    words: planWords(plan, naming),
    chips: planChips(plan, naming),
  }
}

/** A question that leads elsewhere, with the figure it is about where it names one. */
async function ledOn({ way, rest }: AskedNextStep, input: InterpretInput): Promise<BotInterpretation> {
  const { encoded, words } = await encodedQuestion({ ...input, question: rest })
  const { readings } = readQuestion(encoded, words, input)
  const [best] = readings.candidates
  const reading =
    best && best.score >= BOT_CLARIFY_SCORE && way !== 'define' && way !== 'data'
      ? readingOf({ ...best, plan: fixed(best.plan, input) }, words, input)
      : null
  const on = nextStep(way, { reading, encoded, vocabulary: input.vocabulary })
  const isKnown = reading !== null || on.thing !== null || way === 'data'
  return isKnown ? on : asQuestion(input)
}
