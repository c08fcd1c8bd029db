import { GroupNumbers, type Fold } from './fold'
import type { Numbers } from '../vectors'
import type { Amount } from '../../query/aggregates/amount'

/** Something that rows are ordered by: one number, or two halves of a wide one, the high one first. */
export type OrderNumbers = readonly Numbers[]

/** A value of an operand by the numbers that it is ordered by. */
export interface OrderedValue {
  numbers: OrderNumbers
  shown: (numbers: readonly number[]) => Amount
}

function isEmptyAt(numbers: readonly Float64Array[], row: number): boolean {
  for (const values of numbers) if (Number.isNaN(values[row] ?? Number.NaN)) return true
  return false
}

/**
 * The value of the row where something else is least (`first`) or largest (`last`); of several such rows, the least value,
 * whatever order rows lie in. Rows without a value, or without what they are ordered by, do not count.
 */
export function firstOrLastByFold(value: OrderedValue, by: OrderNumbers, which: 'first' | 'last'): Fold {
  const orders = [...by, ...value.numbers]
  const found = orders.map(() => new GroupNumbers())
  const seen = new GroupNumbers()
  const sign = which === 'first' ? 1 : -1
  /** Negative where a row comes before what was found of its group. */
  const compared = (own: readonly Float64Array[], row: number, key: number): number => {
    for (const [at, values] of own.entries()) {
      const difference = (values[row] ?? 0) - (found[at]?.at(key) ?? 0)
      if (difference !== 0) return at < by.length ? difference * sign : difference
    }
    return 0
  }
  return {
    grow(groups) {
      seen.grow(groups)
      for (const each of found) each.grow(groups)
    },
    add(place, keys) {
      const own = orders.map((numbers) => numbers(place))
      for (let row = 0; row < place.rows; row += 1) {
        const key = keys[row] ?? 0
        if (key === 0 || isEmptyAt(own, row)) continue
        if (seen.at(key) !== 0 && compared(own, row, key) >= 0) continue
        seen.values[key] = 1
        for (const [at, values] of own.entries()) {
          const to = found[at]
          if (to) to.values[key] = values[row] ?? 0
        }
      }
    },
    value: (group) => (seen.at(group) === 0 ? null : value.shown(found.slice(by.length).map((each) => each.at(group)))),
    ...(value.numbers.length === 1
      ? { order: (group: number) => (seen.at(group) === 0 ? null : (found.at(-1)?.at(group) ?? null)) }
      : {}),
  }
}
