import { workbookDamagedError, workbookUnsafeError } from '../workbook-errors'
import type { ScanTurns } from '../xml-scanner'
import { RecordBytes } from './record-bytes'

/** What a reader of records does with them. */
export interface RecordHandler {
  /** Others are passed over without being held. */
  wants(type: number): boolean
  record(type: number, data: RecordBytes): void
  /** True: nothing that follows is of interest. */
  readonly isDone: boolean
}

interface RecordHeader {
  type: number
  size: number
  /** Bytes of the header itself. */
  length: number
}
/** Reads the header of the record that begins at `at`; false when `end` comes before the header's own. */
export type ReadRecordHeader = (bytes: Uint8Array, at: { from: number; end: number }, header: RecordHeader) => boolean

/** BIFF5 and BIFF8 (XLS): two bytes say what it is, two how long. */
export const readBiffHeader: ReadRecordHeader = (bytes, { from, end }, header) => {
  if (from + 4 > end) return false
  header.type = (bytes[from] ?? 0) | ((bytes[from + 1] ?? 0) << 8)
  header.size = (bytes[from + 2] ?? 0) | ((bytes[from + 3] ?? 0) << 8)
  header.length = 4
  return true
}

/** BIFF12 (XLSB): up to two bytes of seven bits, then up to four. */
export const readBiff12Header: ReadRecordHeader = (bytes, { from, end }, header) => {
  let at = from
  const varint = (most: number): number => {
    let value = 0
    for (let n = 0; n < most; n++) {
      if (at >= end) return -1
      const byte = bytes[at++] ?? 0
      value += (byte & 0x7f) * 128 ** n
      if (byte < 0x80) break
    }
    return value
  }
  header.type = varint(2)
  header.size = header.type < 0 ? -1 : varint(4)
  header.length = at - from
  return header.size >= 0
}

/** One record that is kept: texts of cells have at most 32 767 signs. */
const RECORD_MAX_BYTES = 1024 * 1024
/** A few bytes can name a long text: so many records are read between two looks at what came of them. */
const SLICE_RECORDS = 64

class RecordScanner {
  private held: Uint8Array = new Uint8Array(0)
  private at = 0
  private skip = 0
  /** Bytes of the records that were read or passed over. */
  bytes = 0
  private readonly header: RecordHeader = { type: 0, size: 0, length: 0 }
  private readonly data = new RecordBytes()

  constructor(
    private readonly handler: RecordHandler,
    private readonly readHeader: ReadRecordHeader,
  ) {}

  feed(chunk: Uint8Array): void {
    const rest = this.held.subarray(this.at)
    this.at = 0
    if (rest.length === 0) {
      this.held = chunk
      return
    }
    this.held = new Uint8Array(rest.length + chunk.length)
    this.held.set(rest)
    this.held.set(chunk, rest.length)
  }

  /** Reads some records. @returns whether there may be more in what was fed. */
  run(): boolean {
    const { handler, header, held } = this
    for (let n = 0; n < SLICE_RECORDS; n++) {
      const skipped = Math.min(this.skip, held.length - this.at)
      this.at += skipped
      this.bytes += skipped
      this.skip -= skipped
      if (this.skip > 0 || handler.isDone) return false
      if (!this.readHeader(held, { from: this.at, end: held.length }, header)) return false
      const { type, size, length } = header
      if (!handler.wants(type)) {
        this.at += length
        this.bytes += length
        this.skip = size
        continue
      }
      if (size > RECORD_MAX_BYTES) throw workbookUnsafeError('a cell in it is too long')
      if (this.at + length + size > held.length) return false
      this.data.set(held, this.at + length, size)
      this.at += length + size
      this.bytes += length + size
      handler.record(type, this.data)
    }
    return true
  }

  /** @throws ProductError when the bytes end amid a record. */
  end(): void {
    if (this.skip > 0 || this.at < this.held.length) throw workbookDamagedError('a part of it is cut off')
  }
}

/**
 * Hands the records of a stream to a handler, until it is done or the bytes end. Holds one chunk and one unfinished record.
 * @returns bytes of the records, and whether the handler was done
 */
export async function scanRecords(
  chunks: AsyncIterable<Uint8Array>,
  handler: RecordHandler,
  { readHeader, turns }: { readHeader: ReadRecordHeader; turns?: ScanTurns | undefined },
): Promise<{ bytes: number; isDone: boolean }> {
  const scanner = new RecordScanner(handler, readHeader)
  for await (const chunk of chunks) {
    scanner.feed(chunk)
    while (scanner.run()) if (turns?.isDue?.() === true) await turns.eachChunk()
    if (handler.isDone) return { bytes: scanner.bytes, isDone: true }
    await turns?.eachChunk()
  }
  scanner.end()
  return { bytes: scanner.bytes, isDone: handler.isDone }
}
