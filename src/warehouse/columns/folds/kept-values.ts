import { GroupNumbers } from './fold'
import { TooManyGroups } from '../memory'

/** One value for each group that has any. */
export interface KeptValues<T> {
  grow(groups: number): void
  at(group: number): T | undefined
  put(group: number, value: T): void
}

export function keptNumbers(): KeptValues<number> {
  const values = new GroupNumbers(Number.NaN)
  return {
    grow: (groups) => values.grow(groups),
    at(group) {
      const value = values.at(group)
      return Number.isNaN(value) ? undefined : value
    },
    put: (group, value) => void (values.values[group] = value),
  }
}

/** @param of `sizeOf`: what a value counts for; `max`: all of them together, unless there is only one. @throws TooManyGroups */
export function keptInMap<T>({ sizeOf, max }: { sizeOf: (value: T) => number; max: number }): KeptValues<T> {
  const values = new Map<number, T>()
  let held = 0
  return {
    grow: () => undefined,
    at: (group) => values.get(group),
    put(group, value) {
      const before = values.get(group)
      held += sizeOf(value) - (before === undefined ? 0 : sizeOf(before))
      values.set(group, value)
      if (held > max && values.size > 1) throw new TooManyGroups()
    },
  }
}
