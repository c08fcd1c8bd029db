import zlib from 'node:zlib'
import { partsSize, readParts, readPartsBytes, type ByteRange, type ObjectBytes } from './object-parts'

/*
 * Objects whose bytes are kept compressed, in blocks of equal length that are each read by itself. Behind the blocks stands
 * how long each is when compressed, 4 bytes each, and behind that how many there are and how long the last one is.
 */

/** What the keys of such objects end with. */
const SUFFIX = '.brotli-blocks'
export const compressedKey = (key: string): string => `${key}${SUFFIX}`
const isCompressed = (key: string): boolean => key.endsWith(SUFFIX)

/** Bytes of a block before it is compressed; the last one may be shorter. */
const BLOCK_BYTES = 256 * 1024
/** Text of tables comes to an eighth at 1.7 ms a megabyte; the next one takes twice the time for little. */
const QUALITY = { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 }
/** What most blocks come to at most: each chunk of what comes out is copied once more. */
const COMPRESSED_CHUNK_BYTES = 64 * 1024
const LENGTH_BYTES = 4
const FOOTER_BYTES = 2 * LENGTH_BYTES
/** Read of an object's end at once: lengths of 4 GB. */
const INDEX_READ_BYTES = 64 * 1024
/** What is fetched at once, and held compressed meanwhile. */
const FETCH_BYTES = 1024 * 1024

/** A block by itself. */
export const decompressBlock = (compressed: Uint8Array): Uint8Array =>
  zlib.brotliDecompressSync(compressed, { maxOutputLength: BLOCK_BYTES, chunkSize: BLOCK_BYTES })

export interface BlockCompressor {
  /** Takes bytes in and gives the compressed blocks that became full. */
  add(bytes: Uint8Array): Generator<Uint8Array, void, undefined>
  /** The block that is not full, where there is one. */
  last(): Uint8Array[]
  /** The same, and the index that stands behind all blocks. */
  finish(): Uint8Array[]
}

export function createBlockCompressor(): BlockCompressor {
  const lengths: number[] = []
  const block = new Uint8Array(BLOCK_BYTES)
  let filled = 0
  const compress = (): Uint8Array => {
    const compressed = zlib.brotliCompressSync(block.subarray(0, filled), {
      params: QUALITY,
      chunkSize: COMPRESSED_CHUNK_BYTES,
    })
    lengths.push(compressed.length)
    return compressed
  }
  const last = (): Uint8Array[] => (filled > 0 ? [compress()] : [])
  return {
    *add(bytes) {
      for (let at = 0; at < bytes.length;) {
        const taken = bytes.subarray(at, at + BLOCK_BYTES - filled)
        block.set(taken, filled)
        filled += taken.length
        at += taken.length
        if (filled < BLOCK_BYTES) return
        yield compress()
        filled = 0
      }
    },
    last,
    finish() {
      const lastBytes = filled > 0 ? filled : Math.min(lengths.length, 1) * BLOCK_BYTES
      const rest = last()
      const index = new DataView(new ArrayBuffer(lengths.length * LENGTH_BYTES + FOOTER_BYTES))
      for (const [at, length] of [...lengths, lengths.length, lastBytes].entries())
        index.setUint32(at * LENGTH_BYTES, length, true)
      return [...rest, new Uint8Array(index.buffer)]
    },
  }
}

interface BlockIndex {
  /** Bytes of the whole before it was compressed. */
  size: number
  /** Where each block begins in the object, and where the last one ends. */
  starts: number[]
  /** The object's last bytes, which came with the index: all of a short one. */
  end: { offset: number; bytes: Uint8Array }
}

/** @returns null where there is no such object */
async function readIndex(files: R2Bucket, key: string): Promise<BlockIndex | null> {
  let stored = 0
  const readEnd = async (bytes: number): Promise<DataView | null> => {
    const object = await files.get(key, { range: { suffix: bytes } })
    stored = object?.size ?? 0
    return object && new DataView(await object.arrayBuffer())
  }
  let end = await readEnd(INDEX_READ_BYTES)
  if (!end) return null
  const count = end.getUint32(end.byteLength - FOOTER_BYTES, true)
  const indexBytes = count * LENGTH_BYTES + FOOTER_BYTES
  if (indexBytes > end.byteLength) end = await readEnd(indexBytes)
  if (!end) return null
  const from = end.byteLength - indexBytes
  const starts = [0]
  for (let at = 0; at < count; at += 1) starts.push((starts[at] ?? 0) + end.getUint32(from + at * LENGTH_BYTES, true))
  const lastBytes = end.getUint32(end.byteLength - LENGTH_BYTES, true)
  return {
    size: Math.max(0, count - 1) * BLOCK_BYTES + lastBytes,
    starts,
    end: { offset: stored - end.byteLength, bytes: new Uint8Array(end.buffer) },
  }
}

/** Bytes of the blocks from `first` on, to `last`, each as it was; some of {@link FETCH_BYTES} are fetched at once. */
async function* readBlocks(
  files: R2Bucket,
  key: string,
  { starts, end, first, last }: Omit<BlockIndex, 'size'> & { first: number; last: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  const startOf = (block: number): number => starts[block] ?? 0
  for (let block = first; block <= last;) {
    let next = block + 1
    while (next <= last && startOf(next + 1) - startOf(block) <= FETCH_BYTES) next += 1
    const offset = startOf(block)
    const range = { offset, length: startOf(next) - offset }
    const fetched = offset >= end.offset ? end.bytes.subarray(offset - end.offset) : await readRange(files, key, range)
    for (; block < next; block += 1) {
      const compressed = fetched.subarray(startOf(block) - offset, startOf(block + 1) - offset)
      yield decompressBlock(compressed)
    }
  }
}

async function readRange(files: R2Bucket, key: string, range: { offset: number; length: number }): Promise<Uint8Array> {
  const object = await files.get(key, { range })
  if (!object) throw new Error('an object went while it was read')
  return new Uint8Array(await object.arrayBuffer())
}

/** Bytes of an object as they were written, however they are kept; null where there is none. */
export async function readObject(
  files: R2Bucket,
  key: string,
  range: ByteRange = { offset: 0 },
): Promise<ObjectBytes | null> {
  if (!isCompressed(key)) return readParts(files, key, range)
  const index = await readIndex(files, key)
  return index && { size: index.size, body: compressedBody(files, key, { ...index, ...range }) }
}

/** The same, all at once: without a stream, whose every piece would be made and copied by itself. */
export async function readObjectBytes(
  files: R2Bucket,
  key: string,
  range: Required<ByteRange>,
): Promise<Uint8Array | null> {
  if (!isCompressed(key)) return readPartsBytes(files, key, range)
  const index = await readIndex(files, key)
  if (!index) return null
  const { first, last, end } = blocksOf(index.size, range)
  const bytes = new Uint8Array(Math.max(0, end - range.offset))
  let at = first * BLOCK_BYTES
  for await (const block of readBlocks(files, key, { ...index, first, last })) {
    const from = Math.max(0, range.offset - at)
    bytes.set(block.subarray(from, end - at), at + from - range.offset)
    at += block.length
  }
  return bytes
}

/** Blocks that a range lies in, and where it ends. */
function blocksOf(size: number, { offset, length = size }: ByteRange): { first: number; last: number; end: number } {
  const end = Math.min(size, offset + length)
  const first = Math.floor(offset / BLOCK_BYTES)
  return { first, last: end > offset ? Math.ceil(end / BLOCK_BYTES) - 1 : first - 1, end }
}

/** Bytes that an object has, however they are kept; null where there is none. */
export async function objectSize(files: R2Bucket, key: string): Promise<number | null> {
  if (!isCompressed(key)) return partsSize(files, key)
  return (await readIndex(files, key))?.size ?? null
}

function compressedBody(
  files: R2Bucket,
  key: string,
  { size, offset, length = size, ...index }: BlockIndex & ByteRange,
): ReadableStream<Uint8Array> {
  const { first, last, end } = blocksOf(size, { offset, length })
  const blocks = readBlocks(files, key, { ...index, first, last })
  let at = first * BLOCK_BYTES
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      const { done, value } = await blocks.next()
      if (done) {
        controller.close()
        // Who waits with a buffer of its own is told the end by it.
        controller.byobRequest?.respond(0)
        return
      }
      const wanted = value.subarray(Math.max(0, offset - at), end - at)
      at += value.length
      // Its memory goes away with it, and may be part of a larger piece.
      controller.enqueue(new Uint8Array(wanted))
    },
    async cancel() {
      await blocks.return()
    },
  })
}
