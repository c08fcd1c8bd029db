import { compressedKey, createBlockCompressor, type BlockCompressor } from '../../lib/compressed-object'
import { sha256Hex } from '../../lib/hash'
import { storeDigested } from './digested-part'
import type { OutputBudget } from './output-budget'

/** Every part but the last must have this length: the store's least. */
const PART_BYTES = 5 * 1024 * 1024
/** What is longer is compressed: that takes a tenth of the time that the store takes for it. */
const COMPRESSED_MIN_BYTES = 512 * 1024
/** What goes to the store between two turns of others. */
export const SLICE_BYTES = 256 * 1024

/** Lets others have their turn, after so many bytes were read or written. */
export type OfferTurn = (bytes: number) => Promise<void>

export interface StoredObject {
  objectKey: string
  size: number
  /** Equal for equal bytes that were stored in the same way; two that differ have never the same. */
  contentHash: string
}

interface ObjectWriterOptions {
  /** What its bytes are counted against; null when they were counted before. */
  budget: OutputBudget | null
  offerTurn: OfferTurn
  /** Keeps what is not short compressed, under a key that says so. */
  compresses?: true
}

/** Bytes in their order, of which the first are taken in small slices. */
class ByteQueue {
  #pieces: Uint8Array[] = []
  held = 0

  push(bytes: Uint8Array): void {
    this.#pieces.push(bytes)
    this.held += bytes.length
  }

  /** The next `length` bytes, in slices, short pieces together in one; null where nothing is left. */
  take(length: number): Uint8Array | null {
    const [first] = this.#pieces
    if (!first) return null
    const wanted = Math.min(length, SLICE_BYTES, this.held)
    if (first.length >= wanted) return this.#takeOfFirst(first, wanted)
    const slice = new Uint8Array(wanted)
    for (let filled = 0; filled < wanted;) {
      const [piece] = this.#pieces
      if (!piece) break
      const part = this.#takeOfFirst(piece, Math.min(piece.length, wanted - filled))
      slice.set(part, filled)
      filled += part.length
    }
    return slice
  }

  #takeOfFirst(first: Uint8Array, length: number): Uint8Array {
    if (length === first.length) this.#pieces.shift()
    else this.#pieces[0] = first.subarray(length)
    this.held -= length
    return length === first.length ? first : first.subarray(0, length)
  }
}

/** Writes one object of unknown length: in one call when it is small, else part by part, never holding more than one. */
export class ObjectWriter {
  readonly #files: R2Bucket
  readonly #options: ObjectWriterOptions
  #objectKey: string
  /** Bytes as they came, where they are still to be compressed. */
  readonly #uncompressed = new ByteQueue()
  readonly #pending = new ByteQueue()
  #size = 0
  #multipart: R2MultipartUpload | null = null
  #parts: R2UploadedPart[] = []
  #compressor: BlockCompressor | null = null
  #digests: string[] = []
  /** Whether the store was asked to keep anything. */
  #isSent = false

  constructor(files: R2Bucket, objectKey: string, options: ObjectWriterOptions) {
    this.#files = files
    this.#objectKey = objectKey
    this.#options = options
  }

  /** Its key; what is compressed has another than it was made with, from its first part on. */
  get objectKey(): string {
    return this.#objectKey
  }

  /** Takes bytes over; they must not change afterwards. @throws ProductError when they are too many. */
  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#options.budget?.take(bytes.length)
    this.#size += bytes.length
    if (this.#options.compresses) this.#uncompressed.push(bytes)
    else this.#pending.push(bytes)
  }

  /** Stores every part that is full. */
  async flush(): Promise<void> {
    if (this.#compressor || this.#uncompressed.held > COMPRESSED_MIN_BYTES) await this.#compress()
    while (this.#pending.held > PART_BYTES) await this.#sendPart(PART_BYTES)
  }

  /** Compresses what came since; others have their turn after each slice. */
  async #compress(): Promise<void> {
    if (!this.#compressor) {
      this.#compressor = createBlockCompressor()
      this.#objectKey = compressedKey(this.#objectKey)
    }
    for (let slice = this.#uncompressed.take(SLICE_BYTES); slice; slice = this.#uncompressed.take(SLICE_BYTES)) {
      for (const block of this.#compressor.add(slice)) this.#pending.push(block)
      await this.#options.offerTurn(slice.length)
    }
  }

  async #sendPart(length: number): Promise<void> {
    const upload = (this.#multipart ??= await this.#files.createMultipartUpload(this.#objectKey))
    const partNumber = this.#parts.length + 1
    this.#parts.push(await this.#send(length, (bytes) => upload.uploadPart(partNumber, bytes)))
  }

  async #send<T>(length: number, store: (bytes: ReadableStream) => Promise<T>): Promise<T> {
    this.#isSent = true
    const { stored, digest } = await storeDigested(this.#slices(length), length, store)
    this.#digests.push(digest)
    return stored
  }

  /** The next bytes that are held, in small slices; others have their turn after each. */
  async *#slices(length: number): AsyncGenerator<Uint8Array> {
    for (let left = length; left > 0;) {
      const slice = this.#pending.take(left)
      if (!slice) return
      left -= slice.length
      yield slice
      await this.#options.offerTurn(slice.length)
    }
  }

  /** Stores what is left; from then on the object is there. */
  async finish(): Promise<StoredObject> {
    await this.flush()
    if (this.#compressor) {
      for (const last of this.#compressor.finish()) this.#pending.push(last)
      await this.flush()
    }
    for (let rest = this.#uncompressed.take(PART_BYTES); rest; rest = this.#uncompressed.take(PART_BYTES))
      this.#pending.push(rest)
    const { held } = this.#pending
    if (this.#multipart) {
      if (held > 0) await this.#sendPart(held)
      await this.#multipart.complete(this.#parts)
    } else await this.#send(held, (bytes) => this.#files.put(this.#objectKey, bytes))
    return { objectKey: this.#objectKey, size: this.#size, contentHash: await sha256Hex(this.#digests.join('\n')) }
  }

  /** Lets go of everything that was stored, finished or not. */
  async discard(): Promise<void> {
    this.#options.budget?.giveBack(this.#size)
    this.#size = 0
    if (!this.#isSent && !this.#multipart) return
    await this.#multipart?.abort().catch(() => undefined)
    await this.#files.delete(this.#objectKey)
  }
}
