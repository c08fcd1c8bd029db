import type { DateSpec } from '../dates/date-spec'
import type { LexiconMatch } from '../schema/lexicon'
import type { ValueMatch } from '../contract'
import type { MeasureAsk } from './measure-ask'

/** A phrase that names something of the workspace. */
export interface Mention {
  words: string
  matches: LexiconMatch[]
  isTypo: boolean
  /** What it means most likely is a column of dates. */
  namesDate: boolean
  /** What it means most likely is a column of figures. */
  namesNumber: boolean
  /** What it means most likely is a column of yes and no. */
  namesYesNo: boolean
  /** Said by the word that denies it: "unpaid". */
  isDenied?: true
}
/** A phrase that stands in the data, or is written in quotes. */
export interface ValueMention {
  /** As it was written. */
  text: string
  phrase: string
  matches: ValueMatch[]
  isQuoted: boolean
}
/**
 * A question as a text of plain words and marks in which what is known stands as `<m0>` (named), `<v0>` (value), `<d0>`
 * (date) and `<q0>` (figure): rules are patterns over it.
 */
export interface Encoded {
  text: string
  /** The text before any rule has read it. */
  source: string
  mentions: Mention[]
  values: ValueMention[]
  dates: DateSpec[]
  /** The words of each date, for headings. */
  dateWords: string[]
  figures: MeasureAsk[]
  /** Terms of the question and the workspace, as figures. */
  defined: Map<string, MeasureAsk>
  /** How words are written that lose marks when they are folded: `salt` as `sålt`. */
  spelt: ReadonlyMap<string, string>
  /** Words that are no name, value or known word, as they were written. */
  unknown: string[]
}
/** Whether the best meaning of a mention is a table or a column. */
export const refersTo = (encoded: Pick<Encoded, 'mentions'>, mention: number, kind: 'dataset' | 'column'): boolean =>
  encoded.mentions[mention]?.matches[0]?.ref.kind === kind
/** A participle that only a part of a heading has: "the amount traded" beside `traded_at`. */
export function isVerb(
  { mentions, source = '' }: Pick<Encoded, 'mentions'> & { source?: string },
  at: number,
): boolean {
  const mention = mentions[at]
  return (
    mention !== undefined &&
    mention.namesDate &&
    /\p{L}{3}ed$|^(?:sent|sold|bought|paid|held|made|built|written|taken|given|taught)$/u.test(mention.words) &&
    ((mention.matches[0]?.score ?? 1) < 0.97 || isSaidAsVerb(source, at))
  )
}
/** "Has resolved the most cases", where a heading is called just so. */
const isSaidAsVerb = (source: string, at: number): boolean =>
  new RegExp(
    `(?:has|have|had|was|were|been|who|not|never) <m${at}>|<m${at}> (?:the )?(?:most|fewest|least) |<m${at}> by |^<m\\d+> <m${at}> <d`,
  ).test(source)
export const M = '<m\\d+>'
export const Q = '<q\\d+>'
export const V = '<v\\d+>'
export const D = '<d\\d+>'
/** The number of `<m12>`. */
export const numberIn = (mark: string | undefined): number => Number(/\d+/.exec(mark ?? '')?.[0] ?? -1)
export const marksIn = (text: string, kind: 'm' | 'v' | 'd' | 'q'): number[] =>
  [...text.matchAll(new RegExp(`<${kind}(\\d+)>`, 'g'))].map((found) => Number(found[1]))
export const tidy = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
/** Words before a noun that say nothing of what is asked. */
export const DET =
  '(?:(?:the|all|all the|a|an|any|their|its|his|her|our|your|my|each|every|of|de|alla|respective|such|those|these) )*'
