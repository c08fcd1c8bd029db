import { Inflate } from 'fflate'
import { crc32 } from './crc32'
import { readCentralDirectory } from './directory'
import type { ZipEntry } from './directory'
import { zipDamagedError, zipEncryptedError, zipUnsafeError, zipUnsupportedError } from './refusals'
import type { ByteSource } from '../contract'
import { INFLATED_RATIO_EXEMPT_BYTES, INFLATED_MAX_BYTES, INFLATED_MAX_RATIO } from '../../shared/limits'

export type { ZipEntry } from './directory'

/** A zip file (also XLSX, ODS) whose entries are read at will. */
export interface ZipArchive {
  /** Files and folders in the order of their bytes. */
  entries: readonly ZipEntry[]
  /**
   * An entry's bytes, inflated while they are read. What all reads together inflate is counted, whatever the headers say.
   * The stream fails with ProductError `file_unreadable`: `encrypted`, `unsupported`, `broken`, or `unsafe` past the limits.
   */
  stream(entry: ZipEntry): ReadableStream<Uint8Array>
  /** A small entry as a whole. @throws ProductError as `stream`, and `unsafe` past `maxBytes`. */
  bytes(entry: ZipEntry, maxBytes: number): Promise<Uint8Array>
}

/** What one piece grows to (at most about a thousand times as much) is in memory at once. */
const INPUT_CHUNK_BYTES = 8 * 1024
/** Inflated pieces are small; readers get them joined. */
const OUTPUT_CHUNK_BYTES = 64 * 1024
const LOCAL_HEADER_BYTES = 30
const LOCAL_HEADER_SIGNATURE = 0x04034b50
const METHOD_STORED = 0
const METHOD_DEFLATED = 8

/** @throws ProductError `file_unreadable` for what is no whole and safe zip. */
export async function openZip(source: ByteSource): Promise<ZipArchive> {
  const entries = await readCentralDirectory(source)
  const budget = decompressionBudget(source.size)
  const stream = (entry: ZipEntry) => toReadableStream(decompressEntry(source, entry, budget))
  return {
    entries,
    stream,
    async bytes(entry, maxBytes) {
      if (entry.size > maxBytes) throw zipUnsafeError('a part of it is larger than such a part can be')
      const whole = new Uint8Array(entry.size)
      let at = 0
      for await (const chunk of decompressEntry(source, entry, budget)) {
        whole.set(chunk, at)
        at += chunk.length
      }
      return whole
    },
  }
}

/** How much one archive may still grow. Both throw ProductError `unsafe` when it would be too much. */
interface DecompressionBudget {
  /** Refuses what says itself that it is too large, before anything is done. */
  check(bytes: number): void
  /** Counts what came out. */
  consume(bytes: number): void
}

function decompressionBudget(packed: number): DecompressionBudget {
  const max = Math.min(INFLATED_MAX_BYTES, Math.max(INFLATED_RATIO_EXEMPT_BYTES, packed * INFLATED_MAX_RATIO))
  let total = 0
  const check = (bytes: number): void => {
    if (total + bytes > max) throw zipUnsafeError('it grows to an unreasonable size')
  }
  return {
    check,
    consume(bytes) {
      check(bytes)
      total += bytes
    },
  }
}

async function entryDataOffset(source: ByteSource, entry: ZipEntry): Promise<number> {
  const header = await source.read(entry.start, LOCAL_HEADER_BYTES)
  if (header.length < LOCAL_HEADER_BYTES) throw zipDamagedError()
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
  if (view.getUint32(0, true) !== LOCAL_HEADER_SIGNATURE) throw zipDamagedError()
  const start = entry.start + LOCAL_HEADER_BYTES + view.getUint16(26, true) + view.getUint16(28, true)
  if (start + entry.packedSize > entry.limit) throw zipUnsafeError('parts of it overlap')
  return start
}

/** The entry's bytes in pieces of about 64 kB, proved by count and checksum at their end. */
async function* decompressEntry(
  source: ByteSource,
  entry: ZipEntry,
  budget: DecompressionBudget,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (entry.encrypted) throw zipEncryptedError()
  if (entry.method !== METHOD_STORED && entry.method !== METHOD_DEFLATED) throw zipUnsupportedError()
  budget.check(entry.size)
  const packed = compressedChunks(source, { offset: await entryDataOffset(source, entry), length: entry.packedSize })
  let count = 0
  let crc = 0
  for await (const chunk of coalesceChunks(entry.method === METHOD_STORED ? packed : inflateChunks(packed))) {
    budget.consume(chunk.length)
    count += chunk.length
    if (count > entry.size) throw zipUnsafeError('a part of it is larger than it says')
    crc = crc32(chunk, crc)
    yield chunk
  }
  if (count !== entry.size || crc !== entry.crc) throw zipDamagedError()
}

/** Exactly these bytes of the source, in small pieces. */
async function* compressedChunks(
  source: ByteSource,
  at: { offset: number; length: number },
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  let left = at.length
  if (left === 0) return
  const reader = source.stream(at.offset).getReader()
  try {
    while (left > 0) {
      const { done, value } = await reader.read()
      if (done) throw zipDamagedError()
      const mine = value.subarray(0, left)
      left -= mine.length
      for (let from = 0; from < mine.length; from += INPUT_CHUNK_BYTES) yield mine.slice(from, from + INPUT_CHUNK_BYTES)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/**
 * Inflates piece by piece, each only when what came of the one before was taken: the platform's own inflater would
 * buffer whatever a file grows to.
 */
async function* inflateChunks(
  packed: AsyncGenerator<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let grown: Uint8Array[] = []
  const inflater = new Inflate((bytes) => grown.push(bytes))
  const push = (piece: Uint8Array, last: boolean): Uint8Array[] => {
    grown = []
    try {
      inflater.push(piece, last)
    } catch (cause) {
      throw zipDamagedError(cause)
    }
    return grown
  }
  for await (const piece of packed) yield* push(piece, false)
  yield* push(new Uint8Array(0), true)
}

async function* coalesceChunks(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let held = new Uint8Array(OUTPUT_CHUNK_BYTES)
  let length = 0
  for await (const piece of pieces) {
    for (let from = 0; from < piece.length;) {
      const take = Math.min(piece.length - from, OUTPUT_CHUNK_BYTES - length)
      held.set(piece.subarray(from, from + take), length)
      from += take
      length += take
      if (length < OUTPUT_CHUNK_BYTES) continue
      yield held
      held = new Uint8Array(OUTPUT_CHUNK_BYTES)
      length = 0
    }
  }
  if (length > 0) yield held.subarray(0, length)
}

function toReadableStream(chunks: AsyncGenerator<Uint8Array, void, undefined>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
}
