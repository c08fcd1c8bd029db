import { isAskingWord, isStructureWord } from '../language/stop-words'
import { when, type Check } from './account'

/** "More than 500 people", of which nothing was read: a number of something else than the plan compares. */
export const checkUnreadNouns: Check = ({ source, context: { ask } }) => {
  const left = new Set(ask.rest.split(' '))
  return [
    ...source.matchAll(/(?:than|least|most|over|under|above|below|an|minst|hogst) \d+(?:\.\d+)? ([a-z]{4,})(?= |$)/g),
  ].flatMap(([, noun = '']) =>
    when(left.has(noun) && !isStructureWord(noun) && !isAskingWord(noun) && !UNITS.test(noun), `“${noun}” is not read`),
  )
}
const UNITS =
  /^(?:dollars?|euros?|kronor|percent|procent|minutes?|hours?|seconds?|minuter|timmar|meters?|metres?|years?|times|ganger|miles)$/

/** "What is the capital of Norland", where a column only says whether something is one; "which employed have left" of a day. */
export const checkFlagsListed: Check = ({ source, plan, context: { encoded } }) => {
  const [, what] =
    /^(?:what|which|vad|vilken|vilka|vilket) (?:is |are |was |were |ar |var )?(?:the |den |det |de )?<m(\d+)>(?= (?:of|in|for|i|av|for|har|have|has) )/.exec(
      source,
    ) ?? []
  const mention = what === undefined ? undefined : encoded.mentions[Number(what)]
  const ref = mention?.matches[0]?.ref
  const shown = [...plan.dimensions.map(({ field }) => field), ...(plan.columns ?? [])]
  const isShown =
    ref?.kind === 'column' && shown.some(({ dataset, column }) => dataset === ref.dataset && column === ref.column)
  const isDeed = mention?.namesDate === true && /(?:ed|da|de)$/.test(mention.words)
  return when(isShown && (mention?.namesYesNo === true || isDeed), 'whether it is so, and not what it is')
}
