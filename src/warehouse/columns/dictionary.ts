import { TextIndex } from './texts/text-index'

/** What one column's dictionary may hold; a column with more is kept out of the way. */
export const WORDS_MAX = 150_000
export const WORD_CHARS_MAX = 4_000_000

/** UTF-16 code units of a text in UTF-8: what begins a character counts, four bytes are a pair. */
function charsOf(bytes: Uint8Array, start: number, end: number): number {
  let chars = 0
  for (let i = start; i < end; i += 1) {
    const byte = bytes[i] ?? 0
    if (byte < 0x80 || byte >= 0xc0) chars += byte >= 0xf0 ? 2 : 1
  }
  return chars
}

/** Numbers the different texts of a column in the order in which they come. 0 is an empty cell. */
export class Dictionary {
  readonly #index = new TextIndex({ texts: Infinity, textBytes: Infinity })
  #chars = 0

  /** @throws Error for words of which two are the same */
  constructor(words: readonly string[]) {
    for (const [at, word] of words.entries())
      if (this.codeOf(word) !== at + 1) throw new Error('A dictionary has a word twice.')
  }

  codeOf(word: string | null): number {
    if (word === null) return 0
    const before = this.#index.size
    const code = this.#index.codeOf(word)
    if (code > before) this.#chars += word.length
    return code
  }

  /** The code of a text in UTF-8. */
  codeOfBytes(bytes: Uint8Array, start: number, end: number): number {
    const before = this.#index.size
    const code = this.#index.codeOfBytes(bytes, start, end)
    if (code > before) this.#chars += charsOf(bytes, start, end)
    return code
  }

  get size(): number {
    return this.#index.size
  }

  get chars(): number {
    return this.#chars
  }

  get isTooLarge(): boolean {
    return this.size > WORDS_MAX || this.#chars > WORD_CHARS_MAX
  }

  wordAt(code: number): string | null {
    return this.#index.textAt(code)
  }

  /** All of them, from code 1 on. */
  get words(): readonly string[] {
    return this.wordsFrom(0)
  }

  /** Those from a place on: what a chunk added. */
  wordsFrom(place: number): string[] {
    return Array.from({ length: this.size - place }, (_, at) => this.#index.textAt(place + at + 1) ?? '')
  }
}
