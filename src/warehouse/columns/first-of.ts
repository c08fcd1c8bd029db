/** The first `count` of all in an order: the others are looked at once and let go. */
export class FirstOf<T> {
  readonly #count: number
  readonly #compare: (a: T, b: T) => number
  #kept: T[] = []
  #last: T | undefined

  constructor(count: number, compare: (a: T, b: T) => number) {
    this.#count = count
    this.#compare = compare
  }

  add(one: T): void {
    if (this.#last !== undefined && this.#compare(one, this.#last) >= 0) return
    this.#kept.push(one)
    if (this.#kept.length < this.#count * 2 + 64) return
    this.#kept = this.sorted()
    this.#last = this.#kept.at(-1)
  }

  sorted(): T[] {
    return this.#kept.sort(this.#compare).slice(0, this.#count)
  }
}
