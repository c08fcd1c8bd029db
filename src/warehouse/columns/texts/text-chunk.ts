import { checksumOf } from '../chunk'

/**
 * Texts of some rows in a row, as they are kept where they are too many for a dictionary: where each ends, then their
 * UTF-8. The end of an empty cell is −1 less than itself (`~end`).
 */
export interface EncodedTexts {
  /** The first of them within its chunk, and how many they are. */
  first: number
  rows: number
  checksum: number
  data: ArrayBuffer
}

/** Bytes after which another part is begun: a BLOB may have two megabytes, and a cell 32 kB. */
const PART_BYTES = 500_000
const END_BYTES = 4
const wordsUp = (bytes: number): number => Math.ceil(bytes / END_BYTES) * END_BYTES

/** What numbers texts by their bytes. */
interface BytesIndex {
  codeOfBytes(from: Uint8Array, start: number, end: number): number
}

/** Gathers texts, and encodes them when a part is full. */
export class TextPartEncoder {
  readonly #utf8 = new TextEncoder()
  #bytes = new Uint8Array(PART_BYTES)
  #ends: number[] = []
  #used = 0
  #first = 0

  /** Answers a part when this text filled it. */
  add(text: string | null): EncodedTexts | null {
    if (text !== null) {
      this.#reserve(text.length * 3)
      this.#used += this.#utf8.encodeInto(text, this.#bytes.subarray(this.#used)).written
    }
    return this.#keep(text === null)
  }
  /** The same of a text in UTF-8. */
  addBytes(text: Uint8Array | null): EncodedTexts | null {
    if (text !== null) {
      this.#reserve(text.length)
      this.#bytes.set(text, this.#used)
      this.#used += text.length
    }
    return this.#keep(text === null)
  }
  #keep(isEmpty: boolean): EncodedTexts | null {
    this.#ends.push(isEmpty ? ~this.#used : this.#used)
    return this.#used + this.#ends.length * END_BYTES >= PART_BYTES ? this.#take() : null
  }
  #reserve(more: number): void {
    if (this.#used + more <= this.#bytes.length) return
    const longer = new Uint8Array((this.#used + more) * 2)
    longer.set(this.#bytes.subarray(0, this.#used))
    this.#bytes = longer
  }
  #take(): EncodedTexts {
    const rows = this.#ends.length
    const data = new ArrayBuffer(rows * END_BYTES + wordsUp(this.#used))
    new Int32Array(data, 0, rows).set(this.#ends)
    new Uint8Array(data, rows * END_BYTES).set(this.#bytes.subarray(0, this.#used))
    const part = { first: this.#first, rows, checksum: checksumOf(data), data }
    this.#first += rows
    this.#ends = []
    this.#used = 0
    return part
  }

  /** What is left of a chunk; the next one begins. */
  end(): EncodedTexts | null {
    const last = this.#ends.length > 0 ? this.#take() : null
    this.#first = 0
    return last
  }
}

/** Whether the bytes are those that were written. */
export const areTextsIntact = ({ rows, data, checksum }: EncodedTexts): boolean =>
  data.byteLength >= rows * END_BYTES && checksumOf(data) === checksum

/** Reads the texts of a part, by their places within the chunk. */
export class TextPart {
  readonly first: number
  readonly rows: number
  readonly #ends: Int32Array
  readonly #bytes: Uint8Array
  readonly #decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
  #ascii: string | null | undefined

  constructor({ first, rows, data }: EncodedTexts) {
    this.first = first
    this.rows = rows
    this.#ends = new Int32Array(data, 0, rows)
    this.#bytes = new Uint8Array(data, rows * END_BYTES)
  }

  holds(row: number): boolean {
    return row >= this.first && row < this.first + this.rows
  }
  #end(at: number): number {
    const end = at < 0 ? 0 : (this.#ends[at] ?? 0)
    return end < 0 ? ~end : end
  }
  bytes(row: number): number {
    const at = row - this.first
    return this.#end(at) - this.#end(at - 1)
  }
  text(row: number): string | null {
    const at = row - this.first
    if ((this.#ends[at] ?? -1) < 0) return null
    return this.#decoder.decode(this.#bytes.subarray(this.#end(at - 1), this.#end(at)))
  }
  /** The same for a short look: while it is kept, so are all texts of the part. */
  peek(row: number): string | null {
    const at = row - this.first
    if ((this.#ends[at] ?? -1) < 0) return null
    if (this.#ascii === undefined) {
      const whole = this.#decoder.decode(this.#bytes)
      this.#ascii = whole.length === this.#bytes.length ? whole : null
    }
    return this.#ascii === null ? this.text(row) : this.#ascii.slice(this.#end(at - 1), this.#end(at))
  }

  /** The number of a text in an index; 0 of an empty cell. */
  codeIn(index: BytesIndex, row: number): number {
    const at = row - this.first
    if ((this.#ends[at] ?? -1) < 0) return 0
    return index.codeOfBytes(this.#bytes, this.#end(at - 1), this.#end(at))
  }
}
