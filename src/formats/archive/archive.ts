import { crc32 } from './crc32'
import { readDirectory } from './directory'
import type { ArchiveEntry } from './directory'
import { brokenArchive, encryptedArchive, unsafeArchive, unsupportedArchive } from './refusals'
import type { ByteSource } from '../contract'
import { ProductError } from '../../shared/errors'
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

/** The inflater buffers what one piece grows to (at most about a thousand times as much). */
const PIECE_BYTES = 16 * 1024
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

/** Counts inflated bytes of one archive. @throws ProductError `unsafe` when they are more than it may grow to. */
function inflateBudget(packed: number): (bytes: number) => void {
  const max = Math.min(INFLATED_MAX_BYTES, Math.max(INFLATED_FREE_BYTES, packed * INFLATED_MAX_RATIO))
  let total = 0
  return (bytes) => {
    total += bytes
    if (total > max) throw unsafeArchive('it grows to an unreasonable size')
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
  spend: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (entry.encrypted) throw encryptedArchive()
  if (entry.method !== STORED && entry.method !== DEFLATED) throw unsupportedArchive()
  const packed = slices(source, { offset: await dataStart(source, entry), length: entry.packedSize })
  let count = 0
  let crc = 0
  for await (const chunk of joined(entry.method === STORED ? packed : inflate(packed))) {
    spend(chunk.length)
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

async function* inflate(packed: AsyncGenerator<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array, void, undefined> {
  const { readable, writable } = new DecompressionStream('deflate-raw')
  const reader = readable.getReader()
  const fed = feed(packed, writable)
  fed.catch(() => undefined)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      yield value
    }
    await fed
  } catch (cause) {
    // What the store said goes before what the inflater made of it.
    await fed
    throw cause instanceof ProductError ? cause : brokenArchive(cause)
  } finally {
    await reader.cancel().catch(() => undefined)
    await packed.return(undefined)
  }
}

/** Writes pieces into the inflater. Fails only for reasons of the source: the reading side tells the others. */
async function feed(
  packed: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  into: WritableStream<BufferSource>,
): Promise<void> {
  const writer = into.getWriter()
  const write = async (work: () => Promise<void>): Promise<boolean> =>
    work().then(
      () => true,
      () => false,
    )
  try {
    for await (const piece of packed) {
      if (!(await write(() => writer.write(piece)))) return
    }
  } catch (cause) {
    await writer.abort(cause).catch(() => undefined)
    throw cause
  }
  await write(() => writer.close())
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
