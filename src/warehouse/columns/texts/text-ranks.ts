import { numbersByCode, type Codes, type Numbers } from '../vectors'
import { compareTexts } from '../../query/aggregates/group-order'

/** Half of a character past the first 65 536: texts with it are not in the order of their units. */
const SURROGATE = /[\ud800-\udfff]/

/** Texts in SQLite's order. */
const sortedTexts = (words: readonly string[]): string[] =>
  words.some((word) => SURROGATE.test(word)) ? words.toSorted(compareTexts) : words.toSorted()

/** Texts by their places in the order of all of them: codes are numbered in the order in which they came. */
export function textRanks(
  codes: Codes,
  words: readonly string[],
): { numbers: Numbers; wordAt: (rank: number) => string | null } {
  const sorted = sortedTexts(words)
  const places = new Map(sorted.map((word, rank) => [word, rank]))
  const ranks = Float64Array.from([Number.NaN, ...words.map((word) => places.get(word) ?? Number.NaN)])
  const numbers = numbersByCode(codes, ranks)
  return { numbers, wordAt: (rank) => sorted[rank] ?? null }
}
