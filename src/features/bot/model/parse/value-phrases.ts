import { foldText } from '../../../../shared/bot/fold-text'
import { looseStemOf, stemOf, type Token } from '../language/words'
import { isStructureWord, numberOfWord } from '../language/stop-words'
import { wordTable } from '../../../../lib/word-table'
import { genderCodesOf, placeNamesOf } from '../language/synonyms'

/** Words of the longest phrase that is looked for among the values. */
export const PHRASE_WORDS_MAX = 5

export const isEdge = (token: Token | undefined): boolean =>
  token !== undefined &&
  token.kind !== 'mark' &&
  (token.kind === 'quote' || !isStructureWord(token.word) || (token.isCapital && !/^(?:I|i)$/.test(token.text)))

/** "Checked out", "signed up": what a value may end with. */
export const isParticle = (token: Token | undefined): boolean =>
  /^(?:in|out|up|off|down|over|on|ut|upp|av|bort)$/.test(token?.word ?? '')
/** "In transit", "on hold", "not started": a value that begins with a word like "of". */
export const isBeginning = (tokens: readonly Token[], at: number): boolean =>
  /^(?:in|on|not|no|to|off|at|under|up|out)$/.test(tokens[at]?.word ?? '') && isEdge(tokens[at + 1])

/** "What is the total loss payment": how it is added up, though something is called "total loss". */
export const isAskedFigure = (before: Token | undefined, first: Token | undefined): boolean =>
  /^(?:total|average|median|overall|combined)$/.test(first?.text ?? '') &&
  (before === undefined || /^(?:the|our|is|show|and)$/.test(before.word))

/** "Women and men": in Swedish it is no word for people. */
export const isMenSaid = (word: string, before: Token | undefined): boolean =>
  word === 'men' && /^(?:and|or|of|for|are|many|than|to|vs)$/.test(before?.word ?? '')

/** Phrases that may be values: one to five words that neither begin nor end with a word like "of". */
export function phrasesOf(tokens: readonly Token[]): string[] {
  const phrases = new Set<string>()
  for (let from = 0; from < tokens.length; from += 1) {
    if (!isEdge(tokens[from]) && !isBeginning(tokens, from)) continue
    for (let to = from; to < Math.min(from + PHRASE_WORDS_MAX, tokens.length); to += 1) {
      if (tokens[to]?.kind === 'mark') break
      if (!isEdge(tokens[to]) && !(to > from && isParticle(tokens[to]))) continue
      const phrase = phraseOf(tokens.slice(from, to + 1))
      for (const each of spellingsOf(phrase)) phrases.add(each)
    }
  }
  return [...phrases]
}
export const phraseOf = (tokens: readonly Token[]): string => tokens.map(({ word }) => word).join(' ')
export const spellingsOf = (phrase: string): string[] => {
  const single = phrase.includes(' ')
    ? [singularOf(phrase)]
    : [stemOf(phrase), looseStemOf(phrase), ...adjectiveStems(phrase)]
  return [...new Set([phrase, ...placeNamesOf(phrase), ...genderCodesOf(phrase), ...single, ...turned(phrase)])].filter(
    (each) => each !== '',
  )
}

/** "Expense payments" of what is an `Expense Payment`. */
const singularOf = (phrase: string): string => {
  const words = phrase.split(' ')
  return [...words.slice(0, -1), stemOf(words.at(-1) ?? '')].join(' ')
}
/** "Pending return" of what is called `return_pending`. */
const turned = (phrase: string): string[] => {
  const [one, two, more] = phrase.split(' ')
  return one !== undefined && two !== undefined && more === undefined ? [`${two} ${one}`] : []
}
const DONE: Readonly<Record<string, string>> = wordTable({
  lose: 'lost',
  win: 'won',
  reject: 'rejected',
  approve: 'approved',
})
/** "Successful" of what is a `success`, "did we lose" of what is lost. */
const adjectiveStems = (word: string): string[] => {
  // "Villor" of what is a `Villa`.
  if (/[a-z]{3}or$/.test(word)) return [word.replace(/or$/, 'a')]
  const past = DONE[word]
  if (past !== undefined) return [past]
  if (/.{4}ful$/.test(word)) return [word.slice(0, -3)]
  // "Avbokningar" of what is `Avbokad`: what was done, by its noun.
  const root = /^([a-z]{4,}?)ningar(?:na)?$/.exec(word)?.[1]
  if (root !== undefined) return [`${root}ad`, `${root}d`, `${root}t`]
  // "Avbokades", "avbokats" of what is `Avbokat` or `Avbokad`.
  const done = /^([a-z]{4,}?)(?:ades|ats|ade|ad|at|ada)$/.exec(word)?.[1]
  if (done !== undefined) return [`${done}ad`, `${done}at`, `${done}ade`, `${done}ats`, `${done}ada`]
  return isParticiple(word) ? [word.slice(0, -2), word.slice(0, -1)] : []
}
/** "Failed" of what is to `fail`. */
export const isParticiple = (word: string): boolean => /^[a-z]{4,}ed$/.test(word)

/** Whether a value begins with a phrase that ends where a word of it does: "Anna" of `Anna Ek`, and not of `Annandag`. */
export const isFirstWordOf = (phrase: string, value: string): boolean =>
  /^[ ,-]/.test(foldText(value).slice(phrase.length)) && foldText(value).startsWith(phrase)

/** Numbers that are written as words. */
export function countWords(tokens: readonly Token[]): Token[] {
  return tokens.map((token, i) => {
    const value = token.kind === 'word' ? numberOfWord(token.word, tokens[i - 1]?.word) : null
    return value === null ? token : { ...token, kind: 'number', value, word: String(value) }
  })
}
