import { CELL_MAX_BYTES } from '../../shared/limits'
import type { RecordBlock } from '../contract'
import { assertCellSize } from './csv-errors'

/** What is gathered before it is handed over; one long record more at most. */
const BLOCK_BYTES = 256 * 1024
const FIRST_BYTES = 1024
const [COMMA, QUOTE, LF, CR, ZERO] = [44, 34, 10, 13, 48] as const
const ASCII_END = 0x80
const MOST_DIGITS = 16
const INT_MAX = 0x7fffffff
/** Longer texts are quicker encoded, and longer bytes copied, by the platform. */
const SHORT_CHARS = 64
const NEEDS_QUOTES = /[",\n\r]/
/** Characters that fit a cell in any case. */
const CELL_FREE_CHARS = Math.floor(CELL_MAX_BYTES / 3)

const encoder = new TextEncoder()

/** Cells that come in many rows, each with its comma before it. */
export interface EncodedCells {
  readonly bytes: Uint8Array
  readonly length: number
  readonly count: number
}

/** Writes cells as canonical CSV (see `canonical-csv.ts`) straight into bytes, each with its comma before it. */
export class CellBytes implements EncodedCells {
  bytes = new Uint8Array(FIRST_BYTES)
  length = 0
  /** Cells since the last {@link reset}, or of the record that is written. */
  count = 0
  protected line = 0

  reset(): void {
    this.length = this.count = 0
  }

  /** @throws ProductError `file_unreadable` when it holds more than a cell may. */
  text(cell: string): void {
    this.count += 1
    if (cell.length > CELL_FREE_CHARS) assertCellSize(cell, { line: this.line, column: this.count })
    this.reserve(cell.length + 1)
    this.bytes[this.length++] = COMMA
    if (cell.length > SHORT_CHARS) return this.#careful(cell)
    const { bytes } = this
    let to = this.length
    for (let at = 0; at < cell.length; at += 1) {
      const code = cell.charCodeAt(at)
      if (code >= ASCII_END || code === COMMA || code === QUOTE || code === LF || code === CR)
        return this.#careful(cell)
      bytes[to++] = code
    }
    this.length = to
  }

  #careful(cell: string): void {
    const text = NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
    this.reserve(text.length * 3)
    this.length += encoder.encodeInto(text, this.bytes.subarray(this.length)).written
  }

  /** So many cells without text. */
  empty(cells: number): void {
    this.count += cells
    this.reserve(cells)
    for (let n = 0; n < cells; n += 1) this.bytes[this.length++] = COMMA
  }

  /** A whole number, not negative. */
  whole(value: number): void {
    this.count += 1
    this.reserve(MOST_DIGITS + 1)
    this.bytes[this.length++] = COMMA
    this.digits(value)
  }

  /** A cell that was written before, with the digits of a whole number behind it. */
  numbered({ bytes, length }: EncodedCells, value: number): void {
    this.written(bytes, { start: 0, end: length, count: 1 })
    this.reserve(MOST_DIGITS)
    this.digits(value)
  }

  /** A cell of UTF-8 without control characters and quotes. `needsQuotes`: it has a comma. */
  plain(from: Uint8Array, { start, end, needsQuotes }: ByteRange): void {
    this.count += 1
    this.reserve(end - start + 3)
    this.bytes[this.length++] = COMMA
    if (needsQuotes) this.bytes[this.length++] = QUOTE
    this.#copy(from, start, end)
    if (needsQuotes) this.bytes[this.length++] = QUOTE
  }

  /** The same of bytes whose high half stands for the letters of a table, in UTF-8. */
  letters(from: Uint8Array, { start, end, needsQuotes }: ByteRange, table: readonly Uint8Array[]): void {
    this.count += 1
    this.reserve((end - start) * 3 + 3)
    const { bytes } = this
    let to = this.length
    bytes[to++] = COMMA
    if (needsQuotes) bytes[to++] = QUOTE
    for (let i = start; i < end; i += 1) {
      const byte = from[i] ?? 0
      const letter = byte < ASCII_END ? undefined : table[byte - ASCII_END]
      if (!letter) bytes[to++] = byte
      else for (let j = 0; j < letter.length; j += 1) bytes[to++] = letter[j] ?? 0
    }
    if (needsQuotes) bytes[to++] = QUOTE
    this.length = to
  }

  /** Cells that were written before. */
  cells({ bytes, length, count }: EncodedCells): void {
    this.written(bytes, { start: 0, end: length, count })
  }

  /** Some of them. */
  written(bytes: Uint8Array, { start, end, count }: { start: number; end: number; count: number }): void {
    this.count += count
    this.reserve(end - start)
    this.#copy(bytes, start, end)
  }

  /** Lets go of what was written, and of its room. */
  release(): void {
    this.reset()
    this.bytes = new Uint8Array(FIRST_BYTES)
  }

  #copy(from: Uint8Array, start: number, end: number): void {
    const { bytes } = this
    let to = this.length
    if (end - start > SHORT_CHARS) {
      bytes.set(from.subarray(start, end), to)
      this.length += end - start
      return
    }
    for (let at = start; at < end; at += 1) bytes[to++] = from[at] ?? 0
    this.length = to
  }

  protected digits(value: number): void {
    if (value > INT_MAX) return this.#longDigits(String(value))
    const { bytes } = this
    let end = this.length + 1
    for (let power = 10; power <= value; power *= 10) end += 1
    let rest = value | 0
    for (let at = end - 1; at >= this.length; at -= 1) {
      const higher = (rest / 10) | 0
      bytes[at] = ZERO + rest - higher * 10
      rest = higher
    }
    this.length = end
  }

  #longDigits(text: string): void {
    for (let at = 0; at < text.length; at += 1) this.bytes[this.length++] = text.charCodeAt(at)
  }

  protected reserve(more: number): void {
    const least = this.length + more
    if (least <= this.bytes.length) return
    const longer = new Uint8Array(Math.max(least, this.bytes.length * 2))
    longer.set(this.bytes.subarray(0, this.length))
    this.bytes = longer
  }
}

/** Bytes of a cell. */
export interface ByteRange {
  start: number
  end: number
  needsQuotes: boolean
}

/** Writes whole rows, and hands them over in blocks. A row is `begin`, its cells from left to right, `end`. */
export class CanonicalRecords extends CellBytes {
  #rows = 0
  #columns = 0
  readonly #handOver: (block: RecordBlock) => void

  constructor(handOver: (block: RecordBlock) => void) {
    super()
    this.#handOver = handOver
  }

  /** A whole row. @throws ProductError `file_unreadable` when a cell holds more than a cell may. */
  add(cells: readonly (string | null)[], line: number): void {
    this.begin(line)
    for (let at = 0; at < cells.length; at += 1) this.text(cells[at] ?? '')
    this.end()
  }

  begin(line: number): void {
    this.line = line
    this.count = 0
    this.reserve(MOST_DIGITS)
    this.digits(line)
  }

  end(): void {
    this.reserve(1)
    this.bytes[this.length++] = LF
    this.#rows += 1
    if (this.count > this.#columns) this.#columns = this.count
    if (this.length >= BLOCK_BYTES) this.flush()
  }

  /** Hands over what is left. */
  flush(): void {
    if (this.#rows === 0) return
    const block = { bytes: this.bytes.subarray(0, this.length), rows: this.#rows, columns: this.#columns }
    // Most blocks are as long as the one before; what made one longer is rare.
    this.bytes = new Uint8Array(Math.min(this.bytes.length, BLOCK_BYTES + FIRST_BYTES))
    this.length = this.#rows = 0
    this.#handOver(block)
  }
}

/** A cell of these letters, for {@link CellBytes.numbered}; null where it would stand in quotes, or may be too long. */
export const encodeNumberedCell = (letters: string): EncodedCells | null =>
  NEEDS_QUOTES.test(letters) ? null : encodeCells([letters])

/** Null where one is too long to be a cell in any case. */
export function encodeCells(cells: readonly (string | null)[]): EncodedCells | null {
  if (cells.some((cell) => (cell?.length ?? 0) > CELL_FREE_CHARS)) return null
  shared.reset()
  for (const cell of cells) shared.text(cell ?? '')
  const { length, count } = shared
  const made = { bytes: shared.bytes.slice(0, length), length, count }
  if (shared.bytes.length > SHARED_KEPT_BYTES) shared.release()
  return made
}

/** A room of its own for each few cells costs more than writing them. */
const shared = new CellBytes()
const SHARED_KEPT_BYTES = 16 * 1024
