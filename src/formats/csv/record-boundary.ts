import type { Encoding } from '../../shared/data-sources/files'
import { byteAfterLineEnd, countLineEnds, type DecodedChunk } from '../encoding/text-decoder'

const NO_POSITION = -1
/** The place of a boundary after the CR that the piece before ended with. */
export const AFTER_CR = -2

const emptyChunk = (base: number): DecodedChunk => ({ text: '', bytes: new Uint8Array(0), base })

/** Where the next unread record begins: known as a character while a piece is read, as a byte ever after. */
export class RecordBoundary {
  readonly #encoding: Encoding
  #piece = emptyChunk(0)
  #byte = 0
  #char = NO_POSITION
  #byteAfterCr = 0
  line: number

  constructor(encoding: Encoding, line: number) {
    this.#encoding = encoding
    this.line = line
  }

  beginChunk(piece: DecodedChunk): void {
    this.#piece = piece
  }

  /** A record ended; the next begins at this character of the piece (or {@link AFTER_CR}) and on this line. */
  mark(char: number, line: number): void {
    this.#char = char
    this.line = line
  }

  /** The piece is read: its bytes may be overwritten from now on. */
  endChunk(endsWithCr: boolean): void {
    // In this order: the boundary may lie after the CR that an earlier piece ended with.
    this.#byte = this.byteOffset()
    this.#char = NO_POSITION
    if (endsWithCr) this.#byteAfterCr = this.#byteOf(this.#piece.text.length)
    this.#piece = emptyChunk(this.#piece.base + this.#piece.bytes.length)
  }

  /** Everything is read. */
  finish(line: number): void {
    this.#byte = this.#piece.base
    this.#char = NO_POSITION
    this.line = line
  }

  byteOffset(): number {
    if (this.#char === NO_POSITION) return this.#byte
    // Bytes that the decoder holds back may lie between the CR and this piece.
    return this.#char === AFTER_CR ? this.#byteAfterCr : this.#byteOf(this.#char)
  }

  #byteOf(char: number): number {
    const { text, bytes, base } = this.#piece
    return base + byteAfterLineEnd(bytes, countLineEnds(text, char), this.#encoding)
  }
}

/** A record of which pieces were read, and its end was not: kept, as it may have to be read again. */
export class UnfinishedRecord {
  #pieces: DecodedChunk[] = []
  /** Characters of the record ahead of the pieces. */
  #before = 0

  /** The piece from this character and byte on; both are copied, since its bytes may be overwritten. */
  keep({ text, bytes, base }: DecodedChunk, from: { char: number; byte: number }): void {
    const skipped = this.#pieces.length > 0 ? 0 : Math.max(0, from.byte - base)
    this.#pieces.push({ text: text.slice(from.char), bytes: bytes.slice(skipped), base: base + skipped })
  }

  clear(): void {
    if (this.#pieces.length > 0) this.#pieces = []
    this.#before = 0
  }

  /**
   * One piece of it, up to the one that is being read, with this character of the record, which nothing goes back behind
   * again; `before`: characters ahead of the piece. Null when the record began in the piece that is being read.
   */
  joinedWith(last: DecodedChunk | null, char: number): { joined: DecodedChunk; before: number } | null {
    if (this.#pieces.length === 0) return null
    const all = last ? [...this.#pieces, last] : this.#pieces
    this.#pieces = []
    for (let [first] = all; first && all.length > 1 && this.#before + first.text.length <= char; [first] = all) {
      this.#before += first.text.length
      all.shift()
    }
    const bytes = new Uint8Array(all.reduce((sum, piece) => sum + piece.bytes.length, 0))
    let at = 0
    for (const piece of all) {
      bytes.set(piece.bytes, at)
      at += piece.bytes.length
    }
    return {
      joined: { text: all.map(({ text }) => text).join(''), bytes, base: all[0]?.base ?? 0 },
      before: this.#before,
    }
  }
}
