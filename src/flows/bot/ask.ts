import { followUpsOf } from './follow-ups'
import { calendarOfData, type AskContext, type AskedQuestion } from './ask-context'
import type { Vocabulary } from '../../features/bot/model/contract'
import { buildVocabulary, valueIndex } from '../../features/bot/vocabulary'
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

/** How a question was understood. */
export interface Understood {
  interpretation: BotInterpretation
  engine: BotEngine
  cost: number
  vocabulary: Vocabulary
}
/** What an understood question comes to. */
export interface Outcome {
  /** As it was understood; another one where there is nothing to show of it. */
  interpretation: BotInterpretation
  figures: BotFigures | null
  error: ErrorBody | null
  drivers: ChangeDrivers | null
  followUps: string[]
}

/** Refusals that a model may know better about. What is not permitted stays so. */
const MODEL_MAY_ANSWER: ReadonlySet<string> = new Set(['no_metric', 'ambiguous', 'out_of_scope', 'no_relation'])

/** Reads a question: by a verified answer or the rules, and by a model where these decline. */
export async function understand(context: AskContext, asked: AskedQuestion): Promise<Understood> {
  const vocabulary = await buildVocabulary(context)
  const { question, previous, definitions } = asked
  const interpretation = await context.interpret({
    ...{ question, vocabulary, values: valueIndex(context), calendar: calendarOfData(context, vocabulary) },
    ...(previous ? { previous } : {}),
    ...(definitions === undefined ? {} : { definitions }),
  })
  if (interpretation.kind === 'refuse' && context.model.isConfigured && MODEL_MAY_ANSWER.has(interpretation.code)) {
    const read = await context.model.read(context, { ...asked, vocabulary, refused: interpretation })
    if (read) return { ...read, vocabulary }
  }
  const engine = interpretation.kind === 'answer' && interpretation.verified ? 'verified' : 'rules'
  return { interpretation, engine, cost: 0, vocabulary }
}

/** Works an understood question out: its figures by the asker's rights, what a change is made of, where to go on. */
export async function answerUnderstood(
  context: AskContext,
  { interpretation, vocabulary }: Pick<Understood, 'interpretation' | 'vocabulary'>,
): Promise<Outcome> {
  const reading = readingOf(interpretation)
  const nothing: Outcome = { interpretation, figures: null, error: null, drivers: null, followUps: [] }
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
export async function askBot(context: AskContext, asked: AskedQuestion): Promise<Understood & Outcome> {
  const understood = await understand(context, asked)
  return { ...understood, ...(await answerUnderstood(context, understood)) }
}
