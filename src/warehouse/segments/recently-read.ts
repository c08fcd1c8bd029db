/** What was read lately, held until newer things take its room: most questions of a dataset read the same few columns. */
export class RecentlyRead<T> {
  readonly #max: number
  readonly #sizeOf: (value: T) => number
  readonly #kept = new Map<string, { value: T; size: number }>()
  #size = 0

  constructor(max: number, sizeOf: (value: T) => number) {
    this.#max = max
    this.#sizeOf = sizeOf
  }

  /** What was read; it is as if it had been read now. */
  find(id: string): T | undefined {
    const known = this.#kept.get(id)
    if (!known) return undefined
    this.#kept.delete(id)
    this.#kept.set(id, known)
    return known.value
  }
  /** @param id tells what is read from everything else that is, at any time */
  read(id: string, make: () => T): T {
    const known = this.#kept.get(id)
    this.#kept.delete(id)
    const entry = known ?? this.#measured(make())
    if (!known) this.#size += entry.size
    this.#kept.set(id, entry)
    for (const [oldest, { size }] of this.#kept) {
      if (this.#size <= this.#max || oldest === id) break
      this.#kept.delete(oldest)
      this.#size -= size
    }
    return entry.value
  }
  clear(): void {
    this.#kept.clear()
    this.#size = 0
  }
  #measured(value: T): { value: T; size: number } {
    return { value, size: this.#sizeOf(value) }
  }
}
