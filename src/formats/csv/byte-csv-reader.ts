import type { ByteRecord, CsvReader, CsvReaderOptions } from '../contract'
import { isByteEncoding, type createCellDecoder } from '../encoding/text-decoder'
import { cellEnds, NEEDS_CARE, noBytes, scanBytes, UNFINISHED } from './byte-scanner'
import { createCsvReader } from './csv-reader'
import { toSyntaxCodes } from './record-scanner'
import { DATASET_MAX_COLUMNS, RECORD_MAX_CHARS } from '../../shared/limits'

/** Bytes that the careful reader is given at first, from a record on that needs it. */
const CARE_BYTES = 256
const CARE_GROWTH = 8
const ASCII_MAX = 127

interface ByteCsvReaderOptions extends CsvReaderOptions {
  /** A record that needed no decoding; what is in `record` holds until the call ends. */
  onBytes: (record: ByteRecord, line: number) => void
}

const FIRST_BYTES = 512 * 1024

/**
 * Reads records without decoding them, as long as they are plain. From one on that is not, the careful reader reads a
 * stretch, by the rule by which a load goes on with its next one: it says where the next unread record begins.
 */
class ByteCsvReader implements CsvReader {
  readonly #options: ByteCsvReaderOptions
  readonly #codes: ReturnType<typeof toSyntaxCodes>
  readonly #ends: Uint8Array
  readonly #found = noBytes()
  readonly #maxCells: number
  /** What is being read: first what is left of a record that is not whole yet. */
  #buffer = new Uint8Array(FIRST_BYTES)
  #rest = 0
  /** So many bytes are to be there before the careful reader tries the record again that it did not find the end of. */
  #awaited = 0
  #consumed = 0
  #line: number
  /** Nothing is read of the file: what it begins with needs care. */
  #isFresh: boolean

  constructor(options: ByteCsvReaderOptions) {
    this.#options = options
    this.#codes = toSyntaxCodes(options.settings)
    this.#ends = cellEnds(this.#codes)
    this.#maxCells = DATASET_MAX_COLUMNS + (options.settings.numbered ? 1 : 0)
    this.#line = options.startLine
    this.#isFresh = options.startByte === 0
  }

  push(bytes: Uint8Array): void {
    const all = this.#taken(bytes)
    if (all.length < this.#awaited) return void (this.#rest = all.length)
    this.#awaited = 0
    this.#found.bytes = all
    let at = 0
    while (at < all.length) {
      const next = this.#isFresh ? NEEDS_CARE : this.#plain(at)
      if (next === UNFINISHED && all.length - at <= RECORD_MAX_CHARS) break
      const to = next < 0 ? this.#careful(all, at) : next
      if (to === at) {
        this.#awaited = (all.length - at) * 2
        break
      }
      at = to
    }
    this.#buffer.copyWithin(0, at, all.length)
    this.#rest = all.length - at
    this.#consumed += at
  }

  #taken(bytes: Uint8Array): Uint8Array {
    const length = this.#rest + bytes.length
    if (length > this.#buffer.length) {
      const longer = new Uint8Array(length * 2)
      longer.set(this.#buffer.subarray(0, this.#rest))
      this.#buffer = longer
    }
    this.#buffer.set(bytes, this.#rest)
    return this.#buffer.subarray(0, length)
  }

  /** Reads a plain record; answers where the next one begins, or why this is none. */
  #plain(at: number): number {
    const found = this.#found
    if (found.bytes[at] === this.#codes.comment) return NEEDS_CARE
    scanBytes(at, this.#codes, this.#ends, found)
    if (found.next < 0) return found.next
    if (found.count > this.#maxCells || found.next - at > RECORD_MAX_CHARS) return NEEDS_CARE
    const isRow = hasCells(found)
    const line = isRow && this.#options.settings.numbered ? numberCell(found) : this.#line
    if (Number.isNaN(line)) return NEEDS_CARE
    this.#line += 1 + found.breaks
    if (isRow) this.#options.onBytes(found, line)
    return found.next
  }

  /** Lets the careful reader read on from here; answers how far it came: not at all when the record goes on after these bytes. */
  #careful(all: Uint8Array, at: number): number {
    for (let size = CARE_BYTES; ; size *= CARE_GROWTH) {
      const reader = this.#reader()
      reader.push(all.subarray(at, at + size))
      const read = reader.consumedBytes()
      if (read > 0) {
        this.#isFresh = false
        this.#line = reader.nextLine()
        return at + read
      }
      if (at + size >= all.length) return at
    }
  }
  #reader(): CsvReader {
    return createCsvReader({ ...this.#options, startByte: this.#isFresh ? 0 : 1, startLine: this.#line })
  }

  end(): void {
    const reader = this.#reader()
    reader.push(this.#buffer.subarray(0, this.#rest))
    reader.end()
    this.#line = reader.nextLine()
    this.#consumed += this.#rest
    this.#rest = 0
  }

  consumedBytes(): number {
    return this.#consumed
  }
  nextLine(): number {
    return this.#line
  }
}

/** Records without any character are no rows. */
function hasCells({ starts, ends, count }: ByteRecord): boolean {
  for (let cell = 0; cell < count; cell += 1) if (starts[cell] !== ends[cell]) return true
  return false
}

const MOST_DIGITS = 15
/** Takes the first cell out of a record: its line in the file that the table was taken out of. NaN: it is no number. */
function numberCell(record: ByteRecord): number {
  const { bytes, starts, ends, count } = record
  const [start = 0, end = 0] = [starts[0], ends[0]]
  if (start === end || end - start > MOST_DIGITS) return Number.NaN
  let line = 0
  for (let at = start; at < end; at += 1) {
    const digit = (bytes[at] ?? 0) - 48
    if (digit < 0 || digit > 9) return Number.NaN
    line = line * 10 + digit
  }
  starts.copyWithin(0, 1, count)
  ends.copyWithin(0, 1, count)
  record.count = count - 1
  return line
}

/** The cells of such a record as texts. */
export const decodeRecord = (
  { bytes, starts, ends, count }: ByteRecord,
  decode: ReturnType<typeof createCellDecoder>,
): string[] => Array.from({ length: count }, (_, cell) => decode(bytes, starts[cell] ?? 0, ends[cell] ?? 0))

/** Reads delimited text, without decoding what needs none. Records that do are told as {@link CsvReader} tells them. */
export function createByteCsvReader(options: ByteCsvReaderOptions): CsvReader {
  const { encoding, leaveOutTotals, repeatedHeader, wrappedLines, columnStarts } = options.settings
  const { delimiter, quote, escape, comment } = toSyntaxCodes(options.settings)
  const isAscii = Math.max(delimiter, quote, escape, comment) <= ASCII_MAX
  const isDivided = !wrappedLines && !columnStarts
  const isQuick = isByteEncoding(encoding) && !leaveOutTotals && !repeatedHeader && isDivided && isAscii
  return isQuick ? new ByteCsvReader(options) : createCsvReader(options)
}
