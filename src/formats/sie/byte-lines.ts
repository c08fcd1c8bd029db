import { RECORD_MAX_CHARS } from '../../shared/limits'
import { toByteString } from '../encoding/text-decoder'
import { recordTooLongError } from '../csv/csv-errors'

const [LF, CR] = [10, 13] as const
const UTF8_BOM = [0xef, 0xbb, 0xbf] as const
/** Lines between two looks at whether others should have their turn. */
const LINES_AT_ONCE = 64

/** A line where it lies, without its end; valid until the handler returns. */
export interface ByteLine {
  bytes: Uint8Array
  start: number
  end: number
  /** 1-based. */
  line: number
  /** Whether any byte of it is beyond ASCII. */
  hasLetters: boolean
}

/** Cuts pieces of bytes into lines: LF, CR and CRLF end them, also in one file. */
export class ByteLines {
  #bytes = new Uint8Array(0)
  /** Where the next line begins, and where the bytes that were taken in end. */
  #at = 0
  #end = 0
  /** No line ends between the next one's beginning and here. */
  #searched = 0
  /** Whether any byte that was taken in is beyond ASCII. */
  #hasLetters = false
  readonly #found: ByteLine = { bytes: this.#bytes, start: 0, end: 0, line: 0, hasLetters: false }

  /** Takes more bytes in, behind what is left of those before. */
  push(piece: Uint8Array): void {
    const left = this.#end - this.#at
    const length = left + piece.length
    if (length > this.#bytes.length) {
      const longer = new Uint8Array(length + piece.length)
      longer.set(this.#bytes.subarray(this.#at, this.#end))
      this.#bytes = longer
    } else this.#bytes.copyWithin(0, this.#at, this.#end)
    this.#bytes.set(piece, left)
    this.#searched = Math.max(0, this.#searched - this.#at)
    this.#at = 0
    this.#end = length
    this.#found.bytes = this.#bytes
    this.#hasLetters = hasLetters(this.#bytes, length)
  }

  /**
   * Hands over the next whole lines. @returns false when there are none; then it takes more bytes.
   * @throws ProductError when one is far too long
   */
  read(onLine: (line: ByteLine) => void): boolean {
    for (let n = 0; n < LINES_AT_ONCE; n += 1) {
      const end = this.#lineEnd()
      if (end < 0) return false
      const at = this.#at
      this.#at = end + (this.#bytes[end] === CR && this.#bytes[end + 1] === LF ? 2 : 1)
      this.#tell(at, end, onLine)
    }
    return true
  }

  /** Where the line ends that begins next; -1 when its end is not there yet. */
  #lineEnd(): number {
    const bytes = this.#bytes
    const last = this.#end
    // Lines are short: a loop of our own is quicker than a search that is called for each.
    let end = Math.max(this.#at, this.#searched)
    for (; end < last; end += 1) {
      const byte = bytes[end] ?? 0
      if (byte <= CR && (byte === LF || byte === CR)) break
    }
    this.#searched = end
    // A CR at the very end may have its LF in the next piece.
    if (end < last && !(bytes[end] === CR && end + 1 === last)) return end
    if (last - this.#at > RECORD_MAX_CHARS) throw recordTooLongError(this.#found.line + 1)
    return -1
  }

  /** The last line, when the file does not end with a line end. */
  finish(onLine: (line: ByteLine) => void): void {
    const end = this.#bytes[this.#end - 1] === CR ? this.#end - 1 : this.#end
    const start = this.#at
    this.#at = this.#end
    if (start >= end) return
    this.#tell(start, end, onLine)
  }

  #tell(start: number, end: number, onLine: (line: ByteLine) => void): void {
    const found = this.#found
    found.line += 1
    const isMarked =
      found.line === 1 && UTF8_BOM.every((byte, at) => found.bytes[start + at] === byte) && end - start >= 3
    found.start = isMarked ? start + UTF8_BOM.length : start
    found.end = end
    found.hasLetters = this.#hasLetters && hasLettersBetween(found.bytes, found.start, end)
    onLine(found)
  }
}

const ASCII_MAX = 0x7f
function hasLettersBetween(bytes: Uint8Array, start: number, end: number): boolean {
  let all = 0
  for (let at = start; at < end; at += 1) all |= bytes[at] ?? 0
  return all > ASCII_MAX
}

const WORD_BYTES = 4
/** The high bit of each of four bytes. */
const HIGH_BITS = 0x80808080 | 0
/** Whether any of the first `length` bytes of a room is beyond ASCII, four at a time. */
function hasLetters(bytes: Uint8Array, length: number): boolean {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, Math.floor(length / WORD_BYTES))
  let all = 0
  for (let at = 0; at < words.length; at += 1) all |= words[at] ?? 0
  return (all & HIGH_BITS) !== 0 || hasLettersBetween(bytes, words.length * WORD_BYTES, length)
}

const SHORT_BYTES = 200
/** Its bytes as characters. */
export function byteString({ bytes, start, end, hasLetters }: Omit<ByteLine, 'line'>): string {
  if (hasLetters || end - start > SHORT_BYTES) return toByteString(bytes.subarray(start, end))
  let text = ''
  for (let at = start; at < end; at += 1) text += String.fromCharCode(bytes[at] ?? 0)
  return text
}

const encoder = new TextEncoder()
/** Labels as nearly all files write them, with the blank behind. */
export const TRANS_LABEL = encoder.encode('#TRANS ')
export const VER_LABEL = encoder.encode('#VER ')

export function startsWith(bytes: Uint8Array, start: number, label: Uint8Array): boolean {
  for (let at = 0; at < label.length; at += 1) if (bytes[start + at] !== label[at]) return false
  return true
}
