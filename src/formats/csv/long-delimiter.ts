import { detectEncoding } from '../encoding/detect-encoding'
import { isByteEncoding, toByteString } from '../encoding/text-decoder'

/*
 * Delimiters of several signs (`||`, `~|~`, `::`). Nothing that reads a text knows of them: each is replaced by one sign that
 * stands in no text, which is found as its delimiter then.
 */

/** What stands for the delimiter: the unit separator, which is made for it. */
const UNIT_SEPARATOR = 0x1f
const [LF, CR, QUOTE] = [10, 13, 34] as const
const LINES = { min: 3, max: 400 }
/** Runs of signs that are tried: the names of columns hold few others, and each costs a look at all lines. */
const TRIED_MAX = 8
/** Of the lines so many hold it as often as the first one. */
const EVEN_MIN = 0.95
const SIGNS = /[|~^:;#@*$%&!+=<>\\/\u00a7\u00ac-]{2,4}/g
/** A cell that begins with a quote, which stands anywhere else for itself (inches). */
const QUOTED = /(?<=^|[\r\n|~^:;#@*$%&!+=<>\\/\u00a7\u00ac-])"(?:[^"]|"")*"/g
/** One of them at least is no sign of words, comments or figures. */
const DIVIDING = /[|~^:;\u00a7\u00ac]/

/** A text's delimiter of several signs, as bytes; null where it has none. */
export function findLongDelimiter(head: Uint8Array): Uint8Array | null {
  if (!isByteEncoding(detectEncoding([head]).encoding)) return null
  const all = toByteString(head)
    .replaceAll(QUOTED, '""')
    .split(/\r\n?|\n/)
  // The last line may be cut.
  const lines = (all.length > LINES.min ? all.slice(0, -1) : all).filter((line) => line.trim() !== '')
  const judged = lines.slice(0, LINES.max)
  const [first = ''] = judged
  if (judged.length < LINES.min) return null
  const runs = [...new Set(first.match(SIGNS))].filter((run) => DIVIDING.test(run))
  const found = runs.slice(0, TRIED_MAX).find((run) => divides(run, first, judged))
  return found === undefined ? null : Uint8Array.from(found, (sign) => sign.charCodeAt(0))
}

/** Whether nearly all lines hold it as often as the first, and its signs stand nowhere else. */
function divides(run: string, first: string, lines: readonly string[]): boolean {
  const count = first.split(run).length - 1
  const signs = [...new Set(Array.from(run).filter((sign) => DIVIDING.test(sign)))]
  const isApart = (line: string): boolean => {
    const rest = line.replaceAll(run, ' ')
    return !signs.some((sign) => rest.includes(sign))
  }
  const even = lines.filter((line) => line.split(run).length - 1 === count && isApart(line))
  return even.length >= lines.length * EVEN_MIN && first.split(run).every((name) => name.trim() !== '')
}

export interface DelimiterReplacer {
  /** The bytes with one sign for each delimiter; what may be the start of one is held back. */
  push(bytes: Uint8Array): Uint8Array
  end(): Uint8Array
}

/** Replaces a delimiter outside of quotes. Lines stay where they are. */
export function createDelimiterReplacer(delimiter: Uint8Array): DelimiterReplacer {
  let held: Uint8Array = new Uint8Array(0)
  let [isQuoted, isCellStart] = [false, true]
  const replace = (bytes: Uint8Array, isLast: boolean): Uint8Array => {
    const all = new Uint8Array(held.length + bytes.length)
    all.set(held)
    all.set(bytes, held.length)
    const to = new Uint8Array(all.length)
    const last = isLast ? all.length : all.length - delimiter.length + 1
    let [at, length] = [0, 0]
    while (at < last) {
      const byte = all[at] ?? 0
      const isDelimiter = !isQuoted && byte === delimiter[0] && delimiter.every((sign, n) => all[at + n] === sign)
      // Two quotes within a cell are one of its text. There is a next byte: a delimiter has two, and as many are held back.
      const isPair = isQuoted && byte === QUOTE && all[at + 1] === QUOTE
      if (byte === QUOTE && !isPair) isQuoted = !isQuoted && isCellStart
      isCellStart = isDelimiter || byte === LF || byte === CR
      to[length++] = isDelimiter ? UNIT_SEPARATOR : byte
      if (isPair) to[length++] = byte
      at += isDelimiter ? delimiter.length : isPair ? 2 : 1
    }
    held = all.slice(Math.min(at, all.length))
    return to.subarray(0, length)
  }
  return { push: (bytes) => replace(bytes, false), end: () => replace(new Uint8Array(0), true) }
}
