import type { AskContext, AskedQuestion, BotModel, ModelReading } from './ask-context'
import { describePlanReading } from './plan-reading'
import { readModelPlan, type ModelPlan } from '../../features/bot/language-model/model-plan'
import { modelNames, type ModelNames } from '../../features/bot/language-model/names'
import { promptOf } from '../../features/bot/language-model/prompt'
import { valueIndex } from '../../features/bot/vocabulary'
import { ownModel } from '../../features/bot/language-model/own-model'
import { modelSettingsStore } from '../../features/bot/language-model/settings-store'
import type { ReadContext } from '../../deps'
import { aiMessages, type QuotaHolder } from '../../entitlements/usage'
import { errorMessage, log } from '../../lib/log'
import type { LanguageModel, ModelMessage } from '../../outbound/language-model'
import { validatePlan } from '../../semantic/query-service'
import { foldText } from '../../shared/bot/fold-text'
import type { BotInterpretation, BotReading, BotRefusal } from '../../shared/bot/interpretation'
import { ProductError } from '../../shared/errors'
import { suggestChart, type Viz } from '../../shared/insights'
import { isExistsFilter, type QueryPlan } from '../../shared/query/plan'

/** Not asked: none is set up, or the workspace does not allow it. */
const NONE: BotModel = { isConfigured: false, read: () => Promise.resolve(null) }

/** Whose questions a model may read. */
export interface ModelAsker extends ReadContext {
  membership: QuotaHolder
}

/** The model that reads what the rules cannot, where the workspace or the installation has one and the workspace allows it. */
export async function botModelFor({ deps, scope, membership }: ModelAsker): Promise<BotModel> {
  const { endpoint, ...allowed } = await modelSettingsStore(deps.db, scope).get()
  const configured = endpoint ? ownModel(deps, scope.workspaceId, endpoint) : deps.languageModel
  if (!configured || !allowed.model) return NONE
  const quota = aiMessages(deps.db, scope, { ...membership, now: deps.clock.now() })
  return {
    isConfigured: true,
    read: async (context, asked) => {
      // Taken before it is asked, so that questions at once never are more than the plan has; given back for no answer.
      if (!(await quota.take())) return declined(asked.refused, 'limit_reached', LIMIT_WORDS)
      try {
        const reading = await readByModel(context, { ...asked, ask: configured.ask, rowValues: allowed.rowValues })
        if (!reading) await quota.giveBack()
        return reading
      } catch (error) {
        await quota.giveBack()
        if (!(error instanceof ProductError) || !NO_ANSWER.has(error.code)) throw error
        log('warn', 'the language model gave no answer', { error: errorMessage(error.cause) })
        return declined(asked.refused, 'provider_down', DOWN_WORDS)
      }
    },
  }
}

const LIMIT_WORDS = 'All AI messages of this period are used. Questions in the usual words still work.'
const DOWN_WORDS = 'Couldn’t reach the language model. Questions in the usual words still work.'

/** An own endpoint's name may lead elsewhere today, and its key may be sealed with a key that is gone. */
const NO_ANSWER = new Set<string>(['ai_unavailable', 'target_not_allowed', 'credential_unreadable'])

/** The rules' own refusal, with why no model helped. */
function declined(refused: BotInterpretation, code: BotRefusal, words: string): ModelReading | null {
  if (refused.kind !== 'refuse') return null
  const interpretation = { ...refused, code, message: `${refused.message} ${words}` }
  return { interpretation, cost: 0, engine: 'rules' }
}

type ModelQuestion = Parameters<BotModel['read']>[1] & { ask: LanguageModel; rowValues: boolean }

/** Asks, and once more when what came is no plan. Null: the model has no plan either. */
async function readByModel(context: AskContext, asked: ModelQuestion): Promise<ModelReading | null> {
  const { vocabulary, question, turns = [], ask, rowValues } = asked
  const names = modelNames(vocabulary)
  const { glossary } = vocabulary
  const { system, user } = promptOf({ question, turns, names, glossary, rowValues, today: context.calendar.today })
  const messages: ModelMessage[] = [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ]
  const first = await ask(messages)
  const read = await possible(context, first.text, { names, asked })
  if ('plan' in read) return reading(context, read.plan, first.tokens)
  if ('refused' in read) return null
  const again: ModelMessage[] = [
    { role: 'assistant', content: first.text.slice(0, 4_000) },
    { role: 'user', content: JSON.stringify({ mistake: read.mistake }) },
  ]
  const second = await ask([...messages, ...again])
  const mended = await possible(context, second.text, { names, asked })
  return 'plan' in mended ? reading(context, mended.plan, first.tokens + second.tokens) : null
}

/** A plan that can be answered by the asker's rights; what the page refuses is a mistake of the model. */
async function possible(
  context: AskContext,
  text: string,
  { names, asked }: { names: ModelNames; asked: AskedQuestion },
): Promise<ModelPlan> {
  const read = readModelPlan(text, names)
  if (!('plan' in read)) return read
  try {
    await validatePlan(context.deps, context.scope, read.plan)
    const isKnown = await hasKnownTexts(context, read.plan, asked)
    return isKnown ? read : { mistake: 'Filter by texts of the question only, as they are written there.' }
  } catch (error) {
    if (!(error instanceof ProductError)) throw error
    return { mistake: 'The plan is not possible.' }
  }
}

const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/

/**
 * Whether texts that a plan filters by stand in what was asked, or are values that exist for the asker. Others are a model's
 * own words, or those of whoever talked it into them, and would be shown as what the question was read as.
 */
async function hasKnownTexts(
  context: AskContext,
  { filters }: QueryPlan,
  { question, turns = [] }: AskedQuestion,
): Promise<boolean> {
  const said = foldText([question, ...turns.map((turn) => turn.question)].join(' '))
  const texts = filters.flatMap((filter) =>
    isExistsFilter(filter) ? [] : filter.any.flatMap((each) => ('value' in each ? [each.value] : [])),
  )
  const unsaid = texts.flatMap((value) => {
    if (typeof value !== 'string' || ISO_DAY.test(value)) return []
    const folded = foldText(value)
    return folded !== '' && ` ${said} `.includes(` ${folded} `) ? [] : [folded]
  })
  if (unsaid.length === 0) return true
  const found = await valueIndex(context).find({ phrases: unsaid, limit: 1 })
  return unsaid.every((phrase) => found.get(phrase)?.[0]?.how === 'exact')
}

/** Words, chips and picture are made here, of the plan: nothing that the model wrote is shown. */
async function reading(context: AskContext, plan: QueryPlan, cost: number): Promise<ModelReading> {
  const viz: Viz = { chart: suggestChart(plan), direction: 'none' }
  const before: BotReading = { plan, intent: 'value', viz, score: 1, words: '', chips: [], assumptions: [] }
  const read = await describePlanReading(context, { plan, before, viz })
  const interpretation: BotInterpretation = { kind: 'answer', ...read, score: MODEL_SCORE, assumptions: [BY_MODEL] }
  return { interpretation, cost, engine: 'llm' }
}
/** Below that of rules that are sure. */
const MODEL_SCORE = 0.8
const BY_MODEL = 'Read by a language model. Check the question above.'
