import { MEMORY, TooManyGroups, type MemoryBounds } from '../memory'

const FIRST_CAPACITY = 1024
const FIRST_BYTES = 16_384

/** Numbers different texts from 1 on, in the order in which they come; they are kept as bytes, one behind the other. */
export class TextIndex {
  #slots = new Int32Array(FIRST_CAPACITY)
  #hashes = new Int32Array(FIRST_CAPACITY)
  #ends = new Int32Array(FIRST_CAPACITY)
  #bytes = new Uint8Array(FIRST_BYTES)
  #size = 0
  #scratch = new Uint8Array(256)
  readonly #memory: Pick<MemoryBounds, 'texts' | 'textBytes'>
  readonly #encoder = new TextEncoder()
  readonly #decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })

  constructor(memory: Pick<MemoryBounds, 'texts' | 'textBytes'> = MEMORY) {
    this.#memory = memory
  }

  get size(): number {
    return this.#size
  }

  /** Bytes of all texts. */
  get bytes(): number {
    return this.#ends[this.#size] ?? 0
  }

  /** All texts as they are kept, until the next one is taken in: their bytes, and where the text of each number ends. */
  get packed(): { bytes: Uint8Array; ends: Int32Array } {
    return { bytes: this.#bytes.subarray(0, this.bytes), ends: this.#ends.subarray(1, this.#size + 1) }
  }

  /** Forgets all texts; what room they had stays. */
  clear(): void {
    this.#size = 0
    this.#slots.fill(0)
  }

  /** The text of a number. */
  textAt(code: number): string | null {
    if (code < 1 || code > this.#size) return null
    return this.#decoder.decode(this.#bytes.subarray(this.#ends[code - 1], this.#ends[code]))
  }

  codeOf(text: string): number {
    if (this.#scratch.length < text.length * 3) this.#scratch = new Uint8Array(text.length * 6)
    return this.codeOfBytes(this.#scratch, 0, this.#encoder.encodeInto(text, this.#scratch).written)
  }

  /** The number of a text in UTF-8, taken in when it is new. @throws TooManyGroups when there are too many of them */
  codeOfBytes(from: Uint8Array, start: number, end: number): number {
    const hash = hashOf(from, start, end)
    const slots = this.#slots
    const mask = slots.length - 1
    let slot = hash & mask
    for (;;) {
      const code = slots[slot] ?? 0
      if (code === 0) break
      if (this.#hashes[code] === hash && this.#equals(code, from, start, end)) return code
      slot = (slot + 1) & mask
    }
    const code = this.#take(from, start, end)
    this.#hashes[code] = hash
    slots[slot] = code
    if (code * 2 >= slots.length) this.#spread()
    return code
  }

  #equals(code: number, from: Uint8Array, start: number, end: number): boolean {
    const bytes = this.#bytes
    let own = this.#ends[code - 1] ?? 0
    if ((this.#ends[code] ?? 0) - own !== end - start) return false
    for (let i = start; i < end; i += 1, own += 1) if (from[i] !== bytes[own]) return false
    return true
  }

  #take(from: Uint8Array, start: number, end: number): number {
    const code = this.#size + 1
    const first = this.#ends[this.#size] ?? 0
    const last = first + end - start
    const { texts, textBytes } = this.#memory
    // One text fits in any case.
    if (code > 1 && (code > texts || last > textBytes)) throw new TooManyGroups(code > texts ? texts : textBytes)
    if (code === this.#ends.length) {
      this.#ends = longer(this.#ends)
      this.#hashes = longer(this.#hashes)
    }
    if (last > this.#bytes.length) {
      const more = new Uint8Array(Math.max(last, Math.min(textBytes, this.#bytes.length * 2)))
      more.set(this.#bytes.subarray(0, first))
      this.#bytes = more
    }
    const bytes = this.#bytes
    for (let i = start, to = first; i < end; i += 1, to += 1) bytes[to] = from[i] ?? 0
    this.#ends[code] = last
    this.#size = code
    return code
  }

  #spread(): void {
    const slots = new Int32Array(this.#slots.length * 2)
    const mask = slots.length - 1
    for (let code = 1; code <= this.#size; code += 1) {
      let slot = (this.#hashes[code] ?? 0) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = code
    }
    this.#slots = slots
  }
}

function longer(values: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const more = new Int32Array(values.length * 2)
  more.set(values)
  return more
}

/** FNV-1a over bytes, its bits spread once more at the end. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let i = start; i < end; i += 1) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return hash ^ (hash >>> 13)
}
