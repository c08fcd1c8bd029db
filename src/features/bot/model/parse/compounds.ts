import { synonymsOf } from '../language/synonyms'
import type { Token } from '../language/words'
import type { ValueIndex } from '../contract'
import type { Lexicon } from '../schema/lexicon'

/** Beginnings of Swedish compounds that say which figure is meant: "medellön". */
const FIGURES: readonly (readonly [string, string])[] = [
  ['genomsnitts', 'genomsnittlig'],
  ['medel', 'genomsnittlig'],
  ['snitt', 'genomsnittlig'],
  ['total', 'totala'],
]
const COMPOUND_LEAST = 7
const PART_LEAST = 3
/** So well the parts must be called to be read as names. */
const PART_SCORE = 0.78
/** And so well the words before and the whole one to be a name that stays together. */
const NAME_SCORE = 0.9

interface Input {
  lexicon: Lexicon
  values: ValueIndex
}
const isNamed = ({ lexicon }: Input, words: readonly string[]): boolean =>
  (lexicon.find(words)[0]?.score ?? 0) >= PART_SCORE

/** Takes apart words that nothing is called, where their parts name things: "medellönen", "kundstad", "sjukdagar". */
export async function splitCompounds(tokens: readonly Token[], input: Input): Promise<Token[]> {
  const unknown = tokens.filter(
    ({ kind, word }, at) =>
      kind === 'word' &&
      word.length >= COMPOUND_LEAST &&
      input.lexicon.find([word]).length === 0 &&
      !endsName(tokens.slice(0, at + 1), input),
  )
  if (unknown.length === 0) return [...tokens]
  const lefts = unknown.flatMap(({ word }) =>
    placesOf(word).flatMap(([left, right]) => (isNamed(input, [right]) ? [left] : [])),
  )
  const held = lefts.length === 0 ? new Map() : await input.values.find({ phrases: [...new Set(lefts)], limit: 3 })
  return tokens.flatMap((token) => {
    const parts = unknown.includes(token) ? partsOf(token.word, input, (left) => isHeld(held.get(left))) : null
    return parts ? parts.map((word) => ({ ...token, word, text: word, isCapital: false })) : [token]
  })
}
/** Whether the last word is the end of a name of two or three words: "lagervärde till försäljningspris". */
const endsName = (tokens: readonly Token[], { lexicon }: Input): boolean =>
  [2, 3].some((length) => {
    const words = tokens.slice(-length).map(({ word }) => word)
    return words.length === length && (lexicon.find(words)[0]?.score ?? 0) >= NAME_SCORE
  })
const isHeld = (matches: readonly { how: string }[] | undefined): boolean =>
  matches?.some(({ how }) => how === 'exact') === true

/** Where a word may be taken apart, with the joining s left out. */
function placesOf(word: string): [string, string][] {
  const places: [string, string][] = []
  for (let at = PART_LEAST; at <= word.length - PART_LEAST; at += 1) {
    const [left, right] = [word.slice(0, at), word.slice(at)]
    places.push([left, right])
    if (left.endsWith('s') && left.length > PART_LEAST) places.push([left.slice(0, -1), right])
  }
  return places
}

function partsOf(word: string, input: Input, isValue: (left: string) => boolean): string[] | null {
  for (const [begin, figure] of FIGURES) {
    const rest = word.slice(begin.length)
    if (word.startsWith(begin) && rest.length >= PART_LEAST && isNamed(input, [rest])) return [figure, rest]
  }
  for (const [left, right] of placesOf(word)) {
    for (const one of [left, ...synonymsOf(left)])
      for (const two of [right, ...synonymsOf(right)]) {
        const words = [...one.split(' '), ...two.split(' ')]
        if ((input.lexicon.find(words)[0]?.score ?? 0) >= 0.9) return words
      }
    if (isNamed(input, [right]) && isValue(left)) return [left, right]
  }
  return null
}
