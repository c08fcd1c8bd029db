const CAPACITY_MIN = 512

/** Numbers pairs of numbers in the order in which they come first: a hash table that holds nothing but numbers. */
export class PairIndex {
  /** The number of the pair that lies there, plus one; 0 where none does. A power of two. */
  #slots = new Int32Array(CAPACITY_MIN)
  #befores = new Int32Array(CAPACITY_MIN / 2)
  #owns = new Int32Array(CAPACITY_MIN / 2)
  #size = 0

  get size(): number {
    return this.#size
  }

  /**
   * Numbers of the pairs of two columns.
   * @param befores null stands for 0 everywhere
   * @param into may be `befores` itself
   */
  number(befores: Int32Array | null, owns: Int32Array, into: Int32Array): void {
    for (let at = 0; at < into.length; at += 1) into[at] = this.idOf(befores?.[at] ?? 0, owns[at] ?? 0)
  }

  idOf(before: number, own: number): number {
    const mask = this.#slots.length - 1
    let slot = hashOf(before, own) & mask
    for (;;) {
      const id = (this.#slots[slot] ?? 0) - 1
      if (id < 0) return this.#add(before, own, slot)
      if (this.#befores[id] === before && this.#owns[id] === own) return id
      slot = (slot + 1) & mask
    }
  }

  endsOf(id: number): [number, number] {
    return [this.#befores[id] ?? 0, this.#owns[id] ?? 0]
  }

  clear(): void {
    this.#size = 0
    this.#slots = new Int32Array(CAPACITY_MIN)
    this.#befores = new Int32Array(CAPACITY_MIN / 2)
    this.#owns = new Int32Array(CAPACITY_MIN / 2)
  }

  #add(before: number, own: number, slot: number): number {
    const id = this.#size
    this.#befores[id] = before
    this.#owns[id] = own
    this.#slots[slot] = id + 1
    this.#size += 1
    // Never more than half full.
    if (this.#size === this.#befores.length) this.#grow()
    return id
  }

  #grow(): void {
    const room = this.#slots.length * 2
    this.#befores = doubled(this.#befores)
    this.#owns = doubled(this.#owns)
    this.#slots = new Int32Array(room)
    for (let id = 0; id < this.#size; id += 1) {
      let slot = hashOf(this.#befores[id] ?? 0, this.#owns[id] ?? 0) & (room - 1)
      while (this.#slots[slot] !== 0) slot = (slot + 1) & (room - 1)
      this.#slots[slot] = id + 1
    }
  }
}

function hashOf(before: number, own: number): number {
  const mixed = Math.imul(before, 0x9e37_79b1) ^ Math.imul(own, 0x85eb_ca6b)
  return mixed ^ (mixed >>> 15)
}

function doubled(before: Int32Array): Int32Array<ArrayBuffer> {
  const after = new Int32Array(before.length * 2)
  after.set(before)
  return after
}
