import { DATASET_MAX_COLUMNS } from '../../../shared/limits'

/** The row is not whole in these bytes. */
export const ROW_UNFINISHED = -1
/** It takes the scanner of tags to read it, or it is no row. */
export const ROW_NEEDS_CARE = -2

/** What `t` of a cell says. */
export const CELL_TYPES = { number: 0, shared: 1, text: 2, boolean: 3 } as const
const [LT, GT, SLASH, QUOTE, APOSTROPHE, EQUALS, AMPERSAND, CR, ZERO, NINE] = [
  60, 62, 47, 34, 39, 61, 38, 13, 48, 57,
] as const
const [C, F, R, S, T, V] = [99, 102, 114, 115, 116, 118] as const
const MOST_DIGITS = 7

const encoder = new TextEncoder()
const word = (text: string): Uint8Array => encoder.encode(text)
const [ROW, ROW_END, INLINE, INLINE_END] = ['<row', '</row>', '<is>', '</is>'].map(word)
const TYPE_NAMES: readonly [name: Uint8Array, type: number][] = [
  [word('n'), CELL_TYPES.number],
  [word('str'), CELL_TYPES.text],
  [word('inlineStr'), CELL_TYPES.text],
  [word('b'), CELL_TYPES.boolean],
]
const isSpace = (byte: number | undefined): boolean => byte === 32 || byte === 10 || byte === 13 || byte === 9

/**
 * Reads a row of `sheetN.xml` where it lies, as long as it is written as nearly all programs write it: cells from left to
 * right with a value each, no entities, no prefixes. What it finds stands in its arrays until the next row.
 */
export class RowScanner {
  /** 0: the row does not say. */
  line = 0
  count = 0
  readonly columns = new Int32Array(DATASET_MAX_COLUMNS)
  readonly types = new Uint8Array(DATASET_MAX_COLUMNS)
  readonly styles = new Int32Array(DATASET_MAX_COLUMNS)
  readonly starts = new Int32Array(DATASET_MAX_COLUMNS)
  readonly ends = new Int32Array(DATASET_MAX_COLUMNS)
  #bytes: Uint8Array = new Uint8Array(0)
  #end = 0
  /** Where an attribute's value lies. */
  #from = 0
  #to = 0
  /** Whether the tag whose attributes were read is closed by itself. */
  #isEmpty = false

  /** Reads the row that begins here, blanks before it aside. @returns where it ends, or why it was not read. */
  row(bytes: Uint8Array, at: number, end: number): number {
    this.#bytes = bytes
    this.#end = end
    this.line = this.count = 0
    let next = this.#spaces(at)
    if (!this.#is(ROW, next)) return next + 4 > end ? ROW_UNFINISHED : ROW_NEEDS_CARE
    next = this.#rowTag(next + 4)
    if (next < 0 || this.#isEmpty) return next
    let column = -1
    for (;;) {
      next = this.#spaces(next)
      if (bytes[next + 1] === SLASH && this.#is(ROW_END, next)) return next + 6
      if (next + 6 > end) return ROW_UNFINISHED
      next = this.#cell(next, column)
      if (next < 0) return next
      column = this.columns[this.count] ?? 0
      if ((this.ends[this.count] ?? 0) > (this.starts[this.count] ?? 0)) this.count += 1
    }
  }

  #spaces(from: number): number {
    let at = from
    while (at < this.#end && isSpace(this.#bytes[at])) at += 1
    return at
  }

  #is(word: Uint8Array | undefined, at: number): boolean {
    if (!word || at + word.length > this.#end) return false
    for (let n = 0; n < word.length; n += 1) if (this.#bytes[at + n] !== word[n]) return false
    return true
  }

  /** Whether `<x` stands there. */
  #opens(letter: number, at: number): boolean {
    return at + 2 <= this.#end && this.#bytes[at] === LT && this.#bytes[at + 1] === letter
  }

  /** Whether `</x>` stands there. */
  #closes(letter: number, at: number): boolean {
    const bytes = this.#bytes
    if (at + 4 > this.#end || bytes[at] !== LT || bytes[at + 1] !== SLASH) return false
    return bytes[at + 2] === letter && bytes[at + 3] === GT
  }

  #rowTag(from: number): number {
    if (from < this.#end && !isSpace(this.#bytes[from]) && this.#bytes[from] !== GT) return ROW_NEEDS_CARE
    let at = from
    for (;;) {
      const name = this.#attribute(at)
      if (name < 0) return name
      if (name === 0) return this.#to
      if (name === R && this.line === 0) {
        this.line = this.#whole()
        if (this.line <= 0) return ROW_NEEDS_CARE
      }
      at = this.#to + 1
    }
  }

  /**
   * The next attribute: its name where that is one letter, else 1, its value between `#from` and `#to`. 0: the tag has none
   * more and ends before `#to`.
   */
  #attribute(from: number): number {
    const bytes = this.#bytes
    const end = this.#end
    const start = this.#spaces(from)
    let at = start
    const first = bytes[at]
    if (first === GT || (first === SLASH && bytes[at + 1] === GT && at + 1 < end)) {
      this.#isEmpty = first === SLASH
      this.#to = this.#isEmpty ? at + 2 : at + 1
      return at < end ? 0 : ROW_UNFINISHED
    }
    while (at < end && bytes[at] !== EQUALS) {
      const byte = bytes[at]
      if (byte === LT || byte === GT || byte === QUOTE || byte === APOSTROPHE || isSpace(byte)) return ROW_NEEDS_CARE
      at += 1
    }
    const quote = bytes[at + 1]
    if (at + 1 >= end) return ROW_UNFINISHED
    if (quote !== QUOTE && quote !== APOSTROPHE) return ROW_NEEDS_CARE
    this.#from = at + 2
    let close = at + 2
    for (; close < end && bytes[close] !== quote; close += 1)
      if (bytes[close] === LT || bytes[close] === AMPERSAND) return ROW_NEEDS_CARE
    if (close >= end) return ROW_UNFINISHED
    this.#to = close
    return at - start === 1 ? (first ?? 1) : 1
  }

  /** The value as a whole number; -1 where it is none. */
  #whole(): number {
    const length = this.#to - this.#from
    if (length === 0 || length > MOST_DIGITS) return -1
    let value = 0
    for (let at = this.#from; at < this.#to; at += 1) {
      const digit = (this.#bytes[at] ?? 0) - ZERO
      if (digit < 0 || digit > 9) return -1
      value = value * 10 + digit
    }
    return value
  }

  /** The column of the address, 0-based; -1 where it is written in another way. */
  #address(): number {
    let column = 0
    let at = this.#from
    for (; at < this.#to && at - this.#from < 3; at += 1) {
      const letter = (this.#bytes[at] ?? 0) - 64
      if (letter < 1 || letter > 26) break
      column = column * 26 + letter
    }
    for (let digit = at; digit < this.#to; digit += 1) {
      const byte = this.#bytes[digit] ?? 0
      if (byte < ZERO || byte > NINE) return -1
    }
    return at === this.#from ? -1 : column - 1
  }

  /** Reads a cell into the arrays at `count`. */
  #cell(from: number, before: number): number {
    const n = this.count
    const after = this.#bytes[from + 2]
    if (!this.#opens(C, from) || !(isSpace(after) || after === GT || after === SLASH)) return ROW_NEEDS_CARE
    let at = from + 2
    let column = before + 1
    let [hasAddress, hasType, hasStyle] = [false, false, false]
    this.types[n] = CELL_TYPES.number
    this.styles[n] = 0
    this.starts[n] = this.ends[n] = 0
    for (;;) {
      const name = this.#attribute(at)
      if (name < 0) return name
      if (name === 0) break
      if (name === R && !hasAddress) {
        hasAddress = true
        column = this.#address()
      } else if (name === T && !hasType) {
        hasType = true
        if (!this.#takeType(n)) return ROW_NEEDS_CARE
      } else if (name === S && !hasStyle) {
        hasStyle = true
        const style = this.#whole()
        if (style < 0) return ROW_NEEDS_CARE
        this.styles[n] = style
      }
      at = this.#to + 1
    }
    if (column <= before || column >= DATASET_MAX_COLUMNS) return ROW_NEEDS_CARE
    this.columns[n] = column
    return this.#isEmpty ? this.#to : this.#content(this.#to, n)
  }

  #takeType(n: number): boolean {
    const length = this.#to - this.#from
    if (length === 1 && this.#bytes[this.#from] === S) {
      this.types[n] = CELL_TYPES.shared
      return true
    }
    for (const [name, type] of TYPE_NAMES) {
      if (name.length !== length || !this.#is(name, this.#from)) continue
      this.types[n] = type
      return true
    }
    return false
  }

  /** What stands between the tags of a cell: a formula that is passed over, then its value, or a text of its own. */
  #content(from: number, n: number): number {
    let at = from
    const hasFormula = this.#opens(F, at)
    if (hasFormula) {
      at = this.#formula(at + 2)
      if (at < 0) return at
    }
    const isValue = this.#opens(V, at) && at + 3 <= this.#end && this.#bytes[at + 2] === GT
    if (isValue) at = this.#value(at + 3, n, V)
    else if (this.#is(INLINE, at)) at = this.#inline(at + 4, n)
    else if (hasFormula) return at + 8 > this.#end ? ROW_UNFINISHED : ROW_NEEDS_CARE
    if (at < 0) return at
    if (this.#closes(C, at)) return hasFormula && this.ends[n] === this.starts[n] ? ROW_NEEDS_CARE : at + 4
    return at + 4 > this.#end ? ROW_UNFINISHED : ROW_NEEDS_CARE
  }

  #value(from: number, n: number, letter: number): number {
    const bytes = this.#bytes
    let at = from
    for (; at < this.#end && bytes[at] !== LT; at += 1)
      if (bytes[at] === AMPERSAND || bytes[at] === CR) return ROW_NEEDS_CARE
    this.starts[n] = from
    this.ends[n] = at
    if (this.#closes(letter, at)) return at + 4
    return at + 4 > this.#end ? ROW_UNFINISHED : ROW_NEEDS_CARE
  }

  #formula(from: number): number {
    let at = from
    if (!isSpace(this.#bytes[at]) && this.#bytes[at] !== GT) return at + 1 > this.#end ? ROW_UNFINISHED : ROW_NEEDS_CARE
    for (;;) {
      const name = this.#attribute(at)
      if (name < 0) return name
      if (name === 0) break
      at = this.#to + 1
    }
    at = this.#to
    if (this.#isEmpty) return at
    while (at < this.#end && this.#bytes[at] !== LT) at += 1
    if (this.#closes(F, at)) return at + 4
    return at + 4 > this.#end ? ROW_UNFINISHED : ROW_NEEDS_CARE
  }

  #inline(from: number, n: number): number {
    if (!this.#opens(T, from)) return from + 3 > this.#end ? ROW_UNFINISHED : ROW_NEEDS_CARE
    let at = from + 2
    if (!isSpace(this.#bytes[at]) && this.#bytes[at] !== GT) return ROW_NEEDS_CARE
    for (;;) {
      const name = this.#attribute(at)
      if (name < 0) return name
      if (name === 0) break
      at = this.#to + 1
    }
    if (this.#isEmpty) return ROW_NEEDS_CARE
    at = this.#value(this.#to, n, T)
    if (at < 0) return at
    if (this.#is(INLINE_END, at)) return at + 5
    return at + 5 > this.#end ? ROW_UNFINISHED : ROW_NEEDS_CARE
  }
}
