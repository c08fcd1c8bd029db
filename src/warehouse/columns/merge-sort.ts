import { pacing } from './pacing'

/** Values by their places: an array, or a typed one. */
export interface Places<T> {
  [at: number]: T
  length: number
}
interface SortablePlaces<T> extends Places<T> {
  subarray(from: number, to: number): SortablePlaces<T>
  sort(): unknown
}

/** Numbers that are sorted in one go. */
const RUN_LENGTH = 2 ** 14
/** Comparing two numbers and moving one, in rows of a sum. */
const MERGE_WORK = 3

/**
 * Merges neighbouring runs of `run` values, each of which is in order, until all are (a merge sort from the bottom up), in
 * pieces. Equal values stay in their order.
 * @param buffer as long as the values; what is in it is lost
 * @returns the one of the two arrays that holds them
 */
export function* mergeRuns<T>(
  values: Places<T>,
  buffer: Places<T>,
  { run, isAfter, work }: { run: number; isAfter: (a: T, b: T) => boolean; work: number },
): Generator<undefined, Places<T>> {
  let [from, to] = [values, buffer]
  const isDue = pacing()
  const size = values.length
  for (let width = run; width < size; width *= 2) {
    for (let start = 0; start < size; start += 2 * width) {
      const [middle, end] = [Math.min(start + width, size), Math.min(start + 2 * width, size)]
      let [left, right] = [start, middle]
      for (let at = start; at < end; at += 1) {
        const [a, b] = [from[left], from[right]]
        const isLeft = right >= end || (left < middle && a !== undefined && b !== undefined && !isAfter(a, b))
        const taken = isLeft ? a : b
        if (taken !== undefined) to[at] = taken
        if (isLeft) left += 1
        else right += 1
        if (isDue(work)) yield
      }
    }
    ;[from, to] = [to, from]
  }
  return from
}

/** Sorts numbers from the least on, in pieces. @param buffer as long as the values; asked for when it is wanted */
export function* sortedInPieces<T>(
  values: SortablePlaces<T>,
  buffer: () => Places<T>,
): Generator<undefined, Places<T>> {
  for (let start = 0; start < values.length; start += RUN_LENGTH) {
    values.subarray(start, start + RUN_LENGTH).sort()
    if (values.length > RUN_LENGTH) yield
  }
  if (values.length <= RUN_LENGTH) return values
  return yield* mergeRuns(values, buffer(), { run: RUN_LENGTH, isAfter: (a, b) => a > b, work: MERGE_WORK })
}
