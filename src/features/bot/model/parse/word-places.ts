import type { Token } from '../language/words'
import type { Lexicon, LexiconMatch } from '../schema/lexicon'
import type { Encoded } from './encoded'

/** So well a thing must be called by a word for the word to name it, whatever else it may ask. */
export const SURE_NAME_SCORE = 0.9
/** A word among those beside it. */
export interface Place {
  encoded: Encoded
  earlier: Token | undefined
  before: Token | undefined
  after: Token | undefined
  later: Token | undefined
}

const HAVING = /^(?:have|has|had|har|hade|never|ever|aldrig)$/
const LIMITING =
  /^(?:more|less|fewer|at|over|exactly|once|twice|since|anything|something|minst|mer|fler|farre|hogst|over|en|tva|tre|sedan|nagot|nagonting|flest|mest)$/
/** "Har bokat minst 20 gånger", "have never been booked": what was done, whatever a status is called. */
const isDeedWithLimit = ({ word }: Token, { earlier, before, after }: Place): boolean =>
  /(?:at|it|ed|ats|its|en)$/.test(word) &&
  ((HAVING.test(before?.word ?? '') && (after?.kind === 'number' || LIMITING.test(after?.word ?? ''))) ||
    (/^(?:never|aldrig)$/.test(before?.word ?? '') && (after === undefined || after.kind === 'mark')) ||
    (before?.word === 'been' && earlier?.word === 'never'))
/** "Did not open a ticket": what somebody does, whatever a status is called. */
export const isDone = (token: Token, place: Place): boolean => {
  const { earlier, before, after } = place
  return (!token.isCapital && isDeedWithLimit(token, place)) || isDoing(token, { earlier, before, after })
}
const isDoing = (
  { isCapital }: Token,
  { earlier, before, after }: Pick<Place, 'earlier' | 'before' | 'after'>,
): boolean =>
  !isCapital &&
  /^(?:an?|any|the)$/.test(after?.word ?? '') &&
  (/^(?:do|does|did)$/.test(before?.word ?? '') ||
    (/^(?:not|never)$/.test(before?.word ?? '') && /^(?:do|does|did)$/.test(earlier?.word ?? '')))
/** "Antal per kategori": a heading by itself; beside what is counted the word asks how many there are. */
export const isQuantityAlone = ({ word }: Token, [best]: readonly LexiconMatch[], { after }: Place): boolean =>
  word === 'antal' &&
  best?.ref.kind === 'column' &&
  best.score >= SURE_NAME_SCORE &&
  (after === undefined ||
    after.kind === 'mark' ||
    after.kind === 'number' ||
    /^(?:per|efter|i|under|for|av|forra|senaste|och|jamfort|fordelat|ganger|minus|plus|delat)$/.test(after.word))
/** "Placed an order", "orders without …": the thing, where the word cannot ask for an order of rows. */
export const isOrdered = ({ word }: Token, [best]: readonly LexiconMatch[], { before, after }: Place): boolean =>
  (best?.ref.kind === 'dataset' || (best?.ref.kind === 'column' && word === 'order')) &&
  best.score >= SURE_NAME_SCORE &&
  /^(?:an?|any|no|each|every|per|single|placed|their|one|first|by|och|and|antal|antalet|manga|flest|mest|farst|most|fewest)$/.test(
    before?.word ?? '',
  ) &&
  !/^(?:by|of|the|in|it|them|rows?|results?)$/.test(after?.word ?? '')
/** "Antal dagar": a unit to count in, and no day. */
export const isUnitOfTime = (word: string): boolean =>
  /^(?:days|hours|minutes|seconds|weeks|months|years|dagar|timmar|minuter|sekunder|dygn|veckor|manader)$/.test(word)

/** Words that ask for something, and may be headings, too. */
export const HEADING_WORDS = new Set(
  'name amount rank year month date day value rate ratio term time detail start end quarter week left'.split(' '),
)

/** "The high and low price": a heading beside a heading of the same table, joined by "and". */
export function isHeadingOfPair(
  word: string,
  lexicon: Lexicon,
  { before, after }: Pick<Place, 'before' | 'after'>,
): boolean {
  const isJoined = before?.word === 'and' || after?.word === 'and'
  const [own] = lexicon.find([word])
  return isJoined && own?.ref.kind === 'column' && own.score >= 0.97
}
