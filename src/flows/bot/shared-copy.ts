import type { AskContext } from './ask-context'
import { readByRules } from './read-question'
import type { PreviousQuestion, Vocabulary } from '../../features/bot/model/contract'
import { conversationDetail } from '../../features/bot/conversations'
import { buildVocabulary } from '../../features/bot/vocabulary'
import { readingOf, type BotConversationDetail, type BotMessage } from '../../shared/bot/conversations'
import type { BotInterpretation } from '../../shared/bot/interpretation'

/**
 * A conversation as who reads it may see it: what their rights did not read is read again by them, from its words. What was
 * chosen or changed by hand has none, and is left out then.
 * @throws ProductError `not_found` where it is not shared
 */
export async function sharedCopy(context: AskContext, id: string): Promise<BotConversationDetail> {
  const conversation = await conversationDetail(context, id)
  if (conversation.items.every(({ reply }) => reply !== null)) return conversation
  const vocabulary = await buildVocabulary(context)
  const items: BotMessage[] = []
  for (const message of conversation.items) {
    const reply = message.reply ?? (await readAgain(context, message, { vocabulary, before: items.at(-1) }))
    items.push({ ...message, reply })
  }
  return { ...conversation, items }
}

function readAgain(
  context: AskContext,
  { question, asked }: BotMessage,
  { vocabulary, before }: { vocabulary: Vocabulary; before: BotMessage | undefined },
): Promise<BotInterpretation | null> {
  if (asked !== 'text') return Promise.resolve(null)
  const reading = readingOf(before?.reply ?? null)
  const previous: PreviousQuestion | undefined =
    reading && before
      ? {
          question: before.question,
          plan: reading.plan,
          viz: reading.viz,
          ...(reading.shown ? { shown: reading.shown } : {}),
        }
      : undefined
  return readByRules(context, { question, ...(previous ? { previous } : {}) }, vocabulary)
}
