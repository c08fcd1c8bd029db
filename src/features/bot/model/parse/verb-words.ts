import { monthNumber } from '../dates/date-words'
import { isSameDeed } from '../language/deed-roots'
import { VERBS } from '../language/verbs'
import { stemOf } from '../language/words'
import { SURE_NAME_SCORE, type Place } from './word-places'
import { NAME_SCORE } from './measuring'
import { isYesNo } from '../schema/schema'
import type { Lexicon, LexiconMatch } from '../schema/lexicon'

/** "Expired in 2022" where a day is called after the verb: when it happened, and not how things stand. */
export function isDatedVerb(word: string, { after, later }: Place, lexicon: Lexicon): boolean {
  const noun = VERBS[word] ?? (/^[a-z]{4,}ed$/.test(word) ? word.replace(/e?d$/, '') : undefined)
  const isDated =
    /^(?:in|on|during|before|after|since|between)$/.test(after?.word ?? '') &&
    (later?.kind === 'number' || later?.kind === 'date' || monthNumber(later?.word ?? '') !== null)
  if (noun === undefined || !isDated) return false
  return lexicon.schema.datasets.some(({ columns }) =>
    columns.some(({ isDate, words }) => isDate && words.some((each) => each.startsWith(noun.slice(0, 6)))),
  )
}
/** "Users that reviewed …", where reviews are a table: what they did. */
export function isDeedVerb(word: string, [best]: readonly LexiconMatch[], lexicon: Lexicon): boolean {
  const stem = /^([a-z]{4,})ed$/.exec(word)?.[1]
  if (stem === undefined || best?.ref.kind !== 'column' || best.score >= SURE_NAME_SCORE) return false
  if (lexicon.schema.column(best.ref.dataset, best.ref.column)?.isDate === true) return false
  return lexicon.schema.datasets.some(({ words }) => words.length === 1 && stemOf(words[0] ?? '') === stem)
}
/** "Beställas", "såldes": a verb with an ending, and no name that is spelt otherwise. */
export const isPassive = (word: string): boolean =>
  /^[a-z]{3,}(?:as|ats|ades|des|ljs|erat|erade|erats|erades)$/.test(word)
/** "Repaired", "städade": a participle of what a table is called by. */
export function isDeedOfAny(word: string, { schema }: Lexicon): boolean {
  const root = /^(\p{L}{4,})(?:ed|ades|ats|ade|at)$/u.exec(word)?.[1]
  return root !== undefined && schema.datasets.some(({ words }) => words.some((each) => rootOf(each) === root))
}
const rootOf = (noun: string): string => stemOf(noun).replace(/(?:ning|ningar|e)$/, '')

/** "Closed" where a column says whether something is open. */
export const deniedColumns = (other: string, lexicon: Lexicon): LexiconMatch[] =>
  lexicon.find([other]).filter(({ ref, score }) => {
    const column = ref.kind === 'column' ? lexicon.schema.column(ref.dataset, ref.column) : undefined
    return column !== undefined && score >= NAME_SCORE && (isYesNo(column) || column.isDate)
  })

/** Whether a day of a table is called after a verb: "betalades" of `Betaldatum` says when, and not how things stand. */
export const isDayOf = (verb: string, dataset: string, { schema }: Lexicon): boolean =>
  schema
    .dataset(dataset)
    ?.columns.some(({ isDate, words }) => isDate && words.some((word) => isSameDeed(verb, word))) === true
