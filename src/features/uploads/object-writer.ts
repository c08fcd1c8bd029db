import { sha256Hex, sha256HexOfBytes } from '../../lib/digest'

/** Every part but the last must have this length: the store's least. */
const PART_BYTES = 5 * 1024 * 1024

export interface StoredObject {
  objectKey: string
  size: number
  /** Equal for equal bytes. */
  contentHash: string
}

/** Writes one object of unknown length: in one call when it is small, else part by part, never holding more than one. */
export class ObjectWriter {
  readonly objectKey: string
  readonly #files: R2Bucket
  #pending: Uint8Array[] = []
  #held = 0
  #size = 0
  #multipart: R2MultipartUpload | null = null
  #parts: R2UploadedPart[] = []
  #digests: string[] = []

  constructor(files: R2Bucket, objectKey: string) {
    this.#files = files
    this.objectKey = objectKey
  }

  /** Takes bytes over; they must not change afterwards. */
  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#pending.push(bytes)
    this.#held += bytes.length
    this.#size += bytes.length
  }

  /** Stores every part that is full. */
  async flush(): Promise<void> {
    while (this.#held > PART_BYTES) await this.#sendPart(PART_BYTES)
  }

  async #sendPart(length: number): Promise<void> {
    this.#multipart ??= await this.#files.createMultipartUpload(this.objectKey)
    const part = this.#take(length)
    this.#digests.push(await sha256HexOfBytes(part))
    this.#parts.push(await this.#multipart.uploadPart(this.#parts.length + 1, part))
  }

  #take(length: number): Uint8Array<ArrayBuffer> {
    const taken = new Uint8Array(length)
    let at = 0
    while (at < length) {
      const [first] = this.#pending
      if (!first) break
      const mine = first.subarray(0, length - at)
      taken.set(mine, at)
      at += mine.length
      if (mine.length === first.length) this.#pending.shift()
      else this.#pending[0] = first.subarray(mine.length)
    }
    this.#held -= length
    return taken
  }

  /** Stores what is left; from then on the object is there. */
  async finish(): Promise<StoredObject> {
    await this.flush()
    if (this.#multipart) {
      if (this.#held > 0) await this.#sendPart(this.#held)
      await this.#multipart.complete(this.#parts)
    } else {
      const whole = this.#take(this.#held)
      this.#digests.push(await sha256HexOfBytes(whole))
      await this.#files.put(this.objectKey, whole)
    }
    return { objectKey: this.objectKey, size: this.#size, contentHash: await sha256Hex(this.#digests.join('\n')) }
  }

  /** Lets go of everything that was stored, finished or not. */
  async discard(): Promise<void> {
    await this.#multipart?.abort().catch(() => undefined)
    await this.#files.delete(this.objectKey)
  }
}
