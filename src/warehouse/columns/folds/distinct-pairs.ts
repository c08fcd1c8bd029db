import type { GroupNumbers } from './fold'
import { hashOf } from '../number-index'

const FIRST_CAPACITY = 1024
const HASHES = 2 ** 32
const float = new Float64Array(1)
const words = new Uint32Array(float.buffer)

/** A group and the numbers of a value as one of 32 bits, never 0. −0 and 0 are the same. */
function hashOfPair(
  parts: readonly ArrayLike<number>[],
  { row, group, seed }: { row: number; group: number; seed: number },
): number {
  let hash = seed ^ group
  for (const part of parts) {
    float[0] = (part[row] ?? 0) + 0
    hash = hashOf(words[0] ?? 0, words[1] ?? 0, hash)
  }
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
  /** Nobody knows it: no values can be chosen that all meet in one place. What is counted does not depend on it. */
  readonly #seed = crypto.getRandomValues(new Int32Array(1))[0] ?? 0
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
    const hash = hashOfPair(parts, { row, group, seed: this.#seed })
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
    for (let part = 0; part < this.#width; part += 1) this.#values[slot * this.#width + part] = this.#wanted[part] ?? 0
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
    for (let slot = 0; slot < this.#hashes.length; slot += 1) {
      if ((this.#hashes[slot] ?? 0) < this.#to) continue
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
    for (let at = 0; at < hashes.length; at += 1) {
      const hash = hashes[at] ?? 0
      if (hash === 0 || hash >= this.#to) continue
      for (let part = 0; part < width; part += 1) this.#wanted[part] = values[at * width + part] ?? 0
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
