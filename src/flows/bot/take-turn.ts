import { answerInterpreted, interpretQuestion, type InterpretedQuestion } from './ask'
import type { AskContext } from './ask-context'
import { describePlanReading } from './plan-reading'
import { conversationStore, type PlacedMessage } from '../../features/bot/conversation-store'
import { ownConversation } from '../../features/bot/conversations'
import { buildVocabulary } from '../../features/bot/vocabulary'
import type { PreviousQuestion } from '../../features/bot/model/contract'
import { commit } from '../../db/commit'
import { toIso } from '../../lib/iso'
import { validatePlan } from '../../semantic/query-service'
import {
  BOT_MESSAGES_MAX,
  readingOf,
  type AskedMessage,
  type BotEvent,
  type BotMessage,
  type BotReply,
} from '../../shared/bot/conversations'
import type { BotInterpretation, BotReading } from '../../shared/bot/interpretation'
import { ProductError } from '../../shared/errors'
import { NAME_MAX_CHARS } from '../../shared/limits'

/** What is asked, once it is known what it goes on from. */
interface BotTurn {
  question: string
  asked: BotMessage['asked']
  interpret: () => Promise<InterpretedQuestion>
}

const EVENT_OF: Record<BotInterpretation['kind'], 'answer' | 'clarify' | 'refusal' | 'way'> = {
  answer: 'answer',
  clarify: 'clarify',
  refuse: 'refusal',
  way: 'way',
}

/**
 * A turn of one of the asker's own conversations, told as it goes. What it comes to is kept before it is told.
 * @throws ProductError before the first event: `not_found` for conversations and messages of others, `invalid_input` for a
 *   choice that was not offered, and what a plan is refused for
 */
export async function* takeTurn(
  context: AskContext,
  { conversationId, ask }: { conversationId: string; ask: AskedMessage },
): AsyncGenerator<BotEvent> {
  await ownConversation(context, conversationId)
  const turn = await turnOf(context, conversationId, ask)
  yield { event: 'reading', data: { question: turn.question } }
  try {
    const interpreted = await turn.interpret()
    const { interpretation: read } = interpreted
    yield { event: 'understood', data: { kind: read.kind, words: wordsOf(read) } }
    const { interpretation, ...outcome } = await answerInterpreted(context, interpreted)
    const at = toIso(context.deps.clock.now())
    const message: BotMessage & { reply: BotInterpretation } = {
      ...{ id: context.deps.ids.next('botMessage'), question: turn.question, asked: turn.asked, reply: interpretation },
      ...{ engine: interpreted.engine, feedback: null, createdAt: at },
    }
    const replaces = ask.kind === 'text' ? ask.replaces : undefined
    await saveTurn(context, { conversationId, message, cost: interpreted.cost, replaces })
    const reply: BotReply = { message, ...outcome }
    yield { event: EVENT_OF[interpretation.kind], data: reply }
  } catch (error) {
    yield { event: 'error', data: context.refusal(error) }
  }
}

const wordsOf = (interpretation: BotInterpretation): string => {
  if (interpretation.kind === 'clarify') return interpretation.question
  return interpretation.kind === 'refuse' ? interpretation.message : interpretation.words
}

async function turnOf(context: AskContext, conversationId: string, ask: AskedMessage): Promise<BotTurn> {
  const store = conversationStore(context.deps.db, context.scope)
  if (ask.kind === 'text') {
    const last =
      ask.after === undefined
        ? await store.lastMessage(conversationId)
        : await messageIn(context, conversationId, ask.after)
    const isTakenBack = last !== null && last.id === ask.replaces
    const previous = isTakenBack ? await messageBefore(context, conversationId, last) : last
    const turns = (await recentTurns(context, conversationId)).filter(({ id }) => id !== ask.replaces)
    const before = previousOf(previous)
    return {
      ...{ question: ask.text, asked: 'text' },
      interpret: () =>
        interpretQuestion(context, { question: ask.text, turns, ...(before ? { previous: before } : {}) }),
    }
  }
  const message = await messageIn(context, conversationId, ask.message)
  const reading = ask.kind === 'choice' ? chosen(message, ask.choice) : await changed(context, message, ask)
  const question = ask.kind === 'choice' ? reading.label : reading.words
  const interpretation: BotInterpretation = { kind: 'answer', ...withoutLabel(reading) }
  return {
    ...{ question: question.slice(0, 1000), asked: ask.kind },
    interpret: async () => ({
      ...{ interpretation, engine: message.engine === 'llm' ? 'llm' : 'rules', cost: 0 },
      vocabulary: await buildVocabulary(context),
    }),
  }
}

type LabelledReading = BotReading & { label: string }
const withoutLabel = ({ label: _label, ...reading }: LabelledReading): BotReading => reading

/** One of the person's own messages of this conversation. */
async function messageIn(context: AskContext, conversationId: string, id: string): Promise<PlacedMessage> {
  const found = await conversationStore(context.deps.db, context.scope).message(id)
  if (!found || found.conversationId !== conversationId) throw new ProductError('not_found')
  return found
}

async function messageBefore(
  context: AskContext,
  conversationId: string,
  { n }: PlacedMessage,
): Promise<BotMessage | null> {
  const conversation = await ownConversation(context, conversationId)
  const all = await conversationStore(context.deps.db, context.scope).messages(conversation)
  return all[n - 2] ?? all.at(-2) ?? null
}

/** Turns that a language model is told of. */
const TURNS_TOLD = 5
async function recentTurns(
  context: AskContext,
  conversationId: string,
): Promise<{ id: string; question: string; words: string }[]> {
  if (!context.model.isConfigured) return []
  const conversation = await ownConversation(context, conversationId)
  const all = await conversationStore(context.deps.db, context.scope).messages(conversation)
  return all
    .slice(-TURNS_TOLD - 1)
    .flatMap(({ id, question, reply }) => (reply ? [{ id, question, words: wordsOf(reply) }] : []))
}

function previousOf(message: BotMessage | null): PreviousQuestion | null {
  const reading = readingOf(message?.reply ?? null)
  if (!message || !reading) return null
  const { plan, viz, shown } = reading
  return { question: message.question, plan, viz, ...(shown ? { shown } : {}) }
}

function chosen({ reply }: BotMessage, choice: number): LabelledReading {
  const found = reply?.kind === 'clarify' ? reply.choices[choice] : undefined
  if (!found) throw new ProductError('invalid_input', { fields: { choice: 'Choose one of the readings.' } })
  return found
}

/** The plan of an answer, changed by hand: held to the asker's rights as any other. */
async function changed(
  context: AskContext,
  message: BotMessage,
  { plan, viz }: Extract<AskedMessage, { kind: 'plan' }>,
): Promise<LabelledReading> {
  const before = readingOf(message.reply)
  if (!before) throw new ProductError('invalid_input', { fields: { message: 'This message has no plan.' } })
  await validatePlan(context.deps, context.scope, plan)
  const reading = await describePlanReading(context, { plan, before, ...(viz ? { viz } : {}) })
  return { ...reading, label: reading.words }
}

async function saveTurn(
  context: AskContext,
  of: {
    conversationId: string
    message: BotMessage & { reply: BotInterpretation }
    cost: number
    replaces: string | undefined
  },
): Promise<void> {
  const { deps, scope } = context
  const { conversationId, message, cost, replaces } = of
  const store = conversationStore(deps.db, scope)
  if (replaces !== undefined) await store.removeLast(conversationId, replaces).run()
  const title = message.question.slice(0, NAME_MAX_CHARS).toWellFormed().trim()
  await commit(deps, {
    change: store.insertMessage(conversationId, message, { cost, now: deps.clock.now(), title }),
    expect: {
      onMissed: async () => {
        await ownConversation(context, conversationId)
        return new ProductError(
          'limit_reached',
          { limit: 'messages', used: BOT_MESSAGES_MAX, max: BOT_MESSAGES_MAX },
          `This conversation is full (${BOT_MESSAGES_MAX} messages). Start a new one.`,
        )
      },
    },
  })
}
