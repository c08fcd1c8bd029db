import { calendarOfData, type AskContext, type AskedQuestion } from './ask-context'
import { beginsFurther, goOnFrom } from '../../features/bot/follow-up'
import type { Vocabulary } from '../../features/bot/model/contract'
import { verifiedAnswer, verifiedFor } from '../../features/bot/verified-match'
import { valueIndex } from '../../features/bot/vocabulary'
import type { BotInterpretation } from '../../shared/bot/interpretation'

/** What somebody verified comes first, then what the rules make of it, going on from the answer before where it does. */
export async function readByRules(
  context: AskContext,
  { question, previous, definitions }: AskedQuestion,
  vocabulary: Vocabulary,
): Promise<BotInterpretation> {
  const vouched = verifiedFor(question, vocabulary)
  if (vouched) return verifiedAnswer(vouched, [])
  const input = {
    ...{ question, vocabulary, values: valueIndex(context), calendar: calendarOfData(context, vocabulary) },
    ...(definitions === undefined ? {} : { definitions }),
  }
  if (!previous) return context.interpret(input)
  const read = await context.interpret({ ...input, previous })
  if (!beginsFurther(question)) return read
  const alone = await context.interpret(input)
  if (JSON.stringify(read) !== JSON.stringify(alone)) return read
  return (await goOnFrom(previous, input, context.interpret)) ?? read
}
