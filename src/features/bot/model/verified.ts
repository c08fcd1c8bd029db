import { plainQuestion } from './language/plain-question'
import { foldText } from '../../../shared/bot/fold-text'
import { stemOf } from './language/words'
import { isStructureWord } from './language/stop-words'
import { intentOf, vizOf } from './say/present'
import { planChips, planWords } from './say/plan-words'
import type { BotAnswer } from '../../../shared/bot/interpretation'
import type { InterpretInput, VerifiedQuestion } from './contract'

/** How an answer is asked for, which says nothing of what it is. */
const REQUEST =
  /^\s*(?:(?:show|list|give|display|tell|present|print|visa|lista|ge)(?: me| us| mig| oss)?|what (?:is|was|are|were)|vad (?:är|var)) /i
/** The words of a wording that matter, in their order of the alphabet. */
const contentOf = (text: string): string[] =>
  foldText(plainQuestion(text).replace(REQUEST, ''))
    .split(' ')
    .filter((word) => word !== '' && (!isStructureWord(word) || /^(?:no|not|without|never|utan|inte)$/.test(word)))
    .map(stemOf)
    .toSorted()

/** The answer that an analyst bound to these words. Another order and other small words are the same wording; another name, number or "not" is another question. */
export function verifiedAnswer({ question, vocabulary, calendar }: InterpretInput): BotAnswer | null {
  const asked = contentOf(question)
  const found = vocabulary.verified.find((each) => isAlike(asked, contentOf(each.question)))
  return found ? answerOf(found, { vocabulary, calendar, question }) : null
}
const isAlike = (one: readonly string[], two: readonly string[]): boolean =>
  one.length > 0 && one.length === two.length && one.every((word, i) => word === two[i])

function answerOf(
  { id, plan, viz, shown, stale }: VerifiedQuestion,
  { vocabulary, calendar, question }: Pick<InterpretInput, 'vocabulary' | 'calendar' | 'question'>,
): BotAnswer {
  const naming = { vocabulary, locale: calendar.numberLocale ?? 'en-GB' }
  return {
    kind: 'answer',
    plan,
    intent: intentOf(plan, foldText(question)),
    viz: viz ?? vizOf(plan, vocabulary),
    score: 1,
    ...(shown ? { shown } : {}),
    words: planWords(plan, naming),
    chips: planChips(plan, naming),
    assumptions: [],
    verified: { id, stale },
  }
}
