const FIRST_SLOTS = 64
const KEYS_MAX = 100_000
const BYTES_MAX = 4 * 1024 * 1024

/** Values by bytes, found without making texts of them. It forgets all when they are too many: a memory, not a store. */
export class ByteKeys<T> {
  #slots = new Int32Array(FIRST_SLOTS)
  #hashes: number[] = []
  #keys: Uint8Array[] = []
  #values: T[] = []
  #bytes = 0

  get(from: Uint8Array, start: number, end: number): T | undefined {
    const hash = hashOf(from, start, end)
    const mask = this.#slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const at = (this.#slots[slot] ?? 0) - 1
      if (at < 0) return undefined
      if (this.#hashes[at] === hash && isEqual(this.#keys[at], from, start, end)) return this.#values[at]
    }
  }

  /** Of a key that it does not hold. */
  set(from: Uint8Array, at: { start: number; end: number }, value: T): T {
    if (this.#keys.length >= KEYS_MAX || this.#bytes > BYTES_MAX) this.clear()
    const key = from.slice(at.start, at.end)
    this.#keys.push(key)
    this.#hashes.push(hashOf(key, 0, key.length))
    this.#values.push(value)
    this.#bytes += key.length
    if (this.#keys.length * 2 >= this.#slots.length) this.#spread(this.#slots.length * 2)
    else this.#place(this.#keys.length - 1)
    return value
  }

  clear(): void {
    this.#hashes = []
    this.#keys = []
    this.#values = []
    this.#bytes = 0
    this.#slots.fill(0)
  }

  #spread(length: number): void {
    this.#slots = new Int32Array(length)
    for (let at = 0; at < this.#keys.length; at += 1) this.#place(at)
  }

  #place(at: number): void {
    const mask = this.#slots.length - 1
    let slot = (this.#hashes[at] ?? 0) & mask
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
    this.#slots[slot] = at + 1
  }
}

function isEqual(key: Uint8Array | undefined, from: Uint8Array, start: number, end: number): boolean {
  if (key?.length !== end - start) return false
  for (let at = 0; at < key.length; at += 1) if (key[at] !== from[start + at]) return false
  return true
}

/** FNV-1a, its bits spread once more at the end. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return hash ^ (hash >>> 13)
}
