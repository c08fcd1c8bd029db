import { calendarOfData, type AskContext, type AskedQuestion } from './ask-context'
import type { Vocabulary } from '../../features/bot/model/contract'
import { valueIndex } from '../../features/bot/vocabulary'
import type { BotInterpretation } from '../../shared/bot/interpretation'

/** Rules look for words with any blanks between them: of a thousand in a row that takes seconds. */
export const singleBlanks = (text: string): string =>
  text
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n[ \n]*/g, '\n')
    .trim()

/** What the rules make of a question: what somebody verified comes first, then what changes the answer before it. */
export const readByRules = (
  context: AskContext,
  { question, previous, definitions }: AskedQuestion,
  vocabulary: Vocabulary,
): Promise<BotInterpretation> =>
  context.interpret({
    ...{
      question: singleBlanks(question),
      vocabulary,
      values: valueIndex(context),
      calendar: calendarOfData(context, vocabulary),
      day: context.format.day,
    },
    ...(definitions === undefined ? {} : { definitions }),
    ...(previous === undefined ? {} : { previous }),
  })
