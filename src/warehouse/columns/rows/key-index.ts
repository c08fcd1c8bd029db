const FIRST_CAPACITY = 1024
/** Values of keys are compared as they lie; an empty cell (NaN) is equal to another, and −0 to 0. */
const isSame = (a: number, b: number): boolean => a === b || (Number.isNaN(a) && Number.isNaN(b))

const float = new Float64Array(1)
const words = new Uint32Array(float.buffer)
/** Of a row's key, all its values. Unsigned, 32 bits. */
export function hashOfKey(values: readonly Float64Array[], row: number): number {
  let hash = 0x9e3779b9
  for (const column of values) {
    const value = column[row] ?? Number.NaN
    float[0] = Number.isNaN(value) ? Number.NaN : value + 0
    hash = Math.imul(hash ^ (words[0] ?? 0), 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 13) ^ (words[1] ?? 0), 0xc2b2ae35)
    hash ^= hash >>> 16
  }
  return hash >>> 0
}

/** Different keys of rows, each with the row that had it last. */
export class KeyIndex {
  readonly #width: number
  /** One more than the key's place; 0 is free. */
  #slots = new Int32Array(FIRST_CAPACITY)
  #hashes = new Uint32Array(FIRST_CAPACITY)
  #rows = new Float64Array(FIRST_CAPACITY)
  #values: Float64Array
  #size = 0

  /** @param width columns of a key */
  constructor(width: number) {
    this.#width = width
    this.#values = new Float64Array(FIRST_CAPACITY * width)
  }

  get size(): number {
    return this.#size
  }

  /** Notes the key of a row. Answers the row that had it before; −1: none. */
  put(values: readonly Float64Array[], at: number, of: { hash: number; row: number }): number {
    if (this.#size * 2 >= this.#slots.length) this.#grow()
    const slot = this.#slotOf(values, at, of.hash)
    const known = this.#slots[slot] ?? 0
    if (known !== 0) {
      const before = this.#rows[known - 1] ?? -1
      this.#rows[known - 1] = of.row
      return before
    }
    const place = this.#size
    this.#size += 1
    this.#slots[slot] = this.#size
    this.#hashes[place] = of.hash
    this.#rows[place] = of.row
    for (let k = 0; k < this.#width; k += 1) this.#values[place * this.#width + k] = values[k]?.[at] ?? Number.NaN
    return -1
  }

  has(values: readonly Float64Array[], at: number, hash: number): boolean {
    return (this.#slots[this.#slotOf(values, at, hash)] ?? 0) !== 0
  }

  #slotOf(values: readonly Float64Array[], at: number, hash: number): number {
    const mask = this.#slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const known = this.#slots[slot] ?? 0
      if (known === 0 || (this.#hashes[known - 1] === hash && this.#isAt(known - 1, values, at))) return slot
    }
  }
  #isAt(place: number, values: readonly Float64Array[], at: number): boolean {
    for (let k = 0; k < this.#width; k += 1)
      if (!isSame(this.#values[place * this.#width + k] ?? Number.NaN, values[k]?.[at] ?? Number.NaN)) return false
    return true
  }

  #grow(): void {
    const capacity = this.#slots.length * 2
    const mask = capacity - 1
    this.#hashes = longer(this.#hashes, new Uint32Array(capacity))
    this.#rows = longer(this.#rows, new Float64Array(capacity))
    this.#values = longer(this.#values, new Float64Array(capacity * this.#width))
    this.#slots = new Int32Array(capacity)
    for (let place = 0; place < this.#size; place += 1) {
      let slot = (this.#hashes[place] ?? 0) & mask
      while ((this.#slots[slot] ?? 0) !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = place + 1
    }
  }
}
function longer<T extends Float64Array | Uint32Array>(from: T, to: T): T {
  to.set(from)
  return to
}
