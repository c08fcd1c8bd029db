import type { ByteRecord } from '../contract'
import { CR, LF, type SyntaxCodes } from './record-scanner'
import { CELL_MAX_BYTES, DATASET_MAX_COLUMNS } from '../../shared/limits'

/** The record does not end in these bytes. */
export const UNFINISHED = -1
/** What the record is takes the careful reader to say. */
export const NEEDS_CARE = -2

/** Room for the cells of a record; a wider one needs care. */
const CELLS_MAX = DATASET_MAX_COLUMNS + 1

export interface ScannedBytes extends ByteRecord {
  /** Where the next record begins, {@link UNFINISHED} or {@link NEEDS_CARE}. */
  next: number
  /** Line ends inside quotes. */
  breaks: number
}
export const noBytes = (): ScannedBytes => ({
  bytes: new Uint8Array(0),
  starts: new Int32Array(CELLS_MAX),
  ends: new Int32Array(CELLS_MAX),
  count: 0,
  next: UNFINISHED,
  breaks: 0,
})

/** Marks the bytes that end a plain cell, or are to be left out of it. */
export function cellEnds({ delimiter, escape }: Pick<SyntaxCodes, 'delimiter' | 'escape'>): Uint8Array {
  const marks = new Uint8Array(256)
  for (const code of [0, LF, CR, delimiter, ...(escape < 0 ? [] : [escape])]) marks[code] = 1
  return marks
}

/** The end of a quoted cell whose quote stands before `from`: its closing quote, or why there is none. */
function quoteEnd(bytes: Uint8Array, from: number, { quote, escape }: SyntaxCodes, found: ScannedBytes): number {
  for (let at = from; at < bytes.length; at += 1) {
    const code = bytes[at]
    if (code === quote) return at
    if (code === escape || code === 0) return NEEDS_CARE
    if (code === LF || (code === CR && bytes[at + 1] !== LF)) found.breaks += 1
  }
  return UNFINISHED
}

/**
 * The quick way of {@link scanRecord}, without decoding: where the cells of the record begin and end that begins here. For
 * encodings in which a byte below 0x80 is that character, and signs of syntax that are such.
 * @param ends as {@link cellEnds} makes them
 */
export function scanBytes(start: number, syntaxCodes: SyntaxCodes, ends: Uint8Array, found: ScannedBytes): void {
  const { bytes } = found
  const { delimiter, quote, blank } = syntaxCodes
  const length = bytes.length
  let at = start
  found.count = 0
  found.breaks = 0
  for (;;) {
    let from = at
    let to = at
    if (bytes[at] === quote) {
      from = at + 1
      to = quoteEnd(bytes, from, syntaxCodes, found)
      if (to < 0) return void (found.next = to)
      at = to + 1
    } else {
      while (bytes[at] === blank) at += 1
      if (at > from && bytes[at] === quote) return void (found.next = NEEDS_CARE)
      from = at
      while (at < length && ends[bytes[at] ?? 0] === 0) at += 1
      to = at
    }
    if (at >= length) return void (found.next = UNFINISHED)
    const code = bytes[at]
    if (
      code === 0 ||
      code === syntaxCodes.escape ||
      ends[code ?? 0] === 0 ||
      to - from > CELL_MAX_BYTES ||
      found.count === CELLS_MAX
    )
      return void (found.next = NEEDS_CARE)
    found.starts[found.count] = from
    found.ends[found.count] = to
    found.count += 1
    at += 1
    if (code === delimiter) continue
    if (code === CR) {
      if (at === length) return void (found.next = UNFINISHED)
      // A NUL is nothing: behind it an LF may belong to this line end.
      if (bytes[at] === 0) return void (found.next = NEEDS_CARE)
      if (bytes[at] === LF) at += 1
    }
    found.next = at
    return
  }
}
