import { Inflate } from 'fflate'
import { crc32 } from './crc32'
import { readDirectory } from './directory'
import type { ArchiveEntry } from './directory'
import { brokenArchive, encryptedArchive, unsafeArchive, unsupportedArchive } from './refusals'
import type { ByteSource } from '../contract'
import { INFLATED_FREE_BYTES, INFLATED_MAX_BYTES, INFLATED_MAX_RATIO } from '../../shared/limits'

export type { ArchiveEntry } from './directory'

/** A zip file (also XLSX, ODS) whose entries are read at will. */
export interface Archive {
  /** Files and folders in the order of their bytes. */
  entries: readonly ArchiveEntry[]
  /**
   * An entry's bytes, inflated while they are read. What all reads together inflate is counted, whatever the headers say.
   * The stream fails with ProductError `file_unreadable`: `encrypted`, `unsupported`, `broken`, or `unsafe` past the limits.
   */
  stream(entry: ArchiveEntry): ReadableStream<Uint8Array>
  /** A small entry as a whole. @throws ProductError as `stream`, and `unsafe` past `maxBytes`. */
  bytes(entry: ArchiveEntry, maxBytes: number): Promise<Uint8Array>
}

/** What one piece grows to (at most about a thousand times as much) is in memory at once. */
const PIECE_BYTES = 8 * 1024
/** Inflated pieces are small; readers get them joined. */
const CHUNK_BYTES = 64 * 1024
const LOCAL_SIZE = 30
const LOCAL_SIGNATURE = 0x04034b50
const STORED = 0
const DEFLATED = 8

/** @throws ProductError `file_unreadable` for what is no whole and safe zip. */
export async function openArchive(source: ByteSource): Promise<Archive> {
  const entries = await readDirectory(source)
  const budget = inflateBudget(source.size)
  const stream = (entry: ArchiveEntry) => readableFrom(inflated(source, entry, budget))
  return {
    entries,
    stream,
    async bytes(entry, maxBytes) {
      if (entry.size > maxBytes) throw unsafeArchive('a part of it is larger than such a part can be')
      const whole = new Uint8Array(entry.size)
      let at = 0
      for await (const chunk of inflated(source, entry, budget)) {
        whole.set(chunk, at)
        at += chunk.length
      }
      return whole
    },
  }
}

/** How much one archive may still grow. Both throw ProductError `unsafe` when it would be too much. */
interface InflateBudget {
  /** Refuses what says itself that it is too large, before anything is done. */
  expect(bytes: number): void
  /** Counts what came out. */
  spend(bytes: number): void
}

function inflateBudget(packed: number): InflateBudget {
  const max = Math.min(INFLATED_MAX_BYTES, Math.max(INFLATED_FREE_BYTES, packed * INFLATED_MAX_RATIO))
  let total = 0
  const expect = (bytes: number): void => {
    if (total + bytes > max) throw unsafeArchive('it grows to an unreasonable size')
  }
  return {
    expect,
    spend(bytes) {
      expect(bytes)
      total += bytes
    },
  }
}

async function dataStart(source: ByteSource, entry: ArchiveEntry): Promise<number> {
  const header = await source.read(entry.start, LOCAL_SIZE)
  if (header.length < LOCAL_SIZE) throw brokenArchive()
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
  if (view.getUint32(0, true) !== LOCAL_SIGNATURE) throw brokenArchive()
  const start = entry.start + LOCAL_SIZE + view.getUint16(26, true) + view.getUint16(28, true)
  if (start + entry.packedSize > entry.limit) throw unsafeArchive('parts of it overlap')
  return start
}

/** The entry's bytes in pieces of about 64 kB, proved by count and checksum at their end. */
async function* inflated(
  source: ByteSource,
  entry: ArchiveEntry,
  budget: InflateBudget,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (entry.encrypted) throw encryptedArchive()
  if (entry.method !== STORED && entry.method !== DEFLATED) throw unsupportedArchive()
  budget.expect(entry.size)
  const packed = slices(source, { offset: await dataStart(source, entry), length: entry.packedSize })
  let count = 0
  let crc = 0
  for await (const chunk of joined(entry.method === STORED ? packed : inflate(packed))) {
    budget.spend(chunk.length)
    count += chunk.length
    if (count > entry.size) throw unsafeArchive('a part of it is larger than it says')
    crc = crc32(chunk, crc)
    yield chunk
  }
  if (count !== entry.size || crc !== entry.crc) throw brokenArchive()
}

/** Exactly these bytes of the source, in small pieces. */
async function* slices(
  source: ByteSource,
  at: { offset: number; length: number },
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  let left = at.length
  if (left === 0) return
  const reader = source.stream(at.offset).getReader()
  try {
    while (left > 0) {
      const { done, value } = await reader.read()
      if (done) throw brokenArchive()
      const mine = value.subarray(0, left)
      left -= mine.length
      for (let from = 0; from < mine.length; from += PIECE_BYTES) yield mine.slice(from, from + PIECE_BYTES)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/**
 * Inflates piece by piece, each only when what came of the one before was taken: the platform's own inflater would
 * buffer whatever a file grows to.
 */
async function* inflate(packed: AsyncGenerator<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array, void, undefined> {
  let grown: Uint8Array[] = []
  const inflater = new Inflate((bytes) => grown.push(bytes))
  const push = (piece: Uint8Array, last: boolean): Uint8Array[] => {
    grown = []
    try {
      inflater.push(piece, last)
    } catch (cause) {
      throw brokenArchive(cause)
    }
    return grown
  }
  for await (const piece of packed) yield* push(piece, false)
  yield* push(new Uint8Array(0), true)
}

async function* joined(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let held = new Uint8Array(CHUNK_BYTES)
  let length = 0
  for await (const piece of pieces) {
    for (let from = 0; from < piece.length;) {
      const take = Math.min(piece.length - from, CHUNK_BYTES - length)
      held.set(piece.subarray(from, from + take), length)
      from += take
      length += take
      if (length < CHUNK_BYTES) continue
      yield held
      held = new Uint8Array(CHUNK_BYTES)
      length = 0
    }
  }
  if (length > 0) yield held.subarray(0, length)
}

function readableFrom(chunks: AsyncGenerator<Uint8Array, void, undefined>): ReadableStream<Uint8Array> {
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
