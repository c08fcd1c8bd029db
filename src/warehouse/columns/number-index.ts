const FIRST_CAPACITY = 1024

/**
 * A number of 32 bits for the two halves of a double: the end of MurmurHash3 (A. Appleby, public domain), over either half.
 * Which doubles meet in one number is another thing with each seed.
 */
export const hashOf = (low: number, high: number, seed: number): number => mixed(low ^ mixed(high ^ seed))
function mixed(word: number): number {
  let hash = word
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

/** Numbers different numbers from 0 on, in the order in which they come. */
export class NumberIndex {
  #keys = new Float64Array(FIRST_CAPACITY)
  /** One more than the number's place; 0 is free. */
  #places = new Int32Array(FIRST_CAPACITY)
  #values = new Float64Array(FIRST_CAPACITY)
  #size = 0
  readonly #float = new Float64Array(1)
  readonly #words = new Uint32Array(this.#float.buffer)
  /** Nobody knows it: no values can be chosen that all meet in one place. What comes out does not depend on it. */
  readonly #seed = crypto.getRandomValues(new Int32Array(1))[0] ?? 0

  get size(): number {
    return this.#size
  }
  valueAt(place: number): number {
    return this.#values[place] ?? Number.NaN
  }

  /** Where a number stands, taken in when it is new. */
  placeOf(given: number): number {
    // −0 and 0 are one number.
    const value = given + 0
    const slot = this.#slotOf(value)
    const known = this.#places[slot] ?? 0
    if (known !== 0) return known - 1
    if (this.#size * 2 >= this.#keys.length) {
      this.#grow()
      return this.placeOf(value)
    }
    this.#keys[slot] = value
    if (this.#size === this.#values.length) {
      const longer = new Float64Array(this.#values.length * 2)
      longer.set(this.#values)
      this.#values = longer
    }
    this.#values[this.#size] = value
    this.#size += 1
    this.#places[slot] = this.#size
    return this.#size - 1
  }

  #slotOf(value: number): number {
    this.#float[0] = value
    const low = this.#words[0] ?? 0
    const high = this.#words[1] ?? 0
    const mask = this.#keys.length - 1
    let slot = hashOf(low, high, this.#seed) & mask
    while ((this.#places[slot] ?? 0) !== 0 && this.#keys[slot] !== value) slot = (slot + 1) & mask
    return slot
  }

  #grow(): void {
    const keys = this.#keys
    const places = this.#places
    this.#keys = new Float64Array(keys.length * 2)
    this.#places = new Int32Array(keys.length * 2)
    for (let i = 0; i < keys.length; i += 1) {
      const place = places[i] ?? 0
      if (place === 0) continue
      const slot = this.#slotOf(keys[i] ?? 0)
      this.#keys[slot] = keys[i] ?? 0
      this.#places[slot] = place
    }
  }
}
