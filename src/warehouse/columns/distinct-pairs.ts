import type { GroupNumbers } from './fold'

const FIRST_CAPACITY = 1024
const HASHES = 2 ** 32
const float = new Float64Array(1)
const words = new Uint32Array(float.buffer)

/** Some numbers as one of 32 bits, never 0. −0 and 0 are the same. */
function hashOf(parts: readonly ArrayLike<number>[], row: number, group: number): number {
  let hash = Math.imul(group ^ 0x9e3779b9, 0x85ebca6b)
  for (const part of parts) {
    float[0] = (part[row] ?? 0) + 0
    hash = Math.imul(hash ^ (hash >>> 15) ^ (words[0] ?? 0), 0xc2b2ae35)
    hash = Math.imul(hash ^ (hash >>> 13) ^ (words[1] ?? 0), 0x85ebca6b)
  }
  hash ^= hash >>> 16
  return hash >>> 0 || 1
}

/**
 * Different pairs of a group and a value, counted by group. Only those whose hashes lie in a range are held; the range
 * becomes narrower when they are too many, and the others are counted in the next passes.
 */
export class DistinctPairs {
  readonly #width: number
  readonly #max: number
  readonly #counts: GroupNumbers
  /** 0 is free. */
  #hashes = new Uint32Array(FIRST_CAPACITY)
  #groups = new Int32Array(FIRST_CAPACITY)
  #values: Float64Array
  #size = 0
  /** The value that is looked for. */
  readonly #wanted: Float64Array
  #from = 0
  #to = HASHES

  /** @param width numbers that a value is made of; `max`: pairs that are held; `counts`: what they are added to */
  constructor({ width, max, counts }: { width: number; max: number; counts: GroupNumbers }) {
    this.#width = width
    this.#max = max
    this.#counts = counts
    this.#values = new Float64Array(FIRST_CAPACITY * width)
    this.#wanted = new Float64Array(width)
  }

  add(parts: readonly ArrayLike<number>[], row: number, group: number): void {
    const hash = hashOf(parts, row, group)
    if (hash < this.#from || hash >= this.#to) return
    for (let part = 0; part < this.#width; part += 1) this.#wanted[part] = (parts[part]?.[row] ?? 0) + 0
    if (!this.#take(hash, group)) return
    this.#counts.values[group] = this.#counts.at(group) + 1
    if (this.#size * 3 > this.#hashes.length * 2) this.#move(this.#hashes.length * 2)
    // Pairs of one hash are held together, however many they are: there is one in four thousand millions.
    while (this.#size > this.#max && this.#to - this.#from > 1) this.#narrow()
  }

  /** Whether the wanted value is new. */
  #take(hash: number, group: number): boolean {
    const mask = this.#hashes.length - 1
    let slot = hash & mask
    while (this.#hashes[slot] !== 0) {
      if (this.#hashes[slot] === hash && this.#groups[slot] === group && this.#isAt(slot)) return false
      slot = (slot + 1) & mask
    }
    this.#hashes[slot] = hash
    this.#groups[slot] = group
    this.#values.set(this.#wanted, slot * this.#width)
    this.#size += 1
    return true
  }
  #isAt(slot: number): boolean {
    for (let part = 0; part < this.#width; part += 1)
      if (this.#values[slot * this.#width + part] !== this.#wanted[part]) return false
    return true
  }

  /** Those of the upper half of the range wait for another pass. */
  #narrow(): void {
    this.#to = this.#from + Math.ceil((this.#to - this.#from) / 2)
    for (const [slot, hash] of this.#hashes.entries()) {
      if (hash < this.#to) continue
      const group = this.#groups[slot] ?? 0
      this.#counts.values[group] = this.#counts.at(group) - 1
    }
    this.#move(this.#hashes.length)
  }
  /** Into new arrays, with what is still within the range. */
  #move(capacity: number): void {
    const [hashes, groups, values, width] = [this.#hashes, this.#groups, this.#values, this.#width]
    this.#hashes = new Uint32Array(capacity)
    this.#groups = new Int32Array(capacity)
    this.#values = new Float64Array(capacity * width)
    this.#size = 0
    for (const [at, hash] of hashes.entries()) {
      if (hash === 0 || hash >= this.#to) continue
      this.#wanted.set(values.subarray(at * width, (at + 1) * width))
      this.#take(hash, groups[at] ?? 0)
    }
  }

  /** After all rows: on to the next range. False when there is none. */
  next(): boolean {
    const width = this.#to - this.#from
    this.#hashes = new Uint32Array(FIRST_CAPACITY)
    this.#groups = new Int32Array(FIRST_CAPACITY)
    this.#values = new Float64Array(FIRST_CAPACITY * this.#width)
    this.#size = 0
    this.#from = this.#to
    this.#to = Math.min(HASHES, this.#from + width)
    return this.#from < HASHES
  }
}
