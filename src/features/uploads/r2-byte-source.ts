import { readObject, readObjectBytes } from '../../lib/compressed-object'
import type { ByteRange, ObjectBytes } from '../../lib/object-parts'
import { unreadableError } from '../../formats/file-errors'
import type { ByteSource } from '../../formats/contract'
import type { ProductError } from '../../shared/errors'

/** Small reads are served from windows of this size, so that neighbours cost one call. */
const WINDOW_BYTES = 1024 * 1024
const CACHED_WINDOWS = 4
/** The store hands out pieces of some 4 kB; readers work, and let others have their turn, by larger ones. */
const CHUNK_BYTES = 64 * 1024

export interface StoredFile {
  objectKey: string
  fileName: string
  size: number
}

const fileGoneError = (): ProductError => unreadableError('broken', 'The file is no longer stored. Upload it again.')

/** A stored file, read by ranges. Windows read last are kept; of two equal reads at once, one goes out. */
export function r2ByteSource(files: R2Bucket, { objectKey, fileName, size }: StoredFile): ByteSource {
  const cachedWindows = new Map<number, Promise<Uint8Array>>()
  const get = async (range: ByteRange): Promise<ObjectBytes> => {
    const object = await readObject(files, objectKey, range)
    if (!object) throw fileGoneError()
    return object
  }
  const direct = async (offset: number, length: number): Promise<Uint8Array> => {
    const bytes = await readObjectBytes(files, objectKey, { offset, length })
    if (!bytes) throw fileGoneError()
    return bytes
  }
  const window = (n: number): Promise<Uint8Array> => {
    const offset = n * WINDOW_BYTES
    const bytes = cachedWindows.get(n) ?? direct(offset, Math.min(WINDOW_BYTES, size - offset))
    cachedWindows.delete(n)
    cachedWindows.set(n, bytes)
    bytes.catch(() => cachedWindows.delete(n))
    const oldest = cachedWindows.keys().next().value
    if (cachedWindows.size > CACHED_WINDOWS && oldest !== undefined) cachedWindows.delete(oldest)
    return bytes
  }
  return {
    fileName,
    size,
    async read(offset, length) {
      const end = Math.min(size, offset + length)
      if (offset >= end || offset < 0) return new Uint8Array(0)
      const [first, last] = [Math.floor(offset / WINDOW_BYTES), Math.floor((end - 1) / WINDOW_BYTES)]
      if (last - first > 1) return direct(offset, end - offset)
      const at = offset - first * WINDOW_BYTES
      const start = await window(first)
      if (first === last) return start.slice(at, at + end - offset)
      const both = new Uint8Array(end - offset)
      both.set(start.subarray(at))
      both.set((await window(last)).subarray(0, end - last * WINDOW_BYTES), start.length - at)
      return both
    },
    stream(offset = 0) {
      if (offset >= size) return emptyStream()
      // Parts of a short file lie beside each other: one read of the store brings them all.
      if (size <= WINDOW_BYTES) return piecesOf(() => window(0), offset)
      return lazyStream(async () => (await get({ offset })).body)
    },
  }
}

const emptyStream = (): ReadableStream<Uint8Array> => new ReadableStream({ start: (controller) => controller.close() })

/** Bytes from an offset on, fetched at the first read. */
function piecesOf(fetched: () => Promise<Uint8Array>, offset: number): ReadableStream<Uint8Array> {
  let at = offset
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const bytes = await fetched()
      controller.enqueue(bytes.slice(at, at + CHUNK_BYTES))
      at += CHUNK_BYTES
      if (at >= bytes.length) controller.close()
    },
  })
}

/** A stream whose source is opened at the first read. */
function lazyStream(open: () => Promise<ReadableStream<Uint8Array>>): ReadableStream<Uint8Array> {
  let reader: ReadableStreamBYOBReader | null = null
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      reader ??= (await open()).getReader({ mode: 'byob' })
      const { done, value } = await reader.readAtLeast(CHUNK_BYTES, new Uint8Array(CHUNK_BYTES))
      if (value && value.length > 0) controller.enqueue(value)
      // What is shorter than a chunk is the last one.
      if (done || value.length < CHUNK_BYTES) controller.close()
    },
    async cancel(reason) {
      await reader?.cancel(reason)
    },
  })
}
