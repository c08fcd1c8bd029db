/** What one column's dictionary may hold; a column with more is kept out of the way. */
export const WORDS_MAX = 150_000
export const WORD_CHARS_MAX = 4_000_000

/** Numbers the different texts of a column in the order in which they come. 0 is an empty cell. */
export class Dictionary {
  readonly #codes = new Map<string, number>()
  readonly #words: string[]
  #chars = 0

  readonly #isStrict: boolean

  /** @param isStrict takes no text that SQLite may keep otherwise than it came: half a character, or a zero within */
  constructor(words: readonly string[], isStrict: boolean) {
    this.#isStrict = isStrict
    this.#words = [...words]
    for (const [at, word] of words.entries()) this.#remember(word, at + 1)
  }

  #remember(word: string, code: number): void {
    this.#codes.set(word, code)
    this.#chars += word.length
  }

  /** Null for a text that it does not take. */
  codeOf(word: string | null): number | null {
    if (word === null) return 0
    const known = this.#codes.get(word)
    if (known !== undefined) return known
    if (this.#isStrict && (!word.isWellFormed() || word.includes('\0'))) return null
    const code = this.#words.push(word)
    this.#remember(word, code)
    return code
  }

  get size(): number {
    return this.#words.length
  }

  get chars(): number {
    return this.#chars
  }

  get isTooLarge(): boolean {
    return this.#words.length > WORDS_MAX || this.#chars > WORD_CHARS_MAX
  }

  /** All of them, from code 1 on. */
  get words(): readonly string[] {
    return this.#words
  }

  /** Those from a place on: what a chunk added. */
  wordsFrom(place: number): string[] {
    return this.#words.slice(place)
  }
}
