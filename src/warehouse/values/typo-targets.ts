const SPACE = 0x20
/** Bytes of words and values that may be misspelt. */
const TARGET_MIN_BYTES = 4
const TARGET_MAX_BYTES = 48
/** More are not held: a column of so many values is one of codes and names that are written exactly. */
const TARGETS_MAX = 1_000_000

/** A word as the set of its letters: words a slip apart have nearly the same. */
const LETTER_BITS = Int32Array.from({ length: 256 }, (_, byte) => 1 << (byte & 31))
function lettersOf(bytes: Uint8Array, from: number, to: number): number {
  let letters = 0
  for (let i = from; i < to; i += 1) letters |= LETTER_BITS[bytes[i] ?? 0] ?? 0
  return letters
}
function bitCount(bits: number): number {
  let left = bits - ((bits >>> 1) & 0x55555555)
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333)
  return Math.imul((left + (left >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39

/** Values and single words of a column by length, each word once: what a misspelt phrase is held against. */
export class TypoTargets {
  readonly #places: Int32Array
  readonly #letters: Int32Array
  /** Where targets of each length begin. */
  readonly #offsets: Int32Array

  constructor(folded: Uint8Array, ends: Int32Array) {
    const found: number[] = []
    const lengths: number[] = []
    const words = new Set<number>()
    let from = 0
    for (const end of ends) {
      const to = end - 1
      if (found.length >= TARGETS_MAX) break
      addTarget(folded, from, to, { found, lengths })
      let begin = from
      for (let place = from; place <= to; place += 1) {
        if (place < to && folded[place] !== SPACE) continue
        const isPart = begin > from || place < to
        if (isPart && isNew(words, folded, begin, place)) addTarget(folded, begin, place, { found, lengths })
        begin = place + 1
      }
      from = end
    }
    this.#offsets = new Int32Array(TARGET_MAX_BYTES + 2)
    for (const length of lengths) this.#offsets[length + 1] = 1 + (this.#offsets[length + 1] ?? 0)
    for (let i = 1; i < this.#offsets.length; i += 1)
      this.#offsets[i] = (this.#offsets[i] ?? 0) + (this.#offsets[i - 1] ?? 0)
    const next = this.#offsets.slice()
    this.#places = new Int32Array(found.length)
    this.#letters = new Int32Array(found.length)
    for (const [i, place] of found.entries()) {
      const length = lengths[i] ?? 0
      const at = next[length] ?? 0
      next[length] = at + 1
      this.#places[at] = place
      this.#letters[at] = lettersOf(folded, place, place + length)
    }
  }

  get bytes(): number {
    return this.#places.length * 8
  }

  /** Targets that may be no more than `most` slips from a phrase. */
  *candidates(phrase: Uint8Array, most: number): Generator<{ from: number; to: number }> {
    const letters = lettersOf(phrase, 0, phrase.length)
    const longest = Math.min(TARGET_MAX_BYTES, phrase.length + most)
    for (let length = Math.max(TARGET_MIN_BYTES, phrase.length - most); length <= longest; length += 1) {
      const end = this.#offsets[length + 1] ?? 0
      for (let i = this.#offsets[length] ?? 0; i < end; i += 1) {
        if (bitCount((this.#letters[i] ?? 0) ^ letters) > 2 * most) continue
        const from = this.#places[i] ?? 0
        yield { from, to: from + length }
      }
    }
  }
}

function addTarget(
  folded: Uint8Array,
  from: number,
  to: number,
  { found, lengths }: { found: number[]; lengths: number[] },
): void {
  if (to - from < TARGET_MIN_BYTES || to - from > TARGET_MAX_BYTES) return
  for (let i = from; i < to; i += 1) if (isDigit(folded[i] ?? 0)) return
  found.push(from)
  lengths.push(to - from)
}

/** FNV-1a; two words of one hash, rare as they are, count as one. */
function isNew(words: Set<number>, bytes: Uint8Array, from: number, to: number): boolean {
  let hash = 0x811c9dc5
  for (let i = from; i < to; i += 1) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193)
  if (words.has(hash)) return false
  words.add(hash)
  return true
}
