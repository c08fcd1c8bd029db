import { mergeRuns } from './merge-sort'

/** Values that are compared by what they hold are sorted so many in one go. */
const RUN_LENGTH = 2 ** 10
/** Of one comparison of them, in rows of a sum. */
const COMPARE_WORK = 100

interface Arrival<T> {
  one: T
  /** When it came: of equal ones, the first comes first. */
  at: number
}

/** The first `count` of all in an order: the others are looked at once and let go. */
export class FirstOf<T> {
  readonly #count: number
  readonly #order: (a: T, b: T) => number
  readonly #compare: (a: Arrival<T>, b: Arrival<T>) => number
  /** A heap once it is full (J. W. J. Williams, 1964): each comes after the two below it, and the last of all is on top. */
  #kept: Arrival<T>[] = []
  #seen = 0

  constructor(count: number, compare: (a: T, b: T) => number) {
    this.#count = count
    this.#order = compare
    this.#compare = (a, b) => compare(a.one, b.one) || a.at - b.at
  }

  /** Of as many as are wanted, the last; undefined while there are fewer. */
  get last(): T | undefined {
    return this.#kept.length < this.#count ? undefined : this.#kept[0]?.one
  }

  add(one: T): void {
    const at = this.#seen
    this.#seen += 1
    if (this.#kept.length < this.#count) {
      this.#kept.push({ one, at })
      if (this.#kept.length === this.#count) for (let at = this.#count >> 1; at >= 0; at -= 1) this.#sink(at)
      return
    }
    const [last] = this.#kept
    // Most of all end here. Of equal ones, this one came later.
    if (last === undefined || this.#order(one, last.one) >= 0) return
    this.#kept[0] = { one, at }
    this.#sink(0)
  }

  /** Moves what stands at a place down until those below it come before it. */
  #sink(from: number): void {
    const kept = this.#kept
    const moved = kept[from]
    if (moved === undefined) return
    let at = from
    for (;;) {
      const [left, right] = [kept[2 * at + 1], kept[2 * at + 2]]
      if (left === undefined) break
      const later = right !== undefined && this.#compare(right, left) > 0 ? right : left
      if (this.#compare(later, moved) <= 0) break
      kept[at] = later
      at = 2 * at + (later === left ? 1 : 2)
    }
    kept[at] = moved
  }

  /** In pieces. Nothing is added after. */
  *sorted(): Generator<undefined, T[]> {
    const runs: Arrival<T>[] = []
    for (let start = 0; start < this.#kept.length; start += RUN_LENGTH) {
      runs.push(...this.#kept.slice(start, start + RUN_LENGTH).sort(this.#compare))
      if (this.#kept.length > RUN_LENGTH) yield
    }
    const isAfter = (a: Arrival<T>, b: Arrival<T>): boolean => this.#compare(a, b) > 0
    const sorted = yield* mergeRuns(runs, this.#kept, { run: RUN_LENGTH, isAfter, work: COMPARE_WORK })
    return Array.from(sorted, ({ one }) => one)
  }
}
