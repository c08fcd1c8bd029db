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

/** What keys are: whole numbers less than 2³² − 1 apart, any numbers, or texts (a number of 53 bits and one of 32). */
export type KeyKind = { kind: 'whole'; least: number } | { kind: 'number' } | { kind: 'text' }

const SLOTS_PER_KEY = 4 / 3
const SLOT_BYTES = { whole: 8, number: 12, text: 16 } as const
const float = new Float64Array(1)
const halves = new Int32Array(float.buffer)

/** Keys in a table with open addresses, as many as there is room for. What is compared lies side by side. */
export class HashedKeys implements KeyPlaces {
  readonly capacity: number
  readonly #of: KeyKind
  /** Whole numbers are their distance from the one below the least; 0 is free. */
  readonly #below: number
  /** Of others NaN is free. */
  readonly #firsts: Float64Array | Uint32Array
  readonly #seconds: Uint32Array | null
  readonly #places: Int32Array
  /** Nobody knows it: no values can be chosen that all meet in one place. What comes out does not depend on it. */
  readonly #seed = crypto.getRandomValues(new Int32Array(1))[0] ?? 0

  constructor(of: KeyKind, capacity: number) {
    const slots = slotsFor(capacity)
    this.capacity = capacity
    this.#of = of
    this.#below = of.kind === 'whole' ? of.least - 1 : 0
    this.#firsts = of.kind === 'whole' ? new Uint32Array(slots) : new Float64Array(slots).fill(Number.NaN)
    this.#seconds = of.kind === 'text' ? new Uint32Array(slots) : null
    this.#places = new Int32Array(slots).fill(-1)
  }
  static bytes({ kind }: KeyKind, capacity: number): number {
    return slotsFor(capacity) * SLOT_BYTES[kind]
  }

  put(place: number, first: number, second: number): void {
    const slot = this.#slotOf(first - this.#below, second)
    if (this.#places[slot] !== -1) return
    this.#firsts[slot] = first - this.#below
    if (this.#seconds) this.#seconds[slot] = second
    this.#places[slot] = place
  }
  find(first: number, second: number): number {
    return this.#places[this.#slotOf(first - this.#below, second)] ?? -1
  }

  /** The same keys with twice the room. */
  doubled(): HashedKeys {
    const more = new HashedKeys(this.#of, this.capacity * 2)
    for (let slot = 0; slot < this.#places.length; slot += 1) {
      const place = this.#places[slot] ?? -1
      if (place >= 0) more.put(place, (this.#firsts[slot] ?? 0) + this.#below, this.#seconds?.[slot] ?? 0)
    }
    return more
  }

  #slotOf(first: number, second: number): number {
    // Plus 0: −0 and 0 are one number.
    float[0] = first + 0
    const hash = hashOf(halves[0] ?? 0, halves[1] ?? 0, this.#seed) >>> 0
    const { length } = this.#firsts
    for (let slot = Math.floor((hash / 2 ** 32) * length); ; slot = slot + 1 === length ? 0 : slot + 1) {
      const known = this.#firsts[slot] ?? 0
      if (known === first ? this.#hasSecond(slot, second) : this.#isFree(known)) return slot
    }
  }
  #hasSecond(slot: number, second: number): boolean {
    return !this.#seconds || this.#seconds[slot] === second
  }
  #isFree(known: number): boolean {
    return this.#of.kind === 'whole' ? known === 0 : Number.isNaN(known)
  }
}
const slotsFor = (capacity: number): number => Math.ceil(capacity * SLOTS_PER_KEY) + 1

/** Keys at first. */
const FIRST_CAPACITY = 64

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
    this.#keys.put(0, first, second)
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
