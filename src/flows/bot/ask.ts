import { followUpsOf } from './follow-ups'
import type { Interpret, PreviousQuestion, Vocabulary } from '../../features/bot/model/contract'
import { buildVocabulary, valueIndex } from '../../features/bot/vocabulary'
import { findDrivers } from '../../features/findings/drivers'
import type { CalendarContext } from '../../semantic/calendar'
import { queryService } from '../../semantic/query-service'
import { reportingCurrency } from '../../semantic/currency/reporting-currency'
import { describeAnswer, describeDrivers, describeNoData, hasFigures } from '../../shared/bot/sentences'
import { readingOf, type BotEngine, type BotFigures } from '../../shared/bot/conversations'
import type { BotInterpretation, BotReading } from '../../shared/bot/interpretation'
import type { ErrorBody } from '../../shared/errors'
import { ProductError } from '../../shared/errors'
import type { ChangeDrivers } from '../../shared/findings'
import type { CellFormatter } from '../../shared/figures/cell-formatter'
import type { QueryResult } from '../../shared/query/result'

/** A question, and what it may go on from. */
export interface AskedQuestion {
  question: string
  /** Words explained beside it. */
  definitions?: string
  previous?: PreviousQuestion
  /** Earlier turns of the conversation, the oldest first: for a language model. */
  turns?: readonly { question: string; words: string }[]
}

/** How a language model read a question. `null` where it may not be asked, or gave nothing of use. */
export interface ModelReading {
  interpretation: BotInterpretation
  /** Tokens. */
  cost: number
}
/** What reads questions that the rules cannot. It is given what the asker may see, and answers a plan, never a figure. */
export interface BotModel {
  /** Whether one is set up for the workspace. */
  isConfigured: boolean
  read(
    context: AskContext,
    asked: AskedQuestion & { vocabulary: Vocabulary; refused: BotInterpretation },
  ): Promise<ModelReading | null>
}
/** Rules only. */
export const NO_MODEL: BotModel = { isConfigured: false, read: () => Promise.resolve(null) }

/** What asking for somebody takes. */
export interface AskContext extends CalendarContext {
  /** The rules engine. */
  interpret: Interpret
  model: BotModel
  /** In the notation of who reads the answer. */
  format: CellFormatter
  /** Any throw as the body of a refusal. */
  refusal: (thrown: unknown) => ErrorBody
}

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
    if (read) return { ...read, engine: 'llm', vocabulary }
  }
  const engine = interpretation.kind === 'answer' && interpretation.verified ? 'verified' : 'rules'
  return { interpretation, engine, cost: 0, vocabulary }
}

/** Periods count back from the end of the data, where that has passed: "last month" is the last one with rows. */
export function calendarOfData({ calendar }: CalendarContext, { datasets }: Vocabulary): CalendarContext['calendar'] {
  const ends = datasets.flatMap(({ columns }) => columns.flatMap(({ to }) => to ?? []))
  const passed = ends.filter((day) => day <= calendar.today).toSorted()
  return ends.some((day) => day > calendar.today) ? calendar : { ...calendar, today: passed.at(-1) ?? calendar.today }
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
