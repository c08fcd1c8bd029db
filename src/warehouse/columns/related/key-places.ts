import { hashOf } from '../number-index'

/** Different keys, each with the place that it was put at first. A key is one number, or two that stand for a text. */
export interface KeyPlaces {
  put(place: number, first: number, second: number): void
  /** The place of a key; −1: it is not there. */
  find(first: number, second: number): number
}

/** Whole numbers near each other: a place for each that there can be. */
export class DenseKeys implements KeyPlaces {
  readonly #least: number
  /** One more than the key's place; 0: it is not there. */
  readonly #places: Int32Array

  constructor({ least, most }: { least: number; most: number }) {
    this.#least = least
    this.#places = new Int32Array(most - least + 1)
  }

  put(place: number, first: number): void {
    const at = first - this.#least
    if (this.#places[at] === 0) this.#places[at] = place + 1
  }
  find(first: number): number {
    const at = first - this.#least
    return at >= 0 && at < this.#places.length ? (this.#places[at] ?? 0) - 1 : -1
  }
}

/** What keys are: whole numbers less than 2³² apart, any numbers, or texts (a number of 53 bits and one of 32). */
export type KeyKind = { kind: 'whole'; least: number } | { kind: 'number' } | { kind: 'text' }

/** So many slots for each key: a key is found after some two. */
const SLOTS_PER_KEY = 1.5
const BYTES = { whole: 4, number: 8, text: 12 } as const
const float = new Float64Array(1)
const halves = new Int32Array(float.buffer)

/** Keys in a table with open addresses, as many as there is room for. */
export class HashedKeys implements KeyPlaces {
  readonly capacity: number
  readonly #of: KeyKind
  readonly #least: number
  readonly #firsts: Float64Array | null
  readonly #words: Uint32Array | null
  /** One more than the key's place; 0 is free. */
  readonly #slots: Int32Array
  /** Nobody knows it: no values can be chosen that all meet in one place. What comes out does not depend on it. */
  readonly #seed = crypto.getRandomValues(new Int32Array(1))[0] ?? 0

  /** @param capacity places are less than it */
  constructor(of: KeyKind, capacity: number) {
    this.capacity = capacity
    this.#of = of
    this.#least = of.kind === 'whole' ? of.least : 0
    this.#firsts = of.kind === 'whole' ? null : new Float64Array(capacity)
    this.#words = of.kind === 'number' ? null : new Uint32Array(capacity)
    this.#slots = new Int32Array(slotsFor(capacity))
  }
  static bytes({ kind }: KeyKind, capacity: number): number {
    return capacity * BYTES[kind] + slotsFor(capacity) * Int32Array.BYTES_PER_ELEMENT
  }

  put(place: number, first: number, second: number): void {
    const word = this.#wordOf(first, second)
    const slot = this.#slotOf(first, word)
    if (this.#slots[slot] !== 0) return
    this.#slots[slot] = place + 1
    if (this.#firsts) this.#firsts[place] = first
    if (this.#words) this.#words[place] = word
  }
  find(first: number, second: number): number {
    return (this.#slots[this.#slotOf(first, this.#wordOf(first, second))] ?? 0) - 1
  }

  /** The same keys, those put at places from 0 on, with twice the room. */
  doubled(): HashedKeys {
    const more = new HashedKeys(this.#of, this.capacity * 2)
    for (let place = 0; place < this.capacity; place += 1) {
      const word = this.#words?.[place] ?? 0
      more.put(place, this.#firsts?.[place] ?? word + this.#least, word)
    }
    return more
  }

  #wordOf(first: number, second: number): number {
    return this.#of.kind === 'whole' ? first - this.#least : second
  }
  #slotOf(first: number, word: number): number {
    // Plus 0: −0 and 0 are one number.
    float[0] = first + 0
    const hash = hashOf(halves[0] ?? 0, halves[1] ?? 0, this.#seed) >>> 0
    const { length } = this.#slots
    let slot = Math.floor((hash / 2 ** 32) * length)
    for (;;) {
      const known = this.#slots[slot] ?? 0
      if (known === 0 || this.#isAt(known - 1, first, word)) return slot
      slot = slot + 1 === length ? 0 : slot + 1
    }
  }
  #isAt(place: number, first: number, word: number): boolean {
    return (!this.#firsts || this.#firsts[place] === first) && (!this.#words || this.#words[place] === word)
  }
}
const slotsFor = (capacity: number): number => Math.max(2, Math.ceil(capacity * SLOTS_PER_KEY))

/** Keys at first. */
const FIRST_CAPACITY = 1024

/** Different keys, however many: only whether they are there. */
export class GrowingKeys implements KeyPlaces {
  readonly #of: KeyKind
  readonly #hold: (bytes: number) => void
  #keys: HashedKeys
  #size = 0

  /** @param hold told how many bytes more are held, or fewer */
  constructor(of: KeyKind, hold: (bytes: number) => void) {
    this.#of = of
    this.#hold = hold
    hold(HashedKeys.bytes(of, FIRST_CAPACITY))
    this.#keys = new HashedKeys(of, FIRST_CAPACITY)
  }

  put(_place: number, first: number, second: number): void {
    if (this.find(first, second) >= 0) return
    if (this.#size === this.#keys.capacity) this.#grow()
    this.#keys.put(this.#size, first, second)
    this.#size += 1
  }
  find(first: number, second: number): number {
    return this.#keys.find(first, second)
  }

  #grow(): void {
    const { capacity } = this.#keys
    this.#hold(HashedKeys.bytes(this.#of, capacity * 2))
    this.#keys = this.#keys.doubled()
    this.#hold(-HashedKeys.bytes(this.#of, capacity))
  }
}
