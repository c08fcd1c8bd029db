import { DistinctPairs } from './distinct-pairs'
import { GroupNumbers, whole, type Fold } from './fold'
import type { MemoryBounds } from '../memory'
import type { ChunkPlace, Codes, Numbers } from '../vectors'

/** Values that are told apart: texts of a dictionary by their codes (`words`: one more than the highest), others by numbers. */
export type DistinctValues = { numbers: readonly Numbers[] } | { codes: Codes; words: number }

/** Looking a pair up, in rows of a sum. */
const PAIR_WORK = 32

/** How many different values. Where the pairs of groups and values do not fit in memory, the rows are read again. */
export function distinctFold(of: DistinctValues, memory: Pick<MemoryBounds, 'pairs' | 'marks'>): Fold {
  const counts = new GroupNumbers()
  const width = 'codes' in of ? 1 : of.numbers.length
  const pairs = new DistinctPairs({ width, max: memory.pairs, counts })
  const marks = 'codes' in of ? new CodeMarks(of.words, memory.marks) : null
  let isMarking = marks !== null
  return {
    isCount: true,
    grow(groups) {
      counts.grow(groups)
      if (!marks || !isMarking || marks.grow(groups)) return
      // Too many groups for a table: what it holds goes over.
      isMarking = false
      counts.values.fill(0)
      marks.each((group, code) => pairs.add([[code]], 0, group))
      marks.clear()
    },
    add(place, keys) {
      if ('codes' in of && marks && isMarking) return marks.add(counts.values, keys, of.codes(place), place.rows)
      const parts = 'codes' in of ? [of.codes(place)] : of.numbers.map((numbers) => numbers(place))
      addPairs(pairs, place, { keys, parts, empty: 'codes' in of ? 0 : Number.NaN })
    },
    get rowWork() {
      return isMarking ? 2 : PAIR_WORK
    },
    *again() {
      yield
      return !isMarking && pairs.next()
    },
    value: (group) => whole(counts.at(group)),
    order: (group) => counts.at(group),
  }
}

function addPairs(
  pairs: DistinctPairs,
  { rows }: ChunkPlace,
  { keys, parts, empty }: { keys: Int32Array; parts: readonly ArrayLike<number>[]; empty: number },
): void {
  const [first] = parts
  for (let i = 0; i < rows; i += 1) {
    const key = keys[i] ?? 0
    const value = first?.[i] ?? Number.NaN
    if (key !== 0 && !Number.isNaN(value) && value !== empty) pairs.add(parts, i, key)
  }
}

/** A place in a table for each pair of a group and a code. */
class CodeMarks {
  readonly #words: number
  readonly #max: number
  #marks = new Uint8Array(0)

  constructor(words: number, max: number) {
    this.#words = words
    this.#max = max
  }

  /** False when they would be more than a table may have. */
  grow(groups: number): boolean {
    const size = groups * this.#words
    if (size <= this.#marks.length) return true
    if (size > this.#max) return false
    const longer = new Uint8Array(size)
    longer.set(this.#marks)
    this.#marks = longer
    return true
  }

  add(counts: Float64Array, keys: Int32Array, codes: Int32Array, rows: number): void {
    const [marks, words] = [this.#marks, this.#words]
    for (let i = 0; i < rows; i += 1) {
      const key = keys[i] ?? 0
      const code = codes[i] ?? 0
      const at = key * words + code
      if (key === 0 || code === 0 || marks[at] !== 0) continue
      marks[at] = 1
      counts[key] = (counts[key] ?? 0) + 1
    }
  }

  each(take: (group: number, code: number) => void): void {
    for (const [at, mark] of this.#marks.entries()) if (mark === 1) take(Math.floor(at / this.#words), at % this.#words)
  }
  clear(): void {
    this.#marks = new Uint8Array(0)
  }
}
