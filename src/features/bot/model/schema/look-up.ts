import type { Lexicon } from './lexicon'
import type { SchemaColumn } from './schema'

/** Columns that are called by one of some words, in the order of the words. */
export const lookUp = (lexicon: Lexicon, words: readonly string[]): SchemaColumn[] =>
  words.flatMap((word) =>
    lexicon
      .find(word.split(' '))
      .flatMap(({ ref }) => (ref.kind === 'column' ? (lexicon.schema.column(ref.dataset, ref.column) ?? []) : [])),
  )
