/** What is known of a field's bytes: a comma, letters beyond ASCII, or what stands between braces. */
export const COMMA_INSIDE = 1
export const LETTERS_INSIDE = 2
export const IS_LIST = 4

const FIELDS_MAX = 10
const [TAB, BLANK, QUOTE, COMMA, BACKSLASH, OPEN, CLOSE, DELETE] = [9, 32, 34, 44, 92, 123, 125, 127] as const
const FIRST_SIGN = 32
const ASCII_END = 0x80
/** Ends a field that is not quoted; belongs to no field that is plainly written. */
const ENDS_PLAIN = 8
const NOT_PLAIN = 16
/** What a byte outside of quotes and braces says of its field: mostly nothing. */
const PLAIN_SIGNS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === BLANK || byte === OPEN || byte === TAB) return ENDS_PLAIN
  if (byte < FIRST_SIGN || byte === QUOTE || byte === CLOSE || byte === DELETE) return NOT_PLAIN
  return byte === COMMA ? COMMA_INSIDE : byte >= ASCII_END ? LETTERS_INSIDE : 0
})

/**
 * Finds the fields of a record in its bytes, as long as they are plainly written. What is written in any other way
 * (escapes, doubled or unclosed quotes, control characters, braces that belong to no list) is for the tokenizer.
 */
export class FieldScanner {
  readonly starts = new Int32Array(FIELDS_MAX)
  readonly ends = new Int32Array(FIELDS_MAX)
  readonly flags = new Uint8Array(FIELDS_MAX)
  count = 0
  #at = 0
  #flags = 0

  /** Reads what follows a record's label. False: it takes the tokenizer. */
  scan(bytes: Uint8Array, from: number, end: number): boolean {
    this.count = 0
    this.#at = from
    for (;;) {
      while (this.#at < end && (bytes[this.#at] === BLANK || bytes[this.#at] === TAB)) this.#at += 1
      if (this.#at >= end) return true
      if (this.count === FIELDS_MAX) return false
      const first = bytes[this.#at]
      const isIn = first === QUOTE || first === OPEN
      const start = isIn ? this.#at + 1 : this.#at
      const to =
        first === QUOTE ? this.#quoted(bytes, end) : first === OPEN ? this.#list(bytes, end) : this.#plain(bytes, end)
      if (to < 0) return false
      this.starts[this.count] = start
      this.ends[this.count] = to
      this.flags[this.count] = this.#flags
      this.count += 1
    }
  }

  #plain(bytes: Uint8Array, end: number): number {
    let flags = 0
    let at = this.#at
    for (; at < end; at += 1) {
      const sign = PLAIN_SIGNS[bytes[at] ?? 0] ?? NOT_PLAIN
      if (sign === 0) continue
      if (sign === ENDS_PLAIN) break
      if (sign === NOT_PLAIN) return -1
      flags |= sign
    }
    this.#at = at
    this.#flags = flags
    return at
  }

  #quoted(bytes: Uint8Array, end: number): number {
    let flags = 0
    for (let at = this.#at + 1; at < end; at += 1) {
      const byte = bytes[at] ?? 0
      if (byte === QUOTE) {
        const next = at + 1 < end ? bytes[at + 1] : BLANK
        if (next !== BLANK && next !== TAB && next !== OPEN) return -1
        this.#at = at + 1
        this.#flags = flags
        return at
      }
      if (byte < FIRST_SIGN || byte === BACKSLASH || byte === DELETE) return -1
      if (byte === COMMA) flags |= COMMA_INSIDE
      else if (byte >= ASCII_END) flags |= LETTERS_INSIDE
    }
    return -1
  }

  /** Between braces; quotes in them are closed, so that none of them stands for a brace. */
  #list(bytes: Uint8Array, end: number): number {
    let isQuoted = false
    for (let at = this.#at + 1; at < end; at += 1) {
      const byte = bytes[at] ?? 0
      if (byte === CLOSE) {
        this.#at = at + 1
        this.#flags = IS_LIST
        return isQuoted ? -1 : at
      }
      if (byte === QUOTE) isQuoted = !isQuoted
      else if (byte === OPEN || byte === BACKSLASH || byte < FIRST_SIGN || byte === DELETE) return -1
    }
    return -1
  }
}
