import type { ChunkPlace } from '../vectors'
import type { Amount } from '../../query/aggregates/amount'
import type { QuerySteps } from '../../scheduling/query-scheduler'

/** One aggregate over the rows of each group. Rows with the key 0 count nowhere. */
export interface Fold {
  /** Makes room for groups up to this number, before it is added to. */
  grow(groups: number): void
  add(place: ChunkPlace, keys: Int32Array): void
  /** What adding a row takes, in rows of a sum. Absent: 1. */
  rowWork?: number
  /** After all rows, in pieces: whether they are to be added once more, for what did not fit in memory. Absent: once is enough. */
  again?: () => QuerySteps<boolean>
  value(group: number): Amount
  /**
   * A number that is sorted as what is shown is, the same for two at most where 53 bits do not tell them apart; null
   * where nothing is shown. Absent: there may be no such number.
   */
  order?: (group: number) => number | null
  /** A count: nothing there counts as 0. */
  isCount?: true
  /** Whether anything was counted. */
  has?: (group: number) => boolean
}

/** What was folded, to be read. */
export type FoldedValues = Pick<Fold, 'value' | 'order' | 'isCount' | 'has'>

/** Numbers by group, as many as there are groups. */
export class GroupNumbers {
  values = new Float64Array(64)
  readonly #empty: number
  constructor(empty = 0) {
    this.#empty = empty
    this.values.fill(empty)
  }
  grow(groups: number): void {
    if (groups <= this.values.length) return
    const longer = new Float64Array(Math.max(groups, Math.min(this.values.length * 2, 2 ** 21)))
    longer.fill(this.#empty)
    longer.set(this.values)
    this.values = longer
  }
  at(group: number): number {
    return this.values[group] ?? this.#empty
  }
}

export const whole = (n: number): Amount => ({ n: BigInt(n), scale: 0 })

/** Keys that are looked at to tell whether few rows count. */
const SAMPLED = 64
/**
 * Whether hardly any row seems to count. Then the others are left out by a branch, which is foreseen nearly always; else all
 * are added, those that do not count to a group that nobody looks at.
 */
export function isSparse(keys: Int32Array, rows: number): boolean {
  const step = Math.max(1, Math.floor(rows / SAMPLED))
  let [seen, counting] = [0, 0]
  for (let i = 0; i < rows; i += step) {
    seen += 1
    counting += Number(keys[i] !== 0)
  }
  return counting * 8 < seen
}

/** A column's numbers, as kernels take them. */
export interface FoldedNumbers {
  values: Float64Array
  rows: number
}
