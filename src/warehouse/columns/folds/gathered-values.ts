import { sortedInPieces, type Places } from '../merge-sort'
import { pacing } from '../pacing'

/** In rows of a sum: a value moved to its group, a group begun, a value sorted among few. */
const [PLACE_WORK, GROUP_WORK, SORT_WORK] = [2, 60, 12]

/** Values in a typed array, whatever its elements are. */
export interface ValueArray<T> {
  [at: number]: T
  length: number
  set(values: ValueArray<T>): void
  subarray(from: number, to: number): ValueArray<T>
  sort(): unknown
}

/** Values of groups as they come, to be sorted group by group. */
export class GatheredValues<T> {
  readonly #make: (length: number) => ValueArray<T>
  readonly #max: number
  #groups: Int32Array<ArrayBuffer>
  #values: ValueArray<T>
  #size = 0

  /** @param max values that are taken */
  constructor(make: (length: number) => ValueArray<T>, max: number) {
    this.#make = make
    this.#max = max
    const first = Math.min(max, 1024)
    this.#groups = new Int32Array(first)
    this.#values = make(first)
  }

  /** False when there is no room for it. */
  add(group: number, value: T): boolean {
    if (this.#size === this.#max) return false
    if (this.#size === this.#groups.length) this.#grow()
    this.#groups[this.#size] = group
    this.#values[this.#size] = value
    this.#size += 1
    return true
  }
  #grow(): void {
    const length = Math.min(this.#max, this.#size * 2)
    const [groups, values] = [new Int32Array(length), this.#make(length)]
    groups.set(this.#groups)
    values.set(this.#values)
    this.#groups = groups
    this.#values = values
  }

  /** The values of each group that has any, in order; null between two pieces. @param size one more than the highest group */
  *sorted(size: number): Generator<{ group: number; values: Places<T> } | null> {
    const isDue = pacing()
    const starts = new Int32Array(size + 1)
    for (let at = 0; at < this.#size; at += 1) {
      const next = (this.#groups[at] ?? 0) + 1
      starts[next] = (starts[next] ?? 0) + 1
      if (isDue(PLACE_WORK)) yield null
    }
    for (let group = 1; group <= size; group += 1) starts[group] = (starts[group] ?? 0) + (starts[group - 1] ?? 0)
    const ends = starts.slice()
    const placed = this.#make(this.#size)
    for (let at = 0; at < this.#size; at += 1) {
      const group = this.#groups[at] ?? 0
      const [value, end] = [this.#values[at], ends[group] ?? 0]
      if (value !== undefined) placed[end] = value
      ends[group] = end + 1
      if (isDue(PLACE_WORK)) yield null
    }
    for (let group = 1; group < size; group += 1) {
      const values = placed.subarray(starts[group] ?? 0, starts[group + 1] ?? 0)
      if (values.length === 0) continue
      // What was gathered has been placed, so that its array is free.
      const sorting = sortedInPieces(values, () => this.#values.subarray(0, values.length))
      let step = sorting.next()
      for (; step.done !== true; step = sorting.next()) yield null
      yield { group, values: step.value }
      if (isDue(GROUP_WORK + values.length * SORT_WORK)) yield null
    }
  }
}
