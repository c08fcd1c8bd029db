import { stemOf, type Token } from '../language/words'
import { ADJECTIVES } from './adjectives'
import type { Lexicon, LexiconMatch } from '../schema/lexicon'
import { wordTable } from '../../../../lib/word-table'

/** So well something must be called by a word for the word to be taken. */
export const NAME_SCORE = 0.55
/** Measures and their units: as a word of a value hardly meant. */
export const OF_MEASURE =
  /^(?:length|duration|minutes?|seconds?|hours?|size|width|height|depth|weight|age|price|cost|distance|speed|langd|minuter|timmar)$/
/** "Anställdes", "levererats" as headings say it: anställd, levererad. */
const participlesOf = (word: string): string[] => {
  const past = /^(\p{L}{3,}(?:d|t))es$/u.exec(word)?.[1]
  if (past !== undefined) return [past]
  const root = /^(\p{L}{3,}?)(a?)ts$/u.exec(word)
  return root ? [`${root[1] ?? ''}${root[2] ?? ''}d`, `${root[1] ?? ''}t`] : []
}
/** Days that are called so by their first word: "Anställd fr o m". */
const daysCalled = (word: string, { schema }: Lexicon): LexiconMatch[] =>
  schema.datasets.flatMap(({ columns }) =>
    columns.flatMap(({ isDate, words, dataset, key }): LexiconMatch[] =>
      isDate && words[0] === word && !words.includes('slut')
        ? [{ ref: { kind: 'column', dataset, column: key }, score: 0.95 }]
        : [],
    ),
  )
/** "Weighing more than", "priced above": the column that is called after the verb. */
export function columnsOfVerb(word: string, lexicon: Lexicon): LexiconMatch[] {
  const done = participlesOf(word).flatMap((each) => daysCalled(each, lexicon))
  if (done.length > 0) return done
  const stem = /^(\p{L}{4,})(?:ing|ed)$/u.exec(word)?.[1]
  if (stem === undefined || word in ADJECTIVES) return []
  const isCalled = ({ ref }: LexiconMatch): boolean =>
    ref.kind === 'column' &&
    lexicon.schema.column(ref.dataset, ref.column)?.words.some((each) => each.startsWith(stem.slice(0, 4))) === true
  return [stem, `${stem}e`, `${stem}t`].flatMap((each) =>
    lexicon.find([each]).filter((match) => isCalled(match) && match.score >= NAME_SCORE),
  )
}

export const COMPARING = /^(?:more|less|over|under|above|below|between|at|exactly|mer|mindre|minst|hogst|mellan)$/
/** Verbs that measure: "cost more than 100". */
const MEASURING: Readonly<Record<string, readonly string[]>> = wordTable({
  cost: ['price', 'unit price', 'cost', 'amount', 'fee'],
  weigh: ['weight'],
  earn: ['salary', 'wage', 'pay', 'income'],
  kostar: ['pris', 'price', 'unit price', 'kostnad'],
  tjanar: ['lon', 'manadslon', 'salary'],
})
export const columnsOfMeasuring = (word: string, lexicon: Lexicon): LexiconMatch[] =>
  (MEASURING[word] ?? MEASURING[stemOf(word)] ?? MEASURING[word.replace(/(?:ing|ed)$/, '')] ?? []).flatMap((name) =>
    lexicon.find(name.split(' ')).filter(({ ref, score }) => ref.kind === 'column' && score >= NAME_SCORE),
  )

/** "How many cars cost more than …": a thing, and what it is compared by. */
export const isMeasured = (words: readonly Token[], after: Token | undefined): boolean =>
  /^(?:costs?|weighs?|earns?|kostar|vager|tjanar)$/.test(words.at(-1)?.word ?? '') && COMPARING.test(after?.word ?? '')
