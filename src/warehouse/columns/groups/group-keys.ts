import { TooManyGroups } from '../memory'
import { NumberIndex } from '../number-index'
import type { YieldCheck } from '../pacing'
import type { ComparisonSide, KeyValue, Split, SplitValues } from '../splits'
import type { ChunkPlace, MaybeMask } from '../vectors'
import { workingArrays } from '../working-arrays'
import type { QuerySteps } from '../../scheduling/query-scheduler'

/** Combinations that have a number each, met or not. */
const COMBINATIONS_MAX = 2 ** 18

interface SidePlace {
  side: ComparisonSide
  mask: MaybeMask
}
/** Gives every row the number of its group, from 1 on; 0 is no group: a row that does not count. */
export interface GroupKeys {
  fill(place: ChunkPlace, at: SidePlace, to: Int32Array): void
  /** The same in pieces. */
  fillInPieces(place: ChunkPlace, at: SidePlace & { isDue: YieldCheck }, to: Int32Array): QuerySteps<void>
  /** One more than the highest number so far. */
  size(): number
  /** The ordinals of a group, one for each split. */
  ordinalsOf(group: number): number[]
}

export interface GroupKeyCells {
  keys: KeyValue[]
  other: boolean[]
}
export function keyCells(splits: readonly SplitValues[], ordinals: readonly number[]): GroupKeyCells {
  return {
    keys: splits.map((split, i) => split.valueOf(ordinals[i] ?? 0)),
    other: splits.map((split, i) => split.isOther(ordinals[i] ?? 0)),
  }
}

/** In rows of a sum: reading a split, and finding a combination, which takes longest where there are many. */
const [SPLIT_WORK, NEAR_WORK, FAR_WORK] = [1, 4, 32]
/** Combinations from which on the processor's memory is waited for. */
const FAR_APART = 2 ** 14
/** Rows whose combinations are numbered in one go. */
const INDEXED_AT_ONCE = 2 ** 13

/** @param groupsMax groups that are told apart, at most */
export function groupKeys(splits: readonly Split[], groupsMax: number): GroupKeys {
  const sizes = splits.map(({ size }) => size)
  const product = sizes.reduce<number>((all, size) => all * (size ?? Infinity), 1)
  if (product < Math.min(COMBINATIONS_MAX, groupsMax))
    return denseKeys(
      splits,
      sizes.map((size) => size ?? 1),
    )
  return indexedKeys(splits, groupsMax)
}

/** Rows that a mask leaves out have no key: 0. */
export function masked(to: Int32Array, mask: Uint8Array, rows: number): void {
  for (let i = 0; i < rows; i += 1) to[i] = (to[i] ?? 0) & -(mask[i] ?? 0)
}
function firstKey(to: Int32Array, ordinals: Int32Array, rows: number): void {
  for (let i = 0; i < rows; i += 1) to[i] = (ordinals[i] ?? 0) + 1
}
function nextKey(to: Int32Array, ordinals: Int32Array, size: number, rows: number): void {
  for (let i = 0; i < rows; i += 1) {
    const key = to[i] ?? 0
    const ordinal = ordinals[i] ?? 0
    to[i] = key === 0 || ordinal < 0 ? 0 : (key - 1) * size + ordinal + 1
  }
}

/** Where it is never time for a pause, all is one piece. */
function atOnce(this: GroupKeys, place: ChunkPlace, at: SidePlace, to: Int32Array): void {
  this.fillInPieces(place, { ...at, isDue: () => false }, to).next()
}

/** An array that is used again for each chunk that is not longer. */
function ordinalsOfChunk(): (place: ChunkPlace) => Int32Array {
  const arrays = workingArrays()
  let ordinals = arrays.codes(0)
  return ({ rows }) => {
    if (ordinals.length < rows) ordinals = arrays.codes(rows)
    return ordinals
  }
}

/** Every combination has a number before any was met. */
function denseKeys(splits: readonly Split[], sizes: readonly number[]): GroupKeys {
  const ordinalsFor = ordinalsOfChunk()
  const product = sizes.reduce((all, size) => all * size, 1)
  return {
    fill: atOnce,
    *fillInPieces(place, { side, mask, isDue }, to) {
      const ordinals = ordinalsFor(place)
      if (splits.length === 0) to.fill(1, 0, place.rows)
      for (const [i, split] of splits.entries()) {
        split.fill(place, side, ordinals)
        if (i === 0) firstKey(to, ordinals, place.rows)
        else nextKey(to, ordinals, sizes[i] ?? 1, place.rows)
        if (isDue(place.rows * SPLIT_WORK)) yield
      }
      if (mask) masked(to, mask(place), place.rows)
    },
    size: () => product + 1,
    ordinalsOf(group) {
      const ordinals: number[] = []
      let rest = group - 1
      for (let i = sizes.length - 1; i >= 0; i -= 1) {
        const size = sizes[i] ?? 1
        ordinals[i] = rest % size
        rest = Math.floor(rest / size)
      }
      return ordinals
    },
  }
}

/** Combinations are numbered as they are met, split by split. @throws TooManyGroups */
function indexedKeys(splits: readonly Split[], groupsMax: number): GroupKeys {
  const ordinalsFor = ordinalsOfChunk()
  const indexes = splits.map(() => new NumberIndex())
  const last = indexes.at(-1)
  const SPREAD = 2 ** 26
  return {
    fill: atOnce,
    *fillInPieces(place, { side, mask, isDue }, to) {
      const ordinals = ordinalsFor(place)
      const passes = mask?.(place)
      for (let i = 0; i < place.rows; i += 1) to[i] = passes?.[i] === 0 ? 0 : 1
      for (const [at, split] of splits.entries()) {
        const index = indexes[at]
        if (!index) continue
        split.fill(place, side, ordinals, passes)
        for (let from = 0; from < place.rows; from += INDEXED_AT_ONCE) {
          const rows = Math.min(place.rows, from + INDEXED_AT_ONCE)
          for (let i = from; i < rows; i += 1) {
            const key = to[i] ?? 0
            const ordinal = ordinals[i] ?? 0
            to[i] = key === 0 || ordinal < 0 ? 0 : index.placeOf(key * SPREAD + ordinal) + 1
          }
          if (isDue((rows - from) * (index.size > FAR_APART ? FAR_WORK : NEAR_WORK))) yield
        }
        if (index.size > groupsMax) throw new TooManyGroups()
      }
    },
    size: () => (last?.size ?? 0) + 1,
    ordinalsOf(group) {
      let key = group
      return indexes
        .toReversed()
        .map((index) => {
          const pair = index.valueAt(key - 1)
          const ordinal = pair % SPREAD
          key = (pair - ordinal) / SPREAD
          return ordinal
        })
        .toReversed()
    },
  }
}
