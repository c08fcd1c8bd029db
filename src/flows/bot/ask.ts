import { followUpsOf } from './follow-ups'
import { answerable } from './suggestions'
import type { AskContext, AskedQuestion } from './ask-context'
import type { Vocabulary } from '../../features/bot/model/contract'
import { buildVocabulary } from '../../features/bot/vocabulary'
import { readByRules } from './read-question'
import { describePlanReading } from './plan-reading'
import { findDrivers } from '../../features/findings/drivers'
import { queryService } from '../../semantic/query-service'
import { reportingCurrency } from '../../semantic/currency/reporting-currency'
import { describeAnswer, describeDrivers, describeNoData, hasFigures } from '../../shared/bot/sentences'
import { readingOf, type BotEngine, type BotFigures } from '../../shared/bot/conversations'
import type { BotInterpretation, BotReading } from '../../shared/bot/interpretation'
import type { ErrorBody } from '../../shared/errors'
import { ProductError } from '../../shared/errors'
import type { ChangeDrivers } from '../../shared/findings'
import type { QueryResult } from '../../shared/query/result'

/** How a question was read, by what, and with which words. */
export interface InterpretedQuestion {
  interpretation: BotInterpretation
  engine: BotEngine
  cost: number
  vocabulary: Vocabulary
}
/** What an interpreted question comes to. */
export interface QuestionOutcome {
  /** As it was interpreted; another one where there is nothing to show of it. */
  interpretation: BotInterpretation
  figures: BotFigures | null
  error: ErrorBody | null
  drivers: ChangeDrivers | null
  followUps: string[]
}

/** Refusals that a model may know better about. What is not permitted stays so. */
const MODEL_MAY_ANSWER: ReadonlySet<string> = new Set(['no_metric', 'ambiguous', 'out_of_scope', 'no_relation'])

/** Reads a question: by a verified answer or the rules, and by a model where these decline. */
export async function interpretQuestion(context: AskContext, asked: AskedQuestion): Promise<InterpretedQuestion> {
  const vocabulary = await buildVocabulary(context)
  const interpretation = await withChips(context, await readByRules(context, asked, vocabulary))
  if (interpretation.kind === 'refuse' && context.model.isConfigured && MODEL_MAY_ANSWER.has(interpretation.code)) {
    const read = await context.model.read(context, { ...asked, vocabulary, refused: interpretation })
    if (read) return { ...read, vocabulary }
  }
  const engine = interpretation.kind === 'answer' && interpretation.verified ? 'verified' : 'rules'
  return { interpretation, engine, cost: 0, vocabulary }
}

/** A reading that says nothing of its parts is told part by part, so that each can be changed. */
async function withChips(context: AskContext, interpretation: BotInterpretation): Promise<BotInterpretation> {
  if (interpretation.kind === 'clarify') {
    const choices = await Promise.all(interpretation.choices.map((choice) => toldReading(context, choice)))
    return { ...interpretation, choices }
  }
  const reading = readingOf(interpretation)
  return reading ? withReading(interpretation, await toldReading(context, reading)) : interpretation
}

async function toldReading<T extends BotReading>(context: AskContext, reading: T): Promise<T> {
  if (reading.chips.length > 0) return reading
  try {
    return {
      ...reading,
      ...(await describePlanReading(context, {
        plan: reading.plan,
        before: reading,
        ...(reading.words === '' ? {} : { viz: reading.viz }),
      })),
    }
  } catch (error) {
    // What cannot be told is refused where it is answered, with what is wrong with it.
    if (error instanceof ProductError) return reading
    throw error
  }
}

/** Questions offered in place of one that is declined. */
const INSTEAD_MAX = 3
const NOTHING = { figures: null, error: null, drivers: null, followUps: [] }

/** Works an interpreted question out: its figures by the asker's rights, what a change is made of, where to go on. */
export async function answerInterpreted(
  context: AskContext,
  { interpretation, vocabulary }: Pick<InterpretedQuestion, 'interpretation' | 'vocabulary'>,
): Promise<QuestionOutcome> {
  const reading = readingOf(interpretation)
  if (interpretation.kind === 'refuse' && interpretation.suggestions.length === 0) {
    const suggestions = await answerable(context, vocabulary, INSTEAD_MAX)
    return { ...NOTHING, interpretation: { ...interpretation, suggestions } }
  }
  const nothing: QuestionOutcome = { ...NOTHING, interpretation }
  if (!reading) return nothing
  try {
    const { result, reading: asked } = await figuresOf(context, reading)
    const own = withReading(interpretation, asked)
    if (!hasFigures(result)) return { ...nothing, interpretation: noData(context, asked, result) }
    const drivers =
      own.kind === 'way' && own.way === 'why' ? await findDrivers(context, { plan: asked.plan, measure: 0 }) : null
    const sentence = drivers ? describeDrivers(drivers, context.format) : describeAnswer(asked, result, context.format)
    const followUps = await followUpsOf(context, { interpretation: own, vocabulary })
    return { interpretation: own, figures: { result, sentence }, error: null, drivers, followUps }
  } catch (error) {
    return { ...nothing, error: context.refusal(error) }
  }
}

const withReading = (interpretation: BotInterpretation, reading: BotReading): BotInterpretation => {
  if (interpretation.kind === 'answer') return { ...interpretation, ...reading }
  return interpretation.kind === 'way' ? { ...interpretation, reading } : interpretation
}

/** Amounts in several currencies are brought to the workspace's, where its plan converts. */
async function figuresOf(
  context: AskContext,
  reading: BotReading,
): Promise<{ result: QueryResult; reading: BotReading }> {
  const figures = queryService(context.deps, context)
  try {
    return { result: await figures.answer(reading.plan), reading }
  } catch (error) {
    const { plan } = reading
    const [measure] = plan.measures
    if (!(error instanceof ProductError) || error.code !== 'mixed_currency' || !measure || plan.currency) throw error
    const { filters, dataset } = plan
    const currency = await reportingCurrency(context, {
      measure,
      filters,
      ...(dataset === undefined ? {} : { dataset }),
    })
    if (!currency) throw error
    const converted = { ...reading, plan: { ...plan, currency } }
    return { result: await figures.answer(converted.plan), reading: converted }
  }
}

const noData = ({ format }: AskContext, { words }: BotReading, result: QueryResult): BotInterpretation => ({
  kind: 'refuse',
  code: 'no_data_for_period',
  message: describeNoData(words, result, format),
  suggestions: [],
  unknown: [],
})

/**
 * Asks for somebody and answers by their rights: the one use case behind the conversation, the search and programs.
 * @throws ProductError what the vocabulary's own questions are refused for
 */
export async function askBot(
  context: AskContext,
  asked: AskedQuestion,
): Promise<InterpretedQuestion & QuestionOutcome> {
  const interpreted = await interpretQuestion(context, asked)
  return { ...interpreted, ...(await answerInterpreted(context, interpreted)) }
}
