import { SORTED_BYTES, sortSuffixes } from './sort-suffixes'
import { TypoTargets } from './typo-targets'
import type { FoundValue } from '../../shared/bot/values'
import { editDistance } from '../../shared/text/edit-distance'

const SPACE = 0x20
/** Letters of a value that are indexed, and words of it that it is found by. */
const INDEXED_CHARS = 100
const INDEXED_WORDS = 6
/** Matches of a phrase that are looked at before the best are chosen. */
const LOOKED_AT_MAX = 512
/** Shorter phrases are whole values or nothing: too many begin with them. */
const PART_MIN_CHARS = 3
const TYPO_MIN_CHARS = 5
const TWO_TYPOS_MIN_CHARS = 9

export type TermMatch = Omit<FoundValue, 'dataset' | 'column'>
const HOW_RANK: Record<FoundValue['how'], number> = { exact: 0, word: 1, prefix: 2, typo: 3 }

/** Typos that a phrase may have: letters of numbers and codes are never taken for others. */
export function typosAllowed(phrase: string): number {
  if (phrase.length < TYPO_MIN_CHARS || /\p{Number}/u.test(phrase)) return 0
  return phrase.length < TWO_TYPOS_MIN_CHARS ? 1 : 2
}

/** Different values with the rows that hold them, as they are put in. */
export class TermIndexBuilder {
  readonly #encoder = new TextEncoder()
  #texts = new Uint8Array(1024)
  #folded = new Uint8Array(1024)
  readonly #textEnds: number[] = []
  readonly #foldedEnds: number[] = []
  readonly #counts: number[] = []
  #textLength = 0
  #foldedLength = 0

  /** @param folded the value as phrases are folded */
  add(value: string, folded: string, count: number): void {
    this.#texts = withRoom(this.#texts, this.#textLength + value.length * 3)
    this.#textLength += this.#encoder.encodeInto(value, this.#texts.subarray(this.#textLength)).written
    this.#textEnds.push(this.#textLength)
    const indexed = folded.slice(0, INDEXED_CHARS).toWellFormed()
    this.#folded = withRoom(this.#folded, this.#foldedLength + indexed.length * 3 + 1)
    this.#foldedLength += this.#encoder.encodeInto(indexed, this.#folded.subarray(this.#foldedLength)).written
    this.#folded[this.#foldedLength] = 0
    this.#foldedLength += 1
    this.#foldedEnds.push(this.#foldedLength)
    this.#counts.push(count)
  }

  get bytes(): number {
    return this.#textLength + this.#foldedLength + this.#counts.length * 32
  }

  build(): TermIndex {
    return new TermIndex({
      texts: this.#texts.slice(0, this.#textLength),
      textEnds: Int32Array.from(this.#textEnds),
      folded: this.#folded.slice(0, this.#foldedLength),
      foldedEnds: Int32Array.from(this.#foldedEnds),
      counts: Int32Array.from(this.#counts),
    })
  }
}

function withRoom(bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  if (bytes.length >= length) return bytes
  const more = new Uint8Array(Math.max(length, bytes.length * 2))
  more.set(bytes)
  return more
}

interface Terms {
  /** Of every value its text, one behind the other. */
  texts: Uint8Array
  textEnds: Int32Array
  /** The same folded, each ended by a 0. */
  folded: Uint8Array
  foldedEnds: Int32Array
  counts: Int32Array
}

/** The different values of a column, found by the whole of them, their beginnings, their words, and with slips of letters. */
export class TermIndex {
  readonly #terms: Terms
  /** Where values and their words begin, in the order of what follows. */
  readonly #starts: Int32Array
  readonly #typos: TypoTargets
  // A value may begin with the sign that files begin with.
  readonly #decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
  readonly #encoder = new TextEncoder()

  constructor(terms: Terms) {
    this.#terms = terms
    this.#starts = wordStarts(terms)
    sortSuffixes(terms.folded, this.#starts)
    this.#typos = new TypoTargets(terms.folded, terms.foldedEnds)
  }

  get size(): number {
    return this.#terms.counts.length
  }
  /** What it takes of memory. */
  get bytes(): number {
    const { texts, folded, counts } = this.#terms
    return texts.length + folded.length + counts.length * 12 + this.#starts.length * 4 + this.#typos.bytes
  }

  /** The best matches of a folded phrase, at most `limit`. */
  find(phrase: string, limit: number): TermMatch[] {
    if (phrase === '') return []
    const exactly = this.#written(this.#encoder.encode(phrase), phrase.length >= PART_MIN_CHARS)
    const found = exactly.size > 0 ? exactly : this.#misspelt(phrase)
    return [...found.values()]
      .toSorted(byRank)
      .slice(0, limit)
      .map(({ at, ...match }) => ({ ...match, value: this.#textOf(at) }))
  }

  #written(phrase: Uint8Array, withParts: boolean): Map<number, PlacedMatch> {
    const found = new Map<number, PlacedMatch>()
    const starts = this.#starts
    const { folded } = this.#terms
    const first = this.#firstFrom(phrase)
    for (let i = first; i < Math.min(starts.length, first + LOOKED_AT_MAX); i += 1) {
      const place = starts[i] ?? 0
      if (!beginsWith(folded, place, phrase)) {
        if (phrase.length <= SORTED_BYTES) break
        continue
      }
      const at = this.#valueAt(place)
      const next = folded[place + phrase.length] ?? 0
      const isBegin = place === this.#startOf(at)
      const how = isBegin && next === 0 ? 'exact' : next === 0 || next === SPACE ? 'word' : isBegin ? 'prefix' : null
      if (how === null || (how !== 'exact' && !withParts)) continue
      keepBest(found, { at, how, distance: 0, count: this.#terms.counts[at] ?? 0 })
    }
    return found
  }

  #misspelt(phrase: string): Map<number, PlacedMatch> {
    const found = new Map<number, PlacedMatch>()
    const most = typosAllowed(phrase)
    if (most === 0) return found
    const bytes = this.#encoder.encode(phrase)
    const { folded, counts } = this.#terms
    for (const { from, to } of this.#typos.candidates(bytes, most)) {
      const distance = editDistance(bytes, folded.subarray(from, to), most)
      if (distance > most) continue
      const at = this.#valueAt(from)
      if (from === this.#startOf(at) && folded[to] === 0) {
        keepBest(found, { at, how: 'typo', distance, count: counts[at] ?? 0 })
        continue
      }
      // A word that several values share was looked at once.
      for (const { at: holder } of this.#written(folded.subarray(from, to), true).values())
        keepBest(found, { at: holder, how: 'typo', distance, count: counts[holder] ?? 0 })
    }
    return found
  }

  /** The first place whose text is not before the phrase. */
  #firstFrom(phrase: Uint8Array): number {
    const sorted = phrase.subarray(0, SORTED_BYTES)
    let [low, high] = [0, this.#starts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (isBefore(this.#terms.folded, this.#starts[middle] ?? 0, sorted)) low = middle + 1
      else high = middle
    }
    return low
  }

  #startOf(at: number): number {
    return at === 0 ? 0 : (this.#terms.foldedEnds[at - 1] ?? 0)
  }
  /** The value that a place of the folded texts is in. */
  #valueAt(place: number): number {
    const ends = this.#terms.foldedEnds
    let [low, high] = [0, ends.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] ?? 0) <= place) low = middle + 1
      else high = middle
    }
    return low
  }
  #textOf(at: number): string {
    const { texts, textEnds } = this.#terms
    return this.#decoder.decode(texts.subarray(at === 0 ? 0 : textEnds[at - 1], textEnds[at]))
  }
}

type PlacedMatch = Omit<TermMatch, 'value'> & { at: number }

const byRank = (a: PlacedMatch, b: PlacedMatch): number =>
  HOW_RANK[a.how] - HOW_RANK[b.how] || a.distance - b.distance || b.count - a.count || a.at - b.at

function keepBest(found: Map<number, PlacedMatch>, match: PlacedMatch): void {
  const known = found.get(match.at)
  if (!known || byRank(match, known) < 0) found.set(match.at, match)
}

function beginsWith(bytes: Uint8Array, place: number, phrase: Uint8Array): boolean {
  for (let i = 0; i < phrase.length; i += 1) if (bytes[place + i] !== phrase[i]) return false
  return true
}

function isBefore(bytes: Uint8Array, place: number, phrase: Uint8Array): boolean {
  for (let i = 0; i < phrase.length; i += 1) {
    const [own, asked] = [bytes[place + i] ?? 0, phrase[i] ?? 0]
    if (own !== asked) return own < asked
  }
  return false
}

/** Of each value its beginning, and those of its first words. */
function wordStarts({ folded, foldedEnds }: Terms): Int32Array {
  const starts = new Int32Array(countStarts(folded, foldedEnds))
  let [n, from] = [0, 0]
  for (const end of foldedEnds) {
    let words = 0
    for (let place = from; place < end - 1 && words < INDEXED_WORDS; place += 1) {
      if (place > from && folded[place - 1] !== SPACE) continue
      starts[n] = place
      n += 1
      words += 1
    }
    from = end
  }
  return starts.subarray(0, n)
}
const countStarts = (folded: Uint8Array, ends: Int32Array): number =>
  ends.length + folded.reduce((spaces, byte) => (byte === SPACE ? spaces + 1 : spaces), 0)
